#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""ktrace-ctf.py JSON TEXT: compare the events of ktrace-report --json --list with those that
babeltrace2 --clock-seconds --no-delta printed. Each must be there once, with the same time,
CPU, name and fields."""

import json
import re
import sys

LINE = re.compile(r"\[(\d+)\.(\d{9})\] (.*?): \{ cpu_id = (\d+) \}, \{ (.*)\}")
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|[-\w]+)(?:, | )')
ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
           "e": "\x1b"}


def value_of(text):
    """Return the value that babeltrace2 printed."""
    if text.startswith('"'):
        return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text[1:-1])
    if re.fullmatch(r"0[0-7]+", text):
        return int(text, 8)
    return int(text, 0)


def read_text(path):
    """Return (time, cpu, name, fields) of each event that babeltrace2 printed."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = LINE.fullmatch(line.rstrip("\n"))
            if not match:
                sys.exit(f"{path}: not an event: {line}")
            seconds, nanoseconds, name, cpu, fields = match.groups()
            if FIELD.sub("", fields):
                sys.exit(f"{path}: not fields: {fields}")
            yield (int(seconds) * 10**9 + int(nanoseconds), int(cpu), name,
                   [(key, value_of(value)) for key, value in FIELD.findall(fields)])


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
