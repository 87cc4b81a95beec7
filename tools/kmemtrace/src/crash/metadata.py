# SPDX-License-Identifier: GPL-2.0
"""The metadata of a trace, as kmemtraced writes it."""
from records import ABI_VERSION
from who import words_of


def ranges(numbers):
    """Return 0-3,5 for 0, 1, 2, 3 and 5."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(f"{a}-{b}" if a < b else f"{a}" for a, b in parts)


def boot_id(prog):
    data = prog["sysctl_bootid"].to_bytes_().hex()
    if not int(data, 16):
        return None  # nobody has asked the kernel for it
    return "-".join((data[:8], data[8:12], data[12:16], data[16:20], data[20:]))


def one_line(text):
    return text.decode(errors="replace").replace("\n", " ")


def machine_lines(dump):
    from drgn.helpers.linux.percpu import per_cpu
    yield "byte_order", "little" if dump.is_little else "big"
    yield "word_bits", dump.word_bits
    yield "page_size", dump.page_size
    for key, member in ("kernel_release", "release"), ("machine", "machine"), ("host", "nodename"):
        yield key, dump.get(lambda prog: one_line(
            prog["init_uts_ns"].name.member_(member).string_()))
    yield "build_id", dump.build_id
    yield "boot_id", dump.get(boot_id)
    yield "cmdline", dump.get(lambda prog: one_line(
        dump.text(prog["saved_command_line"].value_(), 4096)))
    yield "cpus", ranges(dump.cpus)
    for cpu in dump.cpus:
        yield f"node.cpu{cpu}", dump.get(lambda prog: int(per_cpu(prog["numa_node"], cpu)), 0)


def source_lines(dump, channel, unseen):
    yield "recorder", "kmemtrace"
    yield "abi_version", ABI_VERSION
    yield "clock", "cycles" if channel.channel.cycles else "local_clock"
    yield "subbuf_size", channel.subbuf_size
    yield "n_subbufs", int(channel.channel.n_subbufs)
    yield "source", "crash dump"
    sample = dump.get(lambda prog: int(prog["kmemtrace_sample"]), 1)
    if sample > 1:
        yield "sample", sample
    yield "with", words_of(dump)
    yield "unseen", unseen
    yield "compression", "none"
    if channel.overwrites:
        yield "overwrites", "yes"


def stream_lines(channel, streams, losses):
    for cpu, loss in losses.items():
        yield f"overruns.cpu{cpu}", loss.bytes
        yield f"lost.cpu{cpu}", loss.records
        if channel.overwrites:
            yield f"overwritten.cpu{cpu}", loss.overwritten
    yield "total_overruns", sum(loss.bytes for loss in losses.values())
    for stream in streams:
        yield f"bytes.cpu{stream.cpu}", stream.bytes
        yield f"stored.cpu{stream.cpu}", stream.bytes
        yield f"dropped.cpu{stream.cpu}", stream.dropped
