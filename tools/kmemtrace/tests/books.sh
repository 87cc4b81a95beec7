#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A chain of traces must say what one trace of the whole time says: each record is taken once,
# and each trace knows what was live when it began, and who allocated it.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

# follow N FROM TO: make trace N of the chain, from the end of trace N - 1 to the time TO; empty:
# to the end. All streams are in both traces from their begin, as if kmemtraced had split them
# then.
follow()
{
	rm -rf "$1"
	cp -r whole "$1"
	[ -z "$3" ] || echo "until_ns: $3" >>"$1/metadata"
	[ -n "$2" ] || return
	{
		echo "follows: $2"
		sed -n 's/^bytes\.cpu/overlap.cpu/p' whole/metadata
	} >>"$1/metadata"
	"$program_dir/kmemtrace-export" -q books "$2" -o "$1/books.out" || failed=1
}

# chain OPTION...: make a trace, and a chain of three that has the same records.
chain()
{
	rm -rf whole
	"$here/kmemtrace-gen" --abi 2 --before 500 --events 20000 --live 3000 --pages 20 \
		--cpus 4 "$@" whole >live || exit 1
	follow 1 '' "$first_cut"
	follow 2 1 "$second_cut"
	follow 3 2 ''
}

# same TEXT: the chain must have the figures of the whole trace.
same()
{
	for trace in whole 1 2 3; do
		"$program_dir/kmemtrace-check" "$trace" >out || { cat out; failed=1; }
	done
	python3 - "$program_dir/kmemtrace-report" <<-'END' || { echo "FAIL: $1"; failed=1; }
		import csv, subprocess, sys
		# They depend on flags, blocks and steps of sizes, which no snapshot has, or are about
		# what was allocated in the trace alone.
		UNKNOWN = {"gfp", "orders", "requests", "sizes", "suspects"}, {"live_avoidable"}
		def report(*arguments):
		    return subprocess.run([sys.argv[1], *arguments], check=True, text=True,
		                          stdout=subprocess.PIPE).stdout
		def rows(name, trace):
		    return list(csv.DictReader(report("--csv", name, trace).splitlines()))
		def of(name, traces=("whole", "1", "2", "3")):
		    return [rows(name, trace) for trace in traces]
		for (trace,), reasons in zip(of("trace"), of("reasons")):
		    assert trace["complete"] == "true", reasons
		    assert trace["unexplained"] == "0", trace
		whole, *events = [int(trace["events"]) for trace, in of("trace")]
		assert min(events) > 1000 and sum(events) == whole, (events, whole)
		whole, *parts = of("totals")
		for total, *of_parts in zip(whole, *parts):
		    for key in "allocs", "free_calls", "failed", "bytes_req", "bytes":
		        assert sum(int(row[key] or 0) for row in of_parts) == int(total[key] or 0), key
		# What is live, by all that makes groups.
		columns = {line.split()[0]: report("--csv", line.split()[0], "--columns", "list").splitlines()
		           for line in report("--csv", "list").splitlines()}
		groups = {name for name, lines in columns.items()
		          if any(line.split()[0] == "live_bytes_req" for line in lines)}
		assert len(groups) > 10, groups
		def live(row, keys):
		    return str([(key, value) for key, value in sorted(row.items()) if key in keys or
		                key.startswith("live") and key not in UNKNOWN[1]])
		for name in groups - UNKNOWN[0]:
		    # Another trace has other numbers.
		    keys = {line.split()[0] for line in columns[name]
		            if ", key:" in line and "in the trace" not in line}
		    whole, last = ([live(row, keys) for row in part if row["live"] != "0"]
		                   for part in of(name, ("whole", "3")))
		    assert sorted(whole) == sorted(last), name
	END
}

