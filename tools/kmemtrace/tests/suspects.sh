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
	    rows = {row["function"]: row for row in csv.DictReader(file)}
	names = list(rows)
	# 89 of 1,000 are kept: the others are freed, or too young.
	assert names[:2] == ["rare", "leak"] or names[:2] == ["leak", "rare"], names
	assert "freed" not in rows, names
	assert rows["leak"]["kept_of"] == "1000" and 90 <= int(rows["leak"]["kept"]) <= 100
	assert rows["leak"]["freed"] == rows["leak"]["freed_there"] == "899", rows["leak"]
	assert rows["leak"]["freed_site"] == "free_leak+0x10", rows["leak"]
	assert rows["leak"]["usual_ns"] == "9999999", rows["leak"]
	assert rows["rare"]["freed_site"] == rows["rare"]["usual_ns"] == "", rows["rare"]
	assert [row["harmless"] for row in rows.values() if row["harmless"]] and \
	    {name: row["harmless"] for name, row in rows.items() if row["harmless"]} == {
	        "cache": "reclaimable", "file": "movable", "alloc_vmap_area": "freed lazily"}, rows
	weights = [float(row["weight"]) for row in rows.values()]
	assert weights == sorted(weights, reverse=True), weights
	assert float(rows["start"]["weight"]) < min(float(rows[name]["weight"])
	                                            for name in ("leak", "rare")), weights
END
exit $failed
