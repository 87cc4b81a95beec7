#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that all sites of all markers are NOPs while no probe is registered.

Find the markers in their section of an x86-64 vmlinux, and the sites of each in the jump
table, by the marker's key. Print one TAP result for each function with sites: every site
must be a NOP. Print one for each hook of the table: there must be a site in its function,
or in its callers if the function was inlined everywhere. Print one for each module with
sites.

Usage: check_nops.py VMLINUX HOOKS [MODULE...]
"""

import collections
import os
import re
import struct
import subprocess
import sys

NOPS = (bytes.fromhex("6690"), bytes.fromhex("0f1f440000"))
# sizeof(struct marker), offsetof(struct marker, key)
MARKER, KEY = 104, 16
ENTRY = struct.Struct("<iiq")


def lines(*command):
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


class Image:
    """The sections and symbols of a vmlinux."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.sections = []
        for line in lines("readelf", "-SW", path):
            words = line.partition("]")[2].split()
            if len(words) > 5 and words[1] == "PROGBITS":
                self.sections.append([int(word, 16) for word in words[2:5]])
        self.symbols = {}
        self.functions = []
        for line in lines("nm", "-S", "--defined-only", path):
            words = line.split()
            self.symbols[words[-1]] = int(words[0], 16)
            if len(words) == 4 and words[2] in "tTwW":
                self.functions.append((int(words[0], 16), int(words[1], 16),
                                       words[3]))

    def bytes_at(self, address, size):
        for start, offset, length in self.sections:
            if start <= address < start + length:
                at = offset + address - start
                return self.data[at:at + size]
        raise KeyError(hex(address))

    def text_at(self, address):
        return self.bytes_at(address, 256).split(b"\0")[0].decode()

    def function_at(self, address):
        for start, size, name in self.functions:
            if start <= address < start + size:
                return name
        raise KeyError(hex(address))


def find_sites(image):
    """Return {(function, marker): addresses of its sites} from the jump table."""
    keys = {}
    for at in range(image.symbols["__start___markers"],
                    image.symbols["__stop___markers"], MARKER):
        name, = struct.unpack("<Q", image.bytes_at(at, 8))
        keys[at + KEY] = image.text_at(name)
    start = image.symbols["__start___jump_table"]
    end = image.symbols["__stop___jump_table"]
    sites = collections.defaultdict(list)
    for at in range(start, end, ENTRY.size):
        code, _, key = ENTRY.unpack(image.bytes_at(at, ENTRY.size))
        marker = keys.get((at + 8 + key) & ~3)
        if marker:
            sites[image.function_at(at + code), marker].append(at + code)
    return sites


def module_sites(path):
    """Return the code of all marker sites of a module. Relocations name their keys."""
    offsets = {}
    for line in lines("readelf", "-SW", path):
        words = line.partition("]")[2].split()
        if len(words) > 5 and words[1] == "PROGBITS":
            offsets[words[0]] = int(words[3], 16)
    table = "\n".join(lines("readelf", "-rW", path)).partition(
        "'.rela__jump_table'")[2].partition("Relocation section")[0]
    fields = re.findall(r"(\S+) \+ ([0-9a-f]+)$", table, re.M)
    with open(path, "rb") as file:
        data = file.read()
    codes = []
    for (section, code), _, (key, _) in zip(*[iter(fields)] * 3):
        if key.startswith("__marker"):
            at = offsets[section] + int(code, 16)
            codes.append(data[at:at + 5])
    return codes


def read_hooks(path):
    """Return the (function, marker) pairs of the table."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return {(function, hook) for _, function, hook, _ in rows}


def main():
    image = Image(sys.argv[1])
    sites = find_sites(image)
    failed = 0

    def result(good, text):
        nonlocal failed
        failed += not good
        print(f"{'ok' if good else 'not ok'} - {text}")

    def all_nops(where, codes):
        bad = [code.hex() for code in codes if not code.startswith(NOPS)]
        result(not bad, f"{where}, {len(codes)} sites, "
               f"{len(codes) - len(bad)} NOPs {' '.join(bad)}".rstrip())

    for (function, marker), addresses in sorted(sites.items()):
        all_nops(f"{function}: {marker}",
                 [image.bytes_at(address, 5) for address in addresses])
    for path in sys.argv[3:]:
        codes = module_sites(path)
        if codes:
            all_nops(os.path.basename(path), codes)

    # The compiler may split a function: count kfree.part.0 as kfree.
    whole = {(function.partition(".")[0], marker) for function, marker in sites}
    for function, marker in sorted(read_hooks(sys.argv[2])):
        if marker.startswith("kmemtrace_"):
            continue
        if function in image.symbols:
            result((function, marker) in whole, f"{function} has its site")
        else:
            result(marker in {key[1] for key in sites},
                   f"{function} is inlined, {marker} has sites")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
