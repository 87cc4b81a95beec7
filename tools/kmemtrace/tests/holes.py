#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""holes.py FILE: put an empty frame of 16 MB behind each frame of a compressed stream. Its bytes are a
hole of the file."""

import struct
import sys

HOLE = 16 << 20
FOOTER = struct.Struct("<IBI")
HEADER = struct.Struct("<II")
SKIPPED, TABLE = 0x184d2a50, 0x184d2a5e

with open(sys.argv[1], "rb") as f:
    old = f.read()
nr, descriptor, magic = FOOTER.unpack(old[-FOOTER.size:])
entry = struct.Struct("<3I" if descriptor & 0x80 else "<2I")
table = old[-FOOTER.size - nr * entry.size:-FOOTER.size]
empty = (HOLE,) + (0,) * (entry.size // 4 - 1)
at, entries = 0, b""
with open(sys.argv[1], "wb") as f:
    for values in entry.iter_unpack(table):
        f.write(old[at:at + values[0]] + HEADER.pack(SKIPPED, HOLE - HEADER.size))
        f.seek(HOLE - HEADER.size, 1)
        at += values[0]
        entries += entry.pack(*values) + entry.pack(*empty)
    table = entries + FOOTER.pack(2 * nr, descriptor, magic)
    f.write(HEADER.pack(TABLE, len(table)) + table)
