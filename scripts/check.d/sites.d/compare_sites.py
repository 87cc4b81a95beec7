#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare_sites.py A B: compare two sources that traced one load several times each.

A and B are folders with the reports of kmemtrace-report --json. Print the 100 functions with
most allocations, their allocations in each run of A and of B, and why these differ."""

import glob
import json
import re
import sys

ROWS = 100
# Two sources agree on a function if the ranges of their runs overlap, or if their sums differ
# by no more than this part.
LIMIT = 0.02
# What depends on the time of other work may differ by this part.
TIME_LIMIT = 0.2

# Why functions differ: (a source of one trace, allocator, pattern of the function, reason)
REASONS = [
    ("trace.dat", "pages", r".*", "ftrace does not tell the callers of pages"),
    ("trace.dat", "vmalloc", r".*", "ftrace has no event of vmalloc()"),
    ("trace.dat", "slab",
     r"ring_buffer_alloc_read_page|tracing_buffers_splice_read|iter_file_splice_write",
     "trace-cmd reads the buffers of ftrace"),
    ("trace.dat", "slab", r"xas_alloc", "page cache of the trace that the collector writes"),
    ("trace.dat", "slab", r"p9_.*", "the reports on the host's folder"),
    ("module", "vmalloc", r"copy_process|kernel_clone",
     "stacks: the patched vmalloc() records the caller that copy_process() names: its own"),
    ("module", "slab", r"__kernfs_new_node",
     "names of sysfs files: those of a module are copied, those of the kernel are not"),
    ("module", "slab", r"simple_attr_open", "kmemtraced writes to the file flush once a second"),
    ("module", "slab", r"seq_open|seq_read_iter",
     "kmemtraced reads the kernel's counters at the begin and the end of a module's trace"),
    ("module", "slab", r"crypto_alloc_tfmmem", "Debian's kernel verifies the signatures of modules"),
]


# The same for functions whose runs with one source differ, too, up to TIME_LIMIT.
TIMES = [
    (r"alloc_vmap_area|__get_vm_area_node|__vmalloc_node_range_noprof",
     "time: a CPU keeps the stacks of two processes that ended"),
    (r"mempool_alloc_noprof|virtqueue_add_split", "time: the disk merges writes into one request"),
    (r"__alloc_skb|kmalloc_reserve", "time: TCP merges writes into one segment"),
]


def read(folder):
    """Return the source, and for each run a dictionary: (allocator, function) -> allocations"""
    runs = []
    source = None
    for name in sorted(glob.glob(f"{folder}/[0-9]*.json")):
        with open(name, encoding="utf-8") as file:
            report = json.load(file)
        trace = report["trace"]
        if not trace["events"] or trace["lost_events"]:
            sys.exit(f"{name}: {trace['events']} events, {trace['lost_events']} lost")
        source = trace.get("source")
        counts = {}
        for site in report["sites"]:
            # gcc appends .isra.0, .constprop.0 and others to the names of copies; a driver may
            # be a module of one kernel, and built into the other; namesakes are numbered
            name = re.sub(r"\..*| \[.*| \(\d+ of .*", "", site["function"])
            key = site["allocator"], name
            counts[key] = counts.get(key, 0) + site["allocs"]
        runs.append(counts)
    if len(runs) < 2:
        sys.exit(f"{folder}: expected the reports of two runs or more")
    return source, runs


def reason(sources, key, first, second):
    """Return why the runs of two sources differ, or None"""
    low, high = sorted((first, second), key=sum)
    if min(high) <= max(low) or sum(high) - sum(low) <= LIMIT * sum(high):
        return "same"
    for source, space, pattern, text in REASONS:
        if source in sources and key[0] == space and \
                re.fullmatch(pattern, key[1]):
            return text
    if key[0] == "slab" and sum(high) - sum(low) <= TIME_LIMIT * sum(high):
        for pattern, text in TIMES:
            if re.fullmatch(pattern, key[1]):
                return text
    return None


def main():
    sources, (first, second) = zip(*(read(folder) for folder in sys.argv[1:]))
    keys = {key for run in first + second for key in run}
    rows = []
    for key in keys:
        counts = [[run.get(key, 0) for run in runs] for runs in (first, second)]
        rows.append((max(max(runs) for runs in counts), key, *counts))
    rows.sort(key=lambda row: (-row[0], row[1]))
    bad = 0
    for _, key, *counts in rows[:ROWS]:
        why = reason(sources, key, *counts)
        bad += why is None
        print(f"{key[0]:8}{key[1]:40}",
              *(" ".join(f"{count:8}" for count in runs) for runs in counts),
              f" {why or 'NOT EXPLAINED'}")
    print(f"{'not ok' if bad else 'ok'} - {ROWS - bad} of the {ROWS} functions with most "
          "allocations are the same or have an explanation")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
