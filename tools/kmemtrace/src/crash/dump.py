# SPDX-License-Identifier: GPL-2.0
"""
The memory and the types of a crashed kernel, and the channel of kmemtrace in them. A dump may
have anything: drgn fails where there is no memory, and each number has a limit.
"""
import collections
import os
import stat
import struct

from common import Damage, Failure
from elf import disk_bytes, note_of, value_of
from records import MIN_EVENT, Format
from subbufs import Buffer, Ring

# What a sane kernel has.
MAX_SUBBUF = 1 << 28
MAX_BUFFER = 1 << 32
MAX_CPUS = 1 << 13
MIN_PAGE, MAX_PAGE = 1 << 10, 1 << 18

# Bytes of memory that are read of a dump for each of its bytes on the disk, and at least: what the
# trace needs is read once, but damaged tables may name the same memory again and again. A dump of
# ELF is not compressed.
TIMES_ELF, TIMES_OTHER = 4, 16
MIN_READ = 1 << 26
# What a read counts beside its bytes, and one that fails.
READ_COST, FAILED_COST = 64, 4096


def readable_bytes(path):
    """Return how many bytes of memory may be read of a dump."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Failure(f"{path}: expected a file")
        with open(path, "rb") as file:
            times = TIMES_ELF if file.read(4) == b"\x7fELF" else TIMES_OTHER
        return MIN_READ + times * disk_bytes(path)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}")


class Dump:
    """The memory and the types of the crashed kernel."""

    def __init__(self, core, vmlinux):
        try:
            import drgn
        except ImportError:
            raise Failure("this Python has no drgn; install python3-drgn")
        self.drgn = drgn
        readable_bytes(vmlinux)
        self.left = readable_bytes(core)
        self.prog = drgn.Program()
        try:
            self.prog.set_core_dump(core)
        except OSError as error:
            raise Failure(f"{core}: {error.strerror}")
        except Exception as error:
            raise Failure(f"{core}: {error}; expected the dump of a crashed kernel, with its "
                          "VMCOREINFO")
        if not self.prog.flags & drgn.ProgramFlags.IS_LINUX_KERNEL:
            raise Failure(f"{core}: expected the dump of a kernel, with its VMCOREINFO; QEMU "
                          "writes that with -device vmcoreinfo and CONFIG_FW_CFG_SYSFS")
        self.map_image(core)
        try:
            self.prog.load_debug_info([vmlinux])
        except OSError as error:
            raise Failure(f"{vmlinux}: {error.strerror}")
        except Exception as error:
            raise Failure(f"{vmlinux}: {error}; expected the kernel with its debug information")
        flags = self.prog.platform.flags
        self.is_little = bool(flags & drgn.PlatformFlags.IS_LITTLE_ENDIAN)
        self.word_bits = 64 if flags & drgn.PlatformFlags.IS_64_BIT else 32
        self.fmt = Format("<" if self.is_little else ">")
        self.page_size = int(self.prog["PAGE_SIZE"])
        if not MIN_PAGE <= self.page_size <= MAX_PAGE or self.page_size & self.page_size - 1:
            raise Failure(f"{core}: has pages of {self.page_size} bytes: its VMCOREINFO is damaged")
        self.check_build(core, vmlinux)
        self.cpus = self.find_cpus()

    def map_image(self, core):
        """
        Let the kernel's image be read. A dump of a hypervisor may have physical addresses only,
        and older versions of drgn don't find the page tables, which are in the image.
        """
        info = note_of(core, b"VMCOREINFO")
        table, base = value_of(info, "SYMBOL(swapper_pg_dir)"), value_of(info, "NUMBER(phys_base)")
        if self.prog.platform.arch != self.drgn.Architecture.X86_64 or not table or not base:
            return
        try:
            self.prog.read(int(table, 16), 8)
        except Exception:
            self.prog.add_memory_segment(
                0xffffffff80000000, 1 << 30,
                lambda address, count, offset, physical:
                    self.prog.read(offset + int(base) & (1 << 64) - 1, count, True))

    def check_build(self, core, vmlinux):
        """Refuse a file of another kernel: its types and addresses are not those of the dump."""
        self.info = note_of(core, b"VMCOREINFO") or \
            self.get(lambda prog: self.text(prog["vmcoreinfo_data"].value_(), 4096))
        self.build_id, found = value_of(self.info, "BUILD-ID"), note_of(vmlinux, b"GNU")
        if self.build_id and found and found.hex() != self.build_id:
            raise Failure(f"{vmlinux}: has build ID {found.hex()}, expected {self.build_id}, that "
                          "of the kernel in the dump")

    def find_cpus(self):
        from drgn.helpers.linux.cpumask import for_each_possible_cpu
        try:
            return [int(cpu) for _, cpu in zip(range(MAX_CPUS), for_each_possible_cpu(self.prog))]
        except Exception as error:
            raise Failure(f"the numbers of CPUs can't be read: {error}; expected a whole dump")

    def count_read(self, size):
        """Count bytes that are read. Raise Damage if they are more than a dump can have."""
        self.left -= size + READ_COST
        if self.left < 0:
            raise Damage("more memory was read than the dump has")

    def read(self, address, size):
        self.count_read(size)
        try:
            return self.prog.read(address, size)
        except Exception:  # also from map_image()
            self.left -= FAILED_COST
            raise Damage(f"the dump has no {size} bytes at {address:#x}")

    def words(self, address, code, nr):
        """Return @nr integers of memory."""
        return self.fmt.words(self.read(address, nr * struct.calcsize("=" + code)), code)

    def longs(self, address, nr):
        return self.words(address, "Q" if self.word_bits == 64 else "I", nr)

    def text(self, address, size=256):
        self.count_read(size)
        array = self.prog.array_type(self.prog.type("char"), size)
        try:
            return self.drgn.Object(self.prog, array, address=address).string_()
        except Exception:
            raise Damage(f"the dump has no text at {address:#x}")

    def get(self, what, default=None):
        """Return the result of @what, or @default if the dump lacks what it needs."""
        try:
            return what(self.prog)
        except Exception:  # damaged memory may cause any
            return default

    def list_entries(self, head, struct_name, member, most):
        """Yield the entries of a list, each once; stop where it is damaged."""
        from drgn import container_of
        seen, first = set(), head.address_of_().value_()
        at = head.next
        while at.value_() != first:
            if at.value_() in seen or len(seen) >= most:
                raise Damage(f"a list of {struct_name} has no end")
            seen.add(at.value_())
            self.count_read(0)
            yield container_of(at, struct_name, member)
            at = at.next


class Channel:
    """The channel of kmemtrace in a dump."""

    def __init__(self, dump):
        self.dump = dump
        try:
            self.channel = dump.prog["kmemtrace_channel"].read_()
        except LookupError:
            raise Failure("no type of kmemtrace_channel: expected a kernel with CONFIG_KMEMTRACE "
                          "and CONFIG_DEBUG_INFO, without CONFIG_DEBUG_INFO_REDUCED")
        except Exception as error:
            raise Failure(f"kmemtrace_channel can't be read: {error}; expected a whole dump")
        self.subbuf_size = int(self.channel.subbuf_size)
        self.overwrites = bool(self.channel.overwrite)
        self.sizes = self.subbuf_size, dump.page_size
        if not 0 < self.subbuf_size <= MAX_SUBBUF or self.subbuf_size % dump.page_size:
            raise Failure(f"sub-buffers have {self.subbuf_size} bytes, expected whole pages up to "
                          f"{MAX_SUBBUF} bytes: kmemtrace_channel is damaged, or of another kernel")

    def has_baseline(self):
        """Return whether the trace has, or shall get, a snapshot of what is live."""
        return self.dump.get(lambda prog: bool(prog["kmemtrace_baseline"]), True)

    def part(self, cpu):
        """Return struct marker_channel_cpu."""
        from drgn.helpers.linux.percpu import per_cpu_ptr
        return per_cpu_ptr(self.channel.cpu, cpu)[0].read_()

    def buffer(self, part):
        """Return the Buffer of a CPU; None: it has none."""
        if not part.buf:
            return None
        nr = int(part.n_subbufs)
        if not 0 < nr <= MAX_BUFFER // self.subbuf_size:
            raise Damage(f"a buffer of {nr} sub-buffers, expected up to "
                         f"{MAX_BUFFER // self.subbuf_size}")
        buf = part.buf[0].read_()
        ring = None
        if part.ring:
            ring = Ring(int(part.ring.taken), self.dump.words(int(part.ring.queue), "I", nr))
        elif self.overwrites:
            raise Damage("a buffer without its queue")
        return Buffer(start=int(buf.start), pos=int(part.pos), index=int(part.index),
                      refilling=bool(part.refilling), produced=int(buf.subbufs_produced),
                      consumed=int(buf.subbufs_consumed), ring=ring,
                      padding=self.dump.longs(int(buf.padding), nr))

    def pages(self, cpu):
        """Return the addresses of the struct pages of a CPU's buffer."""
        part = self.part(cpu)
        if not part.buf:
            return []
        nr = int(part.buf.page_count)
        if nr > MAX_BUFFER // self.dump.page_size:
            raise Damage(f"a buffer of {nr} pages")
        return self.dump.longs(int(part.buf.page_array), nr)

    def reported(self, cpu):
        """Return the records and bytes of losses that the stream has reported."""
        from drgn.helpers.linux.percpu import per_cpu
        reported = per_cpu(self.dump.prog["kmemtrace_reported"], cpu).all
        return int(reported.records), int(reported.bytes)


Losses = collections.namedtuple("Losses", "records bytes overwritten")


def losses_of(dump, channel, part, stream):
    """
    Return what the trace of a CPU lacks: the losses that its stream reports, and those that no
    record has reported yet.
    """
    old = part.overwritten
    records = int(part.lost.records) + int(part.lost_nmi.records)
    size = int(part.lost.bytes) + int(part.lost_nmi.bytes)
    reported = dump.get(lambda prog: channel.reported(stream.cpu),
                        (stream.lost_records, stream.lost_bytes))
    # Without CONFIG_KMEMTRACE_DEBUG, the kernel counts bytes only.
    overwritten = int(old.records) or int(old.bytes) // MIN_EVENT
    return Losses(records=stream.lost_records + max(records - reported[0], 0),
                  bytes=stream.lost_bytes + max(size - reported[1], 0),
                  overwritten=overwritten)
