#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Recipes: what a commit of the series says, and which files it brings.

A recipe in scripts/series/ is the commit's message, then up to two lists
with one indented entry a line:

	mm/slub: the subject

	The body.

	Checkpatch-exceptions:
		MACRO_ARG_REUSE why this one is right here

	Paths:
		mm/slub.c.6.12.patch
		tools/kmemtrace/

A path is a file of the repository, a folder (all tracked files beneath it), or
a patch PATH[.VERSION][.TAG].patch for a file of the kernel: with a VERSION
for that kernel only, with a TAG where several recipes patch one file.

Usage: recipes.py FOLDER	print for each recipe its name and the types of
				checkpatch messages it excepts
"""

import os
import re
import sys

LISTS = ("Checkpatch-exceptions:", "Paths:")


class RecipeError(Exception):
    """A recipe that can't be understood."""


class Recipe:
    def __init__(self, name, text):
        self.name = name
        entries = {title: [] for title in LISTS}
        message, current = [], None
        for line in text.splitlines():
            if line in LISTS:
                current = entries[line]
            elif current is None:
                message.append(line)
            elif line.startswith(("\t", " ")):
                current.append(line.strip())
            elif line:
                raise RecipeError(f"{name}: not an entry of a list: {line}")
        self.message = "\n".join(message).strip()
        self.exceptions = [entry.partition(" ")
                           for entry in entries["Checkpatch-exceptions:"]]
        self.paths = entries["Paths:"]
        self.check()

    def check(self):
        if not re.match(r"[^\n]+\n\n[^\n]", self.message):
            raise RecipeError(f"{self.name}: no subject, empty line and body")
        if not self.paths:
            raise RecipeError(f"{self.name}: no paths")
        for kind, _, reason in self.exceptions:
            if not reason:
                raise RecipeError(f"{self.name}: {kind} without a reason")


def read_all(folder):
    """All recipes of @folder, in the order of their names."""
    result = []
    for name in sorted(os.listdir(folder)):
        if name != "cover-letter":
            with open(f"{folder}/{name}", encoding="utf-8") as file:
                result.append(Recipe(name, file.read()))
    if not result:
        raise RecipeError(f"{folder}: no recipes")
    return result


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        for recipe in read_all(sys.argv[1]):
            print(recipe.name, *(kind for kind, _, _ in recipe.exceptions))
    except RecipeError as error:
        sys.exit(f"recipes.py: {error}")


if __name__ == "__main__":
    main()
