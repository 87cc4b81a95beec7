#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that the reports of a boot trace have the promised properties.

Usage: promises.py DIR

DIR has report.json, by-KEY.json with all groups of each KEY, at-end.json with the state
at the trace's last event, and same.json, the difference of the trace from itself.
"""

import glob
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../tools/kmemtrace/tests"))
import sums


def load(folder, name):
    """Return a report."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def figures(report):
    """Return the report without the description of the trace."""
    return {part: report[part] for part in report if part != "trace"}


def boot_promises(report):
    """Yield (promise, kept) pairs about the contents of a boot trace."""
    trace = report["trace"]
    sites = [[site for site in report["sites"] if site["allocator"] == allocator]
             for allocator in ("slab", "pages")]
    # Objects that are older than the trace have a note instead of a call site.
    top = [site for rows in sites for site in rows[:50] if not site["site"].startswith("(")]

    yield f"{trace['events']} events, 100000 at least", \
        trace["events"] >= 100000
    yield f"{trace['lost_bytes']} bytes lost", \
        trace["complete"] and trace["lost_bytes"] == 0
    yield f"the {len(top)} top call sites have symbols", \
        all("offset" in site for site in top)
    # start_kernel() calls it, before other CPUs are up and before any driver.
    yield "the trace includes the allocations of kernfs_init()", \
        any(site["function"] == "kernfs_init" for rows in sites for site in rows)
    yield "the snapshot of live memory at the begin is complete", \
        report["baseline"]["complete"]
    yield f"{trace['unexplained']} unexplained findings", \
        trace["unexplained"] == 0


def sum_promises(report, folder):
    """Yield (promise, kept) pairs about the agreement of the reports."""
    grouped = sorted(glob.glob(os.path.join(folder, "by-*.json")))
    keys = [os.path.basename(path)[3:-5] for path in grouped]
    wrong = [problem for part in (report, *(load(folder, path) for path in grouped))
             for problem in sums.problems(part)]
    yield f"all parts, and groups by {', '.join(keys)} add up to the totals" + \
        "".join(f"\n# {problem}" for problem in wrong), len(keys) > 0 and not wrong
    yield "--at with the end of the trace gives the same report", \
        figures(load(folder, "at-end.json")) == figures(report)
    yield "--diff of the trace with itself finds no difference", \
        load(folder, "same.json")["same"] is True


def main():
    folder = sys.argv[1]
    report = load(folder, "report.json")
    broken = 0
    for promise, kept in [*boot_promises(report), *sum_promises(report, folder)]:
        print(f"{'ok' if kept else 'not ok'} - {promise}")
        broken += not kept
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
