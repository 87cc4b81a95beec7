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

SPACES = ("slab", "pages", "percpu", "vmalloc")
SUMS = ("allocs", "bytes_req", "bytes_alloc", "live", "live_bytes_req",
        "live_bytes_alloc", "remote_frees")


def load(folder, name):
    """Return a report."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def adds_up(report):
    """Return whether the groups of each allocator add up to its totals and its peak."""
    for space in SPACES:
        groups = report["sites"][space]
        wanted = {key: report["totals"][space][key] for key in SUMS}
        wanted["peak_bytes_alloc"] = report["peak"][space]["bytes"]
        for key, total in wanted.items():
            if sum(group[key] for group in groups) != total:
                return False
    return True


def is_highest(report):
    """Return whether the peak of each allocator is the maximum of its timeline."""
    return all(report["peak"][space]["bytes"] ==
               max(report["timeline"][space]["most"]) for space in SPACES)


def figures(report):
    """Return the report without the description of the trace."""
    return {part: report[part] for part in report if part != "trace"}


def boot_promises(report):
    """Yield (promise, kept) pairs about the contents of a boot trace."""
    trace = report["trace"]
    sites = [site for space in ("slab", "pages")
             for site in report["sites"][space]]
    # Objects that are older than the trace have a note instead of a call site.
    top = [site for space in ("slab", "pages")
           for site in report["sites"][space][:50] if "note" not in site]

    yield f"{trace['events']} events, 100000 at least", \
        trace["events"] >= 100000
    yield f"{trace['lost_bytes']} bytes lost", \
        trace["complete"] and trace["lost_bytes"] == 0
    yield f"the {len(top)} top call sites have symbols", \
        all(site.get("symbol") for site in top)
    # start_kernel() calls it, before other CPUs are up and before any driver.
    yield "the trace includes the allocations of kernfs_init()", \
        any(site.get("symbol", "") == "kernfs_init" for site in sites)
    yield "the snapshot of live memory at the begin is complete", \
        report["baseline"]["complete"]
    yield f"{trace['unexplained']} unexplained findings", \
        trace["unexplained"] == 0


def sum_promises(report, folder):
    """Yield (promise, kept) pairs about the agreement of the reports."""
    grouped = sorted(glob.glob(os.path.join(folder, "by-*.json")))
    keys = [os.path.basename(path)[3:-5] for path in grouped]
    yield f"groups by site, {', '.join(keys)} add up to the totals", \
        len(keys) > 0 and adds_up(report) and \
        all(adds_up(load(folder, path)) for path in grouped)
    yield "no point of the timeline is above the peak", is_highest(report)
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
