# SPDX-License-Identifier: GPL-2.0
"""
A snapshot of the memory that is live in a dump, as mm/kmemtrace/snapshot*.c take it at the end of
a trace whose records are overwritten. Here all CPUs stand still.
"""
import collections
import struct

from common import Damage
from elf import value_of
from records import (FRAMES_FREE, FRAMES_LIVE, FRAMES_OWN, FRAMES_RESERVED, TYPE_PERCPU,
                     TYPE_VMALLOC, area_record, end_record, frames_record, slab_record)

# Frames of a block that is read at once, and objects of a record.
BLOCK = 1024
RECORD_OBJECTS = 512

MAX_ORDER = 20
MAX_ZONES = 64
MAX_AREAS = 1 << 24
MAX_VMAP_NODES = 1024
MAX_CHUNKS = 1 << 16
MAX_CHUNK_PAGES = 1 << 14
MAX_OBJECTS = 1 << 15
MAX_SLAB = 1 << 24
MAX_KFENCE = 1 << 16
MIN_PERCPU = 4

# PAGE_ALLOC_COSTLY_ORDER and MIGRATE_PCPTYPES: the lists of free pages of a CPU.
COSTLY_ORDER, PCP_TYPES = 3, 3

# vm_struct.flags
VM_ALLOC, VM_UNINITIALIZED, VM_MAP_PUT_PAGES = 0x2, 0x20, 0x200


KIND_NAMES = {TYPE_PERCPU: "per-CPU memory", TYPE_VMALLOC: "vmalloc areas"}


class Unsure(Exception):
    """A CPU was changing a slab."""


Zone = collections.namedtuple("Zone", "node start end lists")


