#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print in which row of a report each bug of scripts/bugs.d/table stands, beside kmemleak and
/proc/allocinfo of the same load.

For each trace TRACES/NAME, run kmemtrace-report, with its defaults and the debug information of
VMLINUX and of the folder MODULES. "row" is the first row with a guilty function, counted in its
list; 0 is none. "line" says whether that row names the file of the guilty function. kmemleak's row
is among its objects, summed by call path, most objects first; allocinfo's among the call sites that
grew, most bytes first.

Where kmemtrace-report has the view "suspects", the run fails if a bug is not in the first three rows
of the part that should name it, or if that view has suspects on a healthy load. "kept N" is row N of
what is kept, but not suspected.

Usage: judge.py REPORT VMLINUX MODULES TRACES KMEMLEAK
"""

import collections
import pathlib
import re
import subprocess
import sys
import time

TABLE = pathlib.Path(__file__).with_name("table")
SUSPECT_ROWS = 3

# The lists of the view "suspects".
KEPT = "Kept, but not suspected"
SUSPECTS = ("Suspects", KEPT)

Bug = collections.namedtuple("Bug", "name kind part file functions")


def bugs():
    """Yield the rows of the table; a healthy load has no functions."""
    for line in TABLE.read_text().splitlines():
        if not line.startswith("#"):
            name, kind, part, file, functions = (line.split("\t") + [""] * 3)[:5]
            yield Bug(name, kind, part or "suspects", file,
                      functions.split(",") if functions else [])


def names(line, functions):
    """Return whether LINE has one of the FUNCTIONS, as a word."""
    return any(re.search(rf"(?<![\w.]){re.escape(function)}(?![\w])", line)
               for function in functions)


def rows(text):
    """Yield (list, row, line): lines of a report, below its header, with their place in their list.

    A list begins with a line at the margin, and anew with the name of an allocator. In the lists of
    suspects each row has that name, and a second line.
    """
    title, row = "", 0
    for line in text.partition("\n\n")[2].splitlines():
        if not line.startswith("  "):
            row = 0
            if line and not line.startswith(" "):
                title = line.partition(":")[0]
        elif title in SUSPECTS:
            row += bool(re.match(r"  \w", line))
        elif re.match(r"  \w", line):
            row = 1
        else:
            row += 1
        if row:
            yield title, row, line


def of_report(text, bug):
    """Return the lowest (row, line) that names BUG, or (0, "")."""
    return min(((row, line) for _, row, line in rows(text) if names(line, bug.functions)),
               default=(0, ""))


def of_kmemleak(folder, bug):
    """Return the row of BUG among what kmemleak reports, summed by call path.

    For a healthy load, return how many call paths it reports.
    """
    file = folder / bug.name / "kmemleak"
    if not file.exists():
        return "-"
    paths = collections.Counter(
        re.sub(r"\[<\w+>\] ", "", report.partition("backtrace")[2])
        for report in re.split(r"^unreferenced object", file.read_text(), flags=re.M)[1:])
    if not bug.functions:
        return f"{len(paths)} paths"
    ranked = enumerate((path for path, _ in paths.most_common()), 1)
    return next((row for row, path in ranked if names(path, bug.functions)), "not named")


def allocinfo(file):
    """Return {call site: bytes} of a copy of /proc/allocinfo."""
    return {site: int(size) for size, _, site in
            (line.split(None, 2) for line in file.read_text().splitlines()
             if line[:1] == " " or line[:1].isdigit())}


def of_allocinfo(folder, bug):
    """Return the row of BUG among the call sites that grew."""
    before, after = (folder / bug.name / f"allocinfo.{when}" for when in ("before", "after"))
    if not after.exists() or not bug.functions:
        return "-"
    old = allocinfo(before)
    grown = [(size - old.get(site, 0), site) for site, size in allocinfo(after).items()]
    ranked = sorted((row for row in grown if row[0] > 0), reverse=True)
    return next((row for row, (_, site) in enumerate(ranked, 1) if names(site, bug.functions)),
                "not named")


class Reporter:
    def __init__(self, report, vmlinux, modules, traces):
        self.command = [report, "-q", "-k", vmlinux, "-k", modules]
        self.traces = traces
        views = subprocess.run([report, "--show", "list"], capture_output=True, text=True,
                               check=True).stdout
        self.has_suspects = re.search(r"^\s*suspects\b", views, re.M) is not None

    def __call__(self, name, *options):
        return subprocess.run([*self.command, *options, self.traces / name],
                              capture_output=True, text=True, check=True).stdout


def suspect(report, bug):
    """Return a word for the column "suspects", and whether it is as it should be.

    A row of "kept, but not suspected" names a bug, but accuses nobody.
    """
    if not report.has_suspects:
        return "-", True
    text = report(bug.name, "--show", bug.part)
    if not bug.functions:
        accused = len({row for title, row, _ in rows(text) if title == "Suspects"})
        return accused, not accused
    found = [(row, title) for title, row, line in rows(text) if names(line, bug.functions)]
    row, title = min(found, default=(0, ""), key=lambda one: (one[1] == KEPT, one[0]))
    return f"kept {row}" if title == KEPT else row, 0 < row <= SUSPECT_ROWS


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    program, vmlinux, modules, traces, kmemleak = sys.argv[1:]
    report = Reporter(program, vmlinux, modules, pathlib.Path(traces))
    wrong = []
    print(f"{'bug':<11}{'kind':<27}{'row':>4} {'line':<5}{'seconds':>8} {'suspects':>9}"
          f" {'kmemleak':>10} {'allocinfo':>10}")
    for bug in bugs():
        if not (report.traces / bug.name).exists():
            continue
        begin = time.monotonic()
        text = report(bug.name)
        seconds = time.monotonic() - begin
        row, line = of_report(text, bug)
        word, right = suspect(report, bug)
        if not right:
            wrong.append(bug.name)
        print(f"{bug.name:<11}{bug.kind:<27}"
              f"{row if bug.functions else '-':>4} {'yes' if bug.file and bug.file + ':' in line else '-':<5}"
              f"{seconds:>8.1f} {word:>9}"
              f" {of_kmemleak(pathlib.Path(kmemleak), bug):>10}"
              f" {of_allocinfo(pathlib.Path(kmemleak), bug):>10}")
    if wrong:
        sys.exit(f"not as the view suspects should have it: {' '.join(wrong)}")


if __name__ == "__main__":
    main()
