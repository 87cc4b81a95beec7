# SPDX-License-Identifier: GPL-2.0
"""The overlay: what the files of this repository make of a kernel's files."""

import itertools
import os
import re
import subprocess

import apply_strict
import recipes

# Everything else in the repository belongs into the kernel tree.
OWN = re.compile(r"(\.ci|scripts)/|(README\.md|COPYING|Makefile|\.gitignore)$")
PATCH = re.compile(r"(\.\d+\.\d+)?(\.[a-z][a-z0-9-]*)?\.patch")


class OverlayError(Exception):
    """A file that is missing, or can't become part of the kernel tree."""


def git(folder, *args):
    """What a git command in @folder prints."""
    return subprocess.run(("git", "-C", folder) + args, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.rstrip("\n")


def read(path):
    """The content of a file. Any bytes survive a write with the same codec."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape",
                  newline="") as file:
            return file.read()
    except OSError as error:
        raise OverlayError(f"{path}: {error.strerror}") from None


def kernel_version(tree):
    """The version of a kernel source as the names of patches have it."""
    makefile = read(f"{tree}/Makefile")
    return ".".join(re.search(rf"^{name} = (\d+)$", makefile, re.M)[1]
                    for name in ("VERSION", "PATCHLEVEL"))


def expand(listed, tracked):
    """The files a listed path stands for: itself, or all beneath a folder."""
    if not listed.endswith("/"):
        return [listed]
    files = [path for path in tracked if path.startswith(listed)]
    if not files:
        raise OverlayError(f"{listed}: no tracked files")
    return files


def read_series(top):
    """Return [(recipe, its files)], every file of the overlay listed once."""
    tracked = git(top, "ls-files").split("\n")
    series, listed = [], {}
    for recipe in recipes.read_all(f"{top}/scripts/series"):
        files = [file for path in recipe.paths
                 for file in expand(path, tracked)]
        for file in files:
            if file in listed:
                raise OverlayError(
                    f"{file}: in {listed[file]} and in {recipe.name}")
            listed[file] = recipe.name
        series.append((recipe, files))
    forgotten = [file for file in tracked
                 if file not in listed and not OWN.match(file)]
    if forgotten:
        raise OverlayError("in no recipe: " + " ".join(forgotten))
    return series


def insert_maintainers(entries, into):
    """Insert @entries, separated by empty lines, where their titles sort.

    The kernel's list is not quite in order: the place is the one with the
    fewest entries on its wrong side.
    """
    def title(entry):
        return entry.split("\n")[0].upper().replace("THE REST", "ZZZZZZ")

    start = re.search(r"^Maintainers List\n-+\n\n(.*\n)*?\n", into, re.M).end()
    blocks = into[start:].rstrip("\n").split("\n\n")
    for entry in entries.strip("\n").split("\n\n"):
        score = list(itertools.accumulate(
            1 if title(block) < title(entry) else -1 for block in blocks))
        blocks.insert(score.index(max(score)) + 1, entry)
    return into[:start] + "\n\n".join(blocks) + "\n"


class Tree:
    """The files of a kernel, as far as the overlay changes them."""

    def __init__(self, top, base):
        self.top = top
        self.base = base
        self.version = kernel_version(base)
        self.files = {}

    def in_base(self, path):
        return os.path.exists(f"{self.base}/{path}")

    def content(self, path):
        """A file as it is by now."""
        if path in self.files:
            return self.files[path]
        return read(f"{self.base}/{path}")

    def mode(self, path):
        origin = self.base if self.in_base(path) else self.top
        executable = os.access(f"{origin}/{path}", os.X_OK)
        return "100755" if executable else "100644"

    def parse_patch(self, path):
        """Return (patched file, hunks), None where it isn't for this kernel."""
        try:
            target, hunks = apply_strict.parse(read(f"{self.top}/{path}"))
        except apply_strict.PatchError as error:
            raise OverlayError(f"{path}: {error}") from None
        match = path.startswith(target) and PATCH.fullmatch(path[len(target):])
        if not match:
            raise OverlayError(f"{path}: is not named for {target}")
        if match[1] and match[1] != f".{self.version}":
            return None
        return target, hunks

    def patch(self, path):
        parsed = self.parse_patch(path)
        if not parsed:
            return None
        target, hunks = parsed
        try:
            self.files[target] = apply_strict.apply(hunks, self.content(target))
        except apply_strict.PatchError as error:
            raise OverlayError(f"{path}: {error}") from None
        return target

    def add(self, path):
        """Take a file of the overlay. Return the file it changed, or None."""
        if path.endswith(".patch"):
            return self.patch(path)
        ours = read(f"{self.top}/{path}")
        if path == "MAINTAINERS":
            ours = insert_maintainers(ours, self.content(path))
        elif self.in_base(path):
            raise OverlayError(f"{path}: the kernel has it, write a patch")
        self.files[path] = ours
        return path
