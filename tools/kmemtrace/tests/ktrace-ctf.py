#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""ktrace-ctf.py JSON TEXT: compare the events of ktrace-report --json --list with those that
babeltrace2 --clock-seconds --no-delta printed. Each must be there once, with the same time,
CPU, name and fields."""

import json
import re
import sys

from babeltrace import read_text


def read_json(path):
    """Return (time, cpu, name, fields) of each event in the JSON."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for event in report["events"]:
        fields = [(field["name"], field["value"]) for field in event["fields"]]
        yield (report["trace"]["origin_ns"] + event["time_ns"], event["cpu"],
               event["name"], fields)


def normal(event):
    """Return an event with pointers as numbers, which the JSON has as strings."""
    time, cpu, name, fields = event
    return time, cpu, name, [
        (key, int(value, 16) if isinstance(value, str) and
         re.fullmatch(r"0x[0-9a-f]+|0", value) else value) for key, value in fields]


def main():
    # A stable sort: events of one CPU at one time keep their order.
    expected, got = (sorted(map(normal, events), key=lambda event: event[:2])
                     for events in (read_json(sys.argv[1]), read_text(sys.argv[2])))
    for want, have in zip(expected, got):
        if want != have:
            sys.exit(f"expected {want}\nfound    {have}")
    if len(expected) != len(got):
        sys.exit(f"expected {len(expected)} events, found {len(got)}")
    print(f"{len(got)} events are the same")


if __name__ == "__main__":
    main()