first_cut=3000000 second_cut=7000000
chain --seed 1
same 'little-endian'
chain --seed 2 --order big
same 'big-endian'
chain --seed 3 --cycles 2400000001 --skew 3000
same 'cycles, and clocks that differ'
chain --seed 4 --compress
same 'compressed'
chain --seed 7 --with stack,task,cgroup
same 'who allocated'
chain --seed 8 --with stack,task --order big
same 'who allocated, big-endian'
chain --seed 6 --sample 4
same 'a sample'
"$program_dir/kmemtrace-report" --growth --json -n 10000 1 2 3 >growth.json
"$program_dir/kmemtrace-report" --json -n 10000 --show sites 3 >3.json
python3 - <<-'END' || { echo "FAIL: --growth of a sample"; failed=1; }
	import json
	with open("growth.json", encoding="utf-8") as file:
	    grown = {row["name"]: row for row in json.load(file)["grown"]
	             if row["allocator"] == "slab"}
	with open("3.json", encoding="utf-8") as file:
	    sites = {row["site"]: row for row in json.load(file)["sites"]
	             if row["allocator"] == "slab"}
	both = grown.keys() & sites.keys()
	assert len(both) > 10, both
	for name in both:
	    assert grown[name]["last_live_bytes"] == sites[name]["live_bytes"], name
	    assert grown[name]["last_live"] == sites[name]["live"], name
END
sed -i 's/^sample: 4/sample: 2/' 3/metadata
expect 0 'books.out: the trace before has one of 4 slab objects, this one has one of 2' \
	"$program_dir/kmemtrace-report" 3

# The first record that isn't in the books is the first of the last trace, also where both
# traces share only the end of the one before.
for cpu in 0 1 2 3; do
	bytes=$(sed -n "s/^bytes\.cpu$cpu: //p" whole/metadata)
	expect 0 'clean' "$program_dir/kmemtrace-check" 3/books.out
	sed -i "s/^overlap\.cpu$cpu: .*/overlap.cpu$cpu: $((bytes / 100))/" 3/metadata
done
expect 0 'bytes of streams are missing between the trace before and this one' \
	"$program_dir/kmemtrace-report" 3

# Metadata that makes no sense.
sed -i 's/^overlap\.cpu0: .*/overlap.cpu0: 18446744073709551615/' 3/metadata
expect 0 'bytes of streams are missing between the trace before and this one' \
	"$program_dir/kmemtrace-report" 3
for until in 0 1 18446744073709551615 none; do
	sed -i "s/^until_ns: .*/until_ns: $until/" 1/metadata
	expect 0 ' lost' "$program_dir/kmemtrace-report" 1
	if grep -E 'events .* in [0-9]{4,}' out; then
		echo "FAIL: until_ns: $until"
		failed=1
	fi
done

# Without the books, or with a part of them.
chain --seed 5
cp 3/books.out books
rm 3/books.out
expect 0 'write it with kmemtrace-export books, from trace 2 of the chain' \
	"$program_dir/kmemtrace-report" 3
head -c 5000 books >3/books.out
expect 0 'books.out: damaged, or cut short' "$program_dir/kmemtrace-report" 3
expect 1 'tail: ' "$program_dir/kmemtrace-check" 3
{ cat books; head -c 5000 whole/cpu0.out; } >3/books.out
expect 0 'books.out: damaged, or cut short' "$program_dir/kmemtrace-report" 3
: >3/books.out
expect 0 'INCOMPLETE' "$program_dir/kmemtrace-report" 3
yes | head -c 5000 >3/books.out
expect 2 'books.out: not a kmemtrace stream' "$program_dir/kmemtrace-report" 3

# What is missing in one trace is missing in those that follow.
again()
{
	for trace in 2 3; do
		rm $trace/books.out
		"$program_dir/kmemtrace-export" -q books $((trace - 1)) -o $trace/books.out 2>/dev/null
	done
}
sed -i 's/^state: complete/state: interrupted/' 1/metadata
again
expect 0 'one of the 2 traces before it is INCOMPLETE' "$program_dir/kmemtrace-report" 3
sed -i 's/^lost\.cpu1: 0/lost.cpu1: 7/; s/^overruns\.cpu1: 0/overruns.cpu1: 448/
	/^until_ns/d' 1/metadata
again
expect 0 '7 events lost in the 2 traces before it' "$program_dir/kmemtrace-report" 3

mkdir chain
mv 1 chain/000001
expect 2 'it has traces of a chain' "$program_dir/kmemtrace-report" chain
mv chain/000001 1

# Only a whole trace has books, and none is overwritten.
expect 2 'only a whole trace has books' "$program_dir/kmemtrace-export" books --at 0.001 1 -o new
expect 2 "don't apply" "$program_dir/kmemtrace-export" books --cpu 1 1 -o new
expect 2 'remove it' "$program_dir/kmemtrace-export" books 1 -o 2/books.out
[ ! -e new ] || { echo 'FAIL: a file is left after an error'; failed=1; }

