#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-report --growth finds what grows over a chain of traces. growth-chain.py has the
# traces, golden/growth the expected output; see golden.sh.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report

# compare NAME: the file out must equal golden/growth/NAME.
compare()
{
	if [ "$update" ]; then
		cp out "$golden/growth/$1"
	elif ! diff -u "$golden/growth/$1" out; then
		fail "$1"
	fi
}

# describe DIR: write the metadata.
describe()
{
	cat >"$1/metadata" <<-END
	abi_version: 2
	kernel_release: 6.12.0-test
	byte_order: little
	page_size: 4096
	host: board
	boot_id: 01234567-89ab-cdef-0123-456789abcdef
	total_overruns: 0
	state: complete
	END
}

# link I [SHIFT]: make trace I of the chain in the folder I, with call sites at addresses that
# are SHIFT higher.
link()
{
	"$srcdir/growth-chain.py" "$1" "${2:-0}" >asm
	rm -rf "$1"
	"$here/kmemtrace-asm" "$1" <asm || exit 1
	describe "$1"
	at=$((0x1000 + ${2:-0}))
	{
		echo 'ffffffff81000000 T _stext'
		for name in leak saw flat gone step pages area percpu; do
			printf 'ffffffff81%06x T %s\n' "$at" "$name"
			at=$((at + 0x100))
		done
		printf 'ffffffff81%06x R __start_rodata\n' "$at"
	} >"$1/kallsyms"
}

# Rates and chances are known, and the order of the directories does not matter.
for i in 0 1 2 3 4; do
	link "$i"
	"$program_dir/kmemtrace-check" "$i" >out || fail "trace $i: $(cat out)"
done
"$report" --growth 3 1 0 4 2 >out 2>&1
compare report
"$report" --growth --json 0 1 2 3 4 >out 2>&1
keep_document out
grep -q '^  {"allocator":"slab","name":"leak+0x10","per_hour":128,"chance":0.00833333,"falls":0,"first_live_bytes":128,"first_live":2,"last_live_bytes":640,"last_live":10}' out ||
	fail "JSON of a leak: $(grep leak out)"
"$report" --growth --all -g function 4 3 2 1 0 >out 2>&1
compare all
"$report" --growth -n 2 0 1 2 3 4 >out
grep -q '^  and 4 more$' out || fail "-n 2: $(cat out)"
"$report" --growth -n 2 --json 0 1 2 3 4 >out
keep_document out
[ "$(grep -c '"per_hour"' out)" = 2 ] || fail "--json -n 2: $(cat out)"

# Two traces are never certain.
"$report" --growth 2 3 >out
grep -q '^ *128B *50.0% .* slab  *leak+0x10$' out || fail "two traces: $(cat out)"

# The kernel loaded a module again, at another address.
for i in 3 4; do
	link "$i" 65536
done
"$report" --growth 0 1 2 3 4 >out
diff -u "$golden/growth/report" out || fail "addresses change the report"

# Of several functions of one name, each has a row. Those that moved may be others.
for i in 0 1 2 3 4; do
	sed -i 's/ saw$/ leak/' "$i/kallsyms"
done
"$report" --growth --all 0 1 2 3 4 | sed 's/ *$//' >out
for line in 'leak+0x10 (1 of 2) (moved)' 'leak+0x10 (2 of 2) (moved)'; do
	[ "$(grep -c " slab  *$line\$" out)" = 1 ] || fail "no single row '$line': $(cat out)"
done

# Another function of its name appears later.
for i in 0 1 2 3 4; do
	link "$i"
done
for i in 2 3 4; do
	echo 'ffffffff81800000 t leak' >>"$i/kallsyms"
done
for options in '' '-g function'; do
	# shellcheck disable=SC2086 # options
	"$report" --growth $options 0 1 2 3 4 >out
	[ "$(grep -c ' slab  *leak' out)" = 1 ] || fail "rows of leak: $(cat out)"
	sed 's/ (1 of 2)$//; s/leak$/leak+0x10/' out | diff -u "$golden/growth/report" - >difference
	! grep '^[-+].* leak' difference || fail "another leak changes leak"
done
for i in 2 3 4; do
	link "$i"
done

# ---- errors ----
expect 2 '--growth needs two DIRs or more' "$report" --growth 0
expect 2 '--all, without --growth' "$report" --all 0
expect 2 'without --diff or --growth' "$report" 0 1
expect 2 "--growth and --diff can't be combined" "$report" --growth --diff 0 1
expect 2 "can't read the standard input" "$report" --growth 0 -
for option in --html=page --folded; do
	expect 2 "--growth and --folded or --html can't be combined" "$report" --growth "$option" 0 1
