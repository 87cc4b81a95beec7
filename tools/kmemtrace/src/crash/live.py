# SPDX-License-Identifier: GPL-2.0
"""What the kernel adds at the end of a trace whose records are overwritten."""
import collections

from common import Damage
from records import MAX_NAME, cache_record, printable
from snapshot import Snapshot

MAX_CACHES = 1 << 16

Cache = collections.namedtuple("Cache", "address users object_size size flags align name")


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
    except Exception as error:
        doubts.add(f"slab caches: {error}: {len(caches)} have names")
    return caches


def last_of(dump, streams):
    """Return the stream that ends last, with a new sub-buffer."""
    last = max((s for s in streams if s.last_time is not None), key=lambda s: s.last_time)
    last.begin_subbuf(dump.fmt, dump.page_size)
    return last


def add_caches(dump, last, doubts):
    """Append the records of all slab caches to a stream."""
    for cache in read_caches(dump, doubts):
        last.add(cache_record(dump.fmt, last.last_time, cache))


def add_snapshot(dump, channel, last, doubts):
    """
    Append a snapshot of what is live, behind the caches. Return what it lacks, as a word of the
    metadata's "unseen"; None: nothing.
    """
    try:
        snapshot = Snapshot(dump, last.last_time, doubts)
        for cpu in dump.cpus:
            snapshot.add_own(channel.pages(cpu))
        snapshot.add_memory()
        snapshot.add_rest()
        snapshot.end(last.cpu, last.monotonic())
    except Exception as error:
        doubts.add(f"snapshot of what is live: {error}; the trace has none")
        return "baseline"
    for part in snapshot.parts:
        last.add(part)
    return "baseline_objects" if snapshot.without else None
