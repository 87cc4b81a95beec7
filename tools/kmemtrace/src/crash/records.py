# SPDX-License-Identifier: GPL-2.0
"""The records of a stream, see include/uapi/linux/kmemtrace.h."""
import collections
import struct

# The version of the stream.
ABI_VERSION = 2
ALLOC, FREE, PAD, LOST, CLOCK, CACHE, SNAPSHOT, FAILED = 1, 2, 3, 4, 5, 6, 7, 11
STACK, CGROUP = 14, 16
MIN_EVENT, MAX_PAD = 56, 4096
CACHE_THERE = CGROUP_THERE = 0
TYPE_CACHE, TYPE_PAGES, TYPE_PERCPU, TYPE_VMALLOC, TYPE_END = 1, 2, 3, 4, 255
FRAMES_LIVE, FRAMES_FREE, FRAMES_RESERVED, FRAMES_OWN = 1, 2, 3, 4
CYCLES = 1
MAX_NAME = 128


class Format:
    """The byte order of the dump."""

    def __init__(self, order="<"):
        self.order = order
        self.head = struct.Struct(order + "BBH")
        # most records
        self.event = struct.Struct(order + "BBHiQQQQQq")
        self.time = struct.Struct(order + "q")
        self.cache = struct.Struct(order + "BBHiQQQQQqQ")
        self.pad = struct.Struct(order + "BBHI")
        self.word = struct.Struct(order + "Q")

    def words(self, data, code):
        return [word for word, in struct.iter_unpack(self.order + code, data)]


Clock = collections.namedtuple(
    "Clock", "clock cpu monotonic sequence uncertainty frequency error timestamp")


def clock_of(fmt, data):
    """Return the CLOCK that begins a sub-buffer, or None."""
    if len(data) < MIN_EVENT:
        return None
    kind, clock, size, *fields = fmt.event.unpack_from(data)
    return Clock(clock, *fields) if kind == CLOCK and size >= MIN_EVENT else None


def clock_record(fmt, clock):
    """Return the record of a Clock."""
    return fmt.event.pack(CLOCK, clock.clock, fmt.event.size, *clock[1:])


class Stream:
    """The records of a CPU."""

    def __init__(self, cpu):
        self.cpu = cpu
        self.parts = []
        self.bytes = self.dropped = 0
        self.events = self.lost_records = self.lost_bytes = 0
        self.first_sequence = self.last_time = self.clock = None

    def add(self, data):
        self.parts.append(data)
        self.bytes += len(data)

    def monotonic(self):
        """Return CLOCK_MONOTONIC of the last record."""
        ticks = self.last_time - self.clock.timestamp
        if self.clock.clock == CYCLES and self.clock.frequency:
            ticks = ticks * 10 ** 9 // self.clock.frequency
        return self.clock.monotonic + ticks

    def begin_subbuf(self, fmt, page_size):
        """Begin a sub-buffer at the time of the last record."""
        self.end_page(fmt, page_size)
        self.clock = self.clock._replace(sequence=self.clock.sequence + 1,
                                         monotonic=self.monotonic(), timestamp=self.last_time)
        self.add(clock_record(fmt, self.clock))

    def end_page(self, fmt, page_size):
        """Fill the last page, as the kernel does."""
        self.add(padding(fmt, -self.bytes % page_size))


def take_records(fmt, stream, data, checks_time):
    """
    Count the records of a sub-buffer that begins with a CLOCK. Return the bytes up to the first
    one that can't be: it was not written to its end. If @checks_time, its timestamp shows that: a
    buffer is used again, and what is left of an earlier record looks like one.
    """
    clock = stream.clock = clock_of(fmt, data)
    least = clock.timestamp
    tolerance = 0 if clock.clock == CYCLES else clock.uncertainty
    at = 0
    while at + fmt.head.size <= len(data):
        kind, _, size = fmt.head.unpack_from(data, at)
        if not kind or not size or size % 8 or at + size > len(data):
            break
        if kind == PAD:
            if size > MAX_PAD:
                break
            at += size
            continue
        if size < MIN_EVENT:
            break
        time, = fmt.time.unpack_from(data, at + 48)
        if time < 0 or (checks_time and time < least - tolerance):
            break
        least = max(least, time)
        stream.last_time = time
        if kind in (ALLOC, FREE, FAILED):
            stream.events += 1
        elif kind == LOST:
            lost = fmt.event.unpack_from(data, at)
            stream.lost_records += lost[4]
            stream.lost_bytes += lost[5]
        at += size
    return at


def padding(fmt, size):
    """Return @size bytes of PADs."""
    pads = b""
    while size:
        part = min(size, MAX_PAD)
        pads += fmt.pad.pack(PAD, 0, part, 0) + bytes(part - fmt.pad.size)
        size -= part
    return pads


def cache_record(fmt, time, cache):
    """Return the record of a slab cache that exists."""
    name = cache.name[:MAX_NAME - 1]
    name += bytes(8 - len(name) % 8)
    return fmt.cache.pack(CACHE, CACHE_THERE, fmt.cache.size + len(name), max(cache.users, 1), 0,
                          cache.address, cache.object_size, cache.size, cache.flags, time,
                          max(cache.align, 1)) + name


def stack_record(fmt, time, number, frames, is_cut):
    """Return the record of a call path."""
    return fmt.event.pack(STACK, 0, fmt.event.size + 8 * len(frames), len(frames), number,
                          int(is_cut), 0, 0, 0, time) + \
        struct.pack(f"{fmt.order}{len(frames)}Q", *frames)


def cgroup_record(fmt, time, number, parent, is_removed, path):
    """Return the record of a memory cgroup that exists."""
    path += bytes(8 - len(path) % 8)
    return fmt.event.pack(CGROUP, CGROUP_THERE, fmt.event.size + len(path), int(is_removed), number,
                          parent, 0, 0, 0, time) + path


def printable(name):
    return bytes(c if 0x20 < c < 0x7f else ord("?") for c in name) or b"?"


def area_record(fmt, time, kind, site, ptr, size):
    """Return the record of an area of per-CPU memory or of vmalloc()."""
    return fmt.event.pack(SNAPSHOT, kind, fmt.event.size, -1, site, ptr, size, size, 0, time)


def frames_record(fmt, time, node, state, ptr, size):
    """Return the record of neighbouring page frames."""
    return fmt.event.pack(SNAPSHOT, TYPE_PAGES, fmt.event.size, node, state, ptr,
                          state != FRAMES_OWN, size, 0, time)


def slab_record(fmt, time, node, cache, ptr, object_size, size, nr, live):
    """Return the record of @nr objects; @live has a bit for each."""
    words = (nr + 63) // 64
    bits = b"".join(fmt.word.pack(live >> 64 * i & (1 << 64) - 1) for i in range(words))
    return fmt.event.pack(SNAPSHOT, TYPE_CACHE, fmt.event.size + len(bits), node, cache, ptr,
                          object_size, size, nr, time) + bits


def end_record(fmt, time, cpu, unsure, without, begin):
    """Return the last record of a snapshot."""
    return fmt.event.pack(SNAPSHOT, TYPE_END, fmt.event.size, cpu, unsure, 0, without, 0, begin,
                          time)
