# SPDX-License-Identifier: GPL-2.0
"""
arriving.py table|late: write a stream whose end reads what was forgotten, or brings more than its
begin has room for.

table: the last frame of a compressed file claims a table that begins near the begin of the file.
late: of one CPU only a clock has arrived before the last flush; 100 records follow.
"""
import struct
import sys

SECOND = 10 ** 9
out = sys.stdout.buffer


def packet(name, data):
    """Write a packet."""
    out.write(f"{name} {len(data)}\n".encode() + data)


def metadata(flushed, state="running"):
    """Write the metadata, which say up to which time all has arrived."""
    packet("metadata", ("abi_version: 2\nbyte_order: little\nword_bits: 64\npage_size: 4096\n"
                        f"subbuf_size: 4096\nstate: {state}\n"
                        f"flushed_ns: {flushed}\n").encode())


def clock(cpu, sequence, time):
    """Return a struct kmemtrace_clock."""
    return struct.pack("<BBHi5Qq", 5, 0, 56, cpu, time, sequence, 1000, 0, 0, time)


def alloc(ptr, time, size=56):
    """Return an allocation with a record of this size."""
    return struct.pack("<BBHi5Qq", 1, 0, size, -1, 0x1000, ptr, 64, 64, 0xcc0, time) + bytes(size - 56)


def frame(data):
    """Return a frame of zstd with one block that is not compressed."""
    return struct.pack("<IBH", 0xfd2fb528, 0x60, len(data) - 256) + \
        struct.pack("<I", len(data) << 3 | 1)[:3] + data


def skipped(data):
    """Return a frame of zstd without contents."""
    return struct.pack("<II", 0x184d2a50, len(data)) + data


def table():
    """Write the stream with the false table."""
    size = 0
    for i in range(20):
        frames = frame(clock(0, i, SECOND * (i + 1)) + struct.pack("<BBHI", 3, 0, 8, 0) * 505)
        frames += skipped(bytes(1 << 20))
        packet("cpu0.out.zst", frames)
        size += len(frames)
        metadata(SECOND * (i + 2))
    entries = size // 8 - 10
    packet("cpu0.out.zst", skipped(struct.pack("<91xIBI", entries, 0, 0x8f92eab1)))


def late():
    """Write the stream with records behind the last flush."""
    packet("cpu0.out", clock(0, 0, SECOND))
    packet("cpu1.out", clock(1, 0, SECOND))
    metadata(2 * SECOND)
    packet("cpu1.out", b"".join(alloc(0x10000 + 64 * i, 2 * SECOND + i, 64) for i in range(100)))


out.write(b"kmemtrace-stream 1\n")
metadata(0)
{"table": table, "late": late}[sys.argv[1]]()
metadata(0, "complete")
out.write(b"end\n")
