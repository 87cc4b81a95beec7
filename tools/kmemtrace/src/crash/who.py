# SPDX-License-Identifier: GPL-2.0
"""Who allocated: what the numbers of call paths and of cgroups in the records mean."""
import struct

from common import Damage
from records import cgroup_record, stack_record

# The bits of kmemtrace_with, see mm/kmemtrace/who.h.
WORDS = "stack", "task", "cgroup", "refs"

# See mm/kmemtrace/stacks.c.
MAX_ENTRIES = (1 << 16) + 15
MAX_KEPT = (1 << 16) * 16
MAX_FRAMES = 32

MAX_CGROUPS = 1 << 16
MAX_PATH, MAX_NAME = 512, 256

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
    root, online = dump.prog["root_mem_cgroup"], int(dump.prog["CSS_ONLINE"])
    if not root:
        return
    # Each with the path of its parent; the last one comes first. drgn's helpers have no limits.
    found, waiting = 0, [(root.css.address_of_(), 0, b"")]
    while waiting:
        css, parent, path = waiting.pop()
        number = int(css.serial_nr)
        if css != root.css.address_of_():
            path = (path + b"/" + dump.text(css.cgroup.kn.name.value_(), MAX_NAME))[:MAX_PATH - 1]
        if int(css.flags) & online:
            yield number, parent, bool(int(css.refcnt.percpu_count_ptr) & REF_DEAD), path or b"/"
        children = list(dump.list_entries(css.children, "struct cgroup_subsys_state", "sibling",
                                          MAX_CGROUPS))
        found += len(children)
        if found > MAX_CGROUPS:
            raise Damage("the tree of cgroups has no end")
        waiting += [(child, number, path) for child in reversed(children)]


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
