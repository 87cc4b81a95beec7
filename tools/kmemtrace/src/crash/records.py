# SPDX-License-Identifier: GPL-2.0
"""The records of a stream, see include/uapi/linux/kmemtrace.h."""
import collections
import struct

from layouts import HEAD_WORDS, LAYOUTS, NUMBERS

# The version of the stream.
ABI_VERSION = 2
# Each number by its name: ALLOC, TYPE_PERCPU, FRAMES_LIVE and so on.
globals().update(NUMBERS)
PAD = 3
MIN_EVENT, MAX_PAD = 56, 4096
MAX_NAME = 128
# Bytes of records that wait to be written.
MAX_WAITING = 1 << 22


class Format:
    """The byte order of the dump."""

    def __init__(self, order="<"):
        self.order = order
        self.head = struct.Struct(order + "BBH")
        # all records but pads
        self.event = struct.Struct(order + "BBHiQQQQQq")
        self.time = struct.Struct(order + "q")
        self.pad = struct.Struct(order + "BBHI")
        self.word = struct.Struct(order + "Q")

    def words(self, data, code):
        return [word for word, in struct.iter_unpack(self.order + code, data)]

    def record(self, name, time, tail=b"", **fields):
        """
        Return a record with these fields, and the text or words at its end. Other fields are 0;
        those behind the timestamp and the last given one are left out.
        """
        layout = LAYOUTS[name]
        names = [word for word, _ in layout.words()]
        if not set(fields) <= set(names):
            raise KeyError(f"{name}: {set(fields) - set(names)}")
        second, *words = [fields.get(word, constant) for word, constant in layout.words()]
        given = max(HEAD_WORDS, *(names.index(field) + 1 for field in fields))
        head, more = words[:HEAD_WORDS - 1], words[HEAD_WORDS - 1:given - 1]
        tail = b"".join(map(self.word.pack, more)) + tail
        return self.event.pack(layout.id, second, self.event.size + len(tail), *head, time) + tail

    def fields(self, name, data, at=0):
        """Return the fields of a record up to its timestamp, by name."""
        _, second, _, *words, time = self.event.unpack_from(data, at)
        return dict(zip([word for word, _ in LAYOUTS[name].words()], [second] + words),
                    timestamp=time)


Clock = collections.namedtuple("Clock", [name for name, _ in LAYOUTS["clock"].words()] +
                               ["timestamp"])


def clock_of(fmt, data):
    """Return the CLOCK that begins a sub-buffer, or None."""
    if len(data) < MIN_EVENT:
        return None
    kind, _, size = fmt.head.unpack_from(data)
    return Clock(**fmt.fields("clock", data)) if kind == CLOCK and size >= MIN_EVENT else None


def clock_record(fmt, clock):
    """Return the record of a Clock."""
    fields = clock._asdict()
    return fmt.record("clock", fields.pop("timestamp"), **fields)


class Stream:
    """The records of a CPU. @write gets the stream when many bytes wait in its parts."""

    def __init__(self, cpu, write=None):
        self.cpu, self.write, self.written = cpu, write, 0
        self.parts = []
        self.bytes = self.dropped = 0
        self.events = self.lost_records = self.lost_bytes = 0
        self.first_sequence = self.last_time = self.clock = None

    def add(self, data):
        self.parts.append(data)
        self.bytes += len(data)
        if self.write and self.bytes - self.written >= MAX_WAITING:
            self.flush()

    def flush(self):
        """Write the records that were added since the last call."""
        self.write(self)
        self.parts, self.written = [], self.bytes

    def monotonic(self):
        """Return CLOCK_MONOTONIC of the last record."""
        ticks = self.last_time - self.clock.timestamp
        if self.clock.clock == CLOCK_CYCLES and self.clock.frequency:
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
    tolerance = 0 if clock.clock == CLOCK_CYCLES else clock.uncertainty
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
            lost = fmt.fields("lost", data, at)
            stream.lost_records += lost["records"]
            stream.lost_bytes += lost["bytes"]
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
    return fmt.record("cache", time, name, op=CACHE_THERE, users=max(cache.users, 1),
                      cache=cache.address, object_size=cache.object_size, size=cache.size,
                      flags=cache.flags, align=max(cache.align, 1))


def stack_record(fmt, time, number, frames, is_cut):
    """Return the record of a call path."""
    return fmt.record("stack", time, b"".join(map(fmt.word.pack, frames)), depth=len(frames),
                      stack=number, is_cut=int(is_cut))


def cgroup_record(fmt, time, number, parent, is_removed, path):
    """Return the record of a memory cgroup that exists."""
    path += bytes(8 - len(path) % 8)
    return fmt.record("cgroup", time, path, op=CGROUP_THERE, is_removed=int(is_removed),
                      cgroup=number, parent=parent)


def printable(name):
    return bytes(c if 0x20 < c < 0x7f else ord("?") for c in name) or b"?"


def area_record(fmt, time, kind, site, ptr, size):
    """Return the record of an area of per-CPU memory or of vmalloc()."""
    return fmt.record("snapshot", time, type_id=kind, node=-1, call_site=site, ptr=ptr,
                      bytes_req=size, bytes_alloc=size)


def frames_record(fmt, time, node, state, ptr, size):
    """Return the record of neighbouring page frames."""
    return fmt.record("snapshot_pages", time, node=node, state=state, ptr=ptr,
                      found=state != FRAMES_OWN, bytes=size)


def slab_record(fmt, time, node, cache, ptr, object_size, size, nr, live):
    """Return the record of @nr objects; @live has a bit for each."""
    words = (nr + 63) // 64
    bits = b"".join(fmt.word.pack(live >> 64 * i & (1 << 64) - 1) for i in range(words))
    return fmt.record("snapshot_slab", time, bits, node=node, cache=cache, ptr=ptr,
                      object_size=object_size, size=size, objects=nr)


def end_record(fmt, time, cpu, unsure, without, begin):
    """Return the last record of a snapshot."""
    return fmt.record("snapshot_end", time, cpu=cpu, unsure=unsure, without=without,
                      begin_ns=begin)
