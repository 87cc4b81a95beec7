#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""export-parquet.py SITES LIVES CACHES JSON: compare tables, as a reader of Parquet printed them,
with kmemtrace-report --json -n N, where N is larger than the number of call sites. SITES and
CACHES have all columns but the common ones; LIVES has sums by allocator and site: lives that began
in the trace, their bytes, live bytes."""

import collections
import json
import sys

COUNTERS = ["allocs", "frees", "remote_frees", "bytes_req", "bytes_alloc", "live",
            "live_bytes_req", "live_bytes_alloc", "peak_bytes_alloc"]


def name_of(row):
    """Return a call site as the tables have it."""
    if "note" in row:
        return f"({row['note']})"
    name = f"{row['symbol']}+{row['offset']:#x}" if "symbol" in row else row["address"]
    return name + (f" [{row['module']}]" if "module" in row else "")


def rows_of(path):
    with open(path, encoding="ascii") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def same(what, want, got):
    for key in sorted(want.keys() | got.keys()):
        if want.get(key) != got.get(key):
            sys.exit(f"{what}: {key}: expected {want.get(key)}, found {got.get(key)}")


def main():
    with open(sys.argv[4], encoding="utf-8") as file:
        report = json.load(file)
    want = collections.defaultdict(list)
    lives = collections.Counter()
    for space, rows in report["sites"].items():
        for row in rows:
            key = space, name_of(row)
            want[key].append([row[counter] for counter in COUNTERS])
            lives[key + ("live",)] += row["live_bytes_alloc"]
            # One allocation of pages may have several lives.
            lives[key + ("bytes",)] += row["bytes_alloc"]
            if space != "pages":
                lives[key + ("allocs",)] += row["allocs"]
    got = collections.defaultdict(list)
    for row in rows_of(sys.argv[1]):
        got[row[0], row[1]].append([int(value) for value in row[6:]])
    same("sites", want, got)

    got = collections.Counter()
    for space, site, allocs, size, live in rows_of(sys.argv[2]):
        got[space, site, "live"] = int(live)
        got[space, site, "bytes"] = int(size)
        if space != "pages":
            got[space, site, "allocs"] = int(allocs)
    same("lives", +lives, +got)

    want = collections.Counter(
        (cache.get("name", "\\N"), *(str(cache[counter]) for counter in COUNTERS))
        for cache in report["caches"] if any(cache[counter] for counter in COUNTERS))
    got = collections.Counter((row[0], *row[5:]) for row in rows_of(sys.argv[3]))
    # The report of a trace without records of caches lists none.
    if report["caches"]:
        same("caches", want, got)
    elif any(row[0] != "\\N" for row in got):
        sys.exit("caches: the report lists none")
    if not lives:
        sys.exit("the report is empty")


if __name__ == "__main__":
    main()
