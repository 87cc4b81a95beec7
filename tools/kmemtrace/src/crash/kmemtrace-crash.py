# SPDX-License-Identifier: GPL-2.0
"""
Write a trace from the buffers of kmemtrace in a crash dump.

kmemtrace-crash.py VMCORE VMLINUX DIR: the program kmemtrace-crash runs it, with a Python that
has drgn. Nothing in a dump is trusted: each address is read by drgn, which fails where the dump
has no memory, and each number has a limit.
"""
import collections
import os
import struct
import sys

# The version of the stream: include/uapi/linux/kmemtrace.h.
ABI_VERSION = 2
ALLOC, FREE, PAD, LOST, CLOCK, CACHE, SNAPSHOT, FAILED = 1, 2, 3, 4, 5, 6, 7, 11
MIN_EVENT, MAX_PAD = 56, 4096
TYPE_PAGES, FRAMES_OWN, CACHE_THERE = 2, 4, 0
CYCLES = 1
MAX_NAME = 128

# Limits of what a sane kernel has.
MAX_SUBBUF = 1 << 28
MAX_BUFFER = 1 << 32
MAX_CPUS = 1 << 13
MAX_CACHES = 1 << 16
MAX_MODULES = 1 << 13
MAX_SYMBOLS = 1 << 22
MAX_MESSAGES = 10

# Exit status.
COMPLETE, INCOMPLETE, NOTHING = 0, 1, 2


class Failure(Exception):
    """Nothing can be written; the text says why, and what to do."""


class Damage(Exception):
    """A part of the dump makes no sense."""


def say(text):
    print(f"kmemtrace-crash: {text}", file=sys.stderr)


class Doubts:
    """What is wrong with the trace; the first ones are printed."""

    def __init__(self):
        self.number = 0

    def add(self, text):
        self.number += 1
        if self.number <= MAX_MESSAGES:
            say(text)

    def end(self):
        if self.number > MAX_MESSAGES:
            say(f"and {self.number - MAX_MESSAGES} more problems")


# ---- records ----

class Format:
    """The byte order of the dump."""

    def __init__(self, order="<"):
        self.head = struct.Struct(order + "BBH")
        self.clock = struct.Struct(order + "BBHiQQQQQq")
        self.lost = struct.Struct(order + "BBHiQQQQQq")
        self.time = struct.Struct(order + "q")
        self.cache = struct.Struct(order + "BBHiQQQQQqQ")
        self.frames = struct.Struct(order + "BBHiQQQQQq")
        self.pad = struct.Struct(order + "BBHI")
        self.order = order

    def words(self, data, code):
        return [word for word, in struct.iter_unpack(self.order + code, data)]


Clock = collections.namedtuple("Clock", "cpu sequence clock uncertainty timestamp")


def clock_of(fmt, data):
    """Return the CLOCK that begins a sub-buffer, or None."""
    if len(data) < MIN_EVENT:
        return None
    kind, clock, size, cpu, _, sequence, uncertainty, _, _, time = fmt.clock.unpack_from(data)
    if kind != CLOCK or size < MIN_EVENT:
        return None
    return Clock(cpu, sequence, clock, 0 if clock == CYCLES else uncertainty, time)


class Stream:
    """The records of a CPU."""

    def __init__(self, cpu):
        self.cpu = cpu
        self.parts = []
        self.bytes = self.dropped = 0
        self.events = self.lost_records = self.lost_bytes = 0
        self.first_sequence = self.last_time = None

    def add(self, data):
        self.parts.append(data)
        self.bytes += len(data)

    def end_page(self, fmt, page_size):
        """Fill the last page, as the kernel does."""
        self.add(padding(fmt, -self.bytes % page_size))


def take_records(fmt, stream, data, checks_time):
    """
    Count the records of a sub-buffer that begins with a CLOCK. Return the bytes up to the first
    one that can't be: it was not written to its end. If @checks_time, its timestamp shows that: a
    buffer is used again, and what is left of an earlier record looks like one.
    """
    clock = clock_of(fmt, data)
    least = clock.timestamp
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
        if time < 0 or (checks_time and time < least - clock.uncertainty):
            break
        least = max(least, time)
        stream.last_time = time
        if kind in (ALLOC, FREE, FAILED):
            stream.events += 1
        elif kind == LOST:
            lost = fmt.lost.unpack_from(data, at)
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


# ---- the sub-buffers of a CPU ----

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


