# SPDX-License-Identifier: GPL-2.0
"""The check finds each use of a symbol before its definition."""

import unittest

from check_symbols import too_early

KCONFIG = ("+++ b/mm/Kconfig\n+config TRACER\n+\tbool \"TRACER of memory\"\n"
           "+\tdepends on DEBUG_FS\n")
EARLY = "mm/slub.c in 'early'"


class Symbols(unittest.TestCase):
    def check(self, early, definition=KCONFIG):
        return too_early([("early", early), ("definition", definition)])

    def test_defined_first(self):
        self.assertEqual(self.check("", KCONFIG + "+++ b/mm/a.c\n+#ifdef CONFIG_TRACER\n"),
                         {"TRACER": None})

    def test_uses_in_code(self):
        for line in ("#ifdef CONFIG_TRACER", "if (IS_ENABLED(CONFIG_TRACER))",
                     "#if defined(CONFIG_TRACER_MODULE)"):
            with self.subTest(line):
                self.assertEqual(self.check(f"+++ b/mm/slub.c\n+{line}\n"),
                                 {"TRACER": EARLY})

    def test_use_in_makefile(self):
        self.assertEqual(self.check("+++ b/mm/Makefile\n+obj-$(CONFIG_TRACER) += a.o\n"),
                         {"TRACER": "mm/Makefile in 'early'"})

    def test_use_in_kconfig(self):
        for line in "\tdepends on MMU && TRACER", "\tselect TRACER", "if TRACER":
            with self.subTest(line):
                self.assertEqual(self.check(f"+++ b/lib/Kconfig\n+{line}\n"),
                                 {"TRACER": "lib/Kconfig in 'early'"})

    def test_not_a_use(self):
        for text in ("+++ b/mm/slub.c\n+#ifdef CONFIG_TRACER_X\n",
                     "+++ b/mm/slub.c\n-#ifdef CONFIG_TRACER\n",
                     "+++ b/mm/slub.c\n+TRACER\n",
                     "+++ b/lib/Kconfig\n+\tbool \"as TRACER\"\n"):
            with self.subTest(text):
                self.assertEqual(self.check(text), {"TRACER": None})

    def test_symbol_of_the_kernel(self):
        self.assertEqual(too_early([("early", "+++ b/mm/slub.c\n+#ifdef CONFIG_SMP\n")]),
                         {})


if __name__ == "__main__":
    unittest.main()
