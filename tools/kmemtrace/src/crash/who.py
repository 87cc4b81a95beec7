# SPDX-License-Identifier: GPL-2.0
"""Who allocated: what the numbers of call paths and of cgroups in the records mean."""
import struct

from common import Damage
from records import cgroup_record, stack_record

# The bits of kmemtrace_with, see mm/kmemtrace/who.h.
WORDS = "stack", "task", "cgroup"

# See mm/kmemtrace/stacks.c.
MAX_ENTRIES = (1 << 16) + 15
MAX_KEPT = (1 << 16) * 16
MAX_FRAMES = 32

MAX_CGROUPS = 1 << 16
MAX_PATH = 512

# See <linux/percpu-refcount.h>.
REF_DEAD = 2


def words_of(dump):
    """Return what is recorded with each allocation, as words; None: nothing."""
    bits = dump.get(lambda prog: int(prog["kmemtrace_with"]), 0)
    return ",".join(word for i, word in enumerate(WORDS) if bits & 1 << i) or None


def kept_stacks(dump):
    """Yield the number, the addresses and whether outer callers are missing, of each path."""
    entries, kept = dump.prog["kmemtrace_entries"].value_(), dump.prog["kmemtrace_kept"].value_()
    if not entries or not kept:
        return
    frames = dump.longs(kept, MAX_KEPT)
    entry = struct.Struct(dump.fmt.order + "QBBHI")
    data = dump.read(entries, entry.size * MAX_ENTRIES)
    for number, (hash_, _, is_cut, depth, first) in enumerate(entry.iter_unpack(data), 1):
        if not depth:
            continue
        if not hash_ or depth > MAX_FRAMES or first + depth > MAX_KEPT:
            raise Damage(f"call path {number} has {depth} addresses at {first}")
        yield number, frames[first:first + depth], is_cut


def live_cgroups(dump):
    """Yield the number, that of the parent, whether it was removed, and the path, of cgroups."""
    from drgn.helpers.linux.cgroup import cgroup_path, css_for_each_descendant_pre
    root = dump.prog["root_mem_cgroup"]
    if not root:
        return
    for _, css in zip(range(MAX_CGROUPS), css_for_each_descendant_pre(root.css.address_of_())):
        parent, flags = css.parent, int(css.refcnt.percpu_count_ptr)
        yield (int(css.serial_nr), int(parent.serial_nr) if parent else 0,
               bool(flags & REF_DEAD), cgroup_path(css.cgroup)[:MAX_PATH - 1])


def add_names(dump, last, doubts):
    """Append the records that name call paths and cgroups to a stream."""
    words = words_of(dump) or ""
    for word, found, record in (("stack", kept_stacks, stack_record),
                                ("cgroup", live_cgroups, cgroup_record)):
        if word not in words:
            continue
        try:
            for fields in found(dump):
                last.add(record(dump.fmt, last.last_time, *fields))
        except Exception as error:
            doubts.add(f"names of {word}s: {error}: some have none")
