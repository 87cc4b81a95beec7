#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print a table of the cost of tracing for each load.

Usage: loads_table.py FIGURES

FIGURES has lines of words: what, round, load, contender, value... A cost is relative to
that of "nothing" in the same round. The tables show the median of the rounds and their
spread, and the bytes on the disk for each recorded event.
"""

import collections
import statistics
import sys

LOADS = {
    "hackbench": "hackbench, perf bench sched messaging -g 2",
    "build": "40 files of the kernel, make -j2",
    "tbench": "tbench, 2 clients, by MB",
    "dbench": "dbench, 2 clients on ext4, by MB",
}


def read(name):
    """Return the figures as {(what, load, contender): {round: values}}."""
    figures = collections.defaultdict(dict)
    with open(name, encoding="utf-8") as file:
        for line in file:
            what, turn, load, contender, *values = line.split()
            figures[what, load, contender][turn] = [int(v) for v in values]
    return figures


def spread(values, form):
    """Return median and spread of @values, each in the format @form."""
    if not values:
        return "-"
    low, middle, high = (form.format(f(values))
                         for f in (min, statistics.median, max))
    return middle if low == high else f"{middle} ({low}-{high})"


def ratios(figures, what, load, contender):
    """Return the cost relative to that of "nothing", for each round."""
    base = figures.get((what, load, "nothing"), {})
    return [cost[0] / base[turn][0]
            for turn, cost in figures.get((what, load, contender), {}).items()
            if turn in base]


def recorded(figures, what, load, contender):
    """Return lists of: events, percentage of lost ones, bytes for a recorded one."""
    runs = figures.get((what, load, contender), {}).values()
    return ([events + lost for events, lost, _ in runs],
            [lost * 100 / max(events + lost, 1) for events, lost, _ in runs],
            [size / max(events, 1) for events, _, size in runs])


def row(*columns):
    """Return a line of a table."""
    return "{:<13}{:>18}{:>18}{:>18}{:>9}{:>18}{:>7}".format(*columns)


def files(figures, what, load, contender):
    """Return the columns about recorded events, none without a trace."""
    events, lost, size = recorded(figures, what, load, contender)
    if not events:
        return ()
    return (f"{statistics.median(events):.0f}", spread(lost, "{:.1f}"),
            f"{statistics.median(size):.1f}")


def table(figures, load):
    """Yield the lines of the table of a load."""
    yield row(load, "instructions", "until stored", "wall", "events", "lost, %",
              "bytes")
    contenders = dict.fromkeys(c for _, l, c in figures if l == load)
    for contender in contenders:
        costs = (spread(ratios(figures, what, load, contender), "{:.2f}")
                 for what in ("instructions", "whole", "wall"))
        yield row(contender, *costs,
                  *(files(figures, "wall-recorded", load, contender) or "---"))
    for contender in contenders:
        columns = files(figures, "throttled-recorded", load, contender)
        if columns:
            yield row(f"{contender}, slow", *"---", *columns)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    figures = read(sys.argv[1])
    for load, title in LOADS.items():
        if any(l == load for _, l, _ in figures):
            print(f"\n{title}:")
            print("\n".join(table(figures, load)))


if __name__ == "__main__":
    main()
