#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of kmemtrace-check and kmemtrace-report for known traces. golden/NAME holds a
# trace (see kmemtrace-asm.c) and the expected output. To update it:
#	make -C tests golden-update
# golden-generated.sh and golden-packed.sh continue; "make -j" runs all three beside each other.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

for name in findings bare baseline losses stock partial overwritten sample; do
	setup $name
	"$program_dir/kmemtrace-report" --show all trace >out 2>&1
	compare $name/report
	"$program_dir/kmemtrace-report" trace >out 2>&1
	compare $name/overview
done
setup findings
"$program_dir/kmemtrace-report" --json -n 1 trace >out 2>&1
compare findings/json
"$program_dir/kmemtrace-report" --show all -n 1 --sort count trace >out 2>&1
compare findings/report-n1
for name in baseline losses stock partial overwritten sample; do
	setup $name
	"$program_dir/kmemtrace-report" --json trace >out 2>&1
	compare $name/json
done

# The same events from a big-endian machine make the same report, but for the line on the kernel.
for name in findings bare baseline losses nodes moves grouped stock partial overwritten sample \
	who; do
	for order in little big; do
		setup $name $order
		[ ! -e trace/metadata ] ||
			sed -i "s/^byte_order: .*/byte_order: $order/" trace/metadata
		"$program_dir/kmemtrace-report" --show all trace 2>&1 |
			sed '/^  kernel /d' >report-$order
		"$program_dir/kmemtrace-report" --json trace 2>&1 |
			sed '/"byte_order"/d' >json-$order
		"$program_dir/kmemtrace-check" trace >check-$order 2>&1
	done
	for part in report json check; do
		diff -u $part-little $part-big || {
			echo "FAIL: $name: the byte order changes the $part"
			failed=1
		}
	done
done

setup nodes
"$program_dir/kmemtrace-report" --show nodes trace >out 2>&1
compare nodes/report
"$program_dir/kmemtrace-report" --show nodes --json trace >json
valid json
sed -n '/^  "nodes"/,$p' json >out
compare nodes/json

# Pages stay those of the code that allocated them, wherever their contents are moved.
setup moves
"$program_dir/kmemtrace-report" --show totals,peak,sites,baseline,lifetimes,findings trace >out
compare moves/report
expect 0 'cpu1.out: 12 records, clean' "$program_dir/kmemtrace-check" trace
"$program_dir/kmemtrace-report" --json -n 100 trace >json
adds_up "pages that were moved" json

# Who allocates: all parts, the other tree, the groups, what they select, and flame graphs.
setup who
"$program_dir/kmemtrace-report" --show all trace >out 2>&1
compare who/report
"$program_dir/kmemtrace-report" trace >out 2>&1
compare who/overview
"$program_dir/kmemtrace-report" --json trace >out 2>&1
compare who/json
{
	"$program_dir/kmemtrace-report" --stacks=bottom-up trace
	"$program_dir/kmemtrace-report" --stacks -n 2 trace
	"$program_dir/kmemtrace-report" --stacks --group-by module trace
	for key in stack task process cgroup; do
		"$program_dir/kmemtrace-report" --show sites,peak --group-by $key trace
	done
} >out 2>&1
compare who/groups
for only in "--task shell" "--task 101" "--task 100" "--task (softirq)" "--task nobody" \
	"--cgroup /web" "--cgroup /web/worker" "--cgroup /*" "--cgroup /none" "--stack do_read" \
	"--stack driver_*" "--stack do" "--task server --stack do_write"; do
	# shellcheck disable=SC2086 # two words for an option
	"$program_dir/kmemtrace-report" --show totals,stacks $only trace
done >out 2>&1
compare who/filters
"$program_dir/kmemtrace-report" --folded trace >out 2>&1
compare who/folded
for part in stacks tasks processes cgroups; do
	for order in live alloc; do
		"$program_dir/kmemtrace-report" --json -n 100 --sort $order \
			--show totals,$part trace >json
		python3 - $part <<-'END' || failed=1
			import json, sys
			with open("json", encoding="utf-8") as file:
			    report = json.load(file)
			for space, rows in report[sys.argv[1]].items():
			    for key in "allocs", "bytes_req", "bytes_alloc", "live":
			        total = report["totals"][space][key]
			        assert sum(row[key] for row in rows) == total, (space, key)
		END
	done
done
expect 1 'trace: stack: 1 call paths of events have no record, such as 99' \
	"$program_dir/kmemtrace-check" trace

# The difference to another kernel, whose addresses differ, without what interrupts allocate.
rm -rf who-before
mv trace who-before
sed '/0x[12]000000[0-9]*$/d; s/0xffffffff8100/0xffffffff8200/g' "$golden/who/trace.asm" \
	>other.asm