def read_stream(fmt, cpu, buffer, sizes, read, doubts):
    """
    Return the records of a CPU. @sizes are the bytes of a sub-buffer and of a page. @read
    returns memory of the dump, or raises Damage.
    """
    stream = Stream(cpu)
    try:
        check_buffer(buffer, sizes[0])
    except Damage as damage:
        doubts.add(f"cpu{cpu}: {damage}: the buffer is left out")
        return stream
    Subbufs(fmt, stream, buffer, sizes, read, doubts).add_all()
    return stream


# ---- ELF files ----

PT_NOTE, SHT_SYMTAB, STT_NOTYPE, STT_FUNC, SHF_EXECINSTR = 4, 2, 0, 2, 4
PN_XNUM = 0xffff
MAX_NOTES = 1 << 20


class Elf:
    """An ELF file: a dump, or a kernel with its symbols."""

    def __init__(self, path):
        self.file = open(path, "rb")
        ident = self.file.read(16)
        if ident[:4] != b"\x7fELF" or len(ident) < 16:
            self.file.close()
            raise Damage(f"{path}: no ELF file")
        self.wide, self.order = ident[4] == 2, "<" if ident[5] == 1 else ">"
        self.header = self.structs(16, "HHIQQQIHHHHHH" if self.wide else "HHIIIIIHHHHHH", 1)[0]

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.file.close()

    def read(self, offset, size):
        self.file.seek(offset)
        return self.file.read(size)

    def structs(self, offset, form, nr):
        form = struct.Struct(self.order + form)
        data = self.read(offset, nr * form.size)
        return list(form.iter_unpack(data[:len(data) // form.size * form.size]))

    def sections(self, nr=None):
        return self.structs(self.header[5], "IIQQQQIIQQ" if self.wide else "IIIIIIIIII",
                            self.header[11] if nr is None else nr)

    def notes(self):
        """Yield name and contents of each note."""
        nr = self.header[9]
        if nr == PN_XNUM:
            nr = self.sections(1)[0][7]
        for entry in self.structs(self.header[4], "IIQQQQQQ" if self.wide else "IIIIIIII", nr):
            if entry[0] != PT_NOTE:
                continue
            offset, size = (entry[2], entry[5]) if self.wide else (entry[1], entry[4])
            data, at = self.read(offset, min(size, MAX_NOTES)), 0
            while at + 12 <= len(data):
                name, contents, _ = struct.unpack_from(self.order + "III", data, at)
                at += 12
                begin = at + (name + 3 & ~3)
                yield data[at:at + name].rstrip(b"\0"), data[begin:begin + contents]
                at = begin + (contents + 3 & ~3)


def note_of(path, wanted):
    """Return the contents of a note of an ELF file, or None."""
    try:
        with Elf(path) as elf:
            return next((contents for name, contents in elf.notes() if name == wanted), None)
    except (Damage, OSError, struct.error, IndexError):
        return None


def value_of(info, key):
    """Return a value of VMCOREINFO, or None."""
    prefix = key.encode() + b"="
    for line in (info or b"").split(b"\n"):
        if line.startswith(prefix):
            return line[len(prefix):].decode(errors="replace")
    return None


# ---- the dump ----

class Dump:
    """The memory and the types of the crashed kernel."""

    def __init__(self, core, vmlinux):
        try:
            import drgn
        except ImportError:
            raise Failure("this Python has no drgn; install python3-drgn")
        self.drgn = drgn
        self.prog = drgn.Program()
        try:
            self.prog.set_core_dump(core)
        except OSError as error:
            raise Failure(f"{core}: {error.strerror}")
        except (ValueError, drgn.FaultError, LookupError) as error:
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
        except (ValueError, drgn.MissingDebugInfoError) as error:
            raise Failure(f"{vmlinux}: {error}")
        flags = self.prog.platform.flags
        self.is_little = bool(flags & drgn.PlatformFlags.IS_LITTLE_ENDIAN)
        self.word_bits = 64 if flags & drgn.PlatformFlags.IS_64_BIT else 32
        self.fmt = Format("<" if self.is_little else ">")
        self.page_size = int(self.prog["PAGE_SIZE"])
        self.errors = (drgn.FaultError, drgn.ObjectAbsentError, LookupError, AttributeError,
                       OverflowError, TypeError, ValueError)
        self.check_build(vmlinux)

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
        except self.drgn.FaultError:
            self.prog.add_memory_segment(
                0xffffffff80000000, 1 << 30,
                lambda address, count, offset, physical:
                    self.prog.read(offset + int(base) & (1 << 64) - 1, count, True))

    def check_build(self, vmlinux):
        """Refuse a file of another kernel: its types and addresses are not those of the dump."""
        info = self.get(lambda prog: self.text(prog["vmcoreinfo_data"].value_(), 4096))
        self.build_id, found = value_of(info, "BUILD-ID"), note_of(vmlinux, b"GNU")
        if self.build_id and found and found.hex() != self.build_id:
            raise Failure(f"{vmlinux}: has build ID {found.hex()}, expected {self.build_id}, that "
                          "of the kernel in the dump")

    def read(self, address, size):
        try:
            return self.prog.read(address, size)
        except (self.drgn.FaultError, OverflowError, ValueError):
            raise Damage(f"the dump has no {size} bytes at {address:#x}")

    def words(self, address, code, nr):
        """Return @nr integers of memory."""
        return self.fmt.words(self.read(address, nr * struct.calcsize("=" + code)), code)

    def longs(self, address, nr):
        return self.words(address, "Q" if self.word_bits == 64 else "I", nr)

    def text(self, address, size=256):
        array = self.prog.array_type(self.prog.type("char"), size)
        try:
            return self.drgn.Object(self.prog, array, address=address).string_()
        except (self.drgn.FaultError, OverflowError, ValueError):
            raise Damage(f"the dump has no text at {address:#x}")

    def get(self, what, default=None):
        """Return the result of @what, or @default if the dump lacks what it needs."""
        try:
            return what(self.prog)
        except self.errors + (Damage,):
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
            yield container_of(at, struct_name, member)
            at = at.next


class Channel:
    """The channel of kmemtrace in a dump."""

    def __init__(self, dump):
        self.dump = dump
        self.channel = dump.get(lambda prog: prog["kmemtrace_channel"].read_())
        if self.channel is None:
            raise Failure("no kmemtrace_channel with its type: expected a kernel with "
                          "CONFIG_KMEMTRACE, and the vmlinux of just this kernel with "
                          "CONFIG_DEBUG_INFO, and without CONFIG_DEBUG_INFO_REDUCED")
        self.subbuf_size = int(self.channel.subbuf_size)
        self.overwrites = bool(self.channel.overwrite)
        self.sizes = self.subbuf_size, dump.page_size
        if not 0 < self.subbuf_size <= MAX_SUBBUF or self.subbuf_size % dump.page_size:
            raise Failure(f"sub-buffers have {self.subbuf_size} bytes, expected whole pages up to "
                          f"{MAX_SUBBUF} bytes: kmemtrace_channel is damaged, or of another kernel")

    def cpus(self):
        from drgn.helpers.linux.cpumask import for_each_possible_cpu
        cpus = []
        for cpu in for_each_possible_cpu(self.dump.prog):
            if cpu >= MAX_CPUS:
                break
            cpus.append(int(cpu))
        return cpus

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

    def reported(self, cpu):
        """Return the records and bytes of losses that the stream has reported."""
        from drgn.helpers.linux.percpu import per_cpu
        reported = per_cpu(self.dump.prog["kmemtrace_reported"], cpu).all
        return int(reported.records), int(reported.bytes)


Losses = collections.namedtuple("Losses", "records bytes overwritten events")


def losses_of(dump, channel, part, stream):
    """
    Return what the trace of a CPU lacks: the losses that its stream reports, and those that no
    record has reported yet.
    """
    old = part.overwritten
    records = int(part.lost.records) - int(old.records) + int(part.lost_nmi.records)
    size = int(part.lost.bytes) - int(old.bytes) + int(part.lost_nmi.bytes)
    reported = dump.get(lambda prog: channel.reported(stream.cpu),
                        (stream.lost_records, stream.lost_bytes))
    # Without CONFIG_KMEMTRACE_DEBUG, the kernel counts bytes only.
    overwritten = int(old.records) or int(old.bytes) // MIN_EVENT
    return Losses(records=stream.lost_records + max(records - reported[0], 0),
                  bytes=stream.lost_bytes + max(size - reported[1], 0),
                  overwritten=overwritten,
                  events=int(part.events) + int(part.lost_nmi.records))


# ---- slab caches ----

Cache = collections.namedtuple("Cache", "address users object_size size flags align name")


def printable(name):
    return bytes(c if 0x20 < c < 0x7f else ord("?") for c in name) or b"?"


def read_caches(dump, doubts):
    caches = []
    try:
        for cache in dump.list_entries(dump.prog["slab_caches"], "struct kmem_cache", "list",
                                       MAX_CACHES):
            size, object_size = int(cache.size), int(cache.object_size)
            if not 0 < object_size <= size:
                raise Damage(f"a slab cache has objects of {object_size} in {size} bytes")
            caches.append(Cache(cache.value_(), int(cache.refcount), object_size, size,
                                int(cache.flags) & 0xffffffff, int(cache.align),
                                printable(dump.text(int(cache.name), MAX_NAME))))
    except dump.errors + (Damage,) as error:
        doubts.add(f"slab caches: {error}: {len(caches)} have names")
    return caches


def add_caches(dump, streams, doubts):
    """Append the records of all slab caches to the stream that ends last."""
    last = max((s for s in streams if s.last_time is not None), key=lambda s: s.last_time)
    for cache in read_caches(dump, doubts):
        last.add(cache_record(dump.fmt, last.last_time, cache))


# ---- symbols ----

def text_symbols(path):
    """Yield value, binding and name of the symbols of code in an ELF file."""
    with Elf(path) as elf:
        symbol = struct.Struct(elf.order + ("IBBHQQ" if elf.wide else "IIIBBH"))
        sections = elf.sections()
        table = next((entry for entry in sections if entry[1] == SHT_SYMTAB), None)
        if not table:
            raise Damage(f"{path}: no table of symbols")
        names = elf.read(*sections[table[6]][4:6])
        data = elf.read(*table[4:6])
    for fields in symbol.iter_unpack(data[:len(data) // symbol.size * symbol.size]):
        if elf.wide:
            at, info, _, index, value, _ = fields
        else:
            at, value, _, info, _, index = fields
        # functions, and labels without a type, in sections with instructions
        if info & 15 not in (STT_NOTYPE, STT_FUNC) or not 0 < index < len(sections) or \
                not sections[index][2] & SHF_EXECINSTR:
            continue
        name = names[at:names.index(b"\0", at)]
        if name and not name.startswith((b".L", b"$", b"L0")):
            yield value, info >> 4, name


def kernel_symbols(dump, vmlinux):
    """Return lines as in /proc/kallsyms for the code of the kernel."""
    symbols = list(text_symbols(vmlinux))
    start, = (value for value, _, name in symbols if name == b"_stext")
    offset = dump.prog.symbol("_stext").address - start
    mask = (1 << dump.word_bits) - 1
    # Of several names of an address, the first one is shown: as scripts/kallsyms.c sorts them.
    symbols.sort(key=lambda s: (s[0], s[1] == 2, len(s[2]) - len(s[2].lstrip(b"_"))))
    letters = "tTW"
    return ["%0*x %s %s\n" % (dump.word_bits // 4, value + offset & mask,
                              letters[min(binding, 2)], printable(name).decode())
            for value, binding, name in symbols]


def module_memory(module):
    """Return the base of a module's code, and the bytes of all its memory."""
    try:
        return int(module.mem[0].base), sum(int(mem.size) for mem in module.mem)
    except AttributeError:
        return (int(module.core_layout.base),
                int(module.core_layout.size) + int(module.init_layout.size))


def module_symbols(dump, module, name):
    table = module.kallsyms
    nr = int(table.num_symtab)
    if nr > MAX_SYMBOLS:
        raise Damage(f"module {name} has {nr} symbols")
    wide = dump.word_bits == 64
    symbol = struct.Struct(dump.fmt.order + ("IBBHQQ" if wide else "IIIBBH"))
    types = dump.read(int(table.typetab), nr)
    for i, fields in enumerate(symbol.iter_unpack(dump.read(int(table.symtab), nr * symbol.size))):
        at, value, index = (fields[0], fields[4], fields[3]) if wide else \
            (fields[0], fields[1], fields[5])
        letter = chr(types[i])
        if not index or letter not in "tTwW":
            continue
        text = printable(dump.text(int(table.strtab) + at))
        if not text.startswith((b".L", b"$")):
            yield "%0*x %s %s\t[%s]\n" % (dump.word_bits // 4, value, letter, text.decode(), name)


def read_modules(dump, doubts):
    """Return the lines of the file modules, and those of kallsyms."""
    lines, symbols = [], []
    try:
        for module in dump.list_entries(dump.prog["modules"], "struct module", "list",
                                        MAX_MODULES):
            name = printable(module.name.string_()).decode()
            base, size = module_memory(module)
            lines.append(f"{name} {base:#x} {size}\n")
            try:
                symbols += module_symbols(dump, module, name)
            except dump.errors + (Damage,) as error:
                doubts.add(f"symbols of module {name}: {error}")
    except dump.errors + (Damage,) as error:
        doubts.add(f"modules: {error}: {len(lines)} have names")
    return lines, symbols


# ---- metadata ----

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


def machine_lines(dump, cpus):
    from drgn.helpers.linux.percpu import per_cpu
    yield "byte_order", "little" if dump.is_little else "big"
    yield "word_bits", dump.word_bits
    yield "page_size", dump.page_size
    uts = "init_uts_ns"
    yield "kernel_release", dump.get(lambda prog: one_line(prog[uts].name.release.string_()))
    yield "machine", dump.get(lambda prog: one_line(prog[uts].name.machine.string_()))
    yield "host", dump.get(lambda prog: one_line(prog[uts].name.nodename.string_()))
    yield "build_id", dump.build_id
    yield "boot_id", dump.get(boot_id)
    yield "cmdline", dump.get(lambda prog: one_line(
        dump.text(prog["saved_command_line"].value_(), 4096)))
    yield "cpus", ranges(cpus)
    for cpu in cpus:
        yield f"node.cpu{cpu}", dump.get(lambda prog: int(per_cpu(prog["numa_node"], cpu)), 0)


def source_lines(dump, channel):
    yield "recorder", "kmemtrace"
    yield "abi_version", ABI_VERSION
    yield "clock", "cycles" if channel.channel.cycles else "local_clock"
    yield "subbuf_size", channel.subbuf_size
    yield "n_subbufs", int(channel.channel.n_subbufs)
    yield "source", "crash dump"
    sample = dump.get(lambda prog: int(prog["kmemtrace_sample"]), 1)
    if sample > 1:
        yield "sample", sample
    # Where records are overwritten, the baseline would be a snapshot at the end.
    if channel.overwrites or not dump.get(lambda prog: bool(prog["kmemtrace_baseline"]), True):
        yield "unseen", "baseline"
    yield "compression", "none"
    if channel.overwrites:
        yield "overwrites", "yes"


def stream_lines(channel, streams, losses):
    for stream in streams:
        cpu, loss = stream.cpu, losses[stream.cpu]
        yield f"overruns.cpu{cpu}", loss.bytes
        yield f"lost.cpu{cpu}", loss.records
        if channel.overwrites:
            yield f"overwritten.cpu{cpu}", loss.overwritten
    yield "total_overruns", sum(loss.bytes for loss in losses.values())
    for stream in streams:
        yield f"bytes.cpu{stream.cpu}", stream.bytes
        yield f"stored.cpu{stream.cpu}", stream.bytes
        yield f"dropped.cpu{stream.cpu}", stream.dropped


# ---- the trace directory ----

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
    for cpu in channel.cpus():
        try:
            part = channel.part(cpu)
            buffer = channel.buffer(part)
            if not buffer and not part.lost.records and not part.lost_nmi.records:
                continue
            stream = read_stream(dump.fmt, cpu, buffer, channel.sizes, dump.read, doubts) \
                if buffer else Stream(cpu)
            losses[cpu] = losses_of(dump, channel, part, stream)
            streams.append(stream)
        except dump.errors + (Damage,) as error:
            doubts.add(f"cpu{cpu}: {error}: its buffer is left out")
    return streams, losses


def write_symbols(dump, vmlinux, directory, doubts):
    lines, symbols = read_modules(dump, doubts)
    try:
        symbols = kernel_symbols(dump, vmlinux) + symbols
    except dump.errors + (Damage, OSError, struct.error) as error:
        doubts.add(f"symbols of the kernel: {error}: call sites in it have no names")
    directory.write("modules", [line.encode() for line in lines])
    directory.write("kallsyms", [line.encode() for line in symbols])


def write_trace(core, vmlinux, path):
    dump, doubts = Dump(core, vmlinux), Doubts()
    channel = Channel(dump)
    streams, losses = read_cpus(dump, channel, doubts)
    if not any(stream.last_time is not None for stream in streams):
        doubts.end()
        raise Failure("the buffers have no records: tracing was off, or all records were read; "
                      "expected kmemtrace.enable=yes, or echo overwrite >enable in debugfs")
    # The records of caches may be overwritten, or another reader had them.
    if channel.overwrites or any(stream.first_sequence for stream in streams):
        add_caches(dump, streams, doubts)
    directory = Directory(path)
    for stream in streams:
        stream.end_page(dump.fmt, dump.page_size)
        directory.write(f"cpu{stream.cpu}.out", stream.parts)
    write_symbols(dump, vmlinux, directory, doubts)
    lines = [*source_lines(dump, channel), *machine_lines(dump, channel.cpus()),
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
