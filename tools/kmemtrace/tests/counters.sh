#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's counters: kmemtraced --counters reads files that change, and the readers show
# the right figures. golden/counters has the expected output; see golden.sh.

# Root mounts a small file system, so run in a mount namespace.
if [ "$(id -u)" -eq 0 ] && [ -z "$own_mounts" ]; then
	own_mounts=1 exec unshare -m "$0"
fi

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"

daemon=$program_dir/kmemtraced
report=$program_dir/kmemtrace-report
check=$program_dir/kmemtrace-check

fail()
{
	echo "FAIL: $*"
	failed=1
}

# ---- readers ----

# stored TEXT: make the trace trace/ with this text of counters
stored()
{
	rm -rf trace
	mkdir trace
	cp "$golden/counters/metadata" trace
	cp "$1" trace/counters
	"$here/kmemtrace-zst" 4096 trace/counters
}

# compare NAME: the file out must equal golden/counters/NAME.
compare()
{
	if [ "$update" ]; then
		cp out "$golden/counters/$1"
	elif ! diff -u "$golden/counters/$1" out; then
		fail "$1"
	fi
}

awk -f "$golden/counters/counters.awk" >text
stored text
"$report" --show all trace >out 2>&1
compare report
"$report" trace >out 2>&1
compare overview
"$report" --json -n 2 trace >out 2>&1
compare json
"$golden/../validate.py" "$golden/../../src/report/kmemtrace-report.schema.json" out || failed=1
expect 0 'counters.zst: 200 readings, clean' "$check" trace
pack trace >stream
"$report" trace >plain-out
TMPDIR=$work "$report" - <stream 2>&1 | sed 's/^standard input/trace/' | diff -u plain-out - ||
	fail "a pipe changes the report"
(cd trace && "$report" | sed 's/^\./trace/') | diff -u plain-out - ||
	fail "no DIR: counters in the current directory are not found"
"$report" --show allocinfo --sort count -n 1 trace >out
grep -q ' jump  net/jump.c:30$' out || fail "--sort count: $(cat out)"
expect 2 'has counters, but no event' "$report" --html page trace
expect 2 'has counters, but no event' "$report" --folded trace
expect 2 'has counters, but no event' "$report" --diff trace trace
expect 2 'has counters, but no event' "$program_dir/kmemtrace-export" -o out.pb.gz pprof trace

# A reader that starts late begins with the next full reading.
sed 1,2d text >late
stored late
expect 0 'counters.zst: 150 readings, clean' "$check" trace

# Ten hours without a reading are no time in which nothing grew.
awk '$1 == "reading" && ++n > 150 { $3 = sprintf("%.0f", $3 + 36000e9) } { print }' text >gap
stored gap
"$report" --show growth trace >out
grep -q '^Growth: 2 of 8 ' out || fail "a gap hides growth: $(cat out)"

# A file that was cut off: what was read is shown.
stored text
truncate -s 3000 trace/counters.zst
expect 1 'no whole frame, and no seek table' "$check" trace
expect 0 'because  counters.zst: cut short: no whole frame from byte' "$report" trace

# refused PROBLEM LINE...: a file with these lines behind a good reading has this problem, and
# the reading is shown.
refused()
{
	problem=$1
	shift
	sed '/^end/q' text >bad
	good=$(wc -c <bad)
	printf '%s\n' "$@" >>bad
	stored bad
	expect 1 "counters.zst: offset $good of its text: $problem" "$check" trace
	expect 0 "counters.zst: damaged at byte $good of its text" "$report" trace
	expect 0 '  counters 1 readings in' "$report" trace
}

# broken PROBLEM LINE...: the same behind the begin of a second reading
broken()
{
	problem=$1
	shift
	sed '/^end/q' text >bad
	printf '%s\n' 'reading delta 1000060000000100 1764000060' "$@" >>bad
	stored bad
	expect 1 "$problem" "$check" trace
	expect 0 'counters.zst: damaged at byte ' "$report" trace
}

