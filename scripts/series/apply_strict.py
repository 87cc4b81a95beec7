#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Apply a patch to one file if every hunk has exactly one place in it.

The old lines of a hunk, which are its context and the lines it removes, must occur
exactly once in the file. Line numbers are ignored, so a hunk may have moved. There is
no fuzz: lines that differ are an error.

Usage: apply_strict.py PATCH <FILE >RESULT
"""

import re
import sys

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class PatchError(Exception):
    """The patch is malformed, or a hunk does not have exactly one place in the file."""


class Hunk:
    """The @old lines that a file must have, and the @new lines that replace them.

    @added holds (number of @old lines above it, text) for each new line.
    """

    def __init__(self, header, old_len, new_len):
        self.header = header
        self.old_len = old_len
        self.new_len = new_len
        self.old = []
        self.new = []
        self.added = []

    def complete(self):
        return (len(self.old), len(self.new)) == (self.old_len, self.new_len)

    def add(self, line):
        """Add one line of the hunk's body. Its first character is the sign."""
        sign, text = line[:1] or " ", line[1:]
        if sign not in (" ", "-", "+"):
            raise PatchError(f"{self.header}: unexpected line: {line!r}")
        if sign == "+":
            self.added.append((len(self.old), text))
        else:
            self.old.append(text)
        if sign != "-":
            self.new.append(text)

    def place(self, text):
        """Return the only offset in @text at which the old lines begin."""
        text = "\n" + text
        wanted = "\n" + "\n".join(self.old) + "\n"
        found = text.find(wanted)
        if found < 0:
            raise PatchError(f"{self.header}: its old lines are nowhere in the file")
        again = text.find(wanted, found + 1)
        if again >= 0:
            places = " and ".join(str(text.count("\n", 0, at) + 1)
                                  for at in (found, again))
            raise PatchError(f"{self.header}: its old lines are at lines {places}")
        return found


def parse(patch):
    """Return (path of the patched file, list of hunks)."""
    target, hunks = None, []
    for line in patch.removesuffix("\n").split("\n"):
        if hunks and not hunks[-1].complete():
            hunks[-1].add(line)
        elif line.startswith("+++ "):
            if target:
                raise PatchError(f"patches a second file: {line}")
            target = line[4:].split("\t")[0].removeprefix("b/")
        elif line.startswith("\\"):
            raise PatchError("the file has no newline at its end")
        elif line.startswith("@@"):
            match = HUNK.match(line)
            if not match or not target:
                raise PatchError(f"malformed line: {line}")
            hunks.append(Hunk(line, *(int(n or 1) for n in match.groups())))
        elif hunks and line.startswith((" ", "-", "+")) \
                and not line.startswith("--- "):
            raise PatchError(f"more lines than the header says: {hunks[-1].header}")
    if not hunks or not hunks[-1].complete():
        raise PatchError("truncated patch, or no patch at all")
    for hunk in hunks:
        if not hunk.old:
            raise PatchError(f"{hunk.header}: has no context")
    return target, hunks


def apply(hunks, text):
    """Return @text with all @hunks applied."""
    result, done = [], 0
    for hunk in hunks:
        start = hunk.place(text)
        if start < done:
            raise PatchError(f"{hunk.header}: its place is above that of the hunk before")
        result += [text[done:start]] + [line + "\n" for line in hunk.new]
        done = start + sum(len(line) + 1 for line in hunk.old)
    return "".join(result) + text[done:]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8") as patch:
            _, hunks = parse(patch.read())
        sys.stdout.write(apply(hunks, sys.stdin.read()))
    except PatchError as error:
        sys.exit(f"{sys.argv[1]}: {error}")


if __name__ == "__main__":
    main()
