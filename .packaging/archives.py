"""The tarball and the wheel, whose bytes depend only on their contents."""

import base64
import gzip
import hashlib
import io
import tarfile
import time
import zipfile

TAG = "py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64"
SUMMARY = "full-screen browser for SQLite databases in the terminal"


def installed(program, documents):
    """What both hold below a prefix such as ~/.local, by path."""
    return {
        "bin/quarry": program.read_bytes(),
        "share/bash-completion/completions/quarry": documents["bash"],
        "share/fish/vendor_completions.d/quarry.fish": documents["fish"],
        "share/man/man1/quarry.1": documents["man"],
        "share/zsh/site-functions/_quarry": documents["zsh"],
    }


def mode(path):
    return 0o755 if path.endswith(("bin/quarry", "scripts/quarry")) else 0o644


def tarball(path, contents, epoch):
    """Writes a compressed archive whose files lie in a folder with its name."""
    top = path.name.removesuffix(".tar.gz")
    folders = {folder for name in contents for folder in parents(name)}
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name in sorted({"", *folders, *contents}):
                info = tarfile.TarInfo(f"{top}/{name}".rstrip("/"))
                info.mtime = epoch
                if name in contents:
                    info.size, info.mode = len(contents[name]), mode(name)
                    archive.addfile(info, io.BytesIO(contents[name]))
                else:
                    info.type, info.mode = tarfile.DIRTYPE, 0o755
                    archive.addfile(info)


def parents(name):
    parts = name.split("/")[:-1]
    return ["/".join(parts[:count + 1]) for count in range(len(parts))]


def wheel(folder, version, contents, licences, licence, readme, epoch):
    """Writes a wheel that installs the program as a script: no Python runs when it does. Returns its path."""
    metadata = f"quarry_db-{version}.dist-info"
    data = f"quarry_db-{version}.data"
    members = {}
    for name, content in contents.items():
        place = f"{data}/scripts/quarry" if name == "bin/quarry" else f"{data}/data/{name}"
        members[place] = content
    for name, text in licences.items():
        members[f"{metadata}/licenses/{name}"] = text.encode()
    header = [
        "Metadata-Version: 2.4", "Name: quarry-db", f"Version: {version}", f"Summary: A {SUMMARY}", f"License-Expression: {licence}",
        *[f"License-File: {name}" for name in sorted(licences)],
        "Classifier: Environment :: Console", "Classifier: Operating System :: POSIX :: Linux", "Classifier: Topic :: Database",
        "Requires-Python: >=3.7", "Description-Content-Type: text/markdown",
    ]
    members[f"{metadata}/METADATA"] = ("\n".join(header) + "\n\n" + readme).encode()
    python, abi, platforms = TAG.split("-")
    tags = "".join(f"Tag: {python}-{abi}-{platform}\n" for platform in platforms.split("."))
    members[f"{metadata}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: quarry\nRoot-Is-Purelib: false\n{tags}".encode()
    members = dict(sorted(members.items()))
    members[f"{metadata}/RECORD"] = ("".join(record(*member) for member in members.items()) + f"{metadata}/RECORD,,\n").encode()
    path = folder / f"quarry_db-{version}-{TAG}.whl"
    moment = time.gmtime(max(epoch, 315532800))[:6]  # a zip file has no dates before 1980
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, moment)
            info.external_attr = (0o100000 | mode(name)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            archive.writestr(info, content)
    return path


def record(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"
