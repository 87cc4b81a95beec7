#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Give kmemtrace-crash the buffers of a CPU, and examine the stream that it makes of them.

crash.py SOURCES TRACE: write the valid streams to the directory TRACE, one for each CPU.
"""
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import common
import live
import records
import subbufs

common.MAX_MESSAGES = 0
FMT = records.Format()
PAGE, SIZE, NR = 4096, 8192, 4
START = 0xffffc90000100000
failed = False


def expect(what, got, want):
    global failed
    if got != want:
        print(f"FAIL: {what}: {got}, expected {want}")
        failed = True


def clock(cpu, sequence):
    return FMT.record("clock", 1000 * sequence, clock=records.CLOCK_CYCLES, cpu=cpu,
                      monotonic=1000 * sequence, sequence=sequence, frequency=10 ** 9)


def event(time):
    return FMT.record("alloc", time, type_id=records.TYPE_KMALLOC, node=-1,
                      call_site=0xffffffff81000010, ptr=0xffff888000001000 + 64 * (time % 1000),
                      bytes_req=64, bytes_alloc=64, cache=0xffff888000002000)


def subbuf(cpu, sequence, nr):
    """Return a sub-buffer with @nr events, and the bytes behind the last one."""
    data = clock(cpu, sequence) + b"".join(event(1000 * sequence + 1 + i) for i in range(nr))
    return data, SIZE - len(data)


class Case:
    """A CPU's buffer."""

    def __init__(self, cpu=0, overwrites=False):
        self.cpu, self.overwrites = cpu, overwrites
        self.memory = bytearray(NR * SIZE)
        self.padding, self.queue = [0] * NR, [0] * NR
        self.produced = self.consumed = self.pos = self.index = 0
        self.taken, self.refilling = -1, False

    def put(self, index, data):
        self.memory[index * SIZE:index * SIZE + len(data)] = data

    def publish(self, index, nr):
        data, rest = subbuf(self.cpu, self.produced, nr)
        pad = records.padding(FMT, -len(data) % PAGE)
        self.put(index, data + pad)
        self.padding[index] = rest - len(pad)
        self.queue[self.produced % NR] = index
        self.produced += 1

    def write(self, index, nr):
        """Begin the current sub-buffer."""
        data, _ = subbuf(self.cpu, self.produced, nr)
        self.put(index, data)
        self.index, self.pos = index, START + index * SIZE + len(data)

    def read(self, address, size):
        at = address - START
        if at < 0 or at + size > len(self.memory) or size < 0:
            raise common.Damage("no memory")
        return bytes(self.memory[at:at + size])

    def stream(self):
        self.doubts = common.Doubts()
        ring = subbufs.Ring(self.taken, self.queue) if self.overwrites else None
        buffer = subbufs.Buffer(START, self.pos, self.index, self.refilling, self.produced,
                              self.consumed, self.padding, ring)
        stream = records.Stream(self.cpu)
        subbufs.read_stream(FMT, stream, buffer, (SIZE, PAGE), self.read, self.doubts)
        return stream


def sequences(stream):
    """Return the numbers of the sub-buffers."""
    data, at, found = b"".join(stream.parts), 0, []
    while at < len(data):
        kind, _, size = FMT.head.unpack_from(data, at)
        if kind == records.CLOCK:
            found.append(FMT.fields("clock", data, at)["sequence"])
        at += size
    expect("the chain of records ends at the end", at, len(data))
    return found


def check(what, case, numbers, events, dropped=0, doubts=0):
    stream = case.stream()
    expect(f"{what}: sub-buffers", sequences(stream), numbers)
    expect(f"{what}: events", stream.events, events)
    expect(f"{what}: dropped bytes", stream.dropped, dropped)
    expect(f"{what}: doubts", case.doubts.number, doubts)
    return stream


def in_order():
    case = Case()
    for index, nr in enumerate((10, 20, 30)):
        case.publish(index, nr)
    case.consumed = 1
    case.write(3, 5)
    return case


