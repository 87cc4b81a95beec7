#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Reports that begin where an index says: they are the same as without it. An index that is not
# of the trace, or is damaged, is ignored.
#
# SEEDS: numbers of changes to the contents of an index

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
report=$program_dir/kmemtrace-report
gen=$here/kmemtrace-gen
saved_index=indexed/trace/kmemtrace.index

# build EVENTS: copy trace to indexed/trace, with an index of moments EVENTS apart.
build()
{
	rm -rf indexed
	mkdir indexed
	cp -a trace indexed
	"$report" --json trace >plain 2>&1
	(cd indexed && "$report" "--index=$1" --json trace) >index 2>&1
	cmp -s plain index || fail "the report differs while the index is written"
}

# same OPTION...: the report is the same with the index.
same()
{
	"$report" "$@" trace >plain 2>plain-errors
	(cd indexed && "$report" "$@" trace) >late 2>late-errors
	diff plain late >difference || {
		fail "$what: $* differs:"
		head -n 20 difference
	}
	diff plain-errors late-errors || fail "$what: messages with $* differ"
}

# parts SECONDS: the same for parts of the trace, which has so many seconds.
parts()
{
	same --json --show all
	for part in 0.31 0.52 0.97; do
		at=$(echo "$part $1" | awk '{ printf "%.9f", $1 * $2 }')
		same --at "$at" --json --show all
		same --between "$at," --show all --threads 1
		same --between "$at,$(echo "$at $1" | awk '{ print $1 + $2 / 5 }')" --json --threads 3
	done
}

# is_used WHAT: the report begins late, as the first bytes of the streams don't matter.
is_used()
{
	for stream in indexed/trace/cpu*.out; do
		cp -p "$stream" saved
		head -c 4096 /dev/zero | tr '\0' '\377' |
			dd of="$stream" bs=1 seek=500 conv=notrunc 2>/dev/null
		touch -r saved "$stream"
	done
	(cd indexed && "$report" --json trace) >late 2>&1
	cmp -s plain late || fail "$1: the index is not used"
	rm -rf indexed/trace
	cp -a trace indexed
}

# Traces of all kinds, in both byte orders.
for options in "--seed 3 --cpus 5 --skew 300 --before 2000" \
	"--seed 4 --order big --bits 32 --cpus 3 --sample 16" \
	"--seed 7 --cycles 3000000000 --fallback 3" "--seed 5 --compress" \
	"--seed 6 --with stack,task,cgroup --before 1000" "--seed 8 --abi 1 --pages 40"; do
	what=$options
	rm -rf trace
	# shellcheck disable=SC2086
	"$gen" --abi 2 --events 60000 --subbuf 65536 --live 3000 $options trace >/dev/null
	build 5000
	parts 0.033
done

# Faulty and reordered events, and golden traces: each record that concerns all memory ends a
# batch, and is a moment.
for seed in 1 2; do
	for clocks in faulty skewed; do
		what="random trace $seed, $clocks"
		rm -rf trace
		python3 "$srcdir/ledger.py" make $seed $clocks little trace || exit 1
		build 500
		parts "$("$report" --json trace 2>/dev/null | awk -F'[:,]' '
			/"origin_ns"/ { origin = $2 }
			/"last_ns"/ { printf "%.9f", ($2 - origin) / 1e9 }')"
	done
done
for name in findings baseline boot losses moves nodes overwritten partial rules rules-who sample \
	stock who; do
	what=$name
	setup $name
	build 1
	same --json --show all
	for at in 0.000000100 0.00001 0.1; do
		same --at $at --json --show all
		same --between $at, --json --show all
	done
done

# A trace whose index is used; filters and the page need all of it.
what=filters
rm -rf trace
"$gen" --abi 2 --events 60000 --subbuf 65536 trace >/dev/null
build 5000
"$report" --json trace >plain 2>&1
is_used "a whole trace"
build 5000
same --site 'site_1*'
same --cpu 1 --at 0.02
rm -f plain.html late.html
"$report" --html plain.html trace 2>/dev/null
(cd indexed && "$report" --html ../late.html trace) 2>/dev/null
cmp plain.html late.html || fail "the page differs"

