# SPDX-License-Identifier: GPL-2.0
"""judge.py finds the row of a guilty function in what kmemtrace-report and others print."""

import pathlib
import tempfile
import unittest

from judge import Bug, bugs, of_allocinfo, of_kmemleak, of_report

REPORT = """\
trace: COMPLETE
  guilty   in the header

Sites      live bytes  share allocations  call sites
  slab           5.0M  98.5%           0  (before tracing began)
                  16K   0.3%         519  innocent+0x1ba kernel/fork.c:189
  pages           36M  98.0%           0  (before tracing began)
                 300K   0.8%          37  not_guilty+0x3ab mm/slub.c:2,483
                 264K   0.7%       2,741  guilty+0x2d drivers/guilty.c:33

Caches     live bytes  share     objects   each  cache
                 1.6M  31.4%      12,324    136  kernfs_node_cache
"""

SUSPECTS = """\
trace: COMPLETE

Suspects: 2 of 2: live, and nothing seems to free it
             kept         of live bytes
  slab         79        297        79K
    218 of 218 freed by free_it+0x151
      innocent+0x75
      guilty+0x18 drivers/guilty.c:38
  slab         60        100        10K
    none was freed
      other+0x149

Kept, but not suspected: 1 of 1
             kept         of live bytes  harmless
  pages        20        304        80K  -
    none was freed
      kept_page+0xaf8
"""

LEAK = """\
unreferenced object 0xffff888004d3c5a0 (size 8):
  comm "ip", pid 142, jiffies 4294902030
  backtrace (crc 0):
    [<00000000abcdef01>] kmalloc_noprof+0x576/0xa10
    {}+0x39/0xb0
"""


def bug(*functions):
    return Bug("name", "slab", "suspects", "drivers/guilty.c", list(functions))


class Judge(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "name").mkdir()

    def write(self, name, text):
        (self.folder / "name" / name).write_text(text)

    def test_row_is_counted_from_the_name_of_an_allocator(self):
        row, line = of_report(REPORT, bug("guilty"))
        self.assertEqual(row, 3)
        self.assertIn("drivers/guilty.c:33", line)

    def test_each_suspect_is_a_row(self):
        self.assertEqual(of_report(SUSPECTS, bug("guilty"))[0], 1)
        self.assertEqual(of_report(SUSPECTS, bug("other"))[0], 2)
        self.assertEqual(of_report(SUSPECTS, bug("kept_page"))[0], 1)

    def test_row_of_a_list_without_allocators(self):
        self.assertEqual(of_report(REPORT, bug("kernfs_node_cache"))[0], 1)

    def test_first_of_several_functions(self):
        self.assertEqual(of_report(REPORT, bug("guilty", "innocent"))[0], 2)

    def test_parts_of_names_do_not_count(self):
        self.assertEqual(of_report(REPORT, bug("guil", "lot_guilty")), (0, ""))

    def test_kmemleak_ranks_paths_by_their_objects(self):
        self.write("kmemleak", LEAK.format("guilty") + LEAK.format("other") * 2)
        self.assertEqual(of_kmemleak(self.folder, bug("guilty")), 2)
        self.assertEqual(of_kmemleak(self.folder, bug("third")), "not named")

    def test_allocinfo_ranks_what_grew(self):
        header = "allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n"
        self.write("allocinfo.before", header + "  800  1 a.c:1 func:steady\n"
                   "  90  1 b.c:2 func:guilty\n")
        self.write("allocinfo.after", header + "  800  1 a.c:1 func:steady\n"
                   "  100  2 b.c:2 func:guilty\n  40  1 c.c:3 func:more\n")
        self.assertEqual(of_allocinfo(self.folder, bug("guilty")), 2)
        self.assertEqual(of_allocinfo(self.folder, bug("steady")), "not named")

    def test_each_bug_of_the_table_has_a_load(self):
        folder = pathlib.Path(__file__).parent.parent / "bugs.d"
        loads = (folder / "guest" / "bugs").read_text() + \
            (folder / "guest" / "trigger.c").read_text()
        for row in bugs():
            self.assertIn(row.name, loads)
        patches = {path.stem for path in (folder / "kernel").iterdir()}
        self.assertEqual(patches - {row.name for row in bugs()}, set())


if __name__ == "__main__":
    unittest.main()