def in_ring():
    """The sub-buffers lie in any order, and the reader has the oldest one."""
    case = Case(cpu=1, overwrites=True)
    for index in (2, 0, 3, 1, 2):
        case.publish(index, 10 + index)
    case.consumed = 2
    case.write(0, 7)
    return case


def flushed():
    """No sub-buffer is the current one."""
    case = Case(cpu=2)
    case.publish(0, 10)
    case.publish(1, 20)
    return case


def main():
    os.mkdir(sys.argv[2])
    for case, numbers, events in ((in_order(), [1, 2, 3], 55),
                                  (in_ring(), [2, 3, 4, 5], 13 + 11 + 12 + 7),
                                  (flushed(), [0, 1], 30)):
        stream = check(f"cpu{case.cpu}", case, numbers, events)
        stream.begin_subbuf(FMT, PAGE)
        stream.add(records.cache_record(FMT, stream.last_time, live.Cache(
            0xffff888000002000, 1, 60, 64, 0, 8, b"a_cache")))
        stream.add(records.stack_record(FMT, stream.last_time, 7, [0xffffffff81000010] * 3, True))
        stream.add(records.cgroup_record(FMT, stream.last_time, 42, 1, False, b"/a/b"))
        stream.end_page(FMT, PAGE)
        expect("whole pages", stream.bytes % PAGE, 0)
        with open(f"{sys.argv[2]}/cpu{case.cpu}.out", "wb") as file:
            file.writelines(stream.parts)

    # The reader had number 1; then number 2 was overwritten, too.
    case = in_ring()
    case.taken, case.consumed = case.queue[2 % NR], 3
    check("taken, nothing is missing", case, [2, 3, 4, 5], 43)
    case = in_ring()
    case.taken, case.consumed = case.queue[2 % NR], 4
    check("taken, then overwritten", case, [4, 5], 19, doubts=1)

    # The last record has the bytes of one of the time before, of a part, or zeros.
    for what, record in (("stale", event(2999)), ("zeros", bytes(64)),
                         ("half", event(3500)[:8] + event(2999)[8:])):
        case = in_order()
        case.put(3, subbuf(0, 3, 5)[0] + record)
        case.pos += 64
        check(f"{what} record", case, [1, 2, 3], 55, dropped=64, doubts=1)

    # The CPU was publishing its sub-buffer: there is no position.
    case = in_order()
    case.pos, case.refilling = 0, True
    check("refilling", case, [1, 2, 3], 55)
    case.refilling = False
    check("no current one", case, [1, 2], 50)
    case = in_order()
    case.pos = START - 8
    check("a position elsewhere", case, [1, 2, 3], 55, doubts=1)

    # A record in the middle is damaged.
    case = in_order()
    case.put(1, subbuf(0, 1, 20)[0][:56 + 3 * 64] + bytes(64))
    check("damaged", case, [1, 2, 3], 38, dropped=PAGE - 56 - 3 * 64, doubts=1)
    case = in_order()
    case.put(1, bytes(56))
    check("no clock", case, [2, 3], 35, dropped=PAGE, doubts=1)

    for what, change in (("too many unread", {"produced": 100}), ("negative", {"consumed": 9}),
                         ("padding", {"padding": [SIZE + 1] * NR})):
        case = in_order()
        vars(case).update(change)
        check(what, case, [], 0, doubts=1)

    rng = random.Random(1)
    for _ in range(3000):
        case = rng.choice((in_order, in_ring))()
        for _ in range(rng.randrange(1, 30)):
            case.memory[rng.randrange(len(case.memory))] = rng.randrange(256)
        for name in rng.sample(("produced", "consumed", "pos", "index", "taken"), 2):
            value = getattr(case, name) + rng.choice((-1, 1, 8, -64, 2 ** 40, 2 ** 63))
            setattr(case, name, value if name == "taken" else value % 2 ** 64)
        stream = case.stream()
        sequences(stream)
        expect("the size is limited", stream.bytes <= (NR + 1) * SIZE, True)


main()
if not failed:
    print("each stream is as expected")
sys.exit(failed)