class Frames:
    """The page frames of the dump."""

    def __init__(self, dump):
        from drgn import offsetof, sizeof
        from drgn.helpers.linux.mm import pfn_to_virt
        self.dump, prog = dump, dump.prog
        page = prog.type("struct page")
        self.page_bytes, self.map = sizeof(page), prog["vmemmap"].value_()
        self.linear = pfn_to_virt(prog, 0).value_()
        form, at = dump.fmt.order, 0
        for name, code in ("flags", "Q"), ("compound_head", "Q"), ("private", "Q"), \
                ("_mapcount", "I"):
            if offsetof(page, name) < at:
                raise Damage("struct page has another order than this program knows")
            form += f"{offsetof(page, name) - at}x{code}"
            at = offsetof(page, name) + struct.calcsize("=" + code)
        self.page = struct.Struct(f"{form}{self.page_bytes - at}x")
        self.reserved = 1 << int(prog.constant("PG_reserved"))
        self.types = {name: self.type_value(name) for name in ("BUDDY", "OFFLINE", "SLAB")}
        self.zones = list(self.find_zones())
        self.cached = self.find_cached()
        self.slabs = []

    def type_value(self, name):
        """Return the value of page._mapcount that marks a type of pages."""
        value = value_of(self.dump.info, f"NUMBER(PAGE_{name}_MAPCOUNT_VALUE)")
        if value is None:
            raise Damage(f"VMCOREINFO has no PAGE_{name}_MAPCOUNT_VALUE")
        return int(value) & 0xffffffff

    def nodes(self):
        from drgn.helpers.linux.nodemask import for_each_online_node
        prog = self.dump.prog
        if "node_data" not in prog:
            return [prog["contig_page_data"]]
        return [prog["node_data"][node] for node in for_each_online_node(prog)]

    def find_zones(self):
        nr = 0
        for node in self.nodes():
            for zone in node.node_zones:
                nr += 1
                start, pages = int(zone.zone_start_pfn), int(zone.spanned_pages)
                if nr > MAX_ZONES or pages > 1 << 40:
                    raise Damage("a zone is damaged")
                if int(zone.present_pages):
                    yield Zone(int(node.node_id), start, start + pages, zone.per_cpu_pageset)

    def pfn_of(self, page):
        return (page - self.map) // self.page_bytes

    def address(self, pfn):
        return self.linear + pfn * self.dump.page_size

    def node_of(self, pfn):
        for zone in self.zones:
            if zone.start <= pfn < zone.end:
                return zone.node
        raise Damage(f"page frame {pfn:#x} is in no zone")

    def find_cached(self):
        """Return {pfn: order} of the free pages on the lists of CPUs."""
        from drgn.helpers.linux.percpu import per_cpu_ptr
        found = {}
        for zone in self.zones:
            most = zone.end - zone.start
            for cpu in self.dump.cpus:
                lists = per_cpu_ptr(zone.lists, cpu).lists
                for i, head in enumerate(lists):
                    order = i // PCP_TYPES
                    if order > COSTLY_ORDER:
                        order = int(self.dump.prog["pageblock_order"]) if \
                            "pageblock_order" in self.dump.prog else 9
                    for page in self.dump.list_entries(head, "struct page", "lru", most):
                        found[self.pfn_of(page.value_())] = order
        return found

    def look_at(self, pfn, fields):
        """Return the state of the frame @pfn, and for how many frames."""
        flags, head, private, mapcount = fields
        if flags & self.reserved or mapcount == self.types["OFFLINE"]:
            return FRAMES_RESERVED, 1
        if pfn in self.cached:
            return FRAMES_FREE, 1 << self.cached[pfn]
        if mapcount == self.types["BUDDY"]:
            if private > MAX_ORDER:
                raise Damage(f"free pages of order {private}")
            return FRAMES_FREE, 1 << private
        if mapcount == self.types["SLAB"] and not head & 1:
            self.slabs.append(pfn)
        return FRAMES_LIVE, 1

    def block(self, pfn, nr):
        """Return the fields of frames; nothing for a hole."""
        try:
            data = self.dump.read(self.map + pfn * self.page_bytes, nr * self.page_bytes)
        except Damage:
            return []
        return list(self.page.iter_unpack(data))

    def runs(self, zone):
        """Yield state, first frame and number of neighbouring frames of one state."""
        state, first, end, pfn = None, 0, 0, zone.start
        while pfn < zone.end:
            begin = pfn
            block = self.block(begin, min(BLOCK - begin % BLOCK, zone.end - begin))
            if not block:
                pfn += BLOCK - pfn % BLOCK
            while pfn - begin < len(block):
                new, nr = self.look_at(pfn, block[pfn - begin])
                if new != state or pfn != end:
                    if state:
                        yield state, first, end - first
                    state, first = new, pfn
                end = pfn = min(pfn + nr, zone.end)
        if state:
            yield state, first, end - first


