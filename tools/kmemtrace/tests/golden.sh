#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of kmemtrace-check and kmemtrace-report for known traces. golden/NAME holds a
# trace (see kmemtrace-asm.c) and the expected output. To update it:
#	make -C tests golden-update

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

# compare NAME: the file out must equal golden/NAME.
compare()
{
	if [ -n "$update" ]; then
		cp out "$golden/$1"
	elif ! diff -u "$golden/$1" out; then
		echo "FAIL: $1"
		failed=1
	fi
}

# clean TRACE: kmemtrace-check must find nothing.
clean()
{
	"$program_dir/kmemtrace-check" "$1" >out && return
	echo "FAIL: $1 is not clean:"
	cat out
	failed=1
}

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
	who; do
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
expect 1 'trace: stack: 1 call paths of events have no record, such as 99' \
	"$program_dir/kmemtrace-check" trace

# Any number of threads makes the same report, and who allocated doesn't change other parts.
for order in little big; do
	rm -rf without who
	"$here/kmemtrace-gen" --abi 2 --events 20000 --before 300 --pages 20 --order $order \
		without >/dev/null
	"$here/kmemtrace-gen" --abi 2 --events 20000 --before 300 --pages 20 --order $order \
		--with stack,task,cgroup who >/dev/null
	clean who
	for threads in 1 2 4; do
		"$program_dir/kmemtrace-report" --json -n 100000 --threads $threads who \
			>json-$threads
	done
	adds_up "who allocated" json-1
	cmp json-1 json-2 && cmp json-1 json-4 || failed=1
	for trace in without who; do
		"$program_dir/kmemtrace-report" -n 1000 $trace \
			--show totals,sites,sizes,percentiles,orders,caches,lifetimes,gfp |
			sed 1d >report-$trace
	done
	diff -u report-without report-who || {
		echo "FAIL: who allocated changes other parts of the report"
		failed=1
	}
done
rm -r without who

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

# live OPTION...: print live memory of slab and pages by a report.
live()
{
	"$program_dir/kmemtrace-report" --csv totals --columns allocator,live,live_bytes "$@" |
		sed -n 's/,/ /g; /^slab\|^pages/p'
}

# timeless REPORT: print it without the parts that depend on times.
timeless()
{
	sed '/^Timeline/,/^$/d; /^Boot phases/,/^$/d; /: peak of /,/^$/d; /ifetimes/,/^$/d; /: churn/,/^$/d
		/^  kernel /d; /^  clock /d' "$1"
}

# One seed, written by four machines in each version of the ABI: only the line on the
# kernel differs.
for abi in 1 2; do
	for machine in little-64 big-64 little-32 big-32; do
		trace=trace-$abi-$machine
		"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 \
			--cpus 3 --order ${machine%-*} --bits ${machine#*-} \
			--abi $abi --before 300 "$trace" >expected
		clean "$trace"
		ln -sfn "$trace" trace-any
		"$program_dir/kmemtrace-report" --show all -n 5 trace-any >report-$abi 2>&1
		grep -v '^  kernel ' report-$abi >out
		compare generated-$abi
		"$program_dir/kmemtrace-report" trace-any >overview 2>&1
		grep -v '^  kernel ' overview >out
		compare generated-$abi.overview
		live trace-any >out
		diff -u expected out || failed=1
	done
	"$program_dir/kmemtrace-report" --folded trace-any | awk -F'[; ]' '
	{ sum[$1] += $NF }
	END { print sum["slab"]; print sum["pages"] }' >out
	cut -d ' ' -f 3 expected | diff -u - out || failed=1
	for key in site line function module; do
		"$program_dir/kmemtrace-report" --json -n 100000 -g $key trace-any >json
		adds_up "trace-$abi by $key" json
	done
	# All sizes are known.
	"$program_dir/kmemtrace-report" --csv totals --columns allocs,allocs trace-any >out
	"$program_dir/kmemtrace-report" --csv percentiles --columns req_allocs,allocs trace-any |
		sed 1s/req_// | diff -u out - || failed=1
	if cmp -s trace-$abi-little-64/cpu0.out trace-$abi-big-64/cpu0.out; then
		echo "FAIL: the byte orders do not differ"
		failed=1
	fi
done

# Memory that was live before tracing began counts even if none of it is left at the end:
# in sums, at the peak, and as the only difference of two traces.
"$here/kmemtrace-gen" --seed 7 --events 60000 --live 100 --abi 2 --before 3000 old >/dev/null
for key in site function module; do
	"$program_dir/kmemtrace-report" --json -n 100000 -g $key old >json
	adds_up "freed since, by $key" json
