# SPDX-License-Identifier: GPL-2.0
"""The shift test finds a hook that is added to another function."""

import difflib
import unittest

from apply_strict import PatchError, parse
from check_shift import shift

FUNCTION = """\
void *{name}(struct cache *cache)
{{
	void *ret = find(cache);

	if (!ret)
		ret = grow(cache);
	count(cache, 1);
	trace(ret);

	return ret;
}}
EXPORT_SYMBOL({name});

"""
FIRST = FUNCTION.format(name="alloc_first")
SECOND = FUNCTION.format(name="alloc_second")


def verdicts(text, context):
    """Return the verdicts on a hook in alloc_first() with @context lines around it."""
    hooked = text.replace(
        FIRST, FIRST.replace("trace(ret);", "trace(ret);\n\tkmemtrace_alloc();"))
    patch = "\n".join(difflib.unified_diff(
        text.split("\n"), hooked.split("\n"), "a/file.c", "b/file.c",
        n=context, lineterm="")) + "\n"
    return {verdict for _, _, verdict in shift(parse(patch)[1], text)}


class Shift(unittest.TestCase):
    def test_function_in_the_context(self):
        self.assertEqual(verdicts(SECOND + FIRST + SECOND, 9),
                         {"right", "refused"})

    def test_function_above_the_context(self):
        other = "int other(struct cache *cache)\n{\n\treturn 0;\n}\n\n"
        self.assertIn("astray", verdicts(other + FIRST + other, 3))

    def test_same_context_in_two_functions(self):
        with self.assertRaisesRegex(PatchError, "are at lines"):
            verdicts(FIRST + SECOND, 3)


if __name__ == "__main__":
    unittest.main()
