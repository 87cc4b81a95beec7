#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output for generated traces: on each machine, with filters, with any number of threads and
# any clock.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

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
	"$program_dir/kmemtrace-report" --csv totals --columns allocs trace-any | sed 's/.*/&,&/' >out
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
		"$program_dir/kmemtrace-report" -n 1000 --own $trace \
			--show totals,sites,sizes,percentiles,orders,caches,lifetimes,gfp |
			sed '1d; /^By kmemtrace/,/^$/d' >report-$trace
	done
	diff -u report-without report-who || {
		echo "FAIL: who allocated changes other parts of the report"
		failed=1
	}
done
rm -r without who

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

# The rest compares reports of one machine with each other. The byte order of the machine can't change
# that, since the reports above equal those of other machines, and QEMU is slow.
case $EMULATOR in
qemu*)	exit $failed ;;
esac

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
for part in Totals Timeline: Peak Sites Caches Fragmentation Failed: Findings: More:; do
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
