# SPDX-License-Identifier: GPL-2.0
"""A patch is applied at its only possible place, or refused."""

import unittest

from apply_strict import PatchError, apply, parse

TEXT = "".join(f"line {n}\n" for n in range(1, 9))
PATCH = """\
--- a/file
+++ b/file
@@ -3,3 +3,3 @@
 line 3
-line 4
+line four
 line 5
"""


def patched(patch, text):
    return apply(parse(patch)[1], text)


class Place(unittest.TestCase):
    def refuse(self, reason, patch, text):
        with self.assertRaisesRegex(PatchError, reason):
            patched(patch, text)

    def test_in_place(self):
        self.assertEqual(patched(PATCH, TEXT),
                         TEXT.replace("line 4", "line four"))

    def test_shifted_by_lines_above(self):
        for text in ("new\n" * 100 + TEXT, TEXT.partition("\n")[2]):
            self.assertEqual(patched(PATCH, text),
                             text.replace("line 4", "line four"))

    def test_first_and_last_lines(self):
        whole = PATCH.replace("-3,3 +3,3", "-1,3 +1,3")
        text = "line 3\nline 4\nline 5\n"
        self.assertEqual(patched(whole, text), "line 3\nline four\nline 5\n")

    def test_context_changed(self):
        self.refuse("are nowhere", PATCH, TEXT.replace("line 5", "line V"))

    def test_removed_line_is_gone(self):
        self.refuse("are nowhere", PATCH, TEXT.replace("line 4\n", ""))

    def test_line_inserted_into_context(self):
        self.refuse("are nowhere", PATCH, TEXT.replace("line 4", "new\nline 4"))

    def test_white_space_counts(self):
        self.refuse("are nowhere", PATCH, TEXT.replace("line 5", "line 5 "))
        self.refuse("are nowhere", PATCH, TEXT.replace("line 3", " line 3"))

    def test_part_of_a_line_is_no_match(self):
        self.refuse("are nowhere", PATCH, TEXT.replace("line 5", "line 55"))

    def test_two_places(self):
        self.refuse("lines 3 and 11", PATCH, TEXT + TEXT)

    def test_places_that_overlap(self):
        patch = PATCH.replace("line 4", "line 3").replace("line 5", "line 3")
        self.refuse("lines 1 and 2", patch, "line 3\n" * 4)

    def test_hunks_out_of_order(self):
        head, hunk = PATCH.split("@@ -3", 1)
        other = "@@ -7,2 +7,1 @@\n line 7\n-line 8\n"
        self.assertIn("line four", patched(PATCH + other, TEXT))
        self.refuse("above that of the hunk before", head + other + "@@ -3" + hunk, TEXT)


class Malformed(unittest.TestCase):
    def refuse(self, reason, patch):
        with self.assertRaisesRegex(PatchError, reason):
            parse(patch)

    def test_truncated(self):
        self.refuse("truncated", PATCH.rpartition(" line 5")[0])

    def test_nothing_in_it(self):
        self.refuse("truncated", "")

    def test_more_lines_than_announced(self):
        self.refuse("more lines", PATCH + " line 6\n")

    def test_no_context(self):
        self.refuse("has no context",
                    "+++ b/file\n@@ -3,0 +4,1 @@\n+line four\n")

    def test_two_files(self):
        self.refuse("second file", PATCH + PATCH)

    def test_no_newline_at_end(self):
        self.refuse("newline", PATCH + "\\ No newline at end of file\n")

    def test_stripped_empty_context_line(self):
        patch = PATCH.replace(" line 3\n", "\n")
        self.assertEqual(patched(patch, TEXT.replace("line 3", "")),
                         TEXT.replace("line 3", "").replace("line 4",
                                                            "line four"))


if __name__ == "__main__":
    unittest.main()
