#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""export-profiles.py FORMAT FILE JSON: compare a profile with kmemtrace-report --json -n N, where
N is larger than the number of call sites. FORMAT is pprof, whose FILE is what "go tool pprof
-raw" prints, or speedscope. Each call site must have the figures of the report."""

import collections
import json
import re
import sys

# The measures of a profile, and the members of a row in the report.
MEASURES = {
    "live": ("live at the end", "live_bytes_alloc"),
    "live_objects": ("objects live at the end", "live"),
    "peak": ("live at the peak", "peak_bytes_alloc"),
    "alloc": ("allocated in all", "bytes_alloc"),
    "allocs": ("allocations", "allocs"),
}


def function_of(row):
    """Return the name of a call site's function, as a frame has it."""
    if "note" in row:
        return f"({row['note']})"
    module = f" [{row['module']}]" if "module" in row else ""
    if "symbol" not in row:
        return row["address"] + module
    name = row["symbol"]
    return name[:1] + name[1:].split(".")[0] + module


def expected(report, key_of):
    """Return {(allocator, measure): {key of the call site: value}} of the report."""
    found = collections.defaultdict(collections.Counter)
    for space, rows in report["sites"].items():
        for row in rows:
            for measure, (_, member) in MEASURES.items():
                if row[member]:
                    found[space, measure][key_of(row)] += row[member]
    return found


def read_pprof(path):
    """Return the same from the output of pprof, by address and function."""
    with open(path, encoding="utf-8") as file:
        head, rest = file.read().split("\nSamples:\n")
    samples, rest = rest.split("\nLocations\n")
    locations = {}
    for line in rest.split("\nMappings\n")[0].split("\n"):
        number, address, name = re.fullmatch(r" +(\d+): 0x([0-9a-f]+) (?:M=\d+ )?(.*) \S*:\d+ s=0\(\)",
                                             line).groups()
        locations[int(number)] = int(address, 16), name
    types, *lines = samples.split("\n")
    types = [re.sub(r"/.*", "", name).split("_", 1) for name in types.split()]
    found = collections.defaultdict(collections.Counter)
    for line in lines:
        values, stack = line.split(": ")
        key = locations[int(stack.split()[0])]
        for (space, measure), value in zip(types, map(int, values.split())):
            if value:
                found[space, measure][key] += value
    if "COMPLETE" not in head:
        sys.exit(f"{path}: has no verdict")
    return found


def read_speedscope(path):
    """Return the same from a file for speedscope, by function."""
    with open(path, encoding="ascii") as file:
        top = json.load(file)
    titles = {title: measure for measure, (title, _) in MEASURES.items()}
    frames = [frame["name"] for frame in top["shared"]["frames"]]
    found = collections.defaultdict(collections.Counter)
    for profile in top["profiles"]:
        space, title = profile["name"].split(": ")
        if profile["type"] != "sampled" or len(profile["samples"]) != len(profile["weights"]):
            sys.exit(f"{path}: {profile['name']}: not one weight for each sample")
        if profile["endValue"] - profile["startValue"] != sum(profile["weights"]):
            sys.exit(f"{path}: {profile['name']}: the weights don't add up")
        for stack, weight in zip(profile["samples"], profile["weights"]):
            found[space, titles[title]][frames[stack[-1]]] += weight
    if not re.search("COMPLETE$", top["name"]):
        sys.exit(f"{path}: has no verdict")
    return found


def main():
    kind, path, report = sys.argv[1:]
    with open(report, encoding="utf-8") as file:
        report = json.load(file)
    if kind == "pprof":
        got = read_pprof(path)
        want = expected(report, lambda row: (int(row["address"], 16), function_of(row)))
    else:
        got = read_speedscope(path)
        want = expected(report, function_of)
    for key in sorted(want.keys() | got.keys()):
        if want[key] != got[key]:
            sys.exit(f"{'_'.join(key)}: expected {want[key] - got[key]} more, "
                     f"{got[key] - want[key]} less")
    if not any(want.values()):
        sys.exit("the report is empty")
    print(f"{sum(map(len, want.values()))} values are the same")


if __name__ == "__main__":
    main()
