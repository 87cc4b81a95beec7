# SPDX-License-Identifier: GPL-2.0
"""hooks.py finds each hook and the name of its function."""

import os
import tempfile
import unittest

from hooks import difference, find_hooks

SHAPES = {
    "plain": "void plain(int a)\n",
    "__underscores": "static __always_inline void *__underscores(int a)\n",
    "two_lines": "static __init\nint two_lines(int a,\n\t      int b)\n",
    "attribute_before": "__printf(1, 2) void attribute_before(int a, ...)\n",
    "attribute_after": "void attribute_after(int a)\n\t__acquires(&lock)\n",
    "pointer_argument": "int pointer_argument(int (*f)(int, long), int a)\n",
    "comment_between": "int comment_between(int a)\n/* why */\n",
    "conditional": "#ifdef X\n#define Y(a) \\\n\t(a)\n#endif\n"
                   "int conditional(int a)\n",
}
BODY = "{{\n\tif (a) {{\n\t\t{}\n\t}}\n}}\nEXPORT_SYMBOL(f);\n\n"


class FindHooks(unittest.TestCase):
    def test_function_names(self):
        for name, head in SHAPES.items():
            with self.subTest(name):
                text = "int before(int a)\n{\n}\n\n" + head
                text += BODY.format("kmemtrace_hook(a);")
                self.assertEqual(find_hooks(text),
                                 {(name, "kmemtrace_hook"): 1})

    def test_marker_sites(self):
        site = "marker_call(kmalloc, a,\n\t\t\t    b);"
        text = "int f(int a)\n" + BODY.format(site + "\n\t\t" + site)
        self.assertEqual(find_hooks(text), {("f", "kmalloc"): 2})

    def test_no_hooks(self):
        for line in ("/* kmemtrace_hook(a) */", "// kmemtrace_hook(a)",
                     'pr_info("kmemtrace_hook(a) /*");', "kmemtrace_state = 1;",
                     "set_marker_call(a);"):
            with self.subTest(line):
                text = "int f(int a)\n" + BODY.format(line)
                self.assertEqual(find_hooks(text), {})

    def test_comment_end_in_string_hides_nothing(self):
        text = "int f(int a)\n" + BODY.format(
            'g("/*"); kmemtrace_hook(a); g("*/");')
        self.assertEqual(find_hooks(text), {("f", "kmemtrace_hook"): 1})

    def test_body_without_end_is_left(self):
        text = "int f(int a)\n{\n\tg(a);\n\nint h(int a)\n" + \
            BODY.format("kmemtrace_hook(a);")
        self.assertEqual(find_hooks(text), {("h", "kmemtrace_hook"): 1})


class Table(unittest.TestCase):
    def test_kernel_without_a_table(self):
        with tempfile.TemporaryDirectory() as tree:
            with open(os.path.join(tree, "Makefile"), "w", encoding="utf-8") as file:
                file.write("VERSION = 5\nPATCHLEVEL = 10\n")
            self.assertRegex(difference(tree), "kernels/5.10/hooks: missing")


if __name__ == "__main__":
    unittest.main()
