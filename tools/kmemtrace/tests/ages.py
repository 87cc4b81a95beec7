#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""ages.py REPORT TRACE: compare what filters by age count with the live objects of a trace.

Memory that is older than the trace has no time: it is as old as the trace at least.
"""

import collections
import csv
import subprocess
import sys

AGES = (3381000, 3000000, 1000000, 100000, 3400000)


def table(*options):
    """Return the rows of a table."""
    report, trace = sys.argv[1:]
    out = subprocess.run([report, "--csv", *options, trace], check=True, capture_output=True,
                         text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def sums(rows, count):
    """Return bytes and number of the live memory of each allocator."""
    total = collections.Counter()
    for row in rows:
        total[row["allocator"], "bytes"] += int(row.get("live_bytes", row["bytes"]))
        total[row["allocator"], "number"] += count(row)
    return +total


def main():
    """Try some ages."""
    end = int(table("trace")[0]["last_ns"])
    objects = table("objects")
    for age in AGES:
        time = f"{age / 1e9:.9f}"
        chosen = {
            "--older": [row for row in objects
                        if (end - int(row["born_ns"]) > age if row["born_ns"] else age <= end)],
            "--younger": [row for row in objects
                          if row["born_ns"] and end - int(row["born_ns"]) < age],
        }
        assert age == AGES[-1] or all(chosen.values()), age
        for option, wanted in chosen.items():
            assert table("objects", option, time) == wanted, (option, time)
            total = sums(wanted, lambda row: int(row["pages"] or 1))
            for groups in ("totals",), ("sites", "-g", "site,task,cgroup"), ("caches",):
                rows = table(*groups, option, time)
                found = sums(rows, lambda row: int(row["live"]))
                assert found == {key: value for key, value in total.items()
                                 if groups[0] != "caches" or key[0] == "slab"}, (groups, option, time)
                assert not any(int(row["frees"]) or int(row["peak_bytes"]) for row in rows)


main()