class Slabs:
    """The objects of slabs."""

    def __init__(self, dump, frames):
        self.dump, self.frames = dump, frames
        self.caches = {}
        self.pool = dump.get(lambda prog: prog["__kfence_pool"].value_(), 0)

    def kfence_records(self, time):
        """Yield the records of the objects of KFENCE, whose pages are reserved."""
        page_size, live = self.dump.page_size, self.dump.get(
            lambda prog: int(prog.constant("KFENCE_OBJECT_ALLOCATED")))
        for index in range(MAX_KFENCE if self.pool else 0):
            start = self.pool + 2 * page_size * (index + 1)
            # Behind the last one, there is another address, or none.
            meta = self.dump.get(lambda prog: prog["kfence_metadata"][index].read_())
            if meta is None or int(meta.addr) // page_size * page_size != start:
                break
            if int(meta.state) != live:
                continue
            address, size, object_size = self.cache(meta.cache)[:3]
            node = self.frames.node_of((start - self.frames.linear) // page_size)
            yield slab_record(self.dump.fmt, time, node, address, int(meta.addr), object_size,
                              size, 1, 1)

    def cache(self, pointer):
        """Return what is needed of a cache, and the free lists of CPUs by slab."""
        from drgn.helpers.linux.percpu import per_cpu_ptr
        address = pointer.value_()
        if address in self.caches:
            return self.caches[address]
        cache = pointer[0].read_()
        lists = {}
        for cpu in self.dump.cpus:
            part = per_cpu_ptr(cache.cpu_slab, cpu)
            if part.slab:
                lists[part.slab.value_()] = part.freelist.value_()
        hardened = self.dump.get(lambda prog: int(cache.random))
        size, object_size = int(cache.size), int(cache.object_size)
        if not 0 < object_size <= size <= MAX_SLAB:
            raise Damage(f"a slab cache has objects of {object_size} in {size} bytes")
        self.caches[address] = (address, size, object_size, int(cache.offset),
                                int(cache.red_left_pad), hardened, lists)
        return self.caches[address]

    def free_objects(self, cache, start, data, pointer):
        """Yield the index of each object of a free list."""
        _, size, _, offset, _, hardened, _ = cache
        left = len(data) // size
        while pointer:
            at = pointer - start
            left -= 1
            if left < 0 or not 0 <= at <= len(data) - offset - 8:
                raise Unsure
            yield at // size
            word, = self.dump.fmt.word.unpack_from(data, at + offset)
            if hardened is None:
                pointer = word
            else:
                place = (pointer + offset).to_bytes(8, "little")
                pointer = word ^ hardened ^ int.from_bytes(place, "big")

    def records(self, pfn, time):
        """Yield the records of the slab that begins at @pfn. Raise Unsure if it is unknown."""
        prog, start = self.dump.prog, self.frames.address(pfn)
        page = self.frames.map + pfn * self.frames.page_bytes
        slab = self.dump.drgn.Object(prog, "struct slab", address=page).read_()
        nr = int(slab.objects)
        if not int(slab.inuse):
            return
        cache = self.cache(slab.slab_cache)
        address, size, object_size, _, pad, _, lists = cache
        if not 0 < nr < MAX_OBJECTS or nr * size > MAX_SLAB:
            raise Damage(f"a slab of {nr} objects of {size} bytes")
        data = self.dump.read(start, nr * size)
        live = (1 << nr) - 1
        free = list(self.free_objects(cache, start, data, slab.freelist.value_()))
        if int(slab.frozen):
            if page not in lists:
                raise Unsure
            free += self.free_objects(cache, start, data, lists[page])
        for index in free:
            live &= ~(1 << index)
        for first in range(0, nr, RECORD_OBJECTS):
            part = min(RECORD_OBJECTS, nr - first)
            yield slab_record(self.dump.fmt, time, self.frames.node_of(pfn), address,
                              start + pad + first * size, object_size, size, part,
                              live >> first & (1 << part) - 1)


def vmalloc_areas(dump):
    """Yield each struct vm_struct that vmalloc() made with pages of its own."""
    prog = dump.prog
    if "vmap_nodes" in prog:
        nr = min(int(prog["nr_vmap_nodes"]), MAX_VMAP_NODES)
        heads = [prog["vmap_nodes"][i].busy.head for i in range(nr)]
    else:
        heads = [prog["vmap_area_list"]]
    for head in heads:
        for area in dump.list_entries(head, "struct vmap_area", "list", MAX_AREAS):
            if not area.vm:
                continue
            vm = area.vm[0].read_()
            flags = int(vm.flags) & (VM_ALLOC | VM_UNINITIALIZED | VM_MAP_PUT_PAGES)
            if int(vm.nr_pages) and flags == VM_ALLOC:
                yield vm


def bit_text(dump, address, bits):
    """Return a text of 0 and 1 for a bitmap."""
    words = dump.words(address, "Q", (bits + 63) // 64)
    return "".join(f"{word:064b}"[::-1] for word in words)[:bits]


def chunk_areas(dump, chunk):
    """Yield address and bytes of each allocated area of a chunk of per-CPU memory."""
    if not 0 < int(chunk.nr_pages) <= min(int(dump.prog["pcpu_unit_pages"]), MAX_CHUNK_PAGES):
        raise Damage(f"a chunk of per-CPU memory has {int(chunk.nr_pages)} pages")
    bits = int(chunk.nr_pages) * dump.page_size // MIN_PERCPU
    end = bits - int(chunk.end_offset) // MIN_PERCPU
    allocated = bit_text(dump, int(chunk.alloc_map), bits)
    bounds = bit_text(dump, int(chunk.bound_map), bits)
    bit = allocated.find("1", int(chunk.start_offset) // MIN_PERCPU, end)
    while bit >= 0:
        following = bounds.find("1", bit + 1, end)
        if following < 0:
            following = end
        yield int(chunk.base_addr) + bit * MIN_PERCPU, (following - bit) * MIN_PERCPU
        bit = allocated.find("1", following, end)


def percpu_areas(dump):
    """Yield pointer and bytes of each allocated area of per-CPU memory."""
    prog = dump.prog
    shift = prog.symbol("__per_cpu_start").address - int(prog["pcpu_base_addr"])
    chunks = [prog["pcpu_reserved_chunk"]] if prog["pcpu_reserved_chunk"] else []
    for slot in range(min(int(prog["pcpu_nr_slots"]), 256)):
        chunks += dump.list_entries(prog["pcpu_chunk_lists"][slot], "struct pcpu_chunk", "list",
                                    MAX_CHUNKS)
    for chunk in chunks:
        for address, size in chunk_areas(dump, chunk[0].read_()):
            yield address + shift & (1 << dump.word_bits) - 1, size


class Snapshot:
    """The records of a snapshot, in the order in which the kernel writes them."""

    def __init__(self, dump, time, doubts):
        self.dump, self.time, self.doubts = dump, time, doubts
        self.frames = Frames(dump)
        self.parts = []
        self.unsure = 0
        self.without = 0
        self.counts = collections.Counter()

    def add_frames(self, state, pfn, nr):
        self.counts["frames", state] += nr
        self.parts.append(frames_record(self.dump.fmt, self.time, self.frames.node_of(pfn), state,
                                        self.frames.address(pfn), nr * self.dump.page_size))

    def add_own(self, pages):
        """Add the pages of a buffer."""
        first = nr = 0
        for pfn in map(self.frames.pfn_of, pages):
            if pfn == first + nr and nr:
                nr += 1
                continue
            if nr:
                self.add_frames(FRAMES_OWN, first, nr)
            first, nr = pfn, 1
        if nr:
            self.add_frames(FRAMES_OWN, first, nr)

    def add_memory(self):
        for zone in self.frames.zones:
            for run in self.frames.runs(zone):
                self.add_frames(*run)
        slabs = Slabs(self.dump, self.frames)
        for pfn in self.frames.slabs:
            try:
                self.parts += slabs.records(pfn, self.time)
            except Unsure:
                self.unsure += 1
            except Exception as error:
                self.unsure += 1
                self.doubts.add(f"slab at {self.frames.address(pfn):#x}: {error}")
        self.parts += slabs.kfence_records(self.time)

    def add_areas(self, kind, areas):
        """Add records of @kind. If they have no end, nothing is known of this kind."""
        try:
            for ptr, size, site in areas:
                self.counts[kind] += 1
                self.parts.append(area_record(self.dump.fmt, self.time, kind, site, ptr, size))
        except Exception as error:
            self.doubts.add(f"{error}: the snapshot is without {KIND_NAMES[kind]}")
            self.without |= 1 << kind

    def add_rest(self):
        nr = len(self.dump.cpus)
        self.add_areas(TYPE_PERCPU, ((ptr, size * nr, 0) for ptr, size in percpu_areas(self.dump)))
        self.add_areas(TYPE_VMALLOC, ((int(vm.addr), int(vm.nr_pages) * self.dump.page_size,
                                       int(vm.caller)) for vm in vmalloc_areas(self.dump)))

    def end(self, cpu, begin):
        self.parts.append(end_record(self.dump.fmt, self.time, cpu, self.unsure, self.without,
                                     begin))
