#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of kmemtrace-check and kmemtrace-report for known traces. golden/NAME holds a
# trace (see kmemtrace-asm.c) and the expected output. To update it:
#	make -C tests golden-update

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
"$program_dir/kmemtrace-report" --show all -n 1 --sort allocs trace >out 2>&1
compare findings/report-n1

# The same events from a big-endian machine make the same report, but for the line on the kernel.
for name in findings bare baseline losses nodes moves grouped stock partial overwritten sample \
	who references; do
	for order in little big; do
		setup $name $order
		[ ! -e trace/metadata ] ||
			sed -i "s/^byte_order: .*/byte_order: $order/" trace/metadata
		"$program_dir/kmemtrace-report" --show all trace 2>&1 |
			sed '/^  kernel /d' >report-$order
		"$program_dir/kmemtrace-report" --json trace 2>&1 |
			sed '/^"trace": /d' >json-$order
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

# Pages stay those of the code that allocated them, wherever their contents are moved.
setup moves
"$program_dir/kmemtrace-report" --show totals,peak,sites,baseline,lifetimes,findings trace >out
compare moves/report
expect 0 'cpu1.out: 12 records, clean' "$program_dir/kmemtrace-check" trace

# A module is that of the call path.
setup behalf
{
	"$program_dir/kmemtrace-report" --show sites,stacks,churn --group-by module trace
	for only in vin kernel; do
		"$program_dir/kmemtrace-report" --show totals,sites --module $only trace
	done
	for group in module module,site; do
		"$program_dir/kmemtrace-report" --csv sites --group-by $group --where live\>0 \
			--columns allocator,module,live,live_bytes,allocs trace
	done
} >out 2>&1
compare behalf/modules

# The memory at an address: of each allocator, of the snapshot, moved, freed twice, and unknown.
for name in who:ffff888000001040,0xffff888000004610,ffff888000020000 \
	moves:ffff888000401010,ffff888000001000 findings:ffff888000011000 \
	baseline:ffff888000004090,ffff88800000608f,ffff888000020000,ffff888000008000,9000,9001,8000 \
	baseline:ffffc90000011000,ffff888000004150,ffffffffffffffff; do
	setup "${name%:*}"
	for address in $(echo "${name#*:}" | tr , ' '); do
		"$program_dir/kmemtrace-report" --address "$address" trace
	done
done >out
compare behalf/addresses

# Who allocates: all parts, the other tree, the groups, what they select, and flame graphs.
setup who
"$program_dir/kmemtrace-report" --show all trace >out 2>&1
compare who/report
"$program_dir/kmemtrace-report" trace >out 2>&1
compare who/overview
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
expect 1 'trace: stack: 1 call path of events has no record, such as 99' \
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
} >out 2>&1
compare who/diff

# References: which call paths hold some, whatever the order of the records of two CPUs.
setup references
"$program_dir/kmemtrace-report" --show all trace >out 2>&1
compare references/report
"$program_dir/kmemtrace-report" trace >out 2>&1
compare references/overview
clean trace

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
# Parts that need what it was not recorded with, or an address, are in no whole report.
parts=$("$program_dir/kmemtrace-report" --show list | sed 's/^ *\([a-z]*\) .*/\1/; /^all$/d')
"$program_dir/kmemtrace-report" --show trace trace >out
for part in $parts; do
	"$program_dir/kmemtrace-report" --show "$part" trace >piece
	grep -q ': record with kmemtraced --with \|^Address: ' piece ||
		"$program_dir/kmemtrace-report" --show trace,"$part" trace | sed -n '/^$/,$p' >>out
	if [ "$(grep -c '^trace: INCOMPLETE' piece)" != 1 ]; then
		echo "FAIL: --show $part hides that the trace is incomplete"
		failed=1
	fi
	"$program_dir/kmemtrace-report" --json --show "$part" trace |
		grep -q '^"trace": .*"complete":false' || fail "JSON of $part is COMPLETE"
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
"$program_dir/kmemtrace-report" --folded --sort allocs trace >out
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
	# Each phase has a mark, also where several begin in one column.
	"$program_dir/kmemtrace-report" trace | sed -n 's/^  phases *|\(.*\)|$/\1/p' |
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
	"--folded --sort allocs --size 4K-8K" "--folded --cpu 1 --module nonesuch" \
	"--show totals --module loaded --cpu 0" "--show trace --cpu 7,9-11 --site none" \
	"--show totals,peak,caches,baseline --cache filp" "--show caches,failed --cache names_c*" \
	"--show caches --cache *64 --type slab" "--show caches --cache dentr" >out
compare baseline/filters
filtered "--show all --between 0.000500,0.000700" "--show totals,peak --between 0,0.000595" \
	"--show totals --between 0.0006005,0.0006910 --site alloc_one" \
	"--show totals,failed --between 0.0008912," "--show totals --between 5," >out
compare baseline/between
# A complete trace stays complete, where the end of the figures cuts the snapshot.
for at in 0 0.0000100 0.00029900 0.00029901 0.000306; do
	filtered "--show trace,totals --at $at"
done >out
compare baseline/at
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

exit $failed
