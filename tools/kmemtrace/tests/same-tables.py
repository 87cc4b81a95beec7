#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""same-tables.py REPORT OPTION...: the tables of --diff and --growth in CSV must be those in JSON.

Print their names.
"""

import csv
import json
import subprocess
import sys

# What stands in JSON and is no table of its own.
OTHERS = {"schema_version", "before", "after", "same"}


def report(*options):
    """Return what a report prints."""
    done = subprocess.run([*sys.argv[1:], *options], check=False, text=True,
                          stdout=subprocess.PIPE)
    # 1: an allocator grew by more than --threshold allows.
    assert done.returncode < 2, done.args
    return done.stdout


def text_of(value):
    """Return a value of JSON as CSV has it."""
    return str(value).lower() if isinstance(value, bool) else value


def main():
    """Compare all tables."""
    # JSON has ten rows without a number; CSV has all.
    document = json.loads(report("--json", "--number", "100000"), parse_float=str,
                          parse_int=str)
    for name in document.keys() - OTHERS:
        rows = document[name]
        lines = list(csv.DictReader(report("--csv", name).splitlines()))
        found = [{key: value for key, value in line.items() if value} for line in lines]
        assert found == [{key: text_of(value) for key, value in row.items()}
                         for row in (rows if isinstance(rows, list) else [rows])], name
    print(*sorted(document.keys() - OTHERS))


main()
