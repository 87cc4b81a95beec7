# SPDX-License-Identifier: GPL-2.0
"""Each file of the overlay is in one recipe, and gets the right path."""

import os
import subprocess
import tempfile
import unittest

from overlay import OverlayError, Tree, insert_maintainers, read_series
from recipes import Recipe, RecipeError

RECIPE = "mm: a subject\n\nA body.\n\nPaths:\n"
PATCH = "--- a/mm/slub.c\n+++ b/mm/slub.c\n@@ -1,1 +1,2 @@\n one\n+{}\n"


class Folders(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.top = f"{scratch.name}/overlay"
        self.base = f"{scratch.name}/kernel"
        self.write(f"{self.base}/Makefile", "VERSION = 6\nPATCHLEVEL = 12\n")
        self.write(f"{self.base}/mm/slub.c", "one\n")
        os.makedirs(f"{self.top}/kernels/6.12")

    @staticmethod
    def write(path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def overlay(self, files):
        for path, text in files.items():
            self.write(f"{self.top}/{path}", text)
        for command in ("init", "-q"), ("add", "-A"):
            subprocess.run(("git", "-C", self.top) + command, check=True)


class Series(Folders):
    def test_folder_is_all_beneath_it(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\ttools/x/\n",
                      "tools/x/a": "", "tools/x/b/c": ""})
        [(recipe, files)] = read_series(self.top)
        self.assertEqual(recipe.message, "mm: a subject\n\nA body.")
        self.assertEqual(files, ["tools/x/a", "tools/x/b/c"])

    def test_folder_of_one_kernel_and_of_all(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\ttools/x/\n",
                      "tools/x/a": "", "kernels/6.1/tools/x/b": "",
                      "kernels/6.12/tools/x/b": "", "kernels/6.12/hooks": ""})
        [(_, files)] = read_series(self.top)
        self.assertEqual(files, ["tools/x/a", "tools/x/b"])

    def test_forgotten_patch(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\tmm/a.c\n", "mm/a.c": "",
                      "kernels/6.1/mm/b.c.patch": ""})
        with self.assertRaisesRegex(OverlayError, "kernels/6.1/mm/b.c.patch$"):
            read_series(self.top)

    def test_recipe_without_a_change(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\tmm/slub.c.patch\n",
                      "scripts/series/a/2": RECIPE + "\tmm/a.c\n", "mm/a.c": "",
                      "kernels/6.12/mm/slub.c.patch": "not needed: fixed\n"})
        tree = Tree(self.top, self.base)
        self.assertEqual([(recipe.name, changed) for recipe, changed
                          in tree.apply(read_series(self.top))],
                         [("a/2", ["mm/a.c"])])

    def test_forgotten_file(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\tmm/a.c\n", "mm/a.c": "",
                      "mm/b.c": "", "README.md": "", "scripts/x": ""})
        with self.assertRaisesRegex(OverlayError, "in no recipe: mm/b.c$"):
            read_series(self.top)

    def test_longest_entry_counts(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\tmm/\n",
                      "scripts/series/a/2": RECIPE + "\tmm/x/a.c\n",
                      "scripts/series/b/1": RECIPE + "\tmm/x/\n",
                      "scripts/series/b/about": "Some patches.\n",
                      "mm/x/a.c": "", "mm/x/b.c": "", "mm/c.c": ""})
        self.assertEqual([(recipe.name, files)
                          for recipe, files in read_series(self.top)],
                         [("a/1", ["mm/c.c"]), ("a/2", ["mm/x/a.c"]),
                          ("b/1", ["mm/x/b.c"])])

    def test_entry_in_two_recipes(self):
        self.overlay({"scripts/series/a/1": RECIPE + "\tmm/a.c\n",
                      "scripts/series/a/2": RECIPE + "\tmm/a.c\n", "mm/a.c": ""})
        with self.assertRaisesRegex(OverlayError, "mm/a.c: in a/1 and in a/2"):
            read_series(self.top)

    def test_exception_without_a_reason(self):
        text = RECIPE.replace("Paths", "Checkpatch-exceptions:\n\tSPACING\nPaths")
        with self.assertRaisesRegex(RecipeError, "SPACING has no reason"):
            Recipe("1", text + "\tmm/a.c\n")


