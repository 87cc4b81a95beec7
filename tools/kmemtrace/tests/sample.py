#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""sample.py ONE_OF WHOLE SAMPLE...: compare estimates with the figures of the whole trace.

Each file is a report in JSON, with all rows. Prints how many of the true figures lie within
2.04 standard errors of the estimate, by class; expects 95 % of them, and not all: errors that are
too large are wrong, too. 2.04 is the quantile of Student's t with the 31 degrees of freedom of 32
groups. Figures of fewer than 10 sampled objects are left out. WHOLE and SAMPLE come in pairs.
"""

import json
import sys

# The figure, and the number of objects in it.
FIGURES = {"live_bytes": "live", "allocs": "allocs", "bytes": "allocs"}
QUANTILE = 2.04
MIN_OBJECTS = 10
WANTED = 0.95
TOO_GOOD = 0.99


def rows_of(report):
    """Yield the class of figures, a key and the row."""
    for what, key in ("totals", "allocator"), ("sites", "address"), ("caches", "cache_address"):
        for row in report[what]:
            if row.get("allocator") == "slab":
                yield what, row.get(key), row


def compare(one_of, whole, sample, found):
    """Count the estimates that are near enough, and all of them."""
    true = {(what, key): row for what, key, row in rows_of(whole)}
    for what, key, row in rows_of(sample):
        for figure, objects in FIGURES.items():
            error = row.get(figure + "_error")
            if not error or row[objects] < MIN_OBJECTS * one_of:
                continue
            off = abs(row[figure] - true[what, key][figure]) / error
            count = found.setdefault((what, figure), [])
            count.append(off)


def main(one_of, *names):
    reports = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            reports.append(json.load(file))
    found = {}
    for whole, sample in zip(reports[::2], reports[1::2]):
        assert whole["trace"]["sample"] == 1 and sample["trace"]["sample"] == int(one_of)
        compare(int(one_of), whole, sample, found)
    near = {key: sum(off <= QUANTILE for off in list) for key, list in found.items()}
    for key, offs in sorted(found.items()):
        print(f"one of {one_of}: {' '.join(key)}: {near[key]} of {len(offs)} within "
              f"{QUANTILE} standard errors: {100 * near[key] / len(offs):.1f} %")
    nr = sum(map(len, found.values()))
    part = sum(near.values()) / nr
    print(f"one of {one_of}: {100 * part:.1f} % of {nr} estimates")
    return not WANTED <= part <= TOO_GOOD


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
