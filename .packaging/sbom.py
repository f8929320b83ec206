"""The bill of materials in SPDX 2.3: each package, and what its program is linked with."""

import hashlib
import json
import re
import time
import uuid


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name)


def document(version, artifacts, parts, epoch):
    """Returns the document as JSON. `artifacts` are the paths of the packages."""
    packages = [artifact(path, version, parts) for path in artifacts] + [material(part) for part in parts]
    links = [
        relationship(identifier(path.name), kind(path, part), identifier(part.name)) for path in artifacts for part in parts]
    describes = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", identifier(path.name)) for path in artifacts]
    content = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"quarry-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/quarry-{version}-{fingerprint(packages)}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)), "creators": ["Tool: quarry-packaging"]},
        "packages": packages, "relationships": describes + links,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def kind(path, part):
    return "STATIC_LINK" if path.suffix != ".deb" or part.is_inside else "DYNAMIC_LINK"


def artifact(path, version, parts):
    inside = [part.licence for part in parts if kind(path, part) == "STATIC_LINK"]
    return {
        "SPDXID": identifier(path.name), "name": "quarry", "versionInfo": version, "packageFileName": path.name,
        "supplier": "Organization: the Quarry developers", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
        "licenseConcluded": " AND ".join(dict.fromkeys(["MIT", *inside])), "licenseDeclared": "MIT",
        "copyrightText": "Copyright (c) 2026 the Quarry developers", "primaryPackagePurpose": "APPLICATION",
    }


def material(part):
    return {
        "SPDXID": identifier(part.name), "name": part.name, "versionInfo": part.version, "downloadLocation": part.source,
        "filesAnalyzed": False, "licenseConcluded": part.licence, "licenseDeclared": part.licence, "copyrightText": part.copyright,
        "primaryPackagePurpose": "LIBRARY",
    }


def relationship(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


def fingerprint(packages):
    """Returns a UUID, which with the name is SPDX's namespace for documents that have no other address."""
    return uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(packages))
