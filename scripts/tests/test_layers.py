# SPDX-License-Identifier: GPL-2.0
"""layers.py finds uses that the table of layers forbids, circles, and names that stand twice."""

import tempfile
import unittest

from layers import find_circles, find_faults, find_layer, find_namesakes

TABLE = [["low/"], ["mid/", "beside/"], ["top"]]


def units(*names):
    return {name: [f"{name}.c"] for name in names}


class Layers(unittest.TestCase):
    def test_layer_of_a_unit(self):
        self.assertEqual(find_layer("low/a", TABLE), (0, "low/"))
        self.assertEqual(find_layer("beside/b", TABLE), (1, "beside/"))
        self.assertEqual(find_layer("top", TABLE), (2, "top"))
        self.assertIsNone(find_layer("topmost", TABLE))

    def test_downwards_and_within_is_allowed(self):
        uses = {("top", "mid/m"): {"m"}, ("mid/m", "low/a"): {"a"},
                ("low/a", "low/b"): {"b"}}
        self.assertEqual(
            find_faults(units("top", "mid/m", "low/a", "low/b"), uses, TABLE), [])

    def test_upwards_is_found(self):
        uses = {("low/a", "mid/m"): {"call"}}
        self.assertEqual(find_faults(units("low/a", "mid/m"), uses, TABLE),
                         ["low/a must not use mid/m: call"])

    def test_sideways_is_found(self):
        uses = {("mid/m", "beside/b"): {"call"}}
        self.assertEqual(find_faults(units("mid/m", "beside/b"), uses, TABLE),
                         ["mid/m must not use beside/b: call"])

    def test_a_unit_without_a_layer_is_found(self):
        self.assertEqual(find_faults(units("new/n"), {}, TABLE),
                         ["new/n: not in the table"])

    def test_circle(self):
        uses = {("a", "b"): {"1"}, ("b", "c"): {"2"}, ("c", "a"): {"3"},
                ("c", "d"): {"4"}}
        self.assertEqual(find_circles(units("a", "b", "c", "d"), uses),
                         [["a", "b", "c"]])

    def test_namesakes(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.c", "static int put(int x)\n{\n}\nstruct row {\n};\n"),
                               ("b.c", "int put(const char *x,\n\tint y)\n{\n}\nint main(void)\n{\n}\n"),
                               ("b.h", "struct row {\n};\nint put(const char *x, int y);\n"),
                               ("c.c", "int main(void)\n{\n\tput(1);\n}\n")):
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(find_namesakes(folder, {"a": ["a.c"], "b": ["b.c", "b.h"], "c": ["c.c"]}),
                             ["put: defined in a.c, b.c", "struct row: defined in a.c, b.h"])
