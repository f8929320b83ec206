"""Installs, plays and removes each package in a clean root, and checks that no file is left.

The exit status is 0 if all is well, 1 if something failed, and 3 if nothing failed but a part could not be tested here.
"""

import argparse
import os
import shutil
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import contents
import play
import roots
from common import Failure, main, require, run


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; usage: {self.prog} [--out dist]\n")


def arguments():
    parser = Arguments(prog=".packaging/test", description="Test the packages of Quarry, as root.")
    parser.add_argument("--out", metavar="FOLDER", default="dist", help="folder of the packages (default: dist)")
    return parser.parse_args()


def become_root():
    """Runs this program again as root, because new roots need it."""
    if os.geteuid() == 0:
        return
    if shutil.which("sudo") is None:
        raise Failure("chroot and dpkg need root, and sudo is missing: run this as root, or apt-get install sudo")
    os.execvp("sudo", ["sudo", sys.executable, "-B", *sys.argv])


def test_tarball(dist, work):
    """The tarball in a root that has nothing but it and /proc."""
    root = work / "empty"
    (root / "proc").mkdir(parents=True)
    run("tar", "-xzf", contents.only(dist, "quarry-*-linux-x86_64.tar.gz"), "--strip-components=1", "-C", root)
    before = roots.listing(root)
    program = roots.Inside(root, "/bin/quarry")
    contents.check_static(root / "bin/quarry")
    play.without_proc(program)
    with roots.mounted_proc(root):
        play.everything(program, contents.version(dist), root / "tmp")
    play.remove_traces(root)
    play.expect("the tarball's root after its programs have run", roots.listing(root), before)
    shutil.rmtree(root)


def test_wheel(dist, work):
    """The wheel in a virtual environment, and through a link to its program as pipx makes one."""
    environment = work / "venv"
    run(sys.executable, "-m", "venv", environment)
    # pip removes the files of a wheel, and no folders.
    before = roots.listing(environment, has_folders=False)
    python = environment / "bin/python"
    wheel = contents.only(dist, "quarry_db-*.whl")
    run(python, "-m", "pip", "install", "--no-index", "--no-compile", "--disable-pip-version-check", wheel)
    contents.check_static(environment / "bin/quarry")
    path = f"{environment}/bin:{os.environ['PATH']}"
    page = run("man", "-w", "quarry", env={"PATH": path}).strip()
    play.expect("man -w quarry", page, f"{environment}/share/man/man1/quarry.1")
    link = work / "bin/quarry"
    link.parent.mkdir()
    link.symlink_to(environment / "bin/quarry")
    play.everything(roots.Inside(None, str(link)), contents.version(dist), work / "wheel-tmp")
    run(python, "-m", "pip", "uninstall", "--yes", "--disable-pip-version-check", "quarry-db")
    play.expect("the virtual environment after pip uninstall", roots.listing(environment, has_folders=False), before)


def test_deb(dist, work):
    """The .deb in a small Debian."""
    package = contents.only(dist, "quarry_*_amd64.deb")
    root = work / "debian"
    origin = roots.make_debian(root, package)
    with roots.mounted_proc(root):
        shutil.copy(package, root / "quarry.deb")
        before = roots.listing(root)
        roots.chroot(root, "dpkg", "-i", "/quarry.deb")
        for path in ["usr/share/man/man1/quarry.1.gz", "usr/share/doc/quarry/copyright"]:
            play.expect(f"/{path} is installed", (root / path).exists(), True)
        play.everything(roots.Inside(root, "/usr/bin/quarry"), contents.version(dist), root / "tmp/play")
        roots.chroot(root, "dpkg", "--purge", "quarry")
        play.remove_traces(root / "tmp")
        play.expect("the Debian after dpkg --purge", roots.listing(root), before)
    return origin


def test():
    options = arguments()
    become_root()
    for program, package in [("tmux", "tmux"), ("man", "man-db"), ("dpkg-deb", "dpkg-dev"), ("unshare", "util-linux")]:
        require(program, package)
    dist = Path(options.out).resolve()
    contents.check(dist)
    print("ok: the files, their checksums and the bill of materials")
    lock, states = threading.Lock(), []

    def part(name, body, work):
        try:
            remark = body(dist, work)
            line, state = f"ok: {name}" + (f", {remark}" if remark else ""), 0
        except roots.Skipped as reason:
            line, state = f"skipped: {name}: {reason}", 3
        except (Failure, AssertionError, OSError) as failure:
            line, state = f"FAILED: {name}: {failure}", 1
        with lock:
            print(line, flush=True)
            states.append(state)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        for name, body in [("the .deb in a Debian", test_deb), ("the tarball in an empty root", test_tarball),
                           ("the wheel in a virtual environment", test_wheel)]:
            work = Path(folder) / body.__name__
            work.mkdir()
            pool.submit(part, name, body, work)
    return 1 if 1 in states else max(states)


if __name__ == "__main__":
    main(".packaging/test", test)
