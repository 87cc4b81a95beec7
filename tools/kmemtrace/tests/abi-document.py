#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Compare the rows of records.def with the tables of the ABI document.

abi-document.py SOURCES DOCUMENT: SOURCES is the folder of kmemtrace-crash, which reads the rows.
"""
import difflib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from layouts import LAYOUTS, NUMBERS, TYPES

# Where the words of a record are: before the timestamp, and behind it.
WORDS = [(1, "u8"), (4, "s32")] + [(at, "u64") for at in (8, 16, 24, 32, 40, 56, 64)]
ENDS = {"TEXT": "char", "NAME": "char", "WORDS": "u64"}
HEADING = re.compile(r"\*\*(\w+)\*\*(?:, type_id (\d+))?")
RULE = re.compile(r"=+(  =+){3}$")


def text_of(field, offset):
    """Return the name and the meaning of a field, as the document has them."""
    if field.kind == "CONSTANT":
        return field.name, str(field.constant)
    if field.kind == "ZEROS":
        name = "" if field.name.startswith("zero") else field.name
        return name, "0" if field.words == 1 else f"0, up to {offset + 8 * field.words - 1}"
    return field.name + "[]" * (field.kind in ENDS), field.text


def rows_of(layout):
    """Yield the rows of a record: offset, type, field and meaning."""
    word = 0
    for field in layout.fields:
        offset, type_ = WORDS[word]
        word += field.words
        if field.kind != "TYPE":
            yield " | ".join((str(offset), ENDS.get(field.kind, type_), *text_of(field, offset)))


def common_rows():
    """Yield the begin of the rows of the fields that all records have."""
    ids = {layout.constant: layout.id for layout in LAYOUTS.values()} | {"PAD": 3}
    yield "0 | u8 | event_id | " + ", ".join(
        f"{number} {name}" for name, number in sorted(ids.items(), key=lambda item: item[1]))
    yield "1 | u8 | type_id | " + ", ".join(f"{number} {text}" for number, text in TYPES)


def heading_of(layout):
    return layout.constant + f" {layout.first}" * (layout.constant == "SNAPSHOT")


def tables_of(path):
    """Return the rows of each table, by the last heading before it."""
    tables, name, rules = {}, "", 0
    with open(path, encoding="ascii") as file:
        for line in file:
            line = line.strip("\t\n")
            heading = HEADING.match(line)
            if heading:
                name, rules = " ".join(filter(None, heading.groups())), 0
            if RULE.match(line):
                rules += 1
            elif rules and rules < (3 if not name else 2) and line:
                cells = [line[from_:to].strip() for from_, to in
                         ((0, 6), (8, 12), (14, 25), (27, None))]
                rows = tables.setdefault(name, [])
                if cells[0] or not rows:
                    rows.append(" | ".join(cells))
                else:
                    rows[-1] += " " + cells[3]
    return tables


def main():
    tables = tables_of(sys.argv[2])
    common = tables.pop("", [])
    for row in common_rows():
        if not any(found.startswith(row) for found in common):
            sys.exit(f"the table of all records has no row that begins with\n{row}")
    expected = {heading_of(layout): list(rows_of(layout)) for layout in LAYOUTS.values()}
    lines = [[line for name in sorted(all_) for line in (f"**{name}**", *all_[name])]
             for all_ in (tables, expected)]
    diff = list(difflib.unified_diff(*lines, sys.argv[2], "records.def", lineterm=""))
    if diff:
        sys.exit("\n".join(diff))
    print(f"{len(expected)} records are the same")


if __name__ == "__main__":
    main()
