"""The clean roots in which the packages are tried."""

import contextlib
import os
import re
import shutil
from pathlib import Path

from common import Failure, run

MIRROR = "http://deb.debian.org/debian"


class Skipped(Exception):
    """The reason why a part cannot be tested here."""


class Inside:
    """A program in a root, or in this system if the root is None."""

    def __init__(self, root, path):
        self.root, self.path = root, path

    def command(self, *arguments):
        prefix = ["chroot", str(self.root)] if self.root else []
        return [*prefix, self.path, *arguments]

    def place(self, folder):
        """The path of a folder as the program sees it."""
        return "/" + str(folder.relative_to(self.root)) if self.root else str(folder)


def listing(root, has_folders=True):
    """All paths in a folder with what tells files apart, without the contents of /proc and dpkg's own records."""
    paths = {}
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        if here == root / "proc":
            folders.clear()
            continue
        for name in folders * has_folders + names:
            path = here / name
            status = path.lstat()
            key = str(path.relative_to(root))
            if not is_record(key):
                paths[key] = (status.st_mode, status.st_size if not path.is_dir() or path.is_symlink() else 0)
    return paths


def is_record(path):
    return re.match(r"var/(lib/dpkg/(status|available|lock|triggers)|log/|cache/)", path) is not None or "__pycache__" in path


@contextlib.contextmanager
def mounted_proc(root):
    (root / "proc").mkdir(exist_ok=True)
    try:
        run("mount", "-t", "proc", "proc", root / "proc")
    except Failure as failure:
        raise Skipped(f"/proc cannot be mounted in a new root here: {failure}") from failure
    try:
        yield
    finally:
        run("umount", root / "proc")


def chroot(root, *command):
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return run("chroot", root, *command, env={"PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"})


def make_debian(root, package):
    """Makes a small Debian with what the package depends on. Returns a remark on how, or None."""
    names = [re.split(r"[ (|]", word.strip())[0] for word in run("dpkg-deb", "-f", package, "Depends").split(",")]
    if shutil.which("debootstrap") is None:
        remark = "debootstrap is missing (apt-get install debootstrap)"
    else:
        try:
            run("debootstrap", "--variant=minbase", f"--include={','.join(names)}", codename(), root, MIRROR)
            return None
        except Failure as failure:
            remark = f"debootstrap has made none ({str(failure).splitlines()[-1]})"
            shutil.rmtree(root, ignore_errors=True)
    copy_debian(root, names)
    return f"which was copied from this system's packages, because {remark}"


def codename():
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    if release.get("ID") != "debian":
        raise Skipped("this system is not a Debian, so that its libraries are not those that the package was linked with")
    return release["VERSION_CODENAME"]


def copy_debian(root, names):
    """Makes a root of this system's own packages: dpkg, a shell, and all that they and `names` depend on."""
    if shutil.which("dpkg-query") is None or not Path("/var/lib/dpkg/status").exists():
        raise Skipped("neither debootstrap nor dpkg's records of this system can make a root")
    needed = closure(["base-files", "base-passwd", "bash", "coreutils", "dash", "diffutils", "dpkg", "grep", "libc-bin", "sed", "tar", *names])
    for folder in ["proc", "tmp", "root", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"]:
        (root / folder).mkdir(parents=True)
    for name in ["bin", "lib", "lib32", "lib64", "libx32", "sbin"]:
        if Path("/", name).is_symlink():
            (root / name).symlink_to(os.readlink(f"/{name}"))
            (root / name).resolve().mkdir(parents=True, exist_ok=True)
    lines = {line for name in needed for line in run("dpkg", "-L", name).splitlines()}
    paths = sorted(line for line in lines if line.startswith("/") and line != "/.")
    listed = root / "tmp/list"
    listed.write_text("\n".join(path[1:] for path in paths if os.path.lexists(path)))
    copy = f"tar -C / --no-recursion -cf - -T '{listed}' | tar -C '{root}' -xf - --keep-directory-symlink"
    run("bash", "-o", "pipefail", "-c", copy)
    listed.unlink()
    status = Path("/var/lib/dpkg/status").read_text().split("\n\n")
    kept = [stanza for stanza in status if stanza.removeprefix("Package: ").split("\n")[0] in needed]
    (root / "var/lib/dpkg/status").write_text("\n\n".join(kept) + "\n\n")
    # dpkg writes the version of its records when it first changes them.
    (root / "var/lib/dpkg/info/format").write_text("1\n")
    for name in needed:
        for path in [*Path("/var/lib/dpkg/info").glob(f"{name}.*"), *Path("/var/lib/dpkg/info").glob(f"{name}:amd64.*")]:
            shutil.copy(path, root / "var/lib/dpkg/info")


def closure(names):
    """The installed packages that packages depend on, and they themselves."""
    fields = run("dpkg-query", "-W", "-f=${Package}\\t${Status}\\t${Provides}\\t${Pre-Depends}, ${Depends}\\n")
    depends, provides = {}, {}
    for line in fields.splitlines():
        package, state, provided, needs = line.split("\t")
        if not state.endswith(" installed"):
            continue
        depends[package] = re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]+)", needs)
        for name in re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9.+-]+)", provided):
            provides[name] = package
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        name = name if name in depends else provides.get(name)
        if name and name not in found:
            found.add(name)
            waiting += depends[name]
    return found
