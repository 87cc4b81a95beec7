#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""export-ctf.py RECORDS TEXT [BEGIN]: compare the records that kmemtrace-records printed with the
events that babeltrace2 --clock-seconds --no-delta printed. Each must be there once, with the same
time, CPU and fields; of the records, those from the time BEGIN on."""

import sys

from babeltrace import read_text

APIS = {0: "kmalloc", 1: "cache", 2: "pages", 3: "percpu", 4: "vmalloc"}
# The CPU is that of the stream; the frames have their number.
LEFT_OUT = ("cpu", "depth")
ARRAYS = ("live", "frames")
RELEASED = 3


def field_of(name, value):
    """Yield the names and values of the fields that the event has."""
    if name in ARRAYS:
        words = [int(word) for word in value.split(",") if word]
        yield from ((f"_{name}_length", len(words)), (name, words))
    elif value.startswith("x"):
        yield name, bytes.fromhex(value[1:]).decode()
    elif name not in LEFT_OUT:
        yield name, int(value)


def event_of(number, kind, size, name, *record):
    """Return the name of the event of a record, and its fields."""
    if name == "other":
        return name, {"event_id": number, "type_id": kind, "event_size": size}
    fields = dict(pair for field in record for pair in field_of(*field.split("=")))
    if name == "alloc" and kind < 2:
        fields.setdefault("cache", 0)
    elif name == "alloc":
        fields.pop("cache", None)
    if name in ("alloc", "free", "failed", "snapshot"):
        name += "_" + APIS[kind]
    if name == "cgroup" and kind == RELEASED:
        del fields["op"], fields["path"]
        name += "_released"
    return name, fields


def read_records(path):
    """Return (time, cpu, name, fields) of each record that is an event."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            *numbers, name = line.split()[:6]
            time, cpu, *head = map(int, numbers)
            if name not in ("clock", "lost"):
                yield time, cpu, *event_of(*head, name, *line.split()[6:])


def read_events(path):
    """Return the same of each event that babeltrace2 printed."""
    for time, cpu, name, fields in read_text(path):
        yield time, cpu, name, dict(fields)


def main():
    begin = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    # A stable sort: events of one CPU at one time keep their order.
    expected, got = (sorted(events, key=lambda event: event[:2])
                     for events in (read_records(sys.argv[1]), read_events(sys.argv[2])))
    expected = [event for event in expected if event[0] >= begin]
    for want, have in zip(expected, got):
        if want != have:
            sys.exit(f"expected {want}\nfound    {have}")
    if len(expected) != len(got):
        sys.exit(f"expected {len(expected)} events, found {len(got)}")
    if not got:
        sys.exit("there are no events")
    print(f"{len(got)} events are the same")


if __name__ == "__main__":
    main()