"$here/kmemtrace-asm" trace <other.asm
sed 's/^ffffffff8100/ffffffff8200/' "$golden/who/kallsyms" >trace/kallsyms
cp "$golden/who/metadata" "$golden/who/modules" trace
{
	for key in site stack task process cgroup; do
		"$program_dir/kmemtrace-report" --diff --group-by $key who-before trace
	done
	"$program_dir/kmemtrace-report" --diff --json --group-by stack who-before trace >json
} >out 2>&1
compare who/diff
valid json

# What an overwritten part says of the task still holds after it.
rm -rf trace
"$here/kmemtrace-asm" trace <<'END'
0 clock 0       56 0  5000               5                  0   0   0     5000
0 task  0       72 10 10                 1                  0   0   0     5000 "zero" 0
0 alloc kmalloc 72 -1 0xffffffff81001010 0xffff888000001000 100 128 0xcc0 5500 0 7
1 clock 0       56 1  1000               9                  0   0   0     1000
1 task  0       72 11 11                 1                  0   0   0     1000 "one" 0
1 stack 0       64 1  7                  0                  0   0   0     1500 0xffffffff81001010
1 alloc kmalloc 72 -1 0xffffffff81001010 0xffff888000002000 100 128 0xcc0 2000 0 7
1 alloc kmalloc 72 -1 0xffffffff81001010 0xffff888000003000 100 128 0xcc0 6000 0 7
END
cp "$golden/who/metadata" trace
echo 'overwrites: yes' >>trace/metadata
expect 0 '2 of 2 tasks' "$program_dir/kmemtrace-report" --tasks trace
grep -q ' 128B .* one-11$' out || { echo "FAIL: a task was overwritten"; cat out; failed=1; }

# Parts of a report equal the whole report, and each has the verdict.
setup losses
# It has nobody who allocated, so that these parts are in no whole report.
parts=$("$program_dir/kmemtrace-report" --show list |
	sed 's/^ *\([a-z]*\) .*/\1/; /^all$/d; /^stacks$/d; /^tasks$/d; /^processes$/d; /^cgroups$/d')
"$program_dir/kmemtrace-report" --show trace trace >out
for part in $parts; do
	"$program_dir/kmemtrace-report" --show "$part" trace >piece
	"$program_dir/kmemtrace-report" --show trace,"$part" trace | sed -n '/^$/,$p' >>out
	if [ "$(grep -c '^trace: INCOMPLETE' piece)" != 1 ]; then
		echo "FAIL: --show $part hides that the trace is incomplete"
		failed=1
	fi
	"$program_dir/kmemtrace-report" --json --show "$part" trace |
		sed -n '/^  "/s/.*"\(.*\)":.*/\1/p' >piece
	printf '%s\n' schema_version trace "$part" | uniq | diff -u - piece || failed=1
done
compare losses/report
"$program_dir/kmemtrace-report" --show findings --show sizes,totals trace |
	sed -n 's/^\([A-Z][a-z]*\).*/\1/p' >out
printf '%s\n' Totals Slab Pages Findings | diff -u - out || failed=1
setup grouped
for key in function module; do
	"$program_dir/kmemtrace-report" --show all --group-by $key trace | sed -n '/^Slab/,/^$/p' >out
	compare grouped/$key
done
for only in "--site one" "--site alloc_*[.]*" "--module first --site o?e" \
	"--module first" "--module kernel --site local" "--module nonesuch"; do
	echo "$only"
	# shellcheck disable=SC2086
	(set -f && "$program_dir/kmemtrace-report" --show all $only trace) |
		sed -n '/^Slab: .* call sites/,/^$/p; /nothing matches/p'
done >out
compare grouped/filters
"$program_dir/kmemtrace-report" --group-by module --json trace >json
valid json
sed -n '/^  "sites"/,/^  }/p' json >out
compare grouped/json
"$program_dir/kmemtrace-report" --folded --sort count trace >out
compare grouped/folded
setup baseline
"$program_dir/kmemtrace-report" --folded trace >out
compare baseline/folded

# A source that is said not to see something may leave it out, another one may not.
setup stock
clean trace
sed -i '/^unseen:/d' trace/metadata
for rule in call_site cache bytes_alloc; do
	expect 1 "$rule: " "$program_dir/kmemtrace-check" trace
done

# The phases of a boot; a trace without a boot has none.
for order in little big; do
	setup boot $order
	sed "s/little/$order/" "$golden/boot/metadata" >trace/metadata
	"$program_dir/kmemtrace-report" --show totals,timeline,phases,peak trace |
		sed '/^  kernel /d' >out
	compare boot/report
	"$program_dir/kmemtrace-report" --json --show phases trace >json
	valid json
	sed -n '/^  "phases"/,$p' json >out
	compare boot/json
	# Each phase has a mark, also where several begin in one column.
	"$program_dir/kmemtrace-report" trace | sed -n 's/^  phases  |\(.*\)|$/\1/p' |
		tr -d ' ' >out
	if [ "$(cat out)" != 1345 ]; then
		echo "FAIL: marks of phases: $(cat out)"
		failed=1
	fi
