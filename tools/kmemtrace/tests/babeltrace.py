# SPDX-License-Identifier: GPL-2.0
"""Read what babeltrace2 --clock-seconds --no-delta printed, for the tests of the writers of CTF."""

import re
import sys

LINE = re.compile(r"\[(\d+)\.(\d{9})\] (.*?): \{ cpu_id = (\d+) \}, \{ (.*)\}")
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|\[[^]]*(?:\][^]]*)*\]|[-\w]+)(?:, | )')
ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
           "e": "\x1b"}


def value_of(text):
    """Return the value of a field: a string, a list of numbers, or a number."""
    if text.startswith('"'):
        return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text[1:-1])
    if text.startswith("["):
        return [int(word, 0) for word in re.findall(r"\] = (\w+)", text)]
    if re.fullmatch(r"0[0-7]+", text):
        return int(text, 8)
    return int(text, 0)


def read_text(path):
    """Return (time, cpu, name, fields) of each event, with the fields as (name, value)."""
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
