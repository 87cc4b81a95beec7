#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print a table of what flight recorders cost each load, and how many events they had.

Usage: flight_table.py FIGURES

FIGURES is as for loads_table.py. The cost is the increase in percent over that of
"nothing" in the same round: the median of the rounds and their spread.
"""

import statistics
import sys

from loads_table import LOADS, ratios, read, spread

AIMS = {"tbench": "10", "dbench": "5", "build": "1.5"}


def row(*columns):
    """Return a line of a table."""
    return "{:<12}{:>24}{:>12}{:>24}{:>12}".format(*columns)


def columns(figures, what, load, contender):
    """Return the cost in percent, and the number of events."""
    costs = [100 * (ratio - 1) for ratio in ratios(figures, what, load, contender)]
    hits = [events for events, in figures.get((f"{what}-hits", load, contender),
                                              {}).values()]
    return (spread(costs, "{:.1f}"),
            f"{statistics.median(hits):.0f}" if hits else "-")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    figures = read(sys.argv[1])
    for load, title in LOADS.items():
        contenders = dict.fromkeys(c for _, l, c in figures
                                   if l == load and c != "nothing")
        if not contenders:
            continue
        print(f"\n{title}; the aim is {AIMS[load]} %:")
        print(row("", "more instructions, %", "events", "more wall time, %",
                  "events"))
        for contender in contenders:
            print(row(contender,
                      *columns(figures, "instructions", load, contender),
                      *columns(figures, "wall", load, contender)))


if __name__ == "__main__":
    main()
