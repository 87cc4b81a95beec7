# SPDX-License-Identifier: GPL-2.0
"""Recipes: the message of each commit of the series, and the files that it adds.

A recipe is a file scripts/series/GROUP/NAME. The names define the order of the commits.
The file "about" of a group is its paragraph in the cover letter.

A recipe has the message of the commit, then up to two lists, with one indented entry in
each line:

	mm/slub: the subject

	The body.

	Checkpatch-exceptions:
		MACRO_ARG_REUSE the reason why checkpatch.pl is wrong here

	Paths:
		mm/slub.c.patch
		tools/kmemtrace/

An entry of Paths is a file or a folder (all tracked files below it), by its path in
the patched kernel. If several entries cover a file, it belongs to the longest.
overlay.py describes where the repository has these files.
"""

import glob
import os
import re

LISTS = ("Checkpatch-exceptions:", "Paths:")


class RecipeError(Exception):
    """A recipe is malformed."""


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
                raise RecipeError(f"{name}: not an indented entry of a list: {line}")
        self.message = "\n".join(message).strip()
        self.exceptions = [entry.partition(" ")
                           for entry in entries["Checkpatch-exceptions:"]]
        self.paths = entries["Paths:"]
        self.check()

    def check(self):
        if not re.match(r"[^\n]+\n\n[^\n]", self.message):
            raise RecipeError(f"{self.name}: the message is not a subject, an empty line and a body")
        if not self.paths:
            raise RecipeError(f"{self.name}: the list Paths is empty")
        for kind, _, reason in self.exceptions:
            if not reason:
                raise RecipeError(f"{self.name}: {kind} has no reason")


def read_all(folder):
    """Return all recipes of @folder, in the order of the commits."""
    result = []
    # Python's __pycache__ is no group.
    for path in sorted(glob.glob(f"{folder}/[!_]*/*")):
        if os.path.basename(path) != "about":
            with open(path, encoding="utf-8") as file:
                result.append(Recipe(os.path.relpath(path, folder), file.read()))
    if not result:
        raise RecipeError(f"{folder}: no recipes")
    return result