refused "expected full or delta, found 'half 1 2'" 'reading half 1 2'
refused "expected two times, found 'delta 1'" 'reading delta 1'
refused "expected two times, found 'delta 9999999999999999999 1'" \
	'reading delta 9999999999999999999 1'
refused 'expected a time that is not before that of the last reading' 'reading delta 5 5'
refused "expected a reading, found '0 1 2'" '0 1 2'
refused "expected a reading, found 'end'" end
long=$(printf '%02000d' 0)
refused 'expected a line of at most 1024 bytes' "$(for _ in $(seq 40); do printf %s "$long"; done)"
broken "expected the number of a row, found '10 1 2'" '10 1 2'
broken "expected the number of a row, found '1152921504606846976 1 2'" '1152921504606846976 1 2'
broken "expected the values of a row, found '0 1'" '0 1'
broken "expected the values of a row, found '0 1 2 3'" '0 1 2 3'
broken "expected the values of a row, found '0 9223372036854775808 2'" '0 9223372036854775808 2'
broken "expected the values of a row, found '0 -1 2'" '0 -1 2'
broken "expected the next number of a row, found '11 1 2 a.c:1 func:a'" 'allocinfo 11 1 2 a.c:1 func:a'
broken 'expected a name of at most 512 bytes' 'vmstat 9 1 '
broken 'expected a name of at most 512 bytes' "vmstat 9 1 $(printf '%0513d' 0)"
broken "expected a row or an end, found 'nonsense 1'" 'nonsense 1'
broken "expected the number of a row, found '1 1 1'" 'gone 1' '1 1 1'
sed '$d' text >bad
stored bad
expect 1 'a reading has no end' "$check" trace
expect 0 'because  counters.zst: a reading has no end' "$report" trace
# A name that a terminal would obey is printed harmlessly.
sed 's/leak_one/le\x1b[31mak/' text >bad
stored bad
"$report" trace >out
! grep -q "$(printf '\033')" out || fail "an escape sequence is printed"

# A damaged frame.
stored text
printf X | dd of=trace/counters.zst bs=1 seek=900 conv=notrunc 2>/dev/null
expect 1 'the frame is damaged' "$check" trace
expect 0 'because  counters.zst: the frame at byte' "$report" trace

# Time and memory are bounded by the text, or by 65536 rows.
make_input()
{
	rm -rf input
	mkdir input
	cp "$golden/counters/metadata" input
	awk -v n="$1" "$lines" >input/counters
	"$here/kmemtrace-zst" 65536 input/counters
}
# shellcheck disable=SC2016 # awk's
for lines in \
	'BEGIN { for (i = 0; i < 100 * n; i++) print "reading full " 2 ^ (i % 50 == 0) + i " 1\nend" }' \
	'BEGIN {
		print "reading full 1 1"
		for (i = 0; i < 10000; i++)
			print "vmstat " i " 1 " i
		print "end"
		for (i = 0; i < 100 * n; i++)
			print "reading full " i + 1 " 1\nvmstat 0 " i " row" i "\nend"
	}' \
	'BEGIN {
		print "reading full 1 1"
		for (i = 0; i < 16 * n; i++)
			print "allocinfo " i " 1 1 file.c:" i " func:f" i
		print "end"
		for (t = 2; t < 20; t++) {
			print "reading delta " t ^ 10 " 1"
			for (i = 0; i < 16 * n; i++)
				print i, t, t
			print "end"
		}
	}'; do
	is_linear "attack: $lines" 100 "$report" --json input
done
# shellcheck disable=SC2016 # awk's
lines='BEGIN {
	print "reading full 1 1"
	for (i = 0; i < n; i++)
		print "vmstat " i " 1 row" i
	print "end\nreading delta 1000 1"
	for (i = 0; i < n; i++)
		print i, 2
	print "end"
}'
make_input 100000
is_small "100,000 rows that change" $((65536 * 55)) 10 "$report" --show trace input
"$report" --show trace input >out
grep -q 'because  counters.zst: 34,464 rows are left out: there are more than 65536' out ||
	fail "rows are left out silently: $(cat out)"

