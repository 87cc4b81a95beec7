#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Try each file of the series on a kernel source, and say which have no place in it.

Without kernels/VERSION/ for this kernel, the edits are those of the nearest version.
FOLDER gets the files of the kernel that the tool paths.py reads, with the patches that
fit.

Usage: place.py OVERLAY BASE FOLDER
       place.py edits OVERLAY BASE	print the name of the folder of edits
"""

import os
import sys

from overlay import OverlayError, Tree, kernel_version, read, read_series
from paths import CORES, HEADERS
from recipes import RecipeError


def number(version):
    """Return a version of Linux as a number; each release adds about as much."""
    major, minor = (int(part) for part in version.split("."))
    return 20 * major + minor


def nearest(top, base):
    """Return the version in kernels/ that is nearest to that of @base."""
    wanted = number(kernel_version(base))
    versions = [name for name in os.listdir(f"{top}/kernels") if name[0].isdigit()]
    return min(versions, key=lambda version: abs(number(version) - wanted))


def place(tree, series):
    """Print a TAP line for each file that changes the kernel. Return false on an error."""
    fits = True
    for recipe, paths in series:
        for path in paths:
            try:
                changed = tree.add(path)
            except OverlayError as error:
                print(f"not ok - {recipe.name}: {error}")
                fits = False
            else:
                if changed and path.endswith(".patch"):
                    print(f"ok - {recipe.name}: {path}")
    return fits


def write(tree, folder):
    """Write the files of the allocators with all changes to @folder."""
    for path in [*CORES, *HEADERS]:
        if path in tree.files or tree.in_base(path):
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "w", encoding="utf-8",
                      errors="surrogateescape", newline="") as file:
                file.write(tree.content(path))
    with open(f"{folder}/Makefile", "w", encoding="utf-8") as file:
        file.write(read(f"{tree.base}/Makefile"))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        if sys.argv[1] == "edits":
            print(nearest(*sys.argv[2:]))
            return
        top, base, folder = sys.argv[1:]
        tree = Tree(top, base)
        fits = place(tree, read_series(top))
        write(tree, folder)
    except (OverlayError, RecipeError) as error:
        sys.exit(f"place.py: {error}")
    sys.exit(not fits)


if __name__ == "__main__":
    main()