# An index holds for the program and the trace that it is of, and gets the mode of the streams.
[ "$(stat -c %a "$saved_index")" = "$(stat -c %a trace/cpu0.out)" ] || fail "the mode of the index"
touch -d 2001-01-01 indexed/trace/cpu0.out
expect 0 "$saved_index: ignored, the trace has changed" "$report" --at 0.02 indexed/trace
build 5000
printf x >>indexed/trace/metadata
expect 0 "$saved_index: ignored, the trace has changed" "$report" --at 0.02 indexed/trace
build 5000
cp -r indexed/trace copied
expect 0 "ignored, the trace has changed since, or was copied" "$report" copied
rm -f "$saved_index"
mkdir "$saved_index"
expect 0 "$saved_index: not a regular file" "$report" --at 0.02 indexed/trace
expect 2 "$saved_index" "$report" --index indexed/trace
rmdir "$saved_index"

# If the index can't be written, the report is printed, and the exit status is 2.
expect 2 "--index is beside a trace" "$report" --index - </dev/null
expect 2 "--index needs a whole trace" "$report" --index --at 1 trace
expect 2 "--index: '0' makes no sense" "$report" --index=0 trace
(flock 3; expect 2 "kmemtrace.index.new: another program writes it" \
	"$report" --index trace) 3>trace/kmemtrace.index.new
grep -q '^Totals' out || fail "no report without an index"
rm trace/kmemtrace.index.new
chmod 500 trace
[ "$(id -u)" = 0 ] || expect 2 "trace/kmemtrace.index.new: Permission denied" "$report" --index trace
chmod 700 trace

# A trace that changes while it is read gets no index.
rm -rf grown
"$gen" --abi 2 --events 300000 grown >/dev/null
{
	"$report" --index=20000 grown >/dev/null 2>grown-errors
	echo $? >grown-status
} &
while [ ! -s grown/kmemtrace.index.new ] && [ ! -e grown-status ]; do :; done
printf x >>grown/metadata
wait
[ "$(cat grown-status)" = 2 ] || fail "exit status $(cat grown-status) of a trace that grows"
grep -q 'the trace changed while it was read' grown-errors || fail "$(cat grown-errors)"
[ -z "$(find grown -name 'kmemtrace.index*')" ] || fail "a trace that grows has an index"

# Without its end, or with damaged frames, the index is ignored. One whose contents were changed,
# with checksums that fit, may lie: but it does no harm.
build 5000
cp -p "$saved_index" good
"$report" --at 0.02 --json trace >plain
size=$(stat -c %s good)
for cut in 0 1 39 40 $((size / 2)) $((size - 1)); do
	head -c "$cut" good >"$saved_index"
	(cd indexed && "$report" --at 0.02 --json trace) >late 2>errors
	cmp -s plain late || fail "the report differs with $cut bytes of the index"
	grep -q 'index: ignored' errors || fail "$cut bytes of the index are no index"
done
for at in 5 1000 $((size / 3)) $((size - 20)) $((size - 60)); do
	cp -p good "$saved_index"
	printf '\377\252\125' | dd of="$saved_index" bs=1 seek="$at" conv=notrunc 2>/dev/null
	(cd indexed && "$report" --at 0.033 --json trace) >late 2>/dev/null
	"$report" --at 0.033 --json trace >plain
	cmp -s plain late || fail "the report differs with a damaged index at $at"
done
for seed in ${SEEDS-$(seq 1 20)}; do
	"$here/kmemtrace-reindex" "$seed" <good >"$saved_index" || exit 1
	case $((seed % 3)) in
	0)	part=--at\ 0.033 ;;
	1)	part=--at\ 0.02 ;;
	2)	part=--between\ 0.031, ;;
	esac
	# shellcheck disable=SC2086
	timeout 60 "$report" $part --show all indexed/trace >late 2>errors
	status=$?
	[ $status -le 2 ] || {
		fail "exit status $status with $part and the index of seed $seed:"
		cat errors
	}
done
exit $failed
