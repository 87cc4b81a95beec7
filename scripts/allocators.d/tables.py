#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tables.py RESULTS TARGETS LOADS: make tables.txt, and LOAD.svg for each load, in the folder
RESULTS from the reports that scripts/allocators left there. TARGETS and LOADS are words. The
text is reStructuredText, a part of kmemtrace-allocators.rst."""

import glob
import itertools
import json
import os
import sys

# of the plots: width and height of a panel, margins, and the colours
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 170, 150, 46, 34, 34, 12
HELD, LIVE = "#b9cde5", "#1f4e79"

NAMES = {"6.1-slab": "SLAB, 6.1", "6.1-slob": "SLOB, 6.1", "6.1": "SLUB, 6.1",
         "6.12": "SLUB, 6.12", "7.2": "SLUB, 7.2"}


def read(path):
    """Return the text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def table(head, rows):
    """Return a simple table of reStructuredText."""
    widths = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    rule = "  ".join("=" * width for width in widths)

    def line(row):
        return "  ".join([row[0].ljust(widths[0])] +
                         [word.rjust(width) for word, width in zip(row[1:], widths[1:])]).rstrip()
    return "\n".join([rule, line(head), rule] + [line(row) for row in rows] + [rule]) + "\n"


def mib(count):
    """Return a number of bytes as MiB."""
    return f"{count / (1 << 20):.2f}"


