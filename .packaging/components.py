"""What is inside the packages, from where, and under which licence. Every text is the original one of its files."""

import json
import re
from pathlib import Path

import program
from common import ROOT, SCRATCH, Failure, run

COMMON = "/usr/share/common-licenses"
SWIFT = "Apache-2.0 WITH Swift-exception"


class Component:
    """A part of the program.

    `texts` maps names of files to licence texts. `is_inside` says whether the program of the .deb contains it, rather than needing it.
    """

    def __init__(self, name, version, licence, copyright, source, texts, is_inside):
        self.name, self.version, self.licence, self.copyright = name, version, licence, copyright
        self.source, self.texts, self.is_inside = source, texts, is_inside


def read(path):
    try:
        return path.read_text()
    except OSError as error:
        raise Failure(f"{path}, a licence text that the packages need, cannot be read: {error.strerror}") from error


def debian(name, library, licence, copyright, common=()):
    """A library of the distribution, with the texts that its package has."""
    package = run("dpkg-query", "-S", Path(program.library(library)).resolve()).split(":")[0]
    version, source = run("dpkg-query", "-W", "-f=${source:Version} ${source:Package}", package).split()
    texts = {"copyright": read(Path(f"/usr/share/doc/{package}/copyright"))}
    texts |= {text: read(Path(COMMON) / text) for text in common}
    return Component(name, version, licence, copyright, f"https://sources.debian.org/src/{source}/{version}/", texts, False)


def checkout(name, identity, licence, copyright, texts):
    """A package of Swift, with the texts of its checkout."""
    pins = json.loads(read(ROOT / "Package.resolved"))["pins"]
    pin = next((pin for pin in pins if pin["identity"] == identity.lower()), None)
    if pin is None:
        raise Failure(f"Package.resolved does not name {identity}: run `swift package resolve`")
    folder = SCRATCH / "checkouts" / identity
    return Component(name, pin["state"]["version"], licence, copyright, pin["location"],
                     {text: read(folder / text) for text in texts}, True)


def toml():
    """toml++, which TOMLKit contains: its licence is at the beginning of its file."""
    lines = read(SCRATCH / "checkouts/TOMLKit/Sources/CTOML/Sources/toml.hpp").splitlines()
    text = "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines[:lines.index("#ifndef TOMLPLUSPLUS_HPP")])
    version = re.search(r"toml\+\+ v([0-9.]+)", text).group(1)
    licence = text[text.index("MIT License"):].rstrip("-\n") + "\n"
    return Component("toml++", version, "MIT", "Mark Gillard", "https://github.com/marzer/tomlplusplus", {"LICENSE": licence}, True)


def swift():
    version = re.search(r"Swift version ([0-9.]+)", run("swiftc", "--version")).group(1)
    return Component(
        "Swift", version, SWIFT, "Apple Inc. and the Swift project authors", "https://github.com/swiftlang/swift",
        {"LICENSE.txt": read(program.toolchain() / "share/swift/LICENSE.txt")}, True)


def components():
    """All parts of the static program but Quarry's own, in order."""
    return [
        debian("SQLite", "sqlite3", "blessing", "none (public domain)"),
        debian("ncurses", "ncursesw", "X11-distribute-modifications-variant", "Free Software Foundation, Thomas E. Dickey"),
        debian("OpenSSL", "ssl", "Apache-2.0", "The OpenSSL Project Authors", ["Apache-2.0"]),
        swift(),
        checkout("swift-argument-parser", "swift-argument-parser", SWIFT, "Apple Inc. and the Swift project authors", ["LICENSE.txt"]),
        checkout("TOMLKit", "TOMLKit", "MIT", "Jeff Lebrun", ["LICENSE"]),
        toml(),
        debian("libstdc++", "stdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", "Free Software Foundation", ["GPL-3"]),
        debian("glibc", "c", "LGPL-2.1-or-later", "Free Software Foundation", ["LGPL-2.1"]),
    ]


def own_licence():
    return read(ROOT / ".github/LICENSE")


def notice(parts):
    """The overview that lies beside the licence texts."""
    lines = ["The program `quarry` is under the MIT licence (LICENSE). Its static build contains:", ""]
    for part in parts:
        lines.append(f"{part.name} {part.version}: {part.licence}, {part.source}")
        lines += [f"    {part.name}/{text}" for text in part.texts]
    glibc = next(part for part in parts if part.name == "glibc")
    lines += [
        "", "glibc is under the GNU Lesser General Public License 2.1, which gives you the right to relink the program with another glibc.",
        "Quarry's source is complete and free: `.packaging/build` in it compiles the objects and links them with the glibc of your system.",
        f"The source of the glibc in this program is at {glibc.source}",
    ]
    return "\n".join(lines) + "\n"


def licence_files(parts):
    """All licence texts, by their paths in the folder of licences."""
    texts = {"LICENSE": own_licence(), "NOTICE": notice(parts)}
    return texts | {f"{part.name}/{name}": text for part in parts for name, text in part.texts.items()}


def expression(parts):
    """The licences of the static program as an SPDX expression."""
    return " AND ".join(dict.fromkeys(["MIT", *[part.licence for part in parts]]))
