"""What the steps of packaging share: the checkout, commands, and failures that say what to do."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build-release"


class Failure(Exception):
    """A sentence for the user: what is wrong, and what to do."""


def run(*command, **options):
    """Runs a command and returns its output. Its messages are shown only if it fails."""
    try:
        result = subprocess.run(
            [str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **options)
    except OSError as error:
        raise Failure(f"{command[0]} cannot be run: {error.strerror}") from error
    if result.returncode != 0:
        lines = (result.stdout + result.stderr).strip().splitlines()[-30:]
        raise Failure("\n".join([f"{Path(str(command[0])).name} failed with status {result.returncode}:", *lines]))
    return result.stdout


def require(program, package):
    """Checks that a program of a Debian package is there."""
    if shutil.which(program) is None:
        raise Failure(f"{program} is missing: apt-get install {package}")


def is_version(text):
    """Whether a text is a version in every format of the packages."""
    return re.fullmatch(r"[0-9]+(\.[0-9]+)*", text) is not None


def environment(epoch=0):
    """The environment of commands whose output is packaged: nothing of this machine changes it."""
    return {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TZ": "UTC", "SOURCE_DATE_EPOCH": str(epoch)}


def files(folder):
    """The paths of all files in a folder, relative to it, in order."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())


def main(name, body):
    """Runs a program. A failure ends it with its sentence and status 1."""
    try:
        sys.exit(body())
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
