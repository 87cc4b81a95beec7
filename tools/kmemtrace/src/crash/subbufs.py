# SPDX-License-Identifier: GPL-2.0
"""
Reads the sub-buffers of a CPU in their order: see kernel/marker_channel_write.c and
kernel/marker_channel_ring.c. Nothing here needs drgn.
"""
import collections

from common import Damage
from records import clock_of, take_records

Ring = collections.namedtuple("Ring", "taken queue")

# A CPU's part of the channel: addresses and numbers of the dump. @padding has the bytes of each
# sub-buffer that are not used, @ring is None in a channel that does not overwrite.
Buffer = collections.namedtuple(
    "Buffer", "start pos index refilling produced consumed padding ring")


def check_buffer(buffer, subbuf_size):
    nr = len(buffer.padding)
    unread = buffer.produced - buffer.consumed
    if not 0 <= unread <= nr:
        raise Damage(f"{unread} sub-buffers are unread, expected 0 to {nr}")
    if any(pad > subbuf_size for pad in buffer.padding):
        raise Damage(f"a sub-buffer has more than its {subbuf_size} bytes")
    if buffer.ring and any(i >= nr for i in buffer.ring.queue):
        raise Damage(f"the queue has a sub-buffer that is none of the {nr}")


class Subbufs:
    """Reads the sub-buffers of a CPU into its stream."""

    def __init__(self, fmt, stream, buffer, sizes, read, doubts):
        self.fmt, self.stream, self.buffer = fmt, stream, buffer
        self.size, self.page_size = sizes
        self.read, self.doubts = read, doubts

    def doubt(self, text):
        self.doubts.add(f"cpu{self.stream.cpu}: {text}")

    def get(self, index, size):
        """Return bytes of a sub-buffer, or nothing if the dump lacks them."""
        try:
            return self.read(self.buffer.start + index * self.size, size)
        except Damage as damage:
            self.doubt(f"sub-buffer at {index}: {damage}; it is left out")
            self.stream.dropped += size
            return b""

    def is_number(self, data, sequence):
        clock = clock_of(self.fmt, data)
        return clock and clock.cpu == self.stream.cpu and clock.sequence == sequence

    def add(self, data, sequence, checks_time=False):
        """Append the records of a sub-buffer; what follows a damaged one is dropped."""
        stream = self.stream
        good = take_records(self.fmt, stream, data, checks_time)
        if stream.first_sequence is None:
            stream.first_sequence = sequence
        stream.add(data[:good])
        return good

    def add_published(self, index, sequence):
        data = self.get(index, self.size - self.buffer.padding[index])
        if not data:
            return
        if not self.is_number(data, sequence):
            self.doubt(f"sub-buffer at {index}: expected the clock of number {sequence} at its "
                       "begin; it is left out")
            self.stream.dropped += len(data)
            return
        good = self.add(data, sequence)
        if good < len(data):
            self.doubt(f"sub-buffer {sequence}: no record at byte {good}; the other "
                       f"{len(data) - good} bytes are left out")
            self.stream.dropped += len(data) - good
            self.stream.end_page(self.fmt, self.page_size)

    def add_taken(self):
        """Begin with the sub-buffer that a reader had, if nothing is missing behind it."""
        ring, sequence = self.buffer.ring, self.buffer.consumed - 1
        if not ring or not 0 <= ring.taken < len(self.buffer.padding):
            return
        data = self.get(ring.taken, self.size - self.buffer.padding[ring.taken])
        if data and self.is_number(data, sequence):
            self.add_published(ring.taken, sequence)
        elif data:
            self.doubt(f"sub-buffer at {ring.taken}: a reader had it when newer ones were "
                       "overwritten; it is left out")

    def add_current(self):
        """
        Append the sub-buffer that the CPU was writing. While it publishes one or begins one, the
        end of the records is unknown.
        """
        buffer = self.buffer
        if not buffer.pos and not buffer.refilling:
            return
        if buffer.index >= len(buffer.padding):
            self.doubt(f"the current sub-buffer is {buffer.index}, expected less than "
                       f"{len(buffer.padding)}; it is left out")
            return
        used = buffer.pos - (buffer.start + buffer.index * self.size) if buffer.pos else None
        if used is not None and not 0 < used <= self.size:
            self.doubt(f"the next record is {used} bytes behind the begin of its sub-buffer, "
                       f"expected up to {self.size}")
            used = None
        data = self.get(buffer.index, self.size if used is None else used)
        if not self.is_number(data, buffer.produced):
            # It was published already, or has not begun.
            if data and used is not None:
                self.doubt("the current sub-buffer does not begin with its clock; it is left out")
                self.stream.dropped += used
            return
        good = self.add(data, buffer.produced, checks_time=True)
        if used is not None and good < used:
            self.doubt(f"a record was not written to its end: the last {used - good} bytes are "
                       "left out")
            self.stream.dropped += used - good

    def add_all(self):
        buffer = self.buffer
        self.add_taken()
        for sequence in range(buffer.consumed, buffer.produced):
            index = sequence % len(buffer.padding)
            self.add_published(buffer.ring.queue[index] if buffer.ring else index, sequence)
        self.add_current()


def read_stream(fmt, stream, buffer, sizes, read, doubts):
    """
    Add the records of a CPU to its stream. @sizes are the bytes of a sub-buffer and of a page. @read
    returns memory of the dump, or raises Damage.
    """
    try:
        check_buffer(buffer, sizes[0])
    except Damage as damage:
        doubts.add(f"cpu{stream.cpu}: {damage}: the buffer is left out")
        return
    Subbufs(fmt, stream, buffer, sizes, read, doubts).add_all()
