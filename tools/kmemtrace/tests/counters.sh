#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The readers show the right figures of the kernel's counters. golden/counters has the expected
# output; see golden.sh.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report
check=$program_dir/kmemtrace-check

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
"$report" --json -n 2 trace >json
keep_document json
expect 0 'counters.zst: 200 readings, clean' "$check" trace
pack trace >stream
"$report" trace >plain-out
TMPDIR=$work "$report" - <stream 2>&1 | sed 's/^standard input/trace/' | diff -u plain-out - ||
	fail "a pipe changes the report"
(cd trace && "$report" | sed 's/^\./trace/') | diff -u plain-out - ||
	fail "no DIR: counters in the current directory are not found"
"$report" --show allocinfo --sort allocs -n 1 trace >out
grep -q ' jump  net/jump.c:30$' out || fail "--sort allocs: $(cat out)"
expect 2 'has counters, but no event' "$report" --html page trace
expect 2 'has counters, but no event' "$report" --folded trace
expect 2 'has counters, but no event' "$report" --diff trace trace
expect 2 'has counters, but no event' "$program_dir/kmemtrace-export" -o out.pb.gz pprof trace

# All parts of RAM and the rest are MemTotal, to the byte, in each reading. The rest grows.
make_ram ram
"$report" --csv memory ram >out || fail "--csv memory"
python3 - <<-'END' || fail "parts of RAM: $(cat out)"
	import csv
	with open("out", encoding="utf-8") as file:
	    rows = {row["part"]: row for row in csv.DictReader(file)}
	total, rest = rows.pop("MemTotal"), rows["rest"]
	for when in "begin_bytes", "fullest_bytes", "end_bytes", "change_bytes":
	    assert sum(int(row[when]) for row in rows.values() if row[when]) == int(total[when]), when
	assert int(rest["begin_bytes"]) == 1024 * 102900 and int(rest["end_bytes"]) == 1024 * 141900
	assert 3.6e9 < int(rest["per_hour"]) < 4e9 and not total["per_hour"], rest
	assert int(rows["page cache"]["fullest_bytes"]) == 1024 * 360000, rows["page cache"]
	assert int(rows["vmalloc"]["end_bytes"]) == 1024 * (30000 - 8000), rows["vmalloc"]
	assert {name: row["missing"] for name, row in rows.items() if row["missing"]} == \
	    {"huge pages": "Hugetlb", "per-CPU": "Percpu"}, rows
END
"$report" ram >out
grep -q '^  rest .* a suspect: it grew all the time, an hour by ' out || fail "the rest: $(cat out)"
grep -q '^  Unaccounted ' out || fail "the rest over time: $(cat out)"

# Beside events that begin with what is live, there are the sums of memory at both ends: two columns
# of a view, and no other part.
setup baseline
"$report" trace >events-overview 2>&1
"$report" --show all trace >events-out 2>&1
cat >trace/counters <<EOF
kmemtrace-counters 1
reading full 2009000 1764000000
meminfo 0 1073741824 MemTotal
meminfo 1 368640000 MemFree
meminfo 2 468640000 MemAvailable
end
reading delta 1502009000 1764000001
1 368640512
end
EOF
"$here/kmemtrace-zst" 4096 trace/counters
"$report" trace | grep -v '^  counters ' | diff -u events-overview - || fail "memory in the overview"
"$report" --show all trace >out 2>&1
grep -v '^  counters ' out | diff events-out - | sed -n 's/^> //p' >added
grep -q '^  free  *352M  *-  *352M  *+512B' added || fail "memory at both ends: $(cat added)"
grep -q '^  MemTotal .* fullest: kmemtraced --counters reads it all the time$' added ||
	fail "nothing says what the fullest moment needs: $(cat added)"
! grep '^[A-Z]' added | grep -v '^Where the memory is\|^Counters of the kernel, ' ||
	fail "a part without rows: $(cat added)"

# Beside other events, there are the readings of both ends. They change no other part.
setup stock
"$report" --show all trace >events-out 2>&1
cat >ends <<EOF
kmemtrace-counters 1
reading full 2009000 1764000000
allocinfo 0 409600 100 fs/inode.c:20 func:alloc_inode
allocinfo 1 8192 2 net/gone.c:30 [gone] func:gone
slabinfo 2 1000 1008 192 48 dentry
slabinfo 3 10 64 64 1 kmalloc-64
vmstat 4 90000 nr_free_pages
meminfo 5 368640000 MemFree
meminfo 6 1048576 Slab
end
reading delta 1502009000 1764000001
0 413696 101
gone 1
2 1500 1512 192 72
allocinfo 7 4096 1 net/late.c:40 [late] func:late
6 1146880
end
EOF
cp ends trace/counters
"$here/kmemtrace-zst" 4096 trace/counters
"$report" trace >out 2>&1
compare ends.overview
"$report" --show counters trace >out 2>&1
compare ends.report
"$report" --json -n 2 trace >json
keep_document json
"$report" --csv counters --where is_total=0 \
	--columns table,name,place,module,value,first,count,first_count trace >out
diff -u - out <<'EOF' || fail "rows of counters"
table,name,place,module,value,first,count,first_count
allocinfo,alloc_inode,fs/inode.c:20,,413696,409600,101,100
allocinfo,gone,net/gone.c:30,gone,0,8192,0,2
slabinfo,dentry,,,288000,192000,1500,1000
slabinfo,kmalloc-64,,,640,640,10,10
vmstat,nr_free_pages,,,90000,90000,,
meminfo,MemFree,,,368640000,368640000,,
meminfo,Slab,,,1146880,1048576,,
allocinfo,late,net/late.c:40,late,4096,0,1,0
EOF
"$report" --show all trace 2>&1 |
	awk '/^  counters / { next } /^Counters of/ { exit } NR > 1 { print last } { last = $0 }' |
	diff -u events-out - || fail "counters change the views of events"
"$report" --size 64 trace >out 2>&1
! grep -q 'Counters of' out || fail "a filter: $(cat out)"
"$report" trace >plain-out
pack trace >stream
TMPDIR=$work "$report" - <stream 2>&1 | sed 's/^standard input/trace/' | diff -u plain-out - ||
	fail "a pipe changes the ends"
expect 0 'counters.zst: 2 readings, clean' "$check" trace
sed '/^end/q' ends >trace/counters
"$here/kmemtrace-zst" 4096 trace/counters
"$report" trace >out 2>&1
compare ends.one

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
	expect 0 '  counters 1 reading in' "$report" trace
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
check_documents
exit $failed
