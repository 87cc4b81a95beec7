#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""speedscope-folded.py FILE: print the stacks of the first profile of a file for speedscope, with
the line of the last frame."""

import json
import sys

with open(sys.argv[1], encoding="ascii") as file:
    top = json.load(file)
frames = top["shared"]["frames"]
profile = top["profiles"][0]
lines = []
for stack, weight in zip(profile["samples"], profile["weights"]):
    line = frames[stack[-1]].get("line")
    names = ";".join(frames[frame]["name"] for frame in stack)
    lines.append(f"{names}{f':{line}' if line else ''} {weight}")
print("\n".join(sorted(lines)))