done
expect 2 '--growth --csv takes chain, traces, reasons, left_out, grown or grown_values' \
	"$report" --growth --csv sites 0 1
expect 2 '--where and --columns, without --csv, or with --diff or --growth' \
	"$report" --growth --csv grown --where 'falls>0' 0 1
expect 2 "--show and --growth can't be combined" "$report" --growth --show sites 0 1
expect 2 "--sort and --growth can't be combined" "$report" --growth --sort allocs 0 1
for option in --at=1 --between=0,1 --site=leak --cpu=0; do
	expect 2 '--growth needs whole traces' "$report" --growth "$option" 0 1
done
expect 2 '1: begins before the end of 1;' "$report" --growth 0 1 1
cp -r 1 copy
expect 2 'copy: begins before the end of 1;' "$report" --growth copy 0 1
cp -r 2 other
sed -i 's/^boot_id: 0/boot_id: 1/' other/metadata
expect 2 'other: is of another boot than 0;' "$report" --growth 0 other 1
sed -i 's/^host: board/host: desk/' other/metadata
expect 2 'other: is of another machine than 0;' "$report" --growth 0 1 other
sed -i '/^host\|^boot_id/d' other/metadata
expect 0 '3 traces of one boot' "$report" --growth 0 1 other

# A directory that can't be read changes the exit status only.
mkdir empty
expect 2 'empty' "$report" --growth 0 empty 1 2 missing
grep -q '^3 traces of one boot' out || fail "the others are not shown: $(cat out)"
grep -q '^unreadable: 2 of 5 directories$' out || fail "failures are not counted: $(cat out)"
expect 2 'needs two traces or more, and only one could be read' "$report" --growth 0 missing
expect 2 'needs two traces or more, and none could be read' "$report" --growth empty missing

# ---- traces that say less ----
cp -r 1 lossy
sed -i 's/^state: .*/state: interrupted/' lossy/metadata
expect 0 'INCOMPLETE: 1 of 3 traces' "$report" --growth 0 lossy 2
grep -q '^  lossy: kmemtraced could not' out || fail "no reason: $(cat out)"
"$report" --growth --json 0 lossy 2 >out
keep_document out
grep -q '"complete":false' out || fail "JSON without INCOMPLETE: $(cat out)"
grep -v snapshot asm >bare
"$here/kmemtrace-asm" bare-4 <bare
describe bare-4
expect 0 'without a baseline, so older memory is missing: 1 of 3 traces' "$report" --growth 0 1 bare-4

# Without a baseline of the first trace, the rows of older memory begin with the second one.
for i in 0 1 2 3 4; do
	link "$i"
done
"$srcdir/growth-chain.py" 1 0 | grep -v snapshot >bare
"$here/kmemtrace-asm" bare-1 <bare
describe bare-1
cp 1/kallsyms bare-1
"$report" --growth bare-1 2 3 4 >out 2>&1
compare bare
"$report" --growth --json bare-1 2 3 4 >out
keep_document out
python3 - <<-'END' || fail "first values: $(cat out)"
	import json
	report = json.load(open("out", encoding="utf-8"))
	times = sorted({value["time_ns"] for value in report["grown_values"]})
	assert times == [trace["end_ns"] for trace in report["traces"]], times
	for row in report["grown"]:
	    values = [value for value in report["grown_values"]
	              if (value["allocator"], value["name"]) == (row["allocator"], row["name"])]
	    is_late = row["name"].startswith("(") or row["allocator"] == "vmalloc"
	    assert [value["time_ns"] for value in values] == times[is_late:], (row, values)
	    assert row["first_live_bytes"] == values[0]["live_bytes"], (row, values)
	    assert row["last_live_bytes"] == values[-1]["live_bytes"], (row, values)
END
"$report" --growth bare-1 bare-4 >out
grep -q 'older memory is missing: 2 of 2 traces' out || fail "no baseline: $(cat out)"

# There is no older memory if the trace begins with the boot.
awk '{ print } /clock/ { print "0 phase 1 56 0 0 0 0 0 0 " $NF }' bare >boot
"$here/kmemtrace-asm" boot-1 <boot
describe boot-1
cp 1/kallsyms boot-1
"$report" --growth boot-1 2 3 4 >out
! grep baseline out || fail "a boot needs no baseline"
grep -q ' pages  *(before tracing began)$' out || fail "boot: $(cat out)"