done
setup losses
"$program_dir/kmemtrace-report" --show sites --sort peak_bytes trace >out
compare losses/peak
mv trace before
sed 's/0x03$/0x0f/' "$golden/losses/trace.asm" | "$here/kmemtrace-asm" after || exit 1
cp before/metadata before/kallsyms after
"$program_dir/kmemtrace-report" --diff --sort peak_bytes --threshold 0 before after >out
echo "exit status $?" >>out
compare losses/diff
rm -r before after

# The overview fits on a screen, even if the trace has something for each part. It shows
# all errors, even if it gets longer.
"$here/kmemtrace-gen" --seed 3 --events 200000 --live 20000 --cpus 16 --abi 2 \
	--before 300 big >expected
"$program_dir/kmemtrace-report" big >out
if [ "$(wc -l <out)" -gt 60 ] || grep -q '.\{81\}' out; then
	echo "FAIL: more than 60 lines of 80 characters:"
	cat out
	failed=1
fi
for part in Totals Timeline: Peak Sites Caches Fragmentation Failed Findings: More:; do
	grep -q "^$part " out && continue
	echo "FAIL: the overview has no $part"
	failed=1
done
sed -i '/^dropped\.cpu/s/: 0$/: 560/' big/metadata
"$program_dir/kmemtrace-report" big >out
if [ "$(grep -c '^  because  cpu[0-9]*.out: at most 10 events' out)" != 16 ]; then
	echo "FAIL: the overview hides why a trace is incomplete:"
	cat out
	failed=1
fi
"$program_dir/kmemtrace-report" -n 25 big | sed -n '/^Frag/,/^$/p' >out
if [ "$(grep -c ' site_' out)" != 25 ]; then
	echo "FAIL: -n 25 printed another number of rows:"
	cat out
	failed=1
fi

"$program_dir/kmemtrace-report" --csv phases --where allocator=slab --columns phase \
	trace-2-little-64 | sed 1d >out
printf '%s\n' armed smp_up initcalls_done init_freed init_started | diff -u - out || failed=1

# The number of threads does not change the report, of plain, compressed and damaged streams.
# Those of the large trace are read in several blocks.
cp -r big big-compressed
for stream in big-compressed/cpu*.out; do
	"$here/kmemtrace-zst" 100000 "$stream" || failed=1
done
cp -r big-compressed big-damaged
printf damage | dd of=big-damaged/cpu3.out.zst bs=1 seek=70000 conv=notrunc status=none
truncate -s 50000 big-damaged/cpu5.out.zst
# A wrong time is recognized by the next record, which many pads may precede.
{
	awk 'BEGIN { for (i = 1; i <= 500; i++)
		printf "0 alloc kmalloc 56 -1 0x10 0x10%06d0 8 8 0 %d000\n", i, i }'
	echo '0 alloc kmalloc 56 -1 0x20 0x50 100 128 0 10000000000000'
	for _ in $(seq 20); do
		echo '0 pad 4096'
	done
	awk 'BEGIN { for (i = 501; i <= 9500; i++) {
		printf "0 alloc kmalloc 56 -1 0x30 0x10%06d0 8 8 0 %d000\n", i, i
		printf "1 alloc kmalloc 56 -1 0x40 0x20%06d0 8 8 0 %d500\n", i, i
	} }'
} | "$here/kmemtrace-asm" pads
for trace in trace-1-little-64 trace-2-little-64 big big-compressed big-damaged pads; do
	"$program_dir/kmemtrace-report" --json --threads 1 $trace >out
	for threads in 2 4; do
		"$program_dir/kmemtrace-report" --json --threads $threads $trace |
			cmp - out && continue
		echo "FAIL: $threads threads change the report on $trace"
		failed=1
	done
done

# Figures that a report adds up over all of the trace.
began=allocator,allocs,failed,bytes_req,bytes

# figures_of [OPTION...] TRACE: print figures of the allocators, and the live memory that the
# trace allocated.
figures_of()
{
	"$program_dir/kmemtrace-report" --csv totals --columns "$fields" "$@"
	[ "$fields" = "$began" ] || "$program_dir/kmemtrace-report" --csv sites -g is_older \
		--where is_older=0 --columns allocator,live,live_bytes,live_bytes_req "$@"
}

# divide WHAT TRACE OPTIONS...: each of the OPTIONS selects a part of the trace. The totals
# of the parts must add up to those of the whole, and call sites to the totals of the part.
divide()
{
	what=$1 trace=$2
	shift 2
	set -f
	figures_of "$trace" >whole
	for only in "$@"; do
		# shellcheck disable=SC2086
		"$program_dir/kmemtrace-report" --json -n 100000 $only "$trace" >part
		adds_up "$trace $only" part
		# shellcheck disable=SC2086
		figures_of $only "$trace" >&3
	done 3>parts
	set +f
	awk -F, -v what="$what" '
	$1 == "allocator" { split($0, name); next }
	{
		for (i = 2; i <= NF; i++) {
			sum[$1 " " name[i]] += NR == FNR ? $i : -$i
			nr[NR == FNR] += $i > 0
		}
	}
	END {
		for (key in sum) {
			if (!sum[key])
				continue
			print "FAIL: the parts by " what ": " key " is off by " -sum[key]
			bad = 1
		}
		exit bad || nr[0] <= nr[1]
	}' whole parts || failed=1
}

