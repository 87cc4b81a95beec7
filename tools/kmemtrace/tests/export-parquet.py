#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""export-parquet.py ROWS CSV...: compare tables, as a reader of Parquet printed them, with what
kmemtrace-report --csv printed of the same relations. CSV is a file with the name of the relation.
A line of ROWS is "column" with the names of a table and of a column; or the name of a table and a
row of it."""

import collections
import csv
import os
import sys

COMMON = ["host", "kernel", "boot_id"]


def text_of(value):
    """Return a value of a table as the report prints it."""
    if value == "\\N":
        return ""
    if value.lstrip("-").isdigit():
        return value
    try:
        digits = f"{float(value):.6g}"
    except ValueError:
        return value
    # A database has no exponent where the number is whole.
    return str(int(float(digits))) if "e+" in digits else digits


def main():
    columns, tables = collections.defaultdict(list), collections.defaultdict(list)
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            name, *values = line.rstrip("\n").split("\t")
            if name == "column":
                columns[values[0]].append(values[1])
            else:
                tables[name].append(values)
    with open(os.path.join(os.path.dirname(sys.argv[2]), "trace.csv"), encoding="utf-8", newline="") as file:
        common = next(csv.DictReader(file))
    total = 0
    for path in sys.argv[2:]:
        name = os.path.basename(path).removesuffix(".csv")
        with open(path, encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        names = COMMON + [column for column in head if column not in COMMON]
        if columns[name] != names:
            sys.exit(f"{name}: expected the columns {names}, found {columns[name]}")
        got = tables[name]
        if len(got) != len(rows):
            sys.exit(f"{name}: expected {len(rows)} rows, found {len(got)}")
        for number, (values, found) in enumerate(zip(rows, got)):
            row = dict(zip(head, values)) | {column: common[column] for column in COMMON}
            want = [row[column] for column in names]
            # Most texts are the same already.
            if want != found and list(map(text_of, want)) != list(map(text_of, found)):
                sys.exit(f"{name}: row {number}: expected {want}, found {found}")
        total += len(rows)
    if not total:
        sys.exit("all relations are empty")


if __name__ == "__main__":
    main()