done
setup findings
"$program_dir/kmemtrace-report" --show phases trace | sed -n '/^Boot/p' >out
compare findings/phases

# filtered OPTIONS...: print the report on trace/ with each of these OPTIONS.
filtered()
{
	for only in "$@"; do
		echo "$only"
		# shellcheck disable=SC2086
		"$program_dir/kmemtrace-report" $only trace 2>&1 | sed '/^  kernel /d'
		echo
	done
}

# All parts of a report count matching allocations only.
setup baseline
filtered "--show all --site alloc_two" "--show totals,peak --type percpu,vmalloc" \
	"--show totals,baseline,cpus,timeline --type slab" "--show totals,failed --cpu 0" \
	"--show caches,sizes,failed --size -64 --module kernel" \
	"--folded --sort count --size 4K-8K" "--folded --cpu 1 --module nonesuch" \
	"--show totals --module loaded --cpu 0" "--show trace --cpu 7,9-11 --site none" \
	"--show totals,peak,caches,baseline --cache filp" "--show caches,failed --cache names_c*" \
	"--show caches --cache *64 --type slab" "--show caches --cache dentr" >out
compare baseline/filters
filtered "--show all --between 0.000500,0.000700" "--show totals,peak --between 0,0.000595" \
	"--show totals --between 0.0006005,0.0006910 --site alloc_one" \
	"--show totals,failed --between 0.0008912," "--show totals --between 5," >out
compare baseline/between
"$program_dir/kmemtrace-report" --json --show totals,timeline,peak \
	--between 0.000500,0.000700 trace >out
compare baseline/between.json
# A complete trace stays complete, where the end of the figures cuts the snapshot.
for at in 0 0.0000100 0.00029900 0.00029901 0.000306; do
	filtered "--show trace,totals --at $at"
done >out
compare baseline/at
"$program_dir/kmemtrace-report" --json --show totals --type pages,kmalloc --cpu 1 \
	--site alloc --module kernel --size 1-4096 trace >out
compare baseline/filters.json
setup findings
filtered "--show findings --between 0.000003,0.000005" "--show findings --site free_two" "--show findings --cpu 1 --type pages,cache" \
	"--show findings --module gone" >out
compare findings/filters

# Another build on another machine: addresses and offsets differ.
setup grouped
mv trace before
setup rebuilt big
mv trace after
"$program_dir/kmemtrace-report" --diff --threshold 32 before after >out
echo "exit status $?" >>out
compare rebuilt/diff
"$program_dir/kmemtrace-report" --diff --threshold 33% --color always \
	-n 4 --group-by module before after | sed "s/$(printf '\033')/ESC/g" >out
compare rebuilt/diff-module
"$program_dir/kmemtrace-report" --diff --json --site two --sort count \
	before after >json
valid json
sed -n '/^  "same"/,$p' json >out
compare rebuilt/diff.json
"$program_dir/kmemtrace-report" --diff --threshold 0 after after >out
echo "exit status $?" >>out
compare rebuilt/diff-none
rm -r before after

# Another kernel with another slab allocator: functions and caches have other names.
setup kernel-old
mv trace before
setup kernel-new big
mv trace after
"$program_dir/kmemtrace-report" --diff before after >out
compare kernel-new/diff
"$program_dir/kmemtrace-report" --diff --json --type kmalloc,cache before after >json
valid json
sed -n '/^  "caches"/,$p' json >out
compare kernel-new/diff.json
clean before
clean after
rm -r before after

# The report has colours on a terminal only, unless the user wants none.
setup findings
"$program_dir/kmemtrace-report" --show all --color always trace >coloured
esc=$(printf '\033')
sed "s/$esc\[[0-9]*m//g" coloured >out
compare findings/report
grep "$esc" coloured | sed "s/$esc/ESC/g" >out
compare findings/colours
for env in "TERM=xterm" "TERM=dumb" "TERM=xterm NO_COLOR=1"; do
	# shellcheck disable=SC2086
	env -u NO_COLOR $env script -qec "'$program_dir/kmemtrace-report' -q --show all trace" \
		/dev/null </dev/null | tr -d '\r' >out
	if [ "$env" = TERM=xterm ]; then
		diff -u coloured out || failed=1
	else
		compare findings/report
	fi
done

for name in rules rules-32; do
	setup $name
	"$program_dir/kmemtrace-check" trace >out 2>&1
	echo "exit status $?" >>out
	compare $name/check
done

validate
exit $failed