# A selection and its complement add up to the whole. A peak is the maximum of the
# timeline.
"$here/kmemtrace-gen" --seed 7 --events 30000 --live 2000 --cpus 3 --abi 2 trace-new >expected
fields=$began,free_calls,remote_frees
divide type trace-new "--type kmalloc" "--type cache" "--type pages" "--type percpu,vmalloc"
divide CPU trace-new "--cpu 0" "--cpu 1" "--cpu 2-65535"
divide size trace-new "--size -127" "--size 128" "--size 129-4K" "--size 4097-"
divide module trace-new "--module kernel" "--module generated"
divide cache trace-new "--cache generated-[18]*" "--cache generated-[2345]*" \
	"--cache generated-[69]*" "--type pages,percpu,vmalloc"
divide "name and CPU" trace-new "--site *[02468] --cpu 0,2" "--site *[02468] --cpu 1" \
	"--site *[13579]"
fields=$began
divide time trace-new "--between ,0.002" "--between 0.002000001,0.005" \
	"--between 0.005000001,"
for abi in 1 2; do
	"$program_dir/kmemtrace-report" --json --threads 1 --cpu 1 --size 100- \
		trace-$abi-little-64 >out
	"$program_dir/kmemtrace-report" --json --threads 4 --cpu 1 --size 100- \
		trace-$abi-little-64 | cmp - out || failed=1
done

# A filter tells two sizes of one call site apart. Before each record of the second size, there are
# a record that ends the batch and an impossible allocation: the record is counted all the same.
awk '
function alloc(cpu, size, ptr) {
	printf "%d alloc kmalloc 56 -1 0x8100%d000 %d %d 128 0xcc0 %d\n", cpu, cpu, ptr, size, time
	time += 100
}
function both(   i) {
	for (i = 0; i < 50; i++) {
		alloc(1, 98, at += 128)
		alloc(0, 98, at += 128)
	}
}
BEGIN {
	at = 1048576
	time = 1000000000
	print "0 clock 0 56 0", time, 0, 1000, 0, 0, time
	print "1 clock 0 56 1", time, 0, 1000, 0, 0, time
	both()
	# steps of the history that are longer than the rest
	time += 20000000000
	both()
	for (round = 0; round < 10; round++) {
		alloc(1, 98, at += 128)
		alloc(0, 98, at += 128)
		print "0 phase 99 56 0 0 0 0 0 0", time
		time += 100
		alloc(1, 98, 0)
		alloc(0, 98, at += 128)
		alloc(1, 102, at += 128)
		alloc(0, 98, at += 128)
		both()
	}
}' >sizes.asm
from_asm sizes.asm
for size in 97-100 101-104; do
	"$program_dir/kmemtrace-report" --csv totals --where allocator=slab --columns allocs \
		--size $size trace | sed 1d
done >out
printf '%d\n' 1240 10 | cmp - out || fail "allocations of two sizes: $(cat out)"

# figures TRACE OPTION...: print a report without the lines on the whole trace.
figures()
{
	"$program_dir/kmemtrace-report" --show all -n 1000 "$@" |
		sed '/^  at  /d; /^Timeline/,/^$/d'
}

# --between with an end only equals --at. --between from the first event on counts all
# allocations of the trace.
for abi in 1 2; do
	trace=trace-$abi-little-64
	"$program_dir/kmemtrace-report" --show all --at 0.004 $trace >out
	"$program_dir/kmemtrace-report" --show all --between ,0.004 $trace |
		diff -u out - || failed=1
done
"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 trace-old >expected
figures trace-old >out
figures --between 0, trace-old |
	sed 's/ match and waste/ waste/; s/ that match//; /^  from /d' |
	diff -u out - || failed=1

# --at the end changes nothing; --at the peak shows the peak as live memory.
for abi in 1 2; do
	trace=trace-$abi-little-64
	figures $trace >out
	figures --at 3600 $trace | diff -u out - || {
		echo "FAIL: --at the end changes the report"
		failed=1
	}
	"$program_dir/kmemtrace-report" --csv totals --where allocator=slab \
		--columns peak_ns,peak_bytes $trace |
		awk -F, 'NR > 1 { printf "%.9f %d\n", $1 / 1e9, $2 }' >out
	read -r time bytes <out
	live --at "$time" $trace >out
	if ! grep -q "^slab [0-9]* $bytes\$" out; then
		echo "FAIL: not $bytes bytes live at $time s, where the peak is:"
		cat out
		failed=1
	fi
done

