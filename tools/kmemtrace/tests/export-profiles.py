#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""export-profiles.py FORMAT FILE SITES: compare a profile with what kmemtrace-report --csv sites
printed. FORMAT is pprof, whose FILE is what "go tool pprof -raw" prints, or speedscope. Each call
site must have the figures of the report."""

import collections
import csv
import json
import re
import sys

FIGURES = ["live_bytes", "live", "peak_bytes", "bytes", "allocs"]


def function_of(row):
    """Return the name of a call site's function, as a frame has it."""
    return row["function"].replace("(no symbol)", row["address"])


def expected(rows, key_of):
    """Return {measure: {key of the call site: value}} of the report."""
    found = collections.defaultdict(collections.Counter)
    for row in rows:
        for figure in FIGURES:
            if row[figure] != "0":
                found[f"{row['allocator']}_{figure}"][key_of(row)] += int(row[figure])
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
    types = [re.sub(r"\[dflt\]$", "", name).split("/") for name in types.split()]
    for name, unit in types:
        if unit != ("bytes" if name.endswith("bytes") else "count"):
            sys.exit(f"{path}: {name} has the unit {unit}")
    found = collections.defaultdict(collections.Counter)
    for line in lines:
        values, stack = line.split(": ")
        key = locations[int(stack.split()[0])]
        for (measure, _), value in zip(types, map(int, values.split())):
            if value:
                found[measure][key] += value
    if "COMPLETE" not in head:
        sys.exit(f"{path}: has no verdict")
    return found


def read_speedscope(path):
    """Return the same from a file for speedscope, by function."""
    with open(path, encoding="utf-8") as file:
        top = json.load(file)
    frames = [frame["name"] for frame in top["shared"]["frames"]]
    found = collections.defaultdict(collections.Counter)
    for profile in top["profiles"]:
        name = profile["name"]
        if profile["type"] != "sampled" or len(profile["samples"]) != len(profile["weights"]):
            sys.exit(f"{path}: {name}: not one weight for each sample")
        if profile["endValue"] - profile["startValue"] != sum(profile["weights"]):
            sys.exit(f"{path}: {name}: the weights don't add up")
        if profile["unit"] != ("bytes" if name.endswith("bytes") else "none"):
            sys.exit(f"{path}: {name} has the unit {profile['unit']}")
        for stack, weight in zip(profile["samples"], profile["weights"]):
            found[name][frames[stack[-1]]] += weight
    if not re.search("COMPLETE$", top["name"]):
        sys.exit(f"{path}: has no verdict")
    return found


def main():
    kind, path, sites = sys.argv[1:]
    with open(sites, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if kind == "pprof":
        got = read_pprof(path)
        want = expected(rows, lambda row: (int(row["address"], 16), function_of(row)))
    else:
        got = read_speedscope(path)
        want = expected(rows, function_of)
    for key in sorted(want.keys() | got.keys()):
        if want[key] != got[key]:
            sys.exit(f"{key}: expected {want[key] - got[key]} more, {got[key] - want[key]} less")
    if not any(want.values()):
        sys.exit("the report is empty")
    print(f"{sum(map(len, want.values()))} values are the same")


if __name__ == "__main__":
    main()
