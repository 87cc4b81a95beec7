# SPDX-License-Identifier: GPL-2.0
"""Every file of the overlay gets into the tree once, and where it belongs."""

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
        self.overlay({"scripts/series/1": RECIPE + "\ttools/x/\n",
                      "tools/x/a": "", "tools/x/b/c": ""})
        [(recipe, files)] = read_series(self.top)
        self.assertEqual(recipe.message, "mm: a subject\n\nA body.")
        self.assertEqual(files, ["tools/x/a", "tools/x/b/c"])

    def test_forgotten_file(self):
        self.overlay({"scripts/series/1": RECIPE + "\tmm/a.c\n", "mm/a.c": "",
                      "mm/b.c": "", "README.md": "", "scripts/x": ""})
        with self.assertRaisesRegex(OverlayError, "in no recipe: mm/b.c$"):
            read_series(self.top)

    def test_file_in_two_recipes(self):
        self.overlay({"scripts/series/1": RECIPE + "\tmm/a.c\n",
                      "scripts/series/2": RECIPE + "\tmm/\n", "mm/a.c": ""})
        with self.assertRaisesRegex(OverlayError, "mm/a.c: in 1 and in 2"):
            read_series(self.top)

    def test_exception_without_a_reason(self):
        text = RECIPE.replace("Paths", "Checkpatch-exceptions:\n\tSPACING\nPaths")
        with self.assertRaisesRegex(RecipeError, "SPACING without a reason"):
            Recipe("1", text + "\tmm/a.c\n")


class Files(Folders):
    def add(self, path, text):
        self.write(f"{self.top}/{path}", text)
        tree = Tree(self.top, self.base)
        return tree.add(path) and tree.files

    def test_patches_by_version_and_tag(self):
        for name in ("slub.c", "slub.c.6.12", "slub.c.bulk", "slub.c.6.12.bulk"):
            with self.subTest(name):
                self.assertEqual(
                    self.add(f"mm/{name}.patch", PATCH.format("two")),
                    {"mm/slub.c": "one\ntwo\n"})

    def test_patch_for_another_kernel(self):
        self.assertIsNone(self.add("mm/slub.c.6.1.patch", PATCH.format("two")))

    def test_patch_named_for_another_file(self):
        with self.assertRaisesRegex(OverlayError, "not named for mm/slub.c"):
            self.add("mm/slab.c.patch", PATCH.format("two"))

    def test_copy_of_a_kernel_file(self):
        with self.assertRaisesRegex(OverlayError, "write a patch"):
            self.add("mm/slub.c", "ours\n")

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
