#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""sums.py FILE...: check that the figures of a report in JSON agree.

What a report shows in parts must add up to what it shows as a whole. The report must have all
rows, for example by kmemtrace-report --json --show all -n 1000000. Parts that it lacks are not
checked.
"""

import json
import sys

FIGURES = ("live_bytes", "live", "live_bytes_req", "allocs", "bytes_req", "bytes", "frees",
           "remote_frees", "peak_bytes", "avoidable", "live_avoidable")
SHORT = ("ended_in_1us", "ended_in_10us", "ended_in_100us", "ended_in_1ms")
LIVES = ("ended", "freed_bytes", "remote_frees", *SHORT, "ended_in_10ms", "ended_in_100ms",
         "ended_in_1s")

# (parts, whole, columns that make the groups, columns of figures). Some parts leave out the rows
# that have nothing of a figure.
SUMS = [
    *((name, "totals", ("allocator",), FIGURES)
      for name in ("sites", "functions", "modules", "paths", "tasks", "processes", "cgroups",
                   "sizes", "gfp", "caches", "cache_sites", "orders")),
    ("cache_sites", "caches", ("allocator", "cache", "cache_address"), FIGURES),
    ("peak", "totals", ("allocator",), ("peak_bytes",)),
    ("wasters", "totals", ("allocator",), ("wasted",)),
    ("requests", "totals", ("allocator",), ("wasted",)),
    ("timeline", "totals", ("allocator",), ("allocs", "bytes")),
    ("cpu_pairs", "totals", ("allocator",), ("remote_frees",)),
    ("lifetime_totals", "totals", ("allocator",), ("remote_frees",)),
    ("lifetimes", "lifetime_totals", ("allocator",), LIVES),
    ("churn", "lifetime_totals", ("allocator",), SHORT),
    ("remote", "lifetime_totals", ("allocator",), ("remote_frees",)),
    ("failures", "totals", (), ("failed",)),
]
# Relations of a single allocator.
ONLY = {"caches": "slab", "cache_sites": "slab", "wasters": "slab", "requests": "slab",
        "orders": "pages"}


def sums(rows, keys, figures):
    """Return (key, figure) -> sum, of all that are not 0."""
    found = {}
    for row in rows:
        for figure in figures:
            key = tuple(row.get(key) for key in keys), figure
            found[key] = found.get(key, 0) + row[figure]
    return {key: value for key, value in found.items() if value}


def differences(name, found, expected):
    """Yield what differs between two dictionaries."""
    for key in sorted(found.keys() | expected.keys(), key=str):
        if found.get(key, 0) != expected.get(key, 0):
            yield f"{name}: {key}: {found.get(key, 0)}, expected {expected.get(key, 0)}"


def sums_differ(report):
    """Yield the parts that don't add up to their whole."""
    for parts, whole, keys, figures in SUMS:
        if parts not in report or whole not in report:
            continue
        # Bytes that an allocation lacks are not wasted, but make up for wasted ones of its group.
        if "wasted" in figures and any(row["class"] == "short" for row in report["findings"]):
            continue
        rows = [row for row in report[whole]
                if row.get("allocator") == ONLY.get(parts, row.get("allocator"))]
        yield from differences(f"{parts} of {whole}", sums(report[parts], keys, figures),
                               sums(rows, keys, figures))


def times_differ(report):
    """Yield where the maximum of a time line, or its end, is not that of the totals."""
    for name in "timeline", "phases":
        for total in report.get("totals", []) if report.get(name) else []:
            rows = [row for row in report[name] if row["allocator"] == total["allocator"]]
            found = {"peak_bytes": max(row["most_bytes"] for row in rows),
                     "live_bytes": rows[-1]["live_bytes"]}
            yield from differences(f"{name} of {total['allocator']}", found,
                                   {figure: total[figure] for figure in found})


def sizes_differ(report):
    """Yield the percentiles that are not of the allocations whose size is known."""
    if "percentiles" not in report or "sizes" not in report:
        return
    known = [row for row in report["sizes"] if "size" in row]
    yield from differences("percentiles of sizes",
                           sums(report["percentiles"], ("allocator",), ("allocs",)),
                           sums(known, ("allocator",), ("allocs",)))


def lives_differ(report):
    """Yield where the frees of memory that isn't older than the trace are not all lifetimes."""
    if "sites" not in report or "lifetime_totals" not in report:
        return
    if not all("module" in row for row in report["sites"]):
        return
    younger = [row for row in report["sites"] if not row["module"].startswith("(before ")]
    ended = [{"allocator": row["allocator"], "frees": row["ended"]}
             for row in report["lifetime_totals"]]
    yield from differences("frees of sites", sums(younger, ("allocator",), ("frees",)),
                           sums(ended, ("allocator",), ("frees",)))


def nodes_differ(report):
    """Yield where allocations by node, and those before, are not all."""
    if not report.get("node_frees"):
        return
    before = [{"allocator": row["allocator"], "allocs": row["allocs_before"]}
              for row in report["node_frees"]]
    yield from differences("nodes", sums(report["nodes"] + before, ("allocator",), ("allocs",)),
                           sums(report["totals"], ("allocator",), ("allocs",)))


def cells_differ(report):
    """Yield where memory by the steps in which it begins and ends is not all lives."""
    if not report.get("cells") or "lives" not in report:
        return
    step = report["cells"][0]["step_ns"]
    # The lives of older memory have no begin.
    older = {(row["allocator"], row["site"]) for row in report["lives"] if row["born_ns"] is None}

    def cell(row, weight):
        site = row["allocator"], row["site"]
        born, died = (None if time is None else max(time, 0) // step
                      for time in (row["born_ns"], row["died_ns"]))
        return {"site": site, "born": None if site in older else born, "died": died,
                "bytes": row["bytes"] * weight}
    yield from differences("cells", sums([cell(row, 1) for row in report["cells"]],
                                         ("site", "born", "died"), ("bytes",)),
                           sums([cell(row, row.get("weight", 1)) for row in report["lives"]],
                                ("site", "born", "died"), ("bytes",)))


def cpus_differ(report):
    """Yield where what one CPU allocated and another one freed is not that of all lives with a free."""
    if "cpu_pairs" not in report or not report.get("lives"):
        return
    # Objects whose page was freed ended, but nobody freed them.
    if any(row["class"] == "free_in_use" for row in report["findings"]):
        return
    keys = "allocator", "alloc_cpu", "free_cpu"
    lives = [{"allocator": row["allocator"], "alloc_cpu": row["cpu"], "free_cpu": row["freed_cpu"],
              "freed_bytes": row["bytes"] * row.get("weight", 1)} for row in report["lives"]
             if row["cpu"] is not None and row["freed_site"] is not None and
             row["freed_cpu"] != row["cpu"]]
    yield from differences("cpu_pairs", sums(report["cpu_pairs"], keys, ("freed_bytes",)),
                           sums(lives, keys, ("freed_bytes",)))


def problems(report):
    """Yield a text for each figure that is wrong."""
    for differ in (sums_differ, times_differ, sizes_differ, lives_differ, nodes_differ,
                   cells_differ, cpus_differ):
        yield from differ(report)


def main():
    """Print what is wrong."""
    status = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            report = json.load(file)
        if not any(row["allocs"] for row in report["totals"]):
            print(f"{name}: no allocations")
            status = 1
        for problem in problems(report):
            print(f"{name}: {problem}")
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
