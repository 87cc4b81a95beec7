#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Compare the data of a page that kmemtrace-top wrote with its JSON of the same time.

top-page.py JSON <DATA: JSON has the call sites of slab.
"""
import base64
import json
import sys
import zlib

NEVER = 255


def varints(data):
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0


def signed(number):
    return ~(number >> 1) if number & 1 else number >> 1


def live_rows(page):
    """Return the live objects of each row."""
    numbers = list(varints(zlib.decompress(base64.b64decode(page["cells"]["columns"]))))
    nr = page["cells"]["nr"]
    steps, _, ended, objects, _, _ = (numbers[i * nr:(i + 1) * nr] for i in range(6))
    live, row = {}, 0
    for i in range(nr):
        row += signed(steps[i])
        if ended[i] == NEVER:
            live[row] = live.get(row, 0) + signed(objects[i])
    return live


top = json.load(open(sys.argv[1]))
page, = json.load(sys.stdin)
rows = [(space, row) for space in page["rows"] for row in page["rows"][space]]
totals = {space: [0, 0] for space in page["rows"]}
sites = {}
for i, objects in live_rows(page).items():
    space, (place, _, size, _, _) = rows[i]
    totals[space][0] += objects
    totals[space][1] += objects * (page["trace"]["page_size"] if space == "pages" else size)
    if space == "slab":
        address = page["sites"][page["places"][place][0]][0]
        sites[address] = sites.get(address, 0) + objects

failed = not top["rows"]


def expect(what, got, want):
    global failed
    if got != want:
        print("FAIL: %s: the page has %s, the JSON %s" % (what, got, want))
        failed = True


for total in top["totals"]:
    expect(total["allocator"], totals[total["allocator"]], [total["live"], total["live_bytes"]])
for row in top["rows"]:
    expect(row["site"], sites.pop(row["address"], 0), row["live"])
expect("other call sites", sum(sites.values()), 0)
expect("events", page["trace"]["events"], top["trace"]["events"])
expect("verdict", page["trace"]["complete"], top["trace"]["complete"])
expect("state", page["trace"]["is_running"], top["second"]["state"] == "running")
sys.exit(failed)
