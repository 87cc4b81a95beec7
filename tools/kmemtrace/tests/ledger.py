#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""ledger.py make SEED CLOCKS ORDER DIR | ledger.py check DIR: a slow ledger as a second opinion.

make writes a random trace of records as Documentation/ABI/testing/debugfs-kmemtrace describes
them, and what really happened, to DIR/truth.json. check reads a report of the trace as JSON and
compares. The ledger here handles one event after the other, and one page frame after the other.

CLOCKS says how the clocks of the CPUs behave:
  faulty   they agree, but events are lost, and some memory is freed twice. Two events about
	   the same memory are so far apart that none can explain the other.
  skewed   they differ by less than the stream states, so that the events of different CPUs
	   are in the wrong order. The events themselves contradict nothing. Which of two
	   frees ended which of two lives can't be known then, so frees on other CPUs are
	   not compared.
ORDER is little or big, the byte order of the records.
"""

import json
import os
import random
import struct
import sys

ALLOC, FREE, CLOCK = 1, 2, 5
KMALLOC, CACHE, PAGES, PERCPU, VMALLOC = range(5)
SPACES = {KMALLOC: "slab", CACHE: "slab", PAGES: "pages", PERCPU: "percpu", VMALLOC: "vmalloc"}
# The reader forgets freed memory after a while: then a second free is one of unknown memory.
CLASSES = {"free_twice": "free_of_free", "free_unknown": "free_of_free"}
PAGE = 4096
EVENTS = 6000
CPUS = 4
# Nanoseconds; the reader looks for another order within the uncertainty.
UNCERTAINTY = 100000
APART = 3 * UNCERTAINTY


class Ledger:
    """The state of all memory, and what contradicts it."""

    def __init__(self):
        self.live = {}
        self.totals = {space: {"allocs": 0, "free_calls": 0, "live": 0, "live_bytes": 0,
                               "live_bytes_req": 0, "bytes": 0, "remote_frees": 0}
                       for space in SPACES.values()}
        self.findings = {}

    def find(self, name):
        """Count a finding."""
        self.findings[name] = self.findings.get(name, 0) + 1

    def begin(self, key, space, req, size, cpu):
        """Let memory become live."""
        total = self.totals[space]
        self.live[key] = (req, size, cpu)
        total["live"] += 1
        total["live_bytes_req"] += req
        total["live_bytes"] += size

    def end(self, key, space):
        """End the life of memory; return the CPU of its allocation."""
        req, size, cpu = self.live.pop(key)
        total = self.totals[space]
        total["live"] -= 1
        total["live_bytes_req"] -= req
        total["live_bytes"] -= size
        return cpu

    def parts(self, event):
        """Return the keys of an event: one of an object, one of each frame of pages."""
        if event["type"] != PAGES:
            return [(SPACES[event["type"]], event["ptr"])]
        first = event["ptr"] // PAGE
        return [("pages", pfn) for pfn in range(first, first + event["size"] // PAGE)]

    def take(self, event):
        """Take an event; where it contradicts the state, it counts nevertheless."""
        space, keys = SPACES[event["type"]], self.parts(event)
        is_free = event["id"] == FREE
        wrong = [key for key in keys if (key in self.live) != is_free]
        if wrong and not is_free:
            self.find("alloc_twice")
        elif wrong:
            self.find("free_of_free")
        cpus = [self.end(key, space) for key in keys if key in self.live]
        total = self.totals[space]
        if is_free:
            total["free_calls"] += 1
            total["remote_frees"] += bool(cpus) and cpus[0] != event["cpu"]
            return
        total["allocs"] += 1
        total["bytes"] += event["size"]
        for key in keys:
            part = PAGE if space == "pages" else event["size"]
            self.begin(key, space, PAGE if space == "pages" else event["req"], part,
                       event["cpu"])


def memory(rng):
    """Return all places of memory, and for each what an allocation there looks like."""
    places = []
    for i in range(120):
        kind = rng.choice((KMALLOC, CACHE))
        places.append((kind, 0xffff888000000000 + i * 512, rng.choice((8, 96, 512))))
    for i in range(60):
        size = PAGE << rng.choice((0, 0, 1, 3, 9))
        places.append((PAGES, 0xffff888100000000 + i * (PAGE << 9), size))
    for i in range(20):
        places.append((PERCPU, 0x60000000 + i * 64, 64))
        places.append((VMALLOC, 0xffffc90000000000 + i * 65536, PAGE * rng.randint(1, 9)))
    return places


def event_at(rng, place, is_free, cpu, time):
    """Return an event about a place."""
    kind, ptr, size = place
    return {"id": FREE if is_free else ALLOC, "type": kind, "cpu": cpu, "time": time,
            "site": 0xffffffff81000000 + 16 * rng.randrange(1, 20), "ptr": ptr, "size": size,
            "req": size if kind == PAGES else rng.randint(max(1, size // 2), size)}


def history(rng, is_faulty):
    """Return events in their real order: of each place by turns, with a random distance."""
    events = []
    for place in memory(rng):
        time, is_free = rng.randrange(APART, 50 * APART), False
        # The memory may be older than the trace.
        if is_faulty and rng.random() < 0.1:
            is_free = True
        for _ in range(rng.randrange(EVENTS // 100)):
            events.append(event_at(rng, place, is_free, rng.randrange(CPUS), time))
            if not (is_faulty and rng.random() < 0.05):
                is_free = not is_free
            time += APART + rng.randrange(20 * APART) if is_faulty or len(events) % 3 == 0 \
                else rng.randrange(1, APART)
    events.sort(key=lambda event: event["time"])
    return events


def record(event, time, order):
    """Return the bytes of an event."""
    is_free, kind = event["id"] == FREE, event["type"]
    has_cache = not is_free and kind in (KMALLOC, CACHE)
    size = event["size"] if not is_free or kind in (PAGES, PERCPU) else 0
    tail = struct.pack(order + "Q", 0) if has_cache else b""
    return struct.pack(order + "BBHiQQQQQq", event["id"], kind, 56 + len(tail), -1,
                       event["site"], event["ptr"], 0 if is_free else event["req"], size,
                       0 if is_free else 0xcc0, time) + tail


def clock(cpu, time, order):
    """Return the first record of a stream."""
    return struct.pack(order + "BBHiQQQQQq", CLOCK, 0, 56, cpu, time, 0, UNCERTAINTY, 0, 0, time)


def write(folder, events, skews, order):
    """Write the streams of all CPUs."""
    os.makedirs(folder)
    for cpu in range(CPUS):
        with open(os.path.join(folder, f"cpu{cpu}.out"), "wb") as out:
            out.write(clock(cpu, UNCERTAINTY, order))
            for event in events:
                if event["cpu"] == cpu:
                    out.write(record(event, event["time"] + skews[cpu], order))
    with open(os.path.join(folder, "metadata"), "w", encoding="ascii") as out:
        out.write(f"abi_version: 2\nbyte_order: {'little' if order == '<' else 'big'}\n"
                  f"word_bits: 64\npage_size: {PAGE}\nclock: local_clock\n"
                  f"cpus: 0-{CPUS - 1}\nstate: complete\n")


def make(seed, clocks, order, folder):
    """Write a trace and the truth."""
    rng = random.Random(seed)
    is_faulty = clocks == "faulty"
    events = history(rng, is_faulty)
    if is_faulty:
        events = [event for event in events if rng.random() > 0.03]
    skews = [0 if is_faulty else rng.randrange(UNCERTAINTY // 2) for _ in range(CPUS)]
    write(folder, events, skews, "<" if order == "little" else ">")
    ledger = Ledger()
    for event in events:
        ledger.take(event)
    for total in ledger.totals.values():
        if not is_faulty:
            del total["remote_frees"]
    with open(os.path.join(folder, "truth.json"), "w", encoding="ascii") as out:
        json.dump({"totals": ledger.totals, "findings": ledger.findings,
                   "events": len(events)}, out)


def check(folder):
    """Compare the report on the standard input with the truth. Return whether they differ."""
    with open(os.path.join(folder, "truth.json"), encoding="ascii") as file:
        truth = json.load(file)
    report = json.load(sys.stdin)
    findings = {}
    for finding in report["findings"]:
        name = CLASSES.get(finding["class"], finding["class"])
        findings[name] = findings.get(name, 0) + finding["count"]
    totals = {row["allocator"]: row for row in report["totals"]}
    found = {"totals": {space: {key: totals[space][key] for key in total}
                        for space, total in truth["totals"].items()},
             "findings": findings, "events": report["trace"]["events"]}
    for key, value in truth.items():
        if found[key] != value:
            print(f"{folder}: {key}: the report has {found[key]}, the truth is {value}")
    return found != truth


def main():
    """Do what the arguments say."""
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    else:
        sys.exit(check(sys.argv[2]))


if __name__ == "__main__":
    main()
