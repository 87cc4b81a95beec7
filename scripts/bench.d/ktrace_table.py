#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print a table of what an event of ktrace and of other tracers costs.

Usage: ktrace_table.py FOLDER

FOLDER has the output of bench-ktrace, with instructions as ktrace/output and with
nanoseconds of this machine as ktrace-native-ROUND/output. Of the latter, the table shows
the median and the spread.
"""

import pathlib
import sys

from loads_table import spread

ROWS = (
    ("ktrace, typed marker", "ktrace", ""),
    ("ktrace, ad-hoc marker", "ktrace", "site_"),
    ("ftrace, tracepoint", "ftrace", "trace_"),
    ("ftrace, clock x86-tsc", "ftrace_tsc", "trace_"),
    ("LTTng, tracepoint", "lttng", "trace_"),
    ("perf, tracepoint", "perf", "trace_"),
    ("off, typed marker", "off", ""),
    ("off, ad-hoc marker", "off", "site_"),
    ("off, tracepoint", "off", "trace_"),
)
KINDS = ("numbers", "text")


def read(output):
    """Return the figures of one run as {(tracer, site): cost}."""
    lines = (line.split() for line in output.read_text().splitlines())
    return {(tracer, site): float(cost) for tracer, site, cost in lines}


def row(title, *columns):
    """Return a line of the table."""
    return f"{title:<24}" + "".join(f"{column:>19}" for column in columns)


def figure(runs, tracer, site):
    """Return median and spread of a figure in all runs that have it."""
    return spread([run[tracer, site] for run in runs if (tracer, site) in run],
                  "{:.1f}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    counted = [read(folder / "ktrace/output")]
    native = [read(output)
              for output in sorted(folder.glob("ktrace-native-*/output"))]
    print(row("an event", "4 numbers", "16-byte string", "4 numbers",
              "16-byte string"))
    print(row("", "instructions", "instructions", "native ns", "native ns"))
    for title, tracer, prefix in ROWS:
        print(row(title, *(figure(runs, tracer, prefix + kind)
                           for runs in (counted, native) for kind in KINDS)))


if __name__ == "__main__":
    main()
