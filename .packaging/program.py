"""The program: compiled once, and linked twice from the same objects."""

import shlex
import shutil
from pathlib import Path

import elf
from common import ROOT, SCRATCH, Failure, environment, require, run

TARGET = "x86_64-unknown-linux-gnu"
COMPILE = ["-c", "release", "--static-swift-stdlib", "-debug-info-format", "none", "--product", "quarry", "--scratch-path", str(SCRATCH)]

# No path of this machine gets into the program, not even from an assertion of a dependency.
COMPILE += ["-Xcxx", f"-ffile-prefix-map={ROOT}/="]

# The libraries of the system, and the Debian packages that have them.
LIBRARIES = {
    "sqlite3": "libsqlite3-dev", "ncursesw": "libncurses-dev", "tinfo": "libncurses-dev", "ssl": "libssl-dev", "crypto": "libssl-dev",
    "stdc++": "g++", "m": "libc6-dev",
}


def check():
    """Checks that what compiles and links is there."""
    if shutil.which("swiftc") is None:
        raise Failure("swiftc is missing: https://www.swift.org/install/ explains how to install Swift 6.2 or later")
    for linker, package in [("ld.gold", "binutils"), ("strip", "binutils")]:
        require(linker, package)
    for name, package in LIBRARIES.items():
        if not library(name).startswith("/"):
            raise Failure(f"lib{name}.a is missing, which the static program contains: apt-get install {package}")


def library(name):
    """The path of a static library, or only its name if it is missing."""
    return run(clang(), f"-print-file-name=lib{name}.a").strip()


def toolchain():
    """The folder of the Swift toolchain."""
    return Path(shutil.which("swiftc")).resolve().parent.parent


def clang():
    return toolchain() / "bin" / "clang"


def compile():
    """Compiles the release. Does nothing if nothing has changed."""
    run("swift", "build", *COMPILE, cwd=ROOT)


def objects():
    """The objects of the compiled release."""
    return shlex.split((SCRATCH / "release/quarry.product/Objects.LinkFileList").read_text())


def slimmed(paths, work):
    """Returns arguments that link slim copies of objects and libraries. Only what is of C++ needs to unwind the stack."""
    folder = work / "slim"
    folder.mkdir()
    libraries = [Path(library(name)) for name in LIBRARIES if name not in ("stdc++", "m")]
    for path in [*static_libraries().glob("*.a"), *libraries]:
        (folder / path.name).write_bytes(elf.slimmed(path.read_bytes()))
    copies = []
    for number, path in enumerate(paths):
        copies.append(folder / f"{number}.o")
        copies[-1].write_bytes(elf.slimmed(Path(path).read_bytes(), unwinds="/CTOML.build/" in path))
    return [*copies, "-L", folder]


def unhashed(paths, work):
    """Returns copies of objects that are the same whatever the folder of the checkout is."""
    folder = work / "objects"
    folder.mkdir()
    copies = [folder / f"{number}.o" for number in range(len(paths))]
    for path, copy in zip(paths, copies):
        copy.write_bytes(elf.unhashed(Path(path).read_bytes()))
    return copies


def static_libraries():
    return toolchain() / "lib/swift_static/linux"


def link(output, is_static, work):
    """Links the program: whole for every Linux, or with the libraries of this distribution."""
    start, names, libraries, arguments = [work / name for name in ("start.o", "names", "libraries", "arguments")]
    run(clang(), "-c", "-O2", f"-ffile-prefix-map={ROOT}/=", ROOT / ".packaging/start.c", "-o", start)
    paths = objects()
    names.write_text(quoted(paths))
    run(toolchain() / "bin/swift-autolink-extract", f"@{names}", "-o", libraries)
    arguments.write_text(quoted([
        start, static_libraries() / "x86_64/swiftrt.o", "-Wl,--start-group", *(slimmed if is_static else unhashed)(paths, work),
        f"@{libraries}", "-Wl,--end-group", "-L", static_libraries(),
    ]))
    run(clang(), f"--target={TARGET}", "-fuse-ld=gold", f"@{arguments}",
        f"@{static_libraries()}/static-{'executable' if is_static else 'stdlib'}-args.lnk", *([] if is_static else ["-pie"]),
        "-Wl,--gc-sections,--icf=safe,--no-export-dynamic,--strip-all,--build-id=sha1,--defsym=main=quarry_main,-z,relro,-z,now",
        *[f"-l{library}" for library in LIBRARIES], "-o", output, cwd=work)
    run("strip", "--remove-section=.comment", output)


def quoted(words):
    return "\n".join(shlex.quote(str(word)) for word in words)


def version(program):
    """The version that the program reports of itself."""
    return run(program, "--version", env=environment()).split()[1]


def documents(program):
    """The man page and the completions, by the shell's name."""
    def output(*arguments):
        return run(program, *arguments, env=environment()).encode()

    texts = {"man": output("man", "--roff")} | {shell: output("--generate-completion-script", shell) for shell in ("bash", "zsh", "fish")}
    # The shell reads the completions and does not run them.
    texts["bash"] = texts["bash"].removeprefix(b"#!/bin/bash\n")
    return texts