# ---- the collector ----

# rows BYTES OBJECTS: write the files of /proc
rows()
{
	mkdir -p proc/sys/vm
	echo 1 >proc/sys/vm/mem_profiling
	printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n' >allocinfo
	printf '%12d %8d %s\n' "$1" 3 'mm/a.c:1 func:one' 4096 1 'drivers/b.c:2 [mod] func:two' \
		-5 0 'mm/c.c:3 func:three accurate:no' 10 1 'mm/d.c:4 func:twice' \
		20 2 'mm/d.c:4 func:twice' >>allocinfo
	mv allocinfo proc/allocinfo
	cat >proc/slabinfo <<EOF
slabinfo - version: 2.1
# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>
with space         $2     40    200   20    1 : tunables    0    0    0 : slabdata      2      2      0
dentry             10     42    192   21    2 : tunables    0    0    0 : slabdata      2      2      0
EOF
	printf 'nr_free_pages %d\noom_kill 0\n' "$2" >proc/vmstat
	printf 'MemFree:      %d kB\nHugePages_Total:   3\n' "$2" >proc/meminfo
}

# readings: print the number of readings in data/
readings()
{
	zstdcat data/counters.zst 2>/dev/null | grep -c '^end$'
}

# wait_for N: until data/ has N readings
wait_for()
{
	for _ in $(seq 200); do
		[ "$(readings)" -ge "$1" ] && return
		sleep 0.05
	done
	fail "no $1 readings after 10 s: $(cat log)"
}

# start OPTION...: read proc/ into data/
start()
{
	rm -rf data
	"$daemon" --counters 0.1 --proc proc -o data "$@" 2>log &
	daemon_pid=$!
}

rows 1000 30
start
wait_for 2
rows 2000 35
wait_for $(($(readings) + 2))
sed -i /one/d proc/allocinfo
echo '        64        1 mm/new.c:9 func:new' >>proc/allocinfo
wait_for $(($(readings) + 2))
kill -TERM $daemon_pid
wait $daemon_pid
status=$?
[ $status -eq 0 ] || fail "exit status $status after SIGTERM: $(cat log)"
grep -q 'Terminated: stopping' log || fail "no message: $(cat log)"
zstdcat data/counters.zst >text
sed -n '2,/^end/p' text | grep -v reading >out
cat >want <<'EOF'
allocinfo 0 1000 3 mm/a.c:1 func:one
allocinfo 1 4096 1 drivers/b.c:2 [mod] func:two
allocinfo 2 0 0 mm/c.c:3 func:three
allocinfo 3 30 3 mm/d.c:4 func:twice
slabinfo 4 30 40 200 2 with space
slabinfo 5 10 42 192 4 dentry
vmstat 6 30 nr_free_pages
vmstat 7 0 oom_kill
meminfo 8 30720 MemFree
meminfo 9 3 HugePages_Total
end
EOF
diff -u want out || fail "the first reading"
# Rows that did not change are in full readings only.
for row in '0 2000 3' '4 35 40 200 2' '6 35' '8 35840'; do
	[ "$(grep -cx "$row" text)" -le 1 ] || fail "'$row' is there more than once"
done
! grep -Eq '^(1|2|3|5|7|9) ' text || fail "rows that did not change are there"
"$report" --json -n 100 data >json
# figure NAME: print value, first and count of a row
figure()
{
	awk -F'[":,]+' -v name="$1" '
	/"name"/ { found = $3 == name }
	found && /"(value|first|count)"/ { printf "%s=%s ", $2, $3 }' json
}
[ "$(figure one)" = "value=0 first=1000 count=0 " ] || fail "one: $(figure one)"
[ "$(figure new)" = "value=64 first=0 count=1 " ] || fail "new: $(figure new)"
[ "$(figure 'with space')" = "value=7000 first=6000 count=35 " ] ||
	fail "with space: $(figure 'with space')"
