#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Give kmemtrace-crash files and memory that claim more than they have: what it reads, keeps and
writes is bounded by the bytes on the disk. No drgn is needed.

crash-hostile.py SOURCES [SECONDS]: after that, try random files for so long.
"""
import importlib
import os
import random
import struct
import sys
import tempfile
import time
import tracemalloc
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
sys.modules["drgn"] = types.ModuleType("drgn")
sys.modules["drgn"].container_of = lambda at, struct_name, member: at.owner
import common
import dump
import elf
import records
import subbufs
import symbols
import who
crash = importlib.import_module("kmemtrace-crash")

common.MAX_MESSAGES = 0
FMT = records.Format()
PAGE = 4096
START = 0xffffc90000100000
failed = False


def expect(what, is_right, found):
    global failed
    if not is_right:
        print(f"FAIL: {what}: {found}")
        failed = True


def attempt(what):
    """Return the result of @what, or the exception."""
    try:
        return what()
    except (Exception, common.Failure) as error:
        return error


def peak_of(what):
    """Return the largest memory that Python had while @what ran, and its result."""
    tracemalloc.start()
    result = attempt(what)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, result


# ---- ELF files ----

def elf_file(path, segments=(), sections=(), contents=b"", size=0):
    """Write a file of 64 bits: (offset, bytes) of notes, (type, offset, bytes, link) of sections."""
    segments = [struct.pack("<IIQQQQQQ", elf.PT_NOTE, 4, offset, 0, 0, nr, nr, 4)
                for offset, nr in segments]
    sections = [struct.pack("<IIQQQQIIQQ", 0, kind, symbols.SHF_EXECINSTR, 0, offset, nr, link, 0,
                            1, 24) for kind, offset, nr, link in sections]
    at = 64 + len(contents)
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 4, 62, 1, 0, at, at + 56 * len(segments), 0, 64, 56, len(segments), 64,
        len(sections), 0)
    with open(path, "wb") as file:
        file.write(head + contents + b"".join(segments) + b"".join(sections))
        if size:
            file.truncate(size)


def try_notes(path):
    """Segments share their notes."""
    counts = []
    for nr in 1000, 2000, 4000:
        elf_file(path, segments=[(64, 1 << 20)] * nr,
                 contents=struct.pack("<III", 0, 0, 1) * (1 << 18))
        with elf.Elf(path) as file:
            counts.append(sum(1 for _ in file.notes()))
    expect("shared notes", max(counts) <= elf.MAX_NOTES // 12 + 4000, counts)


def try_holes(path):
    """A table of symbols in a hole."""
    elf_file(path, sections=[(0, 0, 0, 0), (symbols.SHT_SYMTAB, 4096, 1 << 33, 2),
                             (3, 4096, 1 << 33, 0)], size=1 << 34)
    peak, result = peak_of(lambda: list(symbols.text_symbols(path)))
    expect("symbols in a hole", isinstance(result, common.Damage) and peak < 1 << 20,
           (peak, result))
    elf_file(path, segments=[(4096, 1 << 33)], size=1 << 34)
    peak, result = peak_of(lambda: elf.note_of(path, b"GNU"))
    expect("notes in a hole", result is None and peak < 1 << 23, (peak, result))


def try_names(path):
    """Symbols have the end of one name in common, or a name without an end."""
    for nr in 10000, 20000, 40000:
        table = b"".join(struct.pack("<IBBHQQ", i % 4096, symbols.STT_FUNC, 0, 1, i, 0)
                         for i in range(nr))
        elf_file(path, contents=b"n" * 8192 + table,
                 sections=[(0, 0, 0, 0), (symbols.SHT_SYMTAB, 64 + 8192, len(table), 2),
                           (3, 64, 8192, 0)])
        peak, result = peak_of(lambda: list(symbols.text_symbols(path)))
        size = os.stat(path).st_size
        expect(f"names of {nr} symbols", isinstance(result, common.Damage) and peak < 12 * size,
               (peak, size, result))
        names = []
        attempt(lambda: names.extend(name for _, _, name in symbols.text_symbols(path)))
        expect("the longest name", max(map(len, names)) == symbols.MAX_NAME, max(map(len, names)))


def try_files(folder):
    """Links, FIFOs and devices."""
    os.mkfifo(f"{folder}/fifo")
    for path in f"{folder}/fifo", "/dev/zero", folder:
        result = attempt(lambda: dump.readable_bytes(path))
        expect(path, isinstance(result, common.Failure), result)
    os.mkdir(f"{folder}/target")
    os.symlink(f"{folder}/target", f"{folder}/link")
    for path in f"{folder}/link", f"{folder}/fifo":
        result = attempt(lambda: crash.Directory(path).write("metadata", [b"x"]))
        expect(f"the output is {path}", isinstance(result, common.Failure), result)
    expect("nothing behind the link", not os.listdir(f"{folder}/target"), None)


# ---- the memory of a dump ----

class Program:
    """As drgn.Program: @memory is at START."""

    def __init__(self, memory):
        self.memory, self.was_read, self.reads = memory, 0, 0

    def read(self, address, size):
        self.reads += 1
        at = address - START
        if at < 0 or at + size > len(self.memory):
            raise ValueError
        self.was_read += size
        return bytes(self.memory[at:at + size])


def dump_of(memory, left):
    result = dump.Dump.__new__(dump.Dump)
    result.prog, result.left, result.fmt = Program(memory), left, FMT
    return result


def clock(cpu, sequence):
    return FMT.record("clock", 1000, clock=records.CLOCK_CYCLES, cpu=cpu, monotonic=1000,
                      sequence=sequence, frequency=10 ** 9)


def try_shared_buffer(folder):
    """All CPUs have the same memory."""
    size, nr = 1 << 18, 16
    memory = bytearray(nr * size)
    left = 2 * len(memory)
    for cpus in 2, 4, 8:
        source = dump_of(memory, left)
        directory = crash.Directory(f"{folder}/trace{cpus}")
        written = 0
        for cpu in range(cpus):
            for i in range(nr):
                data = clock(cpu, i)
                event = FMT.record("alloc", 2000, type_id=records.TYPE_KMALLOC)
                data += event * ((size - len(data)) // len(event))
                memory[i * size:i * size + len(data)] = data
            buffer = subbufs.Buffer(START, 0, 0, False, nr, 0, [size - len(data)] * nr, None)
            stream = records.Stream(cpu, directory.write_stream)
            peak, _ = peak_of(lambda: subbufs.read_stream(
                FMT, stream, buffer, (size, PAGE), source.read, common.Doubts()))
            stream.flush()
            written += stream.bytes
            expect("memory for a buffer", peak < records.MAX_WAITING + 8 * size, peak)
        expect(f"{cpus} CPUs with one buffer", source.prog.was_read <= left and
               written <= left + cpus * nr * PAGE, (source.prog.was_read, written))


def try_missing_memory():
    """Each read fails."""
    for pages in 100, 200, 400:
        source = dump_of(b"", pages * PAGE)
        for address in range(10000):
            attempt(lambda: source.read(address, 8))
        expect("reads that fail", source.prog.reads <= pages, source.prog.reads)


class Node:
    """Any structure of the kernel: a member that is not set is the number 0."""

    def __init__(self, **members):
        vars(self).update(members)

    def address_of_(self):
        return self

    def value_(self):
        return id(self)

    def __int__(self):
        return 0

    def __getattr__(self, name):
        return Node()


def cgroup(name):
    css = Node(flags=1, cgroup=Node(kn=Node(name=name)))
    css.children, css.sibling = Node(owner=css), Node(owner=css)
    css.children.next = css.children
    return css


def link_children(css, children):
    at = css.children
    for child in children:
        at.next = child.sibling
        at = child.sibling
    at.next = css.children


def try_cgroups():
    """A tree of cgroups, and one that has no end."""
    root, a, b, c = (cgroup(name) for name in "rabc")
    link_children(root, [a, c])
    link_children(a, [b])
    source = dump_of(b"", 1 << 26)
    source.prog = {"root_mem_cgroup": Node(css=root), "CSS_ONLINE": 1}
    source.text = lambda name, size: (name.value_ if hasattr(name, "value_") else name).encode()
    for css in a, b, c:
        css.cgroup.kn.name = Node(value_=lambda name=css.cgroup.kn.name: name)
    paths = attempt(lambda: [path for *_, path in who.live_cgroups(source)])
    expect("cgroups", paths == [b"/", b"/a", b"/a/b", b"/c"], paths)
    link_children(b, [a])
    peak, result = peak_of(lambda: list(who.live_cgroups(source)))
    expect("cgroups without an end", isinstance(result, common.Damage) and peak < 1 << 26,
           (peak, result))


# ---- random files ----

def try_random(path, rng, seconds):
    """Change files. Only Damage and its like may come out."""
    end, tries = time.process_time() + seconds, 0
    table = b"".join(struct.pack("<IBBHQQ", 4 * i, symbols.STT_FUNC, 0, 1, i, 0)
                     for i in range(50))
    elf_file(path, contents=b"abc\0" * 64 + table + struct.pack("<III", 4, 4, 3) + b"GNU\0abcd",
             segments=[(64 + 256 + 1200, 20)], sections=[
                 (0, 0, 0, 0), (symbols.SHT_SYMTAB, 64 + 256, 1200, 2), (3, 64, 256, 0)])
    with open(path, "rb") as file:
        seed = file.read()
    while time.process_time() < end:
        data = bytearray(seed)
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 255, rng.randrange(256)))
        with open(path, "wb") as file:
            file.write(data[:rng.choice((len(data), rng.randrange(len(data))))])
        tries += 1
        peak, _ = peak_of(lambda: (elf.note_of(path, b"GNU"), list(symbols.text_symbols(path))))
        if peak > 1 << 24:
            os.rename(path, "crash-found")
            expect("memory for the file crash-found", False, peak)
            return
    print(f"note: {tries} random files")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/file"
        try_notes(path)
        try_holes(path)
        try_names(path)
        try_files(folder)
        try_shared_buffer(folder)
        try_missing_memory()
        try_cgroups()
        seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1
        try_random(path, random.Random(seconds), seconds)


main()
if not failed:
    print("each input is bounded")
sys.exit(failed)
