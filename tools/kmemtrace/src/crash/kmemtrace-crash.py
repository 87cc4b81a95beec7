# SPDX-License-Identifier: GPL-2.0
"""
Write a trace from the buffers of kmemtrace in a crash dump.

kmemtrace-crash.py VMCORE VMLINUX DIR: the program kmemtrace-crash runs it, with a Python that
has drgn.
"""
import os
import sys

from common import Doubts, Failure, say
from dump import Channel, Dump, losses_of
from live import add_caches, add_snapshot
from metadata import machine_lines, source_lines, stream_lines
from records import Stream
from subbufs import read_stream
from symbols import kernel_symbols, read_modules

# Exit status.
COMPLETE, INCOMPLETE, NOTHING = 0, 1, 2


class Directory:
    """A new trace. It has addresses of the kernel: only its owner may read it."""

    def __init__(self, path):
        self.path = path
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path) or os.listdir(path):
                raise Failure(f"{path}: exists already; name a new directory")
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}")

    def write(self, name, parts):
        path = os.path.join(self.path, name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        try:
            with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
                for part in parts:
                    file.write(part)
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}; the trace is unfinished, remove it")


def read_cpus(dump, channel, doubts):
    """Return the streams of the CPUs that had a buffer, and the losses of each."""
    streams, losses = [], {}
    for cpu in dump.cpus:
        try:
            part = channel.part(cpu)
            buffer = channel.buffer(part)
            if not buffer and not part.lost.records and not part.lost_nmi.records:
                continue
            stream = read_stream(dump.fmt, cpu, buffer, channel.sizes, dump.read, doubts) \
                if buffer else Stream(cpu)
            losses[cpu] = losses_of(dump, channel, part, stream)
            streams.append(stream)
        except Exception as error:
            doubts.add(f"cpu{cpu}: {error}: its buffer is left out")
    return streams, losses


def write_symbols(dump, vmlinux, directory, doubts):
    lines, symbols = read_modules(dump, doubts)
    try:
        symbols = kernel_symbols(dump, vmlinux) + symbols
    except Exception as error:
        doubts.add(f"symbols of the kernel: {error}: call sites in it have no names")
    directory.write("modules", [line.encode() for line in lines])
    directory.write("kallsyms", [line.encode() for line in symbols])


def write_trace(core, vmlinux, path):
    dump, doubts = Dump(core, vmlinux), Doubts()
    channel = Channel(dump)
    streams, losses = read_cpus(dump, channel, doubts)
    if not any(stream.last_time is not None for stream in streams):
        doubts.end()
        if doubts.number:
            raise Failure("no record could be read")
        raise Failure("the buffers have no records: tracing was off, or all records were read; "
                      "expected kmemtrace.enable=yes, or echo overwrite >enable in debugfs")
    # The records of caches may be overwritten, or another reader had them.
    if channel.overwrites or any(stream.first_sequence for stream in streams):
        add_caches(dump, streams, doubts)
    unseen = None if channel.has_baseline() else "baseline"
    if channel.overwrites and not unseen:
        unseen = add_snapshot(dump, channel, streams, doubts)
    directory = Directory(path)
    for stream in streams:
        stream.end_page(dump.fmt, dump.page_size)
        directory.write(f"cpu{stream.cpu}.out", stream.parts)
    write_symbols(dump, vmlinux, directory, doubts)
    lines = [*source_lines(dump, channel, unseen), *machine_lines(dump, dump.cpus),
             *stream_lines(channel, streams, losses), ("state", "complete")]
    directory.write("metadata", [f"{key}: {value}\n".encode() for key, value in lines
                                 if value is not None])
    doubts.end()
    overwritten = sum(loss.overwritten for loss in losses.values())
    say(f"{path}: {sum(stream.events for stream in streams)} events of {len(streams)} CPUs, "
        f"{sum(loss.records for loss in losses.values())} lost" +
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