class Files(Folders):
    """The overlay searches each path in the places for this kernel, in order."""

    def add(self, path, files):
        for file, text in files.items():
            self.write(f"{self.top}/{file}", text)
        tree = Tree(self.top, self.base)
        return tree.add(path) and tree.files

    def patch(self, **added):
        """Apply mm/slub.c.patch, which adds a line of its own in each folder."""
        return self.add("mm/slub.c.patch",
                        {f"kernels/{folder}/mm/slub.c.patch": PATCH.format(line)
                         for folder, line in added.items()})

    def test_patches_with_and_without_a_tag(self):
        for name in "mm/slub.c.patch", "mm/slub.c.bulk.patch":
            with self.subTest(name):
                self.assertEqual(
                    self.add(name, {f"kernels/6.12/{name}": PATCH.format("two")}),
                    {"mm/slub.c": "one\ntwo\n"})

    def test_patch_for_any_kernel(self):
        self.assertEqual(self.patch(any="all", **{"6.1": "old"}),
                         {"mm/slub.c": "one\nall\n"})

    def test_patch_of_the_version_wins(self):
        self.assertEqual(self.patch(any="all", **{"6.12": "own"}),
                         {"mm/slub.c": "one\nown\n"})

    def test_missing_patch_is_named(self):
        with self.assertRaisesRegex(OverlayError,
                                    "^kernels/6.12/mm/slub.c.patch: missing; write"):
            self.patch(**{"6.1": "old"})

    def test_patch_that_is_not_needed(self):
        files = {"kernels/any/mm/slub.c.patch": PATCH.format("all")}
        own = "kernels/6.12/mm/slub.c.patch"
        self.assertIsNone(self.add("mm/slub.c.patch",
                                   files | {own: "not needed: it is so already\n"}))
        for text in "", "not needed\n", "not needed: \n":
            with self.subTest(text):
                with self.assertRaisesRegex(OverlayError, "truncated patch"):
                    self.add("mm/slub.c.patch", files | {own: text})

    def test_file_of_another_kernel(self):
        self.assertIsNone(self.add("mm/shim.h", {"kernels/6.1/mm/shim.h": "1\n"}))

    def test_file_of_this_kernel(self):
        self.assertEqual(self.add("mm/shim.h", {"kernels/6.12/mm/shim.h": "1\n"}),
                         {"mm/shim.h": "1\n"})

    def test_kernel_without_a_folder(self):
        self.write(f"{self.base}/Makefile", "VERSION = 5\nPATCHLEVEL = 10\n")
        with self.assertRaisesRegex(OverlayError, "belong in kernels/5.10/"):
            Tree(self.top, self.base)

    def test_patch_named_for_another_file(self):
        with self.assertRaisesRegex(OverlayError, "has to be mm/slub.c.patch"):
            self.add("mm/slab.c.patch",
                     {"kernels/6.12/mm/slab.c.patch": PATCH.format("two")})

    def test_copy_of_a_kernel_file(self):
        with self.assertRaisesRegex(OverlayError, "write a patch"):
            self.add("mm/slub.c", {"mm/slub.c": "ours\n"})

    def test_missing_file(self):
        with self.assertRaisesRegex(OverlayError, "No such file"):
            Tree(self.top, self.base).add("mm/a.c")

    def test_maintainers_in_order(self):
        head = "Maintainers List\n-" + "-" * 15 + "\n\n.. note:: a\n\t  b\n\n"
        kernel = head + "AB\nF:\ta\n\nZ OUT OF ORDER\n\nXY\nF:\tx\n\nTHE REST\n"
        self.assertEqual(insert_maintainers("KMEM\nF:\tk\n", kernel),
                         kernel.replace("Z OUT", "KMEM\nF:\tk\n\nZ OUT"))


if __name__ == "__main__":
    unittest.main()
