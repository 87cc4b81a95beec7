# SPDX-License-Identifier: GPL-2.0
"""ELF files: a dump, and a kernel with its symbols."""
import os
import struct

from common import Damage

PT_NOTE = 4
PN_XNUM = 0xffff
# Bytes of all notes: those of 8192 CPUs have less.
MAX_NOTES = 1 << 22


def disk_bytes(path):
    """Return the bytes that a file has on the disk; a hole has none. /proc/vmcore has no blocks."""
    status = os.stat(path)
    return status.st_blocks * 512 or status.st_size


class Elf:
    """An ELF file: a dump, or a kernel with its symbols."""

    def __init__(self, path):
        self.path, self.room = path, disk_bytes(path)
        self.file = open(path, "rb")
        ident = self.file.read(16)
        if ident[:4] != b"\x7fELF" or len(ident) < 16:
            self.file.close()
            raise Damage(f"{path}: no ELF file")
        self.wide, self.order = ident[4] == 2, "<" if ident[5] == 1 else ">"
        self.header = self.structs(16, "HHIQQQIHHHHHH" if self.wide else "HHIIIIIHHHHHH", 1)[0]

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.file.close()

    def read(self, offset, size):
        if size > self.room:
            raise Damage(f"{self.path}: has no {size} bytes at {offset} on the disk")
        self.file.seek(offset)
        return self.file.read(size)

    def structs(self, offset, form, nr):
        form = struct.Struct(self.order + form)
        data = self.read(offset, nr * form.size)
        return list(form.iter_unpack(data[:len(data) // form.size * form.size]))

    def sections(self, nr=None):
        return self.structs(self.header[5], "IIQQQQIIQQ" if self.wide else "IIIIIIIIII",
                            self.header[11] if nr is None else nr)

    def notes(self):
        """Yield name and contents of each note."""
        nr = self.header[9]
        if nr == PN_XNUM:
            nr = self.sections(1)[0][7]
        left = MAX_NOTES
        for entry in self.structs(self.header[4], "IIQQQQQQ" if self.wide else "IIIIIIII", nr):
            if entry[0] != PT_NOTE:
                continue
            offset, size = (entry[2], entry[5]) if self.wide else (entry[1], entry[4])
            data, at = self.read(offset, min(size, left)), 0
            left -= len(data)
            while at + 12 <= len(data):
                name, contents, _ = struct.unpack_from(self.order + "III", data, at)
                at += 12
                begin = at + (name + 3 & ~3)
                yield data[at:at + name].rstrip(b"\0"), data[begin:begin + contents]
                at = begin + (contents + 3 & ~3)


def note_of(path, wanted):
    """Return the contents of a note of an ELF file, or None."""
    try:
        with Elf(path) as elf:
            return next((contents for name, contents in elf.notes() if name == wanted), None)
    except (Damage, OSError, struct.error, IndexError):
        return None


def value_of(info, key):
    """Return a value of VMCOREINFO, or None."""
    prefix = key.encode() + b"="
    for line in (info or b"").split(b"\n"):
        if line.startswith(prefix):
            return line[len(prefix):].decode(errors="replace")
    return None
