"""The .deb, whose program uses the libraries of the distribution."""

import gzip
import hashlib
import os
import shutil
import time

from archives import SUMMARY
from common import environment, files, run

# An address that cannot exist, for whoever sets no other.
PLACEHOLDER = "maintainers@quarry.invalid"
DESCRIPTION = f"""Description: {SUMMARY}
 Quarry opens SQLite databases of any size at once. You filter, sort and follow
 foreign keys with single keys, edit cells, write SQL, and undo commits. Verbs
 such as rows, query, diff and import work in scripts.
"""


def package(folder, version, program, documents, parts, licence, epoch):
    """Writes the package. Returns its path."""
    work = program.parent / "deb"
    root = work / "root"
    write(root / "usr/bin/quarry", program.read_bytes(), 0o755)
    write(root / "usr/share/man/man1/quarry.1.gz", packed(documents["man"]))
    write(root / "usr/share/bash-completion/completions/quarry", documents["bash"])
    write(root / "usr/share/zsh/vendor-completions/_quarry", documents["zsh"])
    write(root / "usr/share/fish/vendor_completions.d/quarry.fish", documents["fish"])
    write(root / "usr/share/doc/quarry/changelog.gz", packed(changelog(version, epoch).encode()))
    write(root / "usr/share/doc/quarry/copyright", copyright(parts, licence).encode())
    sums = "".join(f"{hashlib.md5((root / path).read_bytes()).hexdigest()}  {path}\n" for path in files(root))
    size = sum(-(-(root / path).stat().st_size // 1024) for path in files(root))
    write(root / "DEBIAN/md5sums", sums.encode())
    write(root / "DEBIAN/control", control(version, size, dependencies(work, root)).encode())
    path = folder / f"quarry_{version}_amd64.deb"
    run("dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", root, path, env=environment(epoch))
    return path


def write(path, content, mode=0o644):
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    for folder in path.parents[:6]:
        if folder.name == "deb":
            break
        folder.chmod(0o755)


def packed(content):
    return gzip.compress(content, 9, mtime=0)


def dependencies(work, root):
    """The packages of the libraries that the program needs, with the oldest versions that have its symbols."""
    (work / "debian").mkdir()
    (work / "debian/control").write_text("Source: quarry\n\nPackage: quarry\nArchitecture: amd64\n")
    output = run("dpkg-shlibdeps", "-O", root / "usr/bin/quarry", cwd=work)
    return next(line.split("=", 1)[1] for line in output.splitlines() if line.startswith("shlibs:Depends="))


def maintainer():
    """Returns the name and the address of whoever makes the package, from the variables that Debian's own tools read."""
    address = os.environ.get("DEBEMAIL") or PLACEHOLDER
    name = os.environ.get("DEBFULLNAME") or "The Quarry developers"
    return address if "<" in address else f"{name} <{address}>"


def control(version, size, depends):
    return (
        f"Package: quarry\nVersion: {version}\nArchitecture: amd64\nMaintainer: {maintainer()}\nInstalled-Size: {size}\n"
        f"Depends: {depends}\nSuggests: openssh-client\nSection: database\nPriority: optional\n{DESCRIPTION}")


def changelog(version, epoch):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch))
    return f"quarry ({version}) unstable; urgency=medium\n\n  * Version {version}.\n\n -- {maintainer()}  {date}\n"


def copyright(parts, licence):
    """The machine-readable copyright file. Debian has the text of the Apache licence, so that it is referred to."""
    by_name = {part.name: part for part in parts}
    swift = by_name["Swift"].texts["LICENSE.txt"]
    exception = swift[swift.index("## Runtime Library Exception"):]
    stanzas = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: quarry\n"
        "Source: the repository of Quarry",
        "Files: *\nCopyright: 2026 the Quarry developers\nLicense: Expat\n" + indented(licence),
    ]
    for part in parts:
        if part.is_inside:
            name = {"MIT": "Expat-" + part.name, "Apache-2.0 WITH Swift-exception": "Apache-2.0-with-Swift-exception"}[part.licence]
            text = indented(next(iter(part.texts.values()))) if part.licence == "MIT" else None
            stanzas.append(
                f"Files: {part.name.replace(' ', '-')}/*\nCopyright: {part.copyright}\nLicense: {name}\n" + (text + "\n" if text else "")
                + f"Comment: {part.name} {part.version} from {part.source} is linked into /usr/bin/quarry.")
    ncurses = by_name["ncurses"]
    stanzas.append(
        f"Files: terminfo/*\nCopyright: {ncurses.copyright}\nLicense: X11-distribute-modifications-variant\n"
        + indented(section(ncurses.texts["copyright"], "License: MIT/X11"))
        + "\nComment: Five terminfo entries of ncurses are inside /usr/bin/quarry.")
    stanzas.append(
        "License: Apache-2.0-with-Swift-exception\n"
        + indented("On Debian systems, the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n\n" + exception))
    return "\n\n".join(stanzas) + "\n"


def section(text, head):
    """The lines below a field of a machine-readable copyright file."""
    lines = text[text.index(head):].splitlines()[1:]
    end = next((index for index, line in enumerate(lines) if not line.startswith(" ")), len(lines))
    return "\n".join("" if line == " ." else line[1:] for line in lines[:end])


def indented(text):
    return "\n".join(f" {line}" if line.strip() else " ." for line in text.strip("\n").splitlines())


def check(path):
    """Has lintian check the package. Returns what was left out, or None."""
    if shutil.which("lintian") is None:
        return "lintian is missing, so that the .deb was not checked: apt-get install lintian"
    run("lintian", "--fail-on", "error", "--suppress-tags", "bad-distribution-in-changes-file", path)
    return None
