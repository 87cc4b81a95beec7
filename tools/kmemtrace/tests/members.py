#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""members.py REPORT TRACE...: count the tasks of each name, and the cgroups of each call path."""

import collections
import csv
import subprocess
import sys


def table(trace, *options):
    """Return the rows of a table."""
    out = subprocess.run([sys.argv[1], "--csv", *options, trace], check=True, capture_output=True,
                         text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def main():
    """Check all traces; some row must have several members."""
    most = 0
    for trace in sys.argv[2:]:
        tasks = collections.Counter((row["allocator"], row["comm"] or row["task"])
                                    for row in table(trace, "tasks"))
        names = {(row["allocator"], row["task_name"]): int(row["tasks"])
                 for row in table(trace, "task_names")}
        assert names == tasks, (names, tasks)
        cgroups = collections.Counter((row["allocator"], row["stack"], row["is_removed"] or "false")
                                      for row in table(trace, "cgroups", "-g", "stack,cgroup",
                                                       "--where", "live>0"))
        keepers = {(row["allocator"], row["stack"], row["is_removed"]): int(row["cgroups"])
                   for row in table(trace, "keepers", "--where", "live>0")}
        assert keepers == cgroups, (keepers, cgroups)
        most = max(most, *keepers.values())
    assert most > 1


main()
