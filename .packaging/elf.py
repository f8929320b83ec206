"""Objects made ready to be linked: what nobody calls and nobody reads, and what differs from folder to folder, can be left out."""

import struct

ALLOCATED, RETAINED, EXCLUDED = 0x2, 0x200000, 0x80000000


def slimmed(content, unwinds=False):
    """Returns an object or an archive of objects whose unused functions and whose tables for unwinding the stack are not linked.

    Swift marks all public functions as used. Here only the sections stay so that its runtime searches, whose names begin with `swift5_`.
    """
    content = bytearray(content)
    for start in members(content):
        if content[start:start + 4] == b"\x7fELF":
            slim(content, start, unwinds)
    return content


def unhashed(content):
    """Returns an object without the hash of how its module was compiled, which contains the paths of its files."""
    content = bytearray(content)
    for section, name, flags in sections(content, 0):
        if name == b".swift_modhash":
            struct.pack_into("<Q", content, section + 8, flags & ~(ALLOCATED | RETAINED) | EXCLUDED)
    return content


def members(content):
    """The positions of the objects in an archive, or that of the only object."""
    if content[:8] != b"!<arch>\n":
        yield 0
        return
    position = 8
    while position < len(content):
        size = int(content[position + 48:position + 58])
        yield position + 60
        position += 60 + size + size % 2


def sections(content, start):
    """The sections of an object: the position of the header, the name and the flags of each."""
    table, = struct.unpack_from("<Q", content, start + 0x28)
    count, names = struct.unpack_from("<HH", content, start + 0x3C)
    if count == 0:
        count, = struct.unpack_from("<Q", content, start + table + 0x20)
    if names == 0xFFFF:
        names, = struct.unpack_from("<I", content, start + table + 0x28)
    texts, = struct.unpack_from("<Q", content, start + table + names * 64 + 0x18)
    for index in range(count):
        section = start + table + index * 64
        name, _, flags = struct.unpack_from("<IIQ", content, section)
        first = start + texts + name
        yield section, bytes(content[first:content.index(0, first)]), flags


def slim(content, start, unwinds):
    for section, name, flags in sections(content, start):
        if not name.startswith(b"swift5_"):
            flags &= ~RETAINED
        if name == b".eh_frame" and not unwinds:
            flags = flags & ~ALLOCATED | EXCLUDED
        struct.pack_into("<Q", content, section + 8, flags)
