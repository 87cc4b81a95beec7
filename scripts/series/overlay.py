# SPDX-License-Identifier: GPL-2.0
"""The overlay: apply the files of this repository to a kernel source.

A recipe names each file by its path in the patched kernel. The repository has
the file in one of these places; the first that exists counts:

	kernels/VERSION/PATH	for this version of the kernel
	kernels/any/PATH	for every version
	PATH			for every version; not for patches

An edit of an existing kernel file is a patch, kernels/VERSION/FILE[.TAG].patch, with a
TAG if several recipes patch one file. For a version that does not need the patch, the
file has one line: "not needed: REASON". A new file may exist for some versions only.
"""

import collections
import glob
import itertools
import os
import re
import subprocess

import apply_strict
import recipes

# Files of the repository that are not part of the kernel tree.
OWN = re.compile(r"(\.ci|debian|module|scripts)/|kernels/[^/]+/([a-z]+\.)?config$|"
                 r"kernels/[^/]+/(hooks|unhooked|unreached)$|"
                 r"Documentation/trace/kmemtrace-stock\.rst$|"
                 r"(README\.md|README\.webp|CONTRIBUTING\.md|HACKING\.md|NEWS|COPYING|Makefile|\.gitignore)$")
PATCH_SUFFIX = re.compile(r"(\.[a-z][a-z0-9-]*)?\.patch")
NOT_NEEDED = re.compile(r"not needed: \S.*\n")


class OverlayError(Exception):
    """A file is missing, or has no place in the kernel tree."""


def git(folder, *args):
    """Return the output of a git command in @folder."""
    return subprocess.run(("git", "-C", folder) + args, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.rstrip("\n")


def read(path):
    """Return the content of a file. Writing it with the same codec keeps all bytes."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape",
                  newline="") as file:
            return file.read()
    except OSError as error:
        raise OverlayError(f"{path}: {error.strerror}") from None


def kernel_version(tree):
    """Return the version of a kernel source, as the folders in kernels/ are named."""
    makefile = read(f"{tree}/Makefile")
    return ".".join(re.search(rf"^{name} = (\d+)$", makefile, re.M)[1]
                    for name in ("VERSION", "PATCHLEVEL"))


def edits_of(tree):
    """Return the name of the folder in kernels/ with the edits of a kernel source.

    KMEMTRACE_EDITS names that of another version, for a kernel that has none yet.
    """
    return os.environ.get("KMEMTRACE_EDITS") or kernel_version(tree)


def path_in_kernel(file):
    """Return the path that @file of the repository has in the patched kernel."""
    return re.sub(r"^kernels/[^/]+/", "", file)


def entry_of(path, entries):
    """Return the longest of @entries that covers @path, or None."""
    entry = path
    while entry and entry not in entries:
        entry = re.sub(r"[^/]+/?$", "", entry)
    return entry or None


def read_series(top):
    """Return [(recipe, paths)]. Each path of the overlay is in exactly one recipe."""
    series = recipes.read_all(f"{top}/scripts/series")
    entries = {}
    for recipe in series:
        for entry in recipe.paths:
            if entry in entries:
                raise OverlayError(f"{entry}: in {entries[entry]} and in {recipe.name}")
            entries[entry] = recipe.name

    members = collections.defaultdict(set)
    for file in git(top, "ls-files").split("\n"):
        path = path_in_kernel(file)
        members[entry_of(path, entries)].add(path)
        if not entry_of(path, entries) and not OWN.match(file):
            raise OverlayError(f"in no recipe: {file}")

    for entry in entries:
        if entry.endswith("/") and entry not in members:
            raise OverlayError(f"{entry}: no tracked files")
    return [(recipe, [path for entry in recipe.paths
                      for path in sorted(members.get(entry, {entry}))])
            for recipe in series]


def insert_maintainers(entries, into):
    """Return @into with @entries, which empty lines separate, in alphabetic order.

    The kernel's list is not quite in order. Choose the place with the fewest entries
    on the wrong side.
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
    """A kernel source with the overlay's changes in memory: @files, by path."""

    def __init__(self, top, base):
        self.top = top
        self.base = base
        self.version = edits_of(base)
        self.files = {}
        if not os.path.isdir(f"{top}/kernels/{self.version}"):
            raise OverlayError(f"{base} is Linux {self.version}, for which there are no "
                               f"patches; they belong in kernels/{self.version}/")

    def in_base(self, path):
        return os.path.exists(f"{self.base}/{path}")

    def content(self, path):
        """Return a file with all changes so far."""
        if path in self.files:
            return self.files[path]
        return read(f"{self.base}/{path}")

    def locate(self, path):
        """Return the file of the repository that is @path for this kernel.

        Return None if only other kernels have such a file.
        """
        is_patch = path.endswith(".patch")
        own = f"kernels/{self.version}/{path}"
        for file in [own, f"kernels/any/{path}"] + [path] * (not is_patch):
            if os.path.exists(f"{self.top}/{file}"):
                return file
        if is_patch:
            raise OverlayError(f"{own}: missing; write the patch for Linux "
                               f"{self.version}, or the line 'not needed: REASON'")
        if not glob.glob(f"{self.top}/kernels/*/{glob.escape(path)}"):
            raise OverlayError(f"{path}: No such file")
        return None

    def parse_patch(self, path):
        """Return (patched file, hunks), or None if this kernel needs no such patch."""
        file = self.locate(path)
        text = read(f"{self.top}/{file}")
        if NOT_NEEDED.fullmatch(text):
            return None
        try:
            target, hunks = apply_strict.parse(text)
        except apply_strict.PatchError as error:
            raise OverlayError(f"{file}: {error}") from None
        if not path.startswith(target) or \
                not PATCH_SUFFIX.fullmatch(path[len(target):]):
            raise OverlayError(f"{file}: patches {target}, so its name has to be "
                               f"{target}.patch or {target}.TAG.patch")
        return target, hunks

    def patch(self, path):
        """Apply a patch. Return the patched file, or None."""
        parsed = self.parse_patch(path)
        if not parsed:
            return None
        target, hunks = parsed
        try:
            self.files[target] = apply_strict.apply(hunks, self.content(target))
        except apply_strict.PatchError as error:
            raise OverlayError(f"{self.locate(path)}: {error}") from None
        return target

    def add(self, path):
        """Apply a path of a recipe. Return the file of the kernel that changed, or None."""
        if path.endswith(".patch"):
            return self.patch(path)
        file = self.locate(path)
        if not file:
            return None
        ours = read(f"{self.top}/{file}")
        if path == "MAINTAINERS":
            ours = insert_maintainers(ours, self.content(path))
        elif self.in_base(path):
            raise OverlayError(f"{file}: the kernel has {path}; write a patch")
        self.files[path] = ours
        return path

    def mode(self, path):
        """Return the mode of a changed file, as git writes it."""
        file = f"{self.base}/{path}" if self.in_base(path) else \
            f"{self.top}/{self.locate(path)}"
        return "100755" if os.access(file, os.X_OK) else "100644"

    def apply(self, series):
        """Apply the recipes of @series in turn. Yield (recipe, changed files).

        A recipe that changes nothing in this kernel is left out.
        """
        for recipe, paths in series:
            changed = dict.fromkeys(filter(None, map(self.add, paths)))
            if changed:
                yield recipe, list(changed)
