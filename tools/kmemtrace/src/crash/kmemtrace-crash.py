# SPDX-License-Identifier: GPL-2.0
"""
Write a trace from the buffers of kmemtrace in a crash dump.

kmemtrace-crash.py VMCORE VMLINUX DIR: the program kmemtrace-crash runs it, with a Python that
has drgn.
"""
import os
import sys

from common import count, Doubts, Failure, say
from dump import Channel, Dump, Losses, losses_of
from live import add_caches, add_snapshot, last_of
from metadata import machine_lines, source_lines, stream_lines
from records import Stream
from subbufs import read_stream
from symbols import kernel_symbols, read_modules
from who import add_names

# Exit status.
COMPLETE, INCOMPLETE, NOTHING = 0, 1, 2


class Directory:
    """A new trace. It has addresses of the kernel: only its owner may read it. No link is followed."""

    def __init__(self, path):
        self.path = path
        self.names = set()
        self.fd = None

    def make(self):
        try:
            os.mkdir(self.path, 0o700)
        except FileExistsError:
            pass
        except OSError as error:
            raise Failure(f"{self.path}: {error.strerror}")
        try:
            self.fd = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            pass
        if self.fd is None or os.listdir(self.fd):
            raise Failure(f"{self.path}: exists already; name a new directory")

    def write(self, name, parts):
        """Create a file, or append to it."""
        if not self.names:
            self.make()
        flags = os.O_APPEND if name in self.names else os.O_CREAT | os.O_EXCL
        self.names.add(name)
        try:
            with os.fdopen(os.open(name, os.O_WRONLY | os.O_NOFOLLOW | flags, 0o600,
                                   dir_fd=self.fd), "wb") as file:
                for part in parts:
                    file.write(part)
        except OSError as error:
            raise Failure(f"{self.path}/{name}: {error.strerror}; the trace is unfinished, remove it")

    def write_stream(self, stream):
        self.write(f"cpu{stream.cpu}.out", stream.parts)


def read_cpu(dump, channel, stream, doubts):
    """Add the records of a CPU to its stream. Return the losses; None: the CPU had no buffer."""
    part = channel.part(stream.cpu)
    buffer = channel.buffer(part)
    if not buffer and not part.lost.records and not part.lost_nmi.records:
        return None
    if buffer:
        read_stream(dump.fmt, stream, buffer, channel.sizes, dump.read, doubts)
    return losses_of(dump, channel, part, stream)


def write_cpus(dump, channel, directory, doubts):
    """Write the records of all CPUs. Return the streams of those with a buffer, and the losses."""
    streams, losses = [], {}
    for cpu in dump.cpus:
        stream = Stream(cpu, directory.write_stream)
        try:
            loss = read_cpu(dump, channel, stream, doubts)
        except Exception as error:
            doubts.add(f"cpu{cpu}: {error}: the rest of its buffer is left out")
            loss = Losses(0, 0, 0)
        if not loss:
            continue
        losses[cpu] = loss
        streams.append(stream)
        if stream.parts:
            stream.flush()
    return streams, losses


def write_symbols(dump, vmlinux, directory, doubts):
    lines, symbols = read_modules(dump, doubts)
    try:
        symbols = kernel_symbols(dump, vmlinux) + symbols
    except Exception as error:
        doubts.add(f"symbols of the kernel: {error}: call sites in it have no names")
    directory.write("modules", [line.encode() for line in lines])
    directory.write("kallsyms", [line.encode() for line in symbols])


def add_end(dump, channel, streams, doubts):
    """
    Add what the kernel would have written at the end. Return what the trace does not have, as a
    word of the metadata's "unseen".
    """
    unseen = None if channel.has_baseline() else "baseline"
    # The records of caches may be overwritten, or another reader had them.
    if channel.overwrites or any(stream.first_sequence for stream in streams):
        last = last_of(dump, streams)
        add_caches(dump, last, doubts)
        add_names(dump, last, doubts)
        if channel.overwrites and not unseen:
            unseen = add_snapshot(dump, channel, last, doubts)
    return unseen


def write_trace(core, vmlinux, path):
    dump, doubts, directory = Dump(core, vmlinux), Doubts(), Directory(path)
    channel = Channel(dump)
    streams, losses = write_cpus(dump, channel, directory, doubts)
    if not directory.names:
        doubts.end()
        if doubts.number:
            raise Failure("no record could be read")
        raise Failure("the buffers have no records: tracing was off, or all records were read; "
                      "expected kmemtrace.enable=yes, or echo overwrite >enable in debugfs")
    unseen = add_end(dump, channel, streams, doubts)
    for stream in streams:
        stream.end_page(dump.fmt, dump.page_size)
        stream.flush()
    write_symbols(dump, vmlinux, directory, doubts)
    lines = [*source_lines(dump, channel, unseen), *machine_lines(dump),
             *stream_lines(channel, streams, losses),
             ("state", "damaged dump" if doubts.number else "complete")]
    directory.write("metadata", [f"{key}: {value}\n".encode() for key, value in lines
                                 if value is not None])
    doubts.end()
    overwritten = sum(loss.overwritten for loss in losses.values())
    say(f"{path}: {count(sum(stream.events for stream in streams), 'event')} of "
        f"{count(len(streams), 'CPU')}, {sum(loss.records for loss in losses.values())} lost" +
        (f", {overwritten} overwritten before them" if channel.overwrites else ""))
    return INCOMPLETE if doubts.number else COMPLETE


def main(args):
    if len(args) != 3:
        say("expected VMCORE VMLINUX DIR; see kmemtrace-crash --help")
        return NOTHING
    try:
        return write_trace(*args)
    except Failure as failure:
        say(failure)
        return NOTHING


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
