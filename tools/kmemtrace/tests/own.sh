#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What kmemtrace itself allocates is told apart: the relation own has it and no other one, unless
# --own counts it. Both together are all of it, to the byte.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report

# parts TRACE OPTION...: what others allocated and its own are all that was allocated.
parts()
{
	python3 - "$report" "$@" <<-'END' || fail "parts of $*"
		import collections, csv, subprocess, sys
		report, trace, *options = sys.argv[1:]
		FIGURES = ("allocs", "frees", "bytes", "bytes_req", "live", "live_bytes", "live_bytes_req",
		           "remote_frees")
		def rows(*arguments):
		    text = subprocess.run([report, *arguments, *options, trace], check=True, text=True,
		                          stdout=subprocess.PIPE).stdout
		    return list(csv.DictReader(text.splitlines()))
		def sums(rows, keys, figures):
		    found = collections.Counter()
		    for row in rows:
		        for figure in figures:
		            found[*(row[key] for key in keys), figure] += int(row[figure])
		    return +found
		def one(name, *arguments):
		    (row,) = rows("--csv", name, *arguments)
		    return row
		groups = ["site", "cache_id", "gfp_flags", "size"] + \
		    ["task_id"] * ("task" in one("trace")["with"]) + \
		    ["cgroup_id"] * ("cgroup" in one("trace")["with"])
		for keys in ("allocator",), *(("allocator", group) for group in groups):
		    by = "-g", keys[-1].removesuffix("_id")
		    others, own, everything = (sums(rows("--csv", name, *by, *more), keys, FIGURES)
		                               for name, more in (("sites", ()), ("own", ()), ("sites", ["--own"])))
		    wrong = {key: (others[key], own[key], everything[key]) for key in everything
		             if others[key] + own[key] != everything[key]}
		    assert own and not wrong, (keys, wrong)
		free_calls = [sums(rows("--csv", "totals", *more), ("allocator",), ["free_calls"])
		              for more in ((), ["--own"])]
		own = sums(rows("--csv", "own"), ("allocator",), ["frees"])
		for (space, _), calls in free_calls[1].items():
		    assert free_calls[0][space, "free_calls"] + own[space, "frees"] == calls, (space, calls)
		own = [sums(rows("--csv", "own", *more), ("allocator",), FIGURES) for more in ((), ["--own"])]
		assert own[0] == own[1], own
		assert (one("trace")["counts_own"], one("trace", "--own")["counts_own"]) == ("false", "true")
		# Each view without it agrees with the totals without it.
		for more in (), ["--own"]:
		    totals = {row["allocator"]: row for row in rows("--csv", "totals", *more)}
		    live = sums(rows("--csv", "objects", *more), ("allocator",), ["bytes"])
		    assert all(live[space, "bytes"] == int(row["live_bytes"])
		               for space, row in totals.items()), (more, live)
		    for space, row in totals.items():
		        steps = [step for step in rows("--csv", "timeline", *more) if step["allocator"] == space]
		        if steps:
		            assert max(int(step["most_bytes"]) for step in steps) == int(row["peak_bytes"])
		            assert int(steps[-1]["live_bytes"]) == int(row["live_bytes"]), (space, more)
		            assert sum(int(step["allocs"]) for step in steps) == int(row["allocs"])
		    peak = sums(rows("--csv", "sites", *more), ("allocator",), ["peak_bytes"])
		    assert all(peak[space, "peak_bytes"] == int(row["peak_bytes"])
		               for space, row in totals.items()), (more, peak)
	END
}

# ---- marks, names and interrupts ----

setup own
"$report" --show totals,peak,tasks trace >out 2>&1
compare own/report
"$report" --own --show totals,peak,tasks trace >out 2>&1
compare own/all
parts trace
parts trace --site alloc_leaf
parts trace --between 0.0000002,0.0000009
expect 0 'cpu0.out: 18 records, clean' "$program_dir/kmemtrace-check" trace
"$report" --task '(kmemtrace)' --csv own trace >out || fail "--task (kmemtrace)"
grep -q '^slab,8320,2,' out || fail "its task has no name: $(cat out)"

# Without tasks the marks alone tell, and without marks the names alone.
sed '/ task /d' "$golden/own/trace.asm" >unnamed.asm
sed 's/0x300000000/0/' "$golden/own/trace.asm" >unmarked.asm
for lacks in unnamed:slab,4 unmarked:slab,2; do
	"$here/kmemtrace-asm" ${lacks%:*} <${lacks%:*}.asm
	cp "$golden/own/metadata" "$golden/own/kallsyms" ${lacks%:*}
	"$report" --csv own --columns allocator,allocs ${lacks%:*} >out
	grep -q "^${lacks#*:}$" out || fail "${lacks%:*}: $(cat out)"
done

# ---- generated traces, whose marks are anywhere ----

for with in stack task,cgroup stack,task,cgroup; do
	"$here/kmemtrace-gen" --abi 2 --before 200 --events 6000 --live 900 --pages 20 --cpus 3 \
		--with $with generated >/dev/null || exit 1
	parts generated
	parts generated --cpu 1
done

# The next trace of a chain knows what was its own.
"$program_dir/kmemtrace-export" -q books generated -o books.out || fail "books"
"$here/kmemtrace-asm" next <<-END
	0 clock 0 56 0 5000 0 0 0 0 9000000000000000
END
cp generated/metadata next
cp books.out next
echo "follows: generated" >>next/metadata
for trace in generated next; do
	"$report" --csv own --where "live>0" --columns allocator,live,live_bytes $trace >own-$trace
done
diff own-generated own-next || fail "the next trace has other memory of its own"
exit $failed