def percent(part, whole):
    """Return a part as percent of the whole."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def rows(report, relation, allocator):
    """Return the rows of an allocator."""
    return [row for row in report[relation] if row["allocator"] == allocator]


class Run:
    """The reports of one load on one allocator.

    held and live are the maxima of each step of the timeline, in bytes: the pages that the
    allocator held, and the objects in them.
    """

    def __init__(self, folder):
        report = json.loads(read(f"{folder}/all.json"))
        taken = [json.loads(read(path)) for path in sorted(glob.glob(f"{folder}/held-*.json"))]
        self.trace = report["trace"]
        self.slab, = rows(report, "totals", "slab")
        self.lifetimes, = rows(report, "lifetime_totals", "slab")
        pages = [row for part in taken for row in rows(part, "totals", "pages")]
        self.slabs = sum(row["allocs"] for row in pages)
        self.held_end = sum(row["live_bytes"] for row in pages)
        self.live = [row["most_bytes"] for row in rows(report, "timeline", "slab")]
        self.held = [sum(step) for step in itertools.zip_longest(
            *([row["most_bytes"] for row in rows(part, "timeline", "pages")] for part in taken),
            fillvalue=0)]
        self.step = report["timeline"][0]["step_ns"] / 1e9
        self.peak = self.slab["peak_bytes"]
        self.free = self.free_blocks(read(f"{folder}/buddyinfo"))

    @staticmethod
    def free_blocks(text):
        """Return the free pages, and those of them in blocks of at least 64 KiB."""
        free = large = 0
        for line in text.splitlines():
            for order, count in enumerate(line.split()[4:]):
                free += int(count) << order
                large += int(count) << order if order >= 4 else 0
        return free, large


def load_table(runs):
    """Return the table of one load: a row for each target."""
    rows = []
    for target, run in runs.items():
        slab = run.slab
        rows.append([
            NAMES[target], f"{slab['allocs']:,}", mib(slab["bytes_req"]),
            percent(slab["wasted"], slab["bytes"]),
            mib(run.peak), mib(max(run.held)),
            mib(slab["live_bytes"]), mib(run.held_end),
            percent(slab["live_bytes"], run.held_end),
            f"{run.slabs:,}", percent(slab["remote_frees"], slab["free_calls"]),
            f"{run.lifetimes['mean_ns'] / 1e6:.1f}", percent(run.free[1], run.free[0])])
    return table(["allocator", "allocations", "requested", "wasted", "peak live", "peak held",
                  "live", "held", "used", "slabs", "remote", "life, ms", "64 KiB"], rows)


def instructions_table(results, targets):
    """Return the table of instructions: a row for each target."""
    rows, names = [], []
    for target in targets:
        figures = dict(line.split()[:2]
                       for line in read(f"{results}/{target}-instructions/output").splitlines())
        names = names or [name for name in figures
                          if not name.startswith(("part_", "page", "percpu", "vmalloc"))]
        rows.append([NAMES[target]] + [figures.get(name, "-") for name in names])
    return table(["allocator"] + names, rows)


def points(values, step, end, most, left):
    """Return the points of a step line in a panel, as SVG has them."""
    text = []
    for i, value in enumerate(values):
        y = TOP + HEIGHT - HEIGHT * value / most
        for time in (i * step, min((i + 1) * step, end)):
            text.append(f"{left + WIDTH * min(time, end) / end:.1f},{y:.1f}")
    return " ".join(text)


def quarter_of(most):
    """Return the smallest round number of MiB that is at least a quarter of these bytes."""
    return next(digit * 10.0 ** power for power in range(-3, 9) for digit in (1, 2, 2.5, 5)
                if digit * 10.0 ** power * 4 * (1 << 20) >= most)


def plot(load, runs):
    """Return the SVG of one load: a panel for each allocator, all with the same scale."""
    quarter = quarter_of(max(max(run.held + run.live) for run in runs.values()))
    most = quarter * 4 * (1 << 20)
    width = LEFT + len(runs) * (WIDTH + GAP)
    svg = ["<!-- SPDX-License-Identifier: GPL-2.0 -->",
           f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + BOTTOM}"'
           ' font-family="sans-serif" font-size="11">',
           f"<title>{load}: memory that the allocator holds, and live objects</title>",
           f'<rect width="{width}" height="{TOP + HEIGHT + BOTTOM}" fill="#ffffff"/>']
    for mark in range(5):
        y = TOP + HEIGHT - HEIGHT * mark / 4
        svg.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
                   f"{mark * quarter:g}</text>")
    svg.append('<text x="4" y="12">MiB</text>')
    for i, (target, run) in enumerate(runs.items()):
        left = LEFT + i * (WIDTH + GAP)
        end = max(run.trace["last_ns"] / 1e9, 1e-9)
        base = f"{TOP + HEIGHT:.1f}"
        for mark in range(5):
            y = TOP + HEIGHT - HEIGHT * mark / 4
            svg.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#dddddd"/>')
        svg.append(f'<polygon fill="{HELD}" points="{left},{base} '
                   f'{points(run.held, run.step, end, most, left)} {left + WIDTH},{base}"/>')
        svg.append(f'<polyline fill="none" stroke="{LIVE}" stroke-width="1.5" '
                   f'points="{points(run.live, run.step, end, most, left)}"/>')
        svg.append(f'<text x="{left}" y="{TOP - 8}" font-weight="bold">{NAMES[target]}</text>')
        svg.append(f'<text x="{left}" y="{TOP + HEIGHT + 14}">0</text>')
        svg.append(f'<text x="{left + WIDTH}" y="{TOP + HEIGHT + 14}" text-anchor="end">'
                   f"{end:.1f} s</text>")
    y = TOP + HEIGHT + BOTTOM - 5
    svg.append(f'<rect x="{LEFT}" y="{y - 9}" width="10" height="10" fill="{HELD}"/>'
               f'<text x="{LEFT + 14}" y="{y}">held by the allocator</text>'
               f'<path d="M{LEFT + 150} {y - 4}h14" stroke="{LIVE}" stroke-width="1.5"/>'
               f'<text x="{LEFT + 168}" y="{y}">live objects</text>')
    return "\n".join(svg + ["</svg>"]) + "\n"


def main():
    """Write the tables and the plots."""
    results, targets, loads = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
    text = [".. SPDX-License-Identifier: GPL-2.0",
            ".. scripts/allocators writes this file.", ""]
    for load in loads:
        runs = {target: Run(f"{results}/{target}-{load}") for target in targets}
        text += [load, "-" * len(load), "", load_table(runs),
                 f".. kernel-figure:: kmemtrace-allocators/{load}.svg",
                 f"   :alt: {load}: held memory and live objects over time", ""]
        with open(os.path.join(results, f"{load}.svg"), "w", encoding="utf-8") as file:
            file.write(plot(load, runs))
    text += ["Instructions", "-" * 12, "", instructions_table(results, targets)]
    with open(os.path.join(results, "tables.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(text))


main()
