#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Delete lines above each hook and check that no hook is added to another function.

A point release of the kernel may remove or move lines above a hook. For each
hook that a patch adds, delete up to 30 lines above it, once right above the hook and
once right above the context of its hunk, and apply the patch. Either the patch is
refused, or every hook is in the same function as before.

Usage: check_shift.py OVERLAY BASE
"""

import collections
import sys

from apply_strict import PatchError, apply
from hooks import HOOK, find_hooks
from overlay import OverlayError, Tree, read_series

# The number of lines above a hook that are deleted.
REACH = 30


def cuts(hunks, text):
    """Yield for each case (line above which to delete, number of lines)."""
    for hunk in hunks:
        start = text.count("\n", 0, hunk.place(text))
        for above in (above for above, line in hunk.added if HOOK.search(line)):
            highest = max(start + above - REACH, 0)
            for end in {start, start + above}:
                for count in range(1, end - highest + 1):
                    yield end, count


def shift(hunks, text):
    """Yield for each case (line, lines deleted above it, verdict)."""
    wanted = find_hooks(apply(hunks, text))
    lines = text.split("\n")
    for end, count in cuts(hunks, text):
        shifted = "\n".join(lines[:end - count] + lines[end:])
        try:
            found = find_hooks(apply(hunks, shifted))
        except PatchError:
            yield end, count, "refused"
        else:
            # A comment whose end was deleted can hide a hook; hooks.py finds that.
            lost = "right" if found == wanted else "refused"
            yield end, count, "astray" if found - wanted else lost


def patches(tree, series):
    """Yield for each patch (its name, file, hunks, the file before it)."""
    for _, files in series:
        for path in files:
            parsed = path.endswith(".patch") and tree.parse_patch(path)
            if parsed:
                target, hunks = parsed
                yield path, target, hunks, tree.content(target)
            tree.add(path)


def check(path, hunks, text):
    """Shift @text under one patch and report in TAP. Return false on astray."""
    verdicts = collections.Counter()
    for end, count, verdict in shift(hunks, text):
        verdicts[verdict] += 1
        if verdict == "astray":
            print(f"# a hook goes astray without the {count} lines above line "
                  f"{end + 1}")
    ok = not verdicts["astray"]
    print("ok" if ok else "not ok", "-", path,
          *(f"{count} {verdict}" for verdict, count in verdicts.items()))
    return ok


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        tree = Tree(*sys.argv[1:])
        results = [check(path, hunks, text) for path, target, hunks, text
                   in patches(tree, read_series(tree.top))
                   if target.endswith((".c", ".h")) and any(cuts(hunks, text))]
    except OverlayError as error:
        sys.exit(f"check_shift.py: {error}")
    if not results or not all(results):
        sys.exit(1)


if __name__ == "__main__":
    main()
