#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that the files of a folder use each other as scripts/check.d/layers.d/table allows, and that
each function and structure has a name of its own there.

A unit is a C file together with the header of the same name. It uses another one
when it includes its header, or when its object refers to a symbol that the other
object defines. Tests are no units: KUnit tests are included in the file they test,
and a symbol that only the test refers to is not a use.

Usage: layers.py FOLDER OBJECTS		check FOLDER, whose objects are in OBJECTS
       layers.py -l FOLDER OBJECTS	list the uses as well
"""

import collections
import os
import re
import subprocess
import sys

TABLE = f"{os.path.dirname(os.path.abspath(__file__))}/table"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
# The head of a function at the begin of a line, and of a structure.
NAMED = re.compile(r"^[a-z][^;{}=#()]*?\b(?!__attribute__)(\w+)\([^;{}]*\)\n\{|^(?:static |const )*(struct \w+) \{", re.M)
# automake prepends the name of the program or library.
OBJECT = re.compile(r"(?:(?:lib\w+_a|k(?:mem)?traced|kmemtrace_\w+)-)?(.+)\.o")


class LayersError(Exception):
    """The table or the objects are invalid."""


def read_table(folder):
    """Return the lines of entries in the block of @folder, lowest first."""
    lines, current = [], None
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith("\t"):
                if current == folder:
                    lines.append(line.split())
            else:
                current = line
    if not lines:
        raise LayersError(f"{TABLE}: no block for {folder}")
    return lines


def is_test(path):
    return re.search(r"_test\.[ch]$", path)


def find_sources(folder):
    """Return {unit: its files}, both relative to @folder."""
    units = collections.defaultdict(list)
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(f"{place}/{name}", folder)
            if path.endswith((".c", ".h")) and not is_test(path):
                units[path[:-2]].append(path)
    return units


def find_includes(folder, units):
    """Return {(unit, unit it includes): {header}}."""
    uses = collections.defaultdict(set)
    for unit, paths in units.items():
        for path in paths:
            with open(f"{folder}/{path}", encoding="utf-8") as file:
                text = file.read()
            for name in INCLUDE.findall(text):
                beside = os.path.normpath(f"{os.path.dirname(path)}/{name}")
                for other in (beside[:-2], name[:-2]):
                    if other in units and other != unit:
                        uses[unit, other].add(name)
                        break
    return uses


def find_symbols(objects, units):
    """Return ({symbol: the unit that defines it}, {unit: symbols it needs})."""
    defined, needed = {}, collections.defaultdict(set)
    found = set()
    for place, _, names in os.walk(objects):
        for name in names:
            match = OBJECT.fullmatch(name)
            stem = match and os.path.normpath(os.path.join(
                os.path.relpath(place, objects), match[1]))
            if stem not in units:
                continue
            found.add(stem)
            # -l adds the source line that refers to a symbol first, if known.
            output = subprocess.run(("nm", "-l", f"{place}/{name}"), check=True,
                                    text=True, stdout=subprocess.PIPE).stdout
            for line in output.splitlines():
                symbol_part, _, source = line.partition("\t")
                *_, kind, symbol = symbol_part.split()
                if is_test(source.partition(":")[0]):
                    continue
                if kind == "U":
                    needed[stem].add(symbol)
                elif kind.isupper() and defined.get(symbol, stem) == stem:
                    defined[symbol] = stem
    missing = sorted(unit for unit, paths in units.items()
                     if f"{unit}.c" in paths and unit not in found)
    if missing:
        raise LayersError(f"{objects}: no object of " + ", ".join(missing))
    return defined, needed


def find_uses(folder, objects):
    """Return ({unit: its files}, {(unit, unit it uses): {names}})."""
    units = find_sources(folder)
    uses = find_includes(folder, units)
    defined, needed = find_symbols(objects, units)
    for unit, symbols in needed.items():
        for symbol in symbols:
            other = defined.get(symbol, unit)
            if other != unit:
                uses[unit, other].add(symbol)
    return units, uses


def find_namesakes(folder, units):
    """Return a sentence for each name of a function or a structure that several files define. A
    function may also stand in a header, for a configuration without its file."""
    files = collections.defaultdict(set)
    for path in sum(units.values(), []):
        with open(f"{folder}/{path}", encoding="utf-8") as file:
            for function, struct in NAMED.findall(file.read()):
                if struct or path.endswith(".c"):
                    files[function or struct].add(path)
    return [f"{name}: defined in " + ", ".join(sorted(paths))
            for name, paths in sorted(files.items()) if len(paths) > 1 and name != "main"]


def find_circles(units, uses):
    """Return the sets of units that use each other, by Tarjan's algorithm."""
    after = collections.defaultdict(list)
    for unit, other in sorted(uses):
        after[unit].append(other)
    index, low, stack, circles = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in after[unit]:
            if other not in index:
                visit(other)
            if other in stack:
                low[unit] = min(low[unit], low[other])
        if low[unit] == index[unit]:
            at = stack.index(unit)
            if len(stack) - at > 1:
                circles.append(sorted(stack[at:]))
            del stack[at:]

    for unit in sorted(units):
        if unit not in index:
            visit(unit)
    return circles


def find_layer(unit, lines):
    """Return (line, entry) of the table for @unit, None if it has none. The longest counts."""
    found = [(number, entry) for number, entries in enumerate(lines) for entry in entries
             if unit == entry or entry.endswith("/") and unit.startswith(entry)]
    return max(found, key=lambda place: len(place[1]), default=None)


def find_faults(units, uses, lines):
    """Return a sentence for each use that the table doesn't allow."""
    faults = [f"{unit}: not in the table"
              for unit in sorted(units) if not find_layer(unit, lines)]
    for (unit, other), names in sorted(uses.items()):
        ours, theirs = find_layer(unit, lines), find_layer(other, lines)
        if ours and theirs and ours != theirs and ours[0] <= theirs[0]:
            faults.append(f"{unit} must not use {other}: "
                          + ", ".join(sorted(names)))
    for circle in find_circles(units, uses):
        faults.append("a circle of files: " + ", ".join(circle))
        faults += [f"    {unit} uses {other}: " + ", ".join(sorted(names))
                   for (unit, other), names in sorted(uses.items())
                   if unit in circle and other in circle]
    return faults


def main():
    words = sys.argv[1:]
    is_list = words[:1] == ["-l"]
    if len(words) - is_list != 2:
        sys.exit(__doc__)
    folder, objects = words[-2:]
    try:
        lines = read_table(folder)
        units, uses = find_uses(folder, objects)
    except LayersError as error:
        sys.exit(f"layers.py: {error}")
    if is_list:
        for (unit, other), names in sorted(uses.items()):
            print(f"{unit} -> {other}: " + ", ".join(sorted(names)))
    faults = find_faults(units, uses, lines) + find_namesakes(folder, units)
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