# squeeze BYTES: compress the streams of trace/ as kmemtraced -z does, in frames of BYTES.
squeeze()
{
	for stream in trace/cpu*.out; do
		cp "$stream" plain
		"$here/kmemtrace-zst" "$1" "$stream" || exit 1
		if ! zstdcat "$stream.zst" | cmp - plain; then
			echo "FAIL: zstdcat $stream.zst"
			failed=1
		fi
	done
}

# same COMMAND...: compressed streams must not change its output for trace/, for frames of
# a sub-buffer or of another size.
same()
{
	"$@" trace >plain-out 2>&1
	for bytes in 16384 1000; do
		mv trace plain-trace
		cp -r plain-trace trace
		squeeze $bytes
		"$@" trace >out 2>&1
		sed 's/\(cpu[0-9]*\.out\)\.zst/\1/' out | diff -u plain-out - || {
			echo "FAIL: frames of $bytes bytes change $1"
			failed=1
		}
		rm -r trace
		mv plain-trace trace
	done
}

# sent COMMAND...: a pipe must not change its output for trace/.
sent()
{
	pack trace >stream
	"$@" trace >plain-out 2>&1
	TMPDIR=$work "$@" - <stream >out 2>&1
	sed 's/^standard input/trace/; s/"trace":"standard input"/"trace":"trace"/' out |
		diff -u plain-out - || {
		echo "FAIL: a pipe changes $1"
		failed=1
	}
	for left in "$work"/kmemtrace-*; do
		if [ -e "$left" ]; then
			echo "FAIL: $1 - leaves $left behind"
			failed=1
		fi
	done
}

for name in findings losses rules; do
	setup $name
	sent "$program_dir/kmemtrace-report" --show all
	sent "$program_dir/kmemtrace-report" --json
	sent "$program_dir/kmemtrace-check"
	same "$program_dir/kmemtrace-report" --show all
	same "$program_dir/kmemtrace-report" --json
	same "$program_dir/kmemtrace-check"
done
for abi in 1 2; do
	rm -rf trace
	"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
		--abi $abi --before 300 --subbuf 16384 --cycles 24000000 trace >expected
	same "$program_dir/kmemtrace-report" --show all
	same "$program_dir/kmemtrace-report" --json --threads 1
	same "$program_dir/kmemtrace-report" --json --threads 4
	same "$program_dir/kmemtrace-check"
	# The generator writes the same trace into a pipe.
	"$program_dir/kmemtrace-report" --json trace >plain-out
	for compress in "" --compress; do
		"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
			--abi $abi --before 300 --subbuf 16384 --cycles 24000000 \
			$compress - 2>live | "$program_dir/kmemtrace-report" --json - |
			sed 's/"trace":"standard input"/"trace":"trace"/' >out
		diff -u plain-out out && diff -u expected live || failed=1
	done
done
rm -r trace

# Timestamps in cycles change times only, by the rounding to a nanosecond. The first
# timestamps are older than the first good clock. The last ones of some traces are
# nanoseconds, as on a machine whose cycles proved unreliable.
for cycles in 1000000000 2400000001 24000000 "2400000001 --fallback 9"; do
	hz=${cycles%% *}
	# shellcheck disable=SC2086
	"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
		--abi 2 --before 300 --subbuf 16384 --cycles $cycles trace-cycles >expected
	clean trace-cycles
	ln -sfn trace-cycles trace-any
	"$program_dir/kmemtrace-report" --show all -n 5 trace-any >cycles 2>&1
	if ! grep -q '^  clock    cycles of .* to within 1 ns' cycles; then
		echo "FAIL: no cycles of $hz Hz"
		failed=1
	fi
	later=$(grep -c '^  clock    later local_clock, .* to within 1 ns' cycles)
	if [ "$later" != "$(echo "$cycles" | grep -c fallback)" ]; then
		echo "FAIL: $later times nanoseconds in a trace of cycles $cycles"
		failed=1
	fi
	timeless cycles >out
	timeless report-2 | diff -u - out || {
		echo "FAIL: cycles of $hz Hz change the report"
		failed=1
	}
	rm -r trace-cycles
done

# Clocks that are slightly off change times only.
for abi in 1 2; do
	for skew in 300 1000; do
		"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
			--skew $skew --abi $abi --before 300 trace-skew >expected
		ln -sfn trace-skew trace-any
		"$program_dir/kmemtrace-report" --show all -n 5 trace-any >skewed 2>&1
		if ! grep -q '^  clock .* reordered behind later events' skewed; then
			echo "FAIL: no events were out of order"
			failed=1
		fi
		timeless skewed | grep -v '^  events ' >out
		timeless report-$abi | grep -v '^  events ' | diff -u - out || {
			echo "FAIL: clocks that are $skew ns off change the report"
			failed=1
		}
		rm -r trace-skew
	done
done
exit $failed
