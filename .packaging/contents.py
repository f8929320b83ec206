"""What the files of the packages must be."""

import json
import subprocess
import tarfile
import zipfile

from archives import TAG
from common import Failure, run
from play import expect

# In bytes, a little above today's sizes, so that a program that grows is noticed.
LIMITS = {"program": 37_900_000, "wheel": 16_600_000}


def only(dist, pattern):
    paths = sorted(dist.glob(pattern))
    if len(paths) != 1:
        raise Failure(f"{dist} has {len(paths)} files {pattern} and not one: run .packaging/build into an empty folder")
    return paths[0]


def version(dist):
    return only(dist, "quarry_*_amd64.deb").name.split("_")[1]


def check(dist):
    """Checks names, checksums, sizes, licences and the bill of materials."""
    number = version(dist)
    names = [
        "PKGBUILD", "SHA256SUMS", "flake.nix", f"quarry-{number}-linux-x86_64.tar.gz", f"quarry-{number}.spdx.json", "quarry.rb",
        f"quarry_{number}_amd64.deb", f"quarry_db-{number}-{TAG}.whl",
    ]
    missing = [name for name in names if not (dist / name).exists()]
    expect("missing files", missing, [])
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=dist)
    materials = json.loads((dist / f"quarry-{number}.spdx.json").read_text())
    expect("spdxVersion", materials["spdxVersion"], "SPDX-2.3")
    with tarfile.open(dist / names[3]) as archive:
        packed = {member.name.split("/", 1)[-1]: member for member in archive.getmembers()}
    expect("the program's mode", packed["bin/quarry"].mode, 0o755)
    expect("the program is small", packed["bin/quarry"].size <= LIMITS["program"] or packed["bin/quarry"].size, True)
    expect("the wheel is small", (dist / names[7]).stat().st_size <= LIMITS["wheel"] or (dist / names[7]).stat().st_size, True)
    for package in materials["packages"]:
        if package.get("primaryPackagePurpose") == "LIBRARY":
            found = [name for name in packed if name.startswith(f"share/doc/quarry/licences/{package['name']}/")]
            expect(f"{package['name']} has a licence text", bool(found), True)
    with zipfile.ZipFile(dist / names[7]) as wheel:
        expect("a damaged file in the wheel", wheel.testzip(), None)


def check_static(program):
    output = subprocess.run(["ldd", program], capture_output=True, text=True)
    expect("ldd", "not a dynamic executable" in output.stdout + output.stderr, True)
