#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Suspects: what is kept, and is unlike what was freed, comes first; what a start allocates, caches
# and what is freed later do not.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
report=$program_dir/kmemtrace-report

make_suspects
"$report" --csv suspects trace >out || fail "--csv suspects"
python3 - <<-'END' || fail "suspects: $(cut -c1-200 out)"
	import csv
	with open("out", encoding="utf-8") as file:
	    rows = {row["caller"].split("+")[0] + row["allocator"].replace("slab", ""): row
	            for row in csv.DictReader(file)}
	suspects = [name for name, row in rows.items() if row["is_suspect"] == "true"]
	assert suspects == list(rows)[:5], rows
	assert sorted(suspects) == ["areavmalloc", "burst", "leak", "rare", "slow"], rows
	weights = [float(row["weight"]) for row in rows.values()]
	assert weights == sorted(weights, reverse=True), weights
	# 89 of 1,000 are kept: the others are freed, or too young.
	assert rows["leak"]["kept_of"] == "1000" and 90 <= int(rows["leak"]["kept"]) <= 100
	assert rows["leak"]["freed"] == rows["leak"]["freed_there"] == "899", rows["leak"]
	assert rows["leak"]["freed_site"] == "free_leak+0x10", rows["leak"]
	# A life is as long as the longest, within its step.
	assert rows["leak"]["usual_ns"] == "20000000", rows["leak"]
	assert rows["slow"]["usual_ns"] == "2000000000" and 100 <= int(rows["slow"]["kept"]) <= 113
	assert rows["rare"]["freed_site"] == rows["rare"]["usual_ns"] == "", rows["rare"]
	# A module keeps what it allocates while it is loaded; what is young may be freed yet.
	assert float(rows["start"]["weight"]) < 0.5 and "freed" not in rows and "young" not in rows, rows
	assert {name: row["harmless"] for name, row in rows.items() if row["harmless"]} == {
	    "cachepages": "reclaimable", "filepages": "movable", "work": "freed lazily",
	    "areapages": "of another allocator"}, rows
	assert [name for name, row in rows.items() if row["is_at_once"] == "true"] == ["once"], rows
	# Who wanted the memory is behind the helper functions.
	assert rows["slow"]["path"] == "__alloc_skb+0x10 <- slow+0x10", rows["slow"]
	assert rows["work"]["path"] == "alloc_vmap_area+0x10 <- work+0x10", rows["work"]
END

# In text: what grows, what is waste, what has no rate, and the calls of a path, one in a line.
name=$(printf 'seq_%0120d' 0)
sed -i "s/ seq_read_iter$/ $name/" trace/kallsyms
"$report" --show suspects trace >out || fail "--show suspects"
sed ':join; N; $!bjoin; s/\n     */;/g' <out >lines
for line in ";none was freed: it grows all the time; 50.0% of it is waste;area+.*;ksys_read+0x10" \
	";none was freed: it grows all the time;rare+0x10;work+0x10" \
	";none was freed: it leaks, or grows;burst+0x10;work+0x10" \
	";899 of 899 freed by free_leak+0x10;leak+0x10;work+0x10" \
	" at once .*;all within 3.9ms, none was freed;once+0x10;work+0x10"; do
	grep -q "$line\$" lines || fail "no '$line': $(cat out)"
done
grep -qx "      $name+0x10" out || fail "a long name: $(cat out)"
! awk 'length > 100' out | grep -qv "$name" || fail "long lines: $(cat out)"
# The first page has few of them.
"$report" trace >out || fail "the overview"
sed ':join; N; $!bjoin; s/\n     */;/g' <out >lines
grep -q ";area+0x10;work+0x10;show+0x10;3 more frames$" lines || fail "the overview: $(cat out)"
"$report" --show suspects -g site trace >out || fail "-g site"
sed ':join; N; $!bjoin; s/\n     */;/g' <out >lines
grep -q ";899 of 899 freed by free_leak+0x10;leak+0x10$" lines || fail "-g site: $(cat out)"
# A text that is longer than a line goes on between words.
name=$(printf 'free_%060d' 0)
sed -i "s/ free_leak$/ $name/" trace/kallsyms
"$report" --show suspects trace >out || fail "--show suspects with a long name"
grep -A 1 -x "    899 of 899 freed by" out | grep -qx "        $name+0x10" || fail "a long text: $(cat out)"

# What the boot allocates does not count.
boot=500
make_suspects
"$report" --csv suspects trace >out || fail "--csv suspects of a boot"
python3 - <<-'END' || fail "suspects of a boot: $(cut -c1-200 out)"
	import csv
	with open("out", encoding="utf-8") as file:
	    rows = {row["caller"].split("+")[0]: row for row in csv.DictReader(file)}
	assert "burst" not in rows and "start" not in rows and rows["slow"]["is_suspect"] == "true", rows
	assert all(int(row["first_ns"]) >= 500 * 20000000 for row in rows.values()), rows
	# 51 in 9.98 seconds.
	assert rows["leak"]["kept_per_second"] == "5.01", rows["leak"]
	assert 40 <= int(rows["leak"]["kept"]) <= 51 and rows["leak"]["kept_of"] == "1000", rows["leak"]
END

# The parts of what is created as a whole are one suspect; a bug beside them is another one.
boot=0
owners=1
make_suspects
"$report" --csv suspects trace >out || fail "--csv suspects of namespaces"
python3 - <<-'END' || fail "suspects of namespaces: $(cut -c1-200 out)"
	import csv
	with open("out", encoding="utf-8") as file:
	    rows = [row for row in csv.DictReader(file) if row["is_suspect"] == "true"]
	names = sorted(row["caller"].split("+")[0] for row in rows if row["below"] == "")
	assert names == ["area", "burst", "leak", "part15", "rare", "slow"], names
	whole = {row["allocator"]: row for row in rows if row["below"] != ""}
	assert len(whole) == 2 and all(row["below"] == "copy_net_ns" for row in whole.values()), whole
	for allocator, paths, objects in ("slab", 13, 27), ("percpu", 2, 3):
	    row = whole[allocator]
	    assert row["paths"] == str(paths), row
	    assert row["kept"] == str(objects * 12) and row["kept_of"] == str(objects * 24), row
	assert len(whole["slab"]["sites"].split(", ")) == 8, whole
	assert whole["percpu"]["sites"] == "part1+0x10, part0+0x10", whole
END
"$report" --show suspects trace >out || fail "--show suspects of namespaces"
sed ':join; N; $!bjoin; s/\n     */;/g' <out >lines
grep -q ";13 call paths, all below copy_net_ns, allocate parts of the same objects: *;*part" lines ||
	fail "no parts: $(cat out)"
exit $failed
