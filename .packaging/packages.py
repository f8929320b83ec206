"""Builds the packages of Quarry: a tarball, a wheel and a .deb, their checksums and bill of materials, and recipes for other systems.

The same commit gives the same bytes in every folder whose path has the same length: the compiler writes that length, and nothing else of
the path, into the program where a closure must not escape. SOURCE_DATE_EPOCH is the time in the packages; without it, it is that of the
commit.
"""

import argparse
import base64
import concurrent.futures
import hashlib
import os
import platform
import shutil
import tempfile
from pathlib import Path

import archives
import components
import debian
import program
import sbom
from common import ROOT, Failure, is_version, main, require, run


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; usage: {self.prog} [--version V] [--out dist]\n")


def arguments():
    parser = Arguments(prog=".packaging/build", description="Build the packages of Quarry.")
    parser.add_argument("--version", metavar="V", help="version of the packages; by default that of the program")
    parser.add_argument("--out", metavar="FOLDER", default="dist", help="folder to write to (default: dist)")
    options = parser.parse_args()
    if options.version is not None and not is_version(options.version):
        parser.error(f"“{options.version}” is not a version of all package formats, which has numbers and periods: 1.2.3")
    return options


def check():
    """Checks all that the packages need before the first minute is spent."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise Failure(f"packages are made for Linux on x86_64, and this is {platform.system()} on {platform.machine()}")
    if not os.access(ROOT, os.W_OK):
        raise Failure(f"the checkout {ROOT} is read-only, and the build writes to .build-release in it: copy it elsewhere")
    for name in ["dpkg-deb", "dpkg-shlibdeps"]:
        require(name, "dpkg-dev")
    program.check()


def epoch():
    """The time of the packages, in seconds since 1970."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if text is None:
        try:
            text = run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
        except Failure as failure:
            raise Failure(f"the commit has no time, so set SOURCE_DATE_EPOCH to that of the packages: {failure}") from failure
    if not text.isdigit():
        raise Failure(f"SOURCE_DATE_EPOCH is “{text}”, which is not a number of seconds since 1970")
    return int(text)


def warn_of_changes():
    """Says which files are not those of the commit, because the packages cannot be built again from it."""
    try:
        changed = run("git", "status", "--porcelain", cwd=ROOT).splitlines()
    except Failure:
        return
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        print(f"warning: the packages contain uncommitted changes: {changed[0][3:]}{more}; commit them to build the same again")


def make(folder, version, work):
    """Writes all packages to a folder. Returns what was not checked, or None."""
    if debian.PLACEHOLDER in debian.maintainer():
        print(f"note: {debian.PLACEHOLDER}, the .deb's maintainer, is a placeholder; set DEBEMAIL and DEBFULLNAME to name yours")
    moment = epoch()
    static, dynamic = work / "static/quarry", work / "dynamic/quarry"
    for path in [static, dynamic]:
        path.parent.mkdir()
    program.link(static, True, static.parent)
    own = program.version(static)
    version = version or own
    if version != own:
        print(f"note: the packages have version {version}, and the program reports {own}")
    documents = program.documents(static)
    parts = components.components()
    readme = (ROOT / "README.md").read_text()
    contents = archives.installed(static, documents)
    licences = components.licence_files(parts)
    shared = {f"share/doc/quarry/licences/{name}": text.encode() for name, text in licences.items()}
    tarball = folder / f"quarry-{version}-linux-x86_64.tar.gz"

    def make_deb():
        program.link(dynamic, False, dynamic.parent)
        path = debian.package(folder, version, dynamic, documents, parts, components.own_licence(), moment)
        return path, debian.check(path)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        jobs = [
            pool.submit(make_deb),
            pool.submit(archives.wheel, folder, version, contents, licences, components.expression(parts), readme, moment),
            pool.submit(archives.tarball, tarball, contents | shared | {"share/doc/quarry/README.md": readme.encode()}, moment),
        ]
    (deb, remark), wheel, _ = [job.result() for job in jobs]
    (folder / f"quarry-{version}.spdx.json").write_text(sbom.document(version, [deb, tarball, wheel], parts, moment))
    write_recipes(folder, version, tarball)
    write_sums(folder)
    return remark


def write_recipes(folder, version, tarball):
    digest = hashlib.sha256(tarball.read_bytes()).digest()
    values = {"VERSION": version, "SHA256": digest.hex(), "SRI": "sha256-" + base64.b64encode(digest).decode()}
    for recipe in sorted((ROOT / ".packaging/recipes").iterdir()):
        text = recipe.read_text()
        for name, value in values.items():
            text = text.replace(f"@{name}@", value)
        (folder / recipe.name).write_text(text)


def write_sums(folder):
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))


def publish(made, out):
    """Moves the finished files to the folder of the user, in which other files stay."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path in sorted(made.iterdir()):
            shutil.copyfile(path, out / path.name)
    except OSError as error:
        raise Failure(f"“{error.filename}” cannot be written: {error.strerror}") from error


def build():
    options = arguments()
    check()
    warn_of_changes()
    epoch()
    program.compile()
    with tempfile.TemporaryDirectory() as work:
        made = Path(work) / "made"
        made.mkdir()
        remark = make(made, options.version, Path(work))
        publish(made, Path(options.out))
        for path in sorted(made.iterdir()):
            print(f"{path.stat().st_size:>11,} {Path(options.out) / path.name}")
    if remark:
        print(f"note: {remark}")


if __name__ == "__main__":
    main(".packaging/build", build)