# The books say what the numbers of the streams before mean, and who has what was live then.
setup who
mv trace first
"$program_dir/kmemtrace-export" -q books first -o books.out || failed=1
"$here/kmemtrace-asm" trace <<'END'
0 clock    0       56   0   50                 1                  0     0     0     5000
0 task     0       72   7   7                  4000               0     0     0     5000 "later" 0
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000005000 100   128   0xcc0 5001 0 2
0 charge   kmalloc 56   -1  9                  0xffff888000005000 0     0     0     5002
1 clock    0       56   1   50                 1                  0     0     0     5000
1 task     0       72   1   1                  10                 0     0     0     5000 "init" 0
1 free     pages   56   -1  0xffffffff81001230 0xffff888000011000 0     4096  0     5003
END
cp "$golden/who/kallsyms" "$golden/who/modules" trace
sed '$a follows: first' "$golden/who/metadata" >trace/metadata
mv books.out trace
expect 1 'first: stack: 1 call path of events has no record, such as 99' \
	"$program_dir/kmemtrace-check" first
expect 0 'books.out: ' "$program_dir/kmemtrace-check" trace
for part in first trace; do
	"$program_dir/kmemtrace-report" --json --show stacks,tasks,processes,cgroups $part >$part.json
	for relation in trace cgroups; do
		"$program_dir/kmemtrace-report" --csv $relation $part >$part.$relation
	done
done
python3 - <<'END' || { echo "FAIL: what the books say of who allocated"; failed=1; }
import csv, json
def read(name, view, space, keys):
    with open(f"{name}.json", encoding="utf-8") as file:
        rows = json.load(file)[view]
    sums = {}
    for row in rows:
        key = str([row.get(key) for key in keys])
        if row["allocator"] == space:
            sums[key] = sums.get(key, 0) + row["live_bytes"]
    return {key: live for key, live in sums.items() if live}
for view, keys, more, less in (
        ("paths", ["path"], "do_write", "do_read"),
        ("tasks", ["task", "tgid"], "later-7", "init-1"),
        ("processes", ["comm", "tgid"], "later", "init"),
        ("cgroups", ["cgroup", "is_removed"], "/web/worker", "/web/worker")):
    for space, change, where in ("slab", 128, more), ("pages", -4096, less):
        first, then = (read(name, view, space, keys) for name in ("first", "trace"))
        for key in first.keys() | then.keys():
            got = then.get(key, 0) - first.get(key, 0)
            assert got == (change if where in key else 0), (view, space, key, got)
# When a cgroup was removed: times are relative to the first record.
def removed(name):
    with open(f"{name}.trace", encoding="utf-8") as file:
        origin, = (int(row["origin_ns"]) for row in csv.DictReader(file))
    with open(f"{name}.cgroups", encoding="utf-8") as file:
        return {row["cgroup"]: origin + int(row["removed_ns"]) for row in csv.DictReader(file)
                if row["removed_ns"]}
assert removed("first").keys() == {"/web/worker"}
assert removed("first") == removed("trace"), (removed("first"), removed("trace"))
END

# Who holds references, wherever the chain was cut, and whichever of them were taken before; a call
# path may have more of an object than a record.
setup references
rm -rf whole
cp -r trace whole
{
	cat "$golden/references/trace.asm"
	for time in 1440 1450 1460; do
		echo "0 reference 0 72 0x7fffffff 0xffffffff81001010 0xffff888000040000 -1 1 0 $time \"net\" 0"
	done
	echo '0 reference 0 72 -0x7fffffff 0xffffffff81001610 0xffff888000040000 -1 4 0 1470 "net" 0'
} | "$here/kmemtrace-asm" whole || exit 1
for cpu in 0 1; do
	echo "bytes.cpu$cpu: $(wc -c <whole/cpu$cpu.out)" >>whole/metadata
done
for cut in 5210 5270 5300 5420 5465; do
	follow 1 '' $cut
	follow 2 1 ''
	clean 2
	for trace in whole 2; do
		"$program_dir/kmemtrace-report" --csv held_references \
			--columns kind,object,site,path,held $trace | sort >$trace.csv
	done
	diff -u whole.csv 2.csv || fail "references of a chain that was cut at $cut"
done
exit $failed