"$golden/../validate.py" "$golden/../../src/report/kmemtrace-report.schema.json" json || failed=1
expect 0 'readings, clean' "$check" data
grep -qx 'unseen: boot events' data/metadata || fail "unseen: $(grep unseen data/metadata)"
grep -qx 'state: complete' data/metadata || fail "state: $(grep state data/metadata)"
expect 2 'holds a trace already' "$daemon" --counters 1 --proc proc -o data -t 0.1

# A file that was there at the start and vanishes is reported.
rows 1 1
start -t 1
wait_for 2
rm proc/slabinfo
wait $daemon_pid
status=$?
[ $status -eq 1 ] || fail "exit status $status without slabinfo"
grep -q 'proc/slabinfo: No such file or directory; it is read no more' log || fail "$(cat log)"

# Killed: the file is valid up to the last reading.
rows 1 1
start
wait_for 3
kill -KILL $daemon_pid
wait $daemon_pid 2>/dev/null
expect 0 'because  kmemtraced still runs, or was killed' "$report" data
expect 0 'because  counters.zst: cut short' "$report" data

# A command, a time, a pipe.
rm -rf data
expect 0 'exit status 3' "$daemon" --counters 9 --proc proc -o data -- sh -c 'exit 3'
[ "$(readings)" = 2 ] || fail "$(readings) readings around a command"
start -t 0.35
wait $daemon_pid || fail "-t: exit status $?"
[ "$(readings)" = 5 ] || fail "-t 0.35: $(readings) readings"
"$daemon" --counters 0.1 --proc proc -o - -t 0.35 2>log | TMPDIR=$work "$report" - >out
grep -q '^  counters 5 readings in 0.[34] seconds' out || fail "a pipe: $(cat log out)"
"$daemon" --counters 0.1 --proc proc -o - 2>log | head -c 100 >out
grep -q 'standard output: .*: stopping' log || fail "a closed pipe: $(cat log)"

# A kernel without some of the files, or without all.
rm -rf data proc/allocinfo
expect 0 'no call sites: the kernel needs CONFIG_MEM_ALLOC_PROFILING' \
	"$daemon" --counters 1 --proc proc -o data -t 0.1
expect 0 'not seen: the boot before the source was there, single allocations and frees, the call sites of memory' \
	"$report" data
rm -rf data proc
mkdir proc
expect 2 'proc/meminfo: No such file or directory; no sums of memory' \
	"$daemon" --counters 1 --proc proc -o data
[ ! -e data ] || fail "left data behind"
expect 2 'nonexistent: No such file' "$daemon" --counters 1 --proc nonexistent -o data
rows 1 1
echo 0 >proc/sys/vm/mem_profiling
expect 0 'memory profiling is switched off' "$daemon" --counters 1 --proc proc -o data -t 0.1
for seconds in 0 -1 x '' 1e99 nan; do
	expect 2 --counters "$daemon" --counters "$seconds"
done

# A full disk: readings are lost while it is full, and the next ones are there.
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=320k none small; then
	rm -rf data
	"$daemon" --counters 0.1 --proc proc -o small/data 2>log &
	daemon_pid=$!
	ln -s small/data data
	wait_for 2
	cat /dev/zero >small/fill 2>/dev/null
	for _ in $(seq 100); do
		grep -q 'No space left' log && break
		rows "$(date +%s%N)" 7
		sleep 0.05
	done
	rm small/fill
	wait_for $(($(readings) + 2))
	kill $daemon_pid
	wait $daemon_pid
	status=$?
	[ $status -eq 1 ] || fail "a full disk: exit status $status: $(cat log)"
	grep -q 'No space left on device; trying again' log || fail "a full disk: $(cat log)"
	expect 0 'because  kmemtraced could not read or save everything (interrupted)' \
		"$report" small/data
	expect 0 'readings, clean' "$check" small/data
	umount small
fi
exit $failed