# The last trace of a chain that is being recorded has no books yet. It has some records of the
# trace before.
cp -r 4 running
sed -i 's/^state: .*/state: running/' running/metadata
echo 'follows: 000004' >>running/metadata
"$report" --growth running 0 1 2 3 4 >out 2>&1 || fail "running: status $?"
grep -q '^left out, since books.out is missing: running$' out || fail "running: $(cat out)"
grep -v '^left out' out | diff -u "$golden/growth/report" - || fail "a trace without books counts"
"$report" --growth --json running 0 1 2 3 4 >out
keep_document out
grep -q '^  {"trace":"running"}]' out || fail "JSON without left_out: $(cat out)"
tables=$("$srcdir/same-tables.py" "$report" --growth --all running 0 1 2 3 4 2>errors)
[ "$tables" = 'chain grown grown_values left_out reasons traces' ] ||
	fail "CSV: $tables $(cat errors)"
expect 2 'traces left out, since their books.out is missing: 1' "$report" --growth 0 running
"$program_dir/kmemtrace-export" -q books 3 -o running/books.out || fail "no books"
expect 0 '5 traces of one boot' "$report" --growth 0 1 2 3 running
! grep 'left out' out || fail "a trace with books is left out"

# The name of a directory is the same text in all tables.
raw=$(printf 'raw\377\376')
cp -r 4 "$raw"
for options in "--csv trace --columns trace" "--growth --csv traces 0"; do
	# shellcheck disable=SC2086
	expect 0 'raw\xff\xfe' "$report" $options "$raw"
done

# ---- more traces than points ----
# A page more each time, and in trace 80 one that is freed before the next one.
for i in $(seq 0 99); do
	awk -v i="$i" 'BEGIN {
		time = sprintf("%.0f", 1e9 + i * 60e9)
		base = "0xffff8880%08x"
		print "0 clock 0 56 0 " time " 0 0 0 0 " time
		if (i)
			printf "0 snapshot pages 56 0 1 " base " 1 %d 0 %s\n", 0, 4096 * i, time
		print "0 snapshot end 56 0 0 0 0 0 0 " time
		printf "0 alloc pages 56 -1 0xffffffff81001010 " base " 4096 4096 0xcc0 %s\n",
			4096 * i, time
		if (i == 80)
			printf "0 alloc pages 56 -1 0xffffffff81001110 " base \
				" 4096 4096 0xcc0 %s\n", 1048576, time
	}' | "$here/kmemtrace-asm" "many-$i"
	describe "many-$i"
done
"$report" --growth many-* >out
for line in '^rates and chances are those of the ends of 64 traces$' '^Growth: 1 of 2 ' \
	'^  1 shrank at times, 0 stayed' \
	'^ *240K *<0.01% *400K *+396K *+99 *|.*|  pages *0xffffffff81001010$'; do
	grep -q "$line" out || fail "many traces: no $line: $(cat out)"
done
"$report" --growth --json many-* >out
keep_document out
[ "$(grep -o '"time_ns":[0-9]*' out | sort -u | wc -l)" = 64 ] ||
	fail "many traces have other times: $(grep time_ns out)"

# Two call sites of one trend: the one that grew by more is first, whatever their names are.
for i in 0 1 2 3 4 5; do
	awk -v i="$i" 'BEGIN {
		time = sprintf("%.0f", 1e9 + i * 60e9)
		print "0 clock 0 56 0 " time " 0 0 0 0 " time
		print "0 snapshot end 56 0 0 0 0 0 0 " time
		for (n = 0; n < 2; n++)
			for (page = 0; page <= i + (n && i == 5); page++)
				printf "0 alloc pages 56 -1 0xffffffff810011%d0 0xffff8880%08x " \
					"4096 4096 0xcc0 %s\n", n, 1048576 * (n + 1) + 4096 * page, time
	}' | "$here/kmemtrace-asm" "trend-$i"
	describe "trend-$i"
done
"$report" --growth --csv grown trend-* >out
[ "$(sed 's/,first.*//; s/^[^,]*,//; s/,.*//' out | tr '\n' ' ')" = \
	'name 0xffffffff81001110 0xffffffff81001100 ' ] ||
	fail "call sites of one trend: $(cat out)"

# ---- counters ----
awk -f "$golden/counters/counters.awk" >text
for i in 0 1 2 3; do
	mkdir "counters-$i"
	cp "$golden/counters/metadata" "counters-$i"
	awk -v i="$i" '/^kmemtrace-counters/ { n++ } n == i + 1' text >"counters-$i/counters"
	"$here/kmemtrace-zst" 4096 "counters-$i/counters"
done
"$report" --growth counters-3 counters-2 counters-1 counters-0 >out
compare counters
"$report" --growth --json counters-* >out
keep_document out
expect 2 'counters-0: has counters, but no event, other than' "$report" --growth 0 counters-0
check_documents
exit $failed
