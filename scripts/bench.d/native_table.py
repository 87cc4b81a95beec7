#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print a table of the cost of an event on this machine, in nanoseconds.

Usage: native_table.py FOLDER

FOLDER has the output of kmemtrace_bench as native-CLOCK-ROUND/output. CLOCK is "off" for
runs without recording. The cost is the difference from "off" of the same round. The
table shows the median of the rounds and their spread.
"""

import collections
import pathlib
import sys

from loads_table import spread

PAIRS = ("kmalloc", "kmem_cache", "page")


def read(folder):
    """Return the figures as {clock: [{pair: nanoseconds}, one for each round]}."""
    figures = collections.defaultdict(list)
    for output in sorted(folder.glob("native-*/output")):
        clock = output.parent.name.split("-")[1]
        lines = (line.split() for line in output.read_text().splitlines())
        figures[clock].append({name: float(cost) for name, cost in lines})
    return figures


def row(title, *columns):
    """Return a line of the table."""
    return f"{title:<34}" + "".join(f"{column:>24}" for column in columns)


def figure(values):
    """Return median and spread of a figure."""
    return spread(list(values), "{:.1f}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    figures = read(pathlib.Path(sys.argv[1]))
    offs = figures["off"]

    def events(clock):
        """Yield the additional cost of an event, for each kind of pair."""
        return (figure((on[pair] - off[pair]) / 2
                       for on, off in zip(figures[clock], offs))
                for pair in PAIRS)

    def part(name):
        """Return the cost of a part of a kmalloc event, earlier parts included."""
        return figure((off[name] - off["kmalloc"]) / 2 for off in offs)

    print(row("native nanoseconds, ARCH=um", *PAIRS))
    print(row("a pair, kmemtrace off",
              *(figure(off[pair] for off in offs) for pair in PAIRS)))
    print(row("on above off, an event, cycles", *events("cycles")))
    print(row("the same with local_clock", *events("local")))
    print(row("the record, no reader, no losses", part("part_store")))
    print(row("cycles, without the record", part("part_cycles")))


if __name__ == "__main__":
    main()
