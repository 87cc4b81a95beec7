#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""export-ctf.py RECORDS TEXT [BEGIN]: compare the records that kmemtrace-records printed with the
events that babeltrace2 --clock-seconds --no-delta printed. Each must be there once, with the same
time, CPU and fields; of the records, those from the time BEGIN on."""

import re
import sys

from babeltrace import read_text

# By number of a record: the name of the event, and the names of the words in the record that the
# event has, in the order of struct kmemtrace_event: call_site, ptr, bytes_req, bytes_alloc,
# gfp_flags.
APIS = {0: "kmalloc", 1: "cache", 2: "pages", 3: "percpu", 4: "vmalloc"}
ALL = ["call_site", "ptr", "bytes_req", "bytes_alloc", "gfp_flags"]
CLOCK, LOST = 5, 4


def event_of(record):
    """Return the name of the event of a record, and its fields."""
    number, kind, size, node = record[2:6]
    words, tail = record[6:11], record[11:]
    if number in (1, 2, 11) and kind in APIS:
        name = {1: "alloc", 2: "free", 11: "failed"}[number]
        fields = dict(zip(ALL, words), node=node)
        if name == "free":
            fields = {key: fields[key] for key in ("call_site", "ptr", "bytes_alloc")}
        elif name == "alloc" and kind < 2:
            fields["cache"] = tail[0] if tail else 0
        if name != "free" and len(tail) > 1:
            fields["who"] = tail[1]
        return f"{name}_{APIS[kind]}", fields
    if number == 6:
        return "cache", dict(
            zip(["call_site", "cache", "object_size", "size", "flags"], words), op=kind,
            users=node, align=tail[0], name=bytes.fromhex(tail[1][1:]).decode())
    if number == 7 and kind == 1:
        return "snapshot_slab", dict(
            zip(["cache", "ptr", "object_size", "size", "objects"], words), node=node,
            _live_length=len(tail), live=tail)
    if number == 7 and kind == 2:
        return "snapshot_pages", {"node": node, "state": words[0], "ptr": words[1],
                                  "found": words[2], "bytes": words[3]}
    if number == 7 and kind in (3, 4):
        return f"snapshot_{APIS[kind]}", dict(zip(ALL, words), node=node)
    if number == 7 and kind == 255:
        return "snapshot_end", {"unsure": words[0], "unlisted": words[1],
                                "without": words[2], "stop_ns": words[3],
                                "begin_ns": words[4]}
    if number == 12:
        return "phase", {"phase": kind}
    if number == 13:
        return "move", {"ptr": words[1], "old": words[2], "bytes": words[3]}
    if number == 14:
        return "stack", {"stack": words[0], "is_cut": words[1],
                         "_frames_length": len(tail), "frames": tail}
    if number == 15:
        return "task", {"pid": node, "tgid": words[0], "start": words[1],
                        "comm": bytes.fromhex(tail[0][1:]).decode()}
    if number == 16 and kind == 3:
        return "cgroup_released", {"is_removed": node, "cgroup": words[0], "parent": words[1]}
    if number == 16:
        return "cgroup", {"op": kind, "is_removed": node, "cgroup": words[0],
                          "parent": words[1],
                          "path": bytes.fromhex(tail[0][1:]).decode()}
    if number == 17:
        return "charge", {"type_id": kind, "cgroup": words[0], "ptr": words[1],
                          "bytes": words[3]}
    return "other", {"event_id": number, "type_id": kind, "event_size": size}


def read_records(path):
    """Return (time, cpu, name, fields) of each record that is an event."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            record = [int(word) if re.fullmatch(r"-?\d+", word) else word
                      for word in line.split()]
            if record[2] not in (CLOCK, LOST):
                yield (*record[:2], *event_of(record))


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
