#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# accounting.sh [LOAD...]: trace the named loads, or all of them, beginning with the
# boot. After each load, compare the live memory by the trace with the kernel's own
# figures.
#
# The test needs a kernel with config.accounting, a disk for files and swap at
# /dev/vda, and kernel parameters: see scripts/check.d/accounting.

# "accounting.sh --load LOAD FOLDER" runs one load; kmemtraced calls it.
if [ "$1" = --load ]; then
	here=$(cd "$(dirname "$0")" && pwd)
	work=$3
	# shellcheck source=tools/testing/selftests/kmemtrace/accounting-loads.sh
	. "$here/accounting-loads.sh"
	cd "$work" || exit
	snap_before "$2"
	"load_$2"
	result=$?
	snap_after "$2" || result=1
	exit $result
fi

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
# shellcheck source=tools/testing/selftests/kmemtrace/accounting-loads.sh
. "$here/accounting-loads.sh"

# ---- the machine ----

# The kernel must have these options, but for those that its version, its slab allocator
# or its architecture doesn't know.
missing_options() {
	zcat /proc/config.gz >config
	grep -vxF -f config "$here/config.accounting" | while read -r line; do
		option=$(echo "$line" | grep -o 'CONFIG_[A-Z0-9_]*')
		! grep -q -w "$option" config || echo "$line"
	done
}

# insert MODULE FUNCTION: insert a test module; its parameter of this name gets the address
# of the function.
insert() {
	insmod "$here/test_modules/$1.ko" \
		"$2=0x$(sed -n "s/ T $2\(_noprof\)\?$//p" /proc/kallsyms)"
}

set_up() {
	insert kmemtrace_load alloc_contig_pages &&
		{ ! [ -e /proc/allocinfo ] || insert kmemtrace_tags page_ext_get; } &&
		mkdir cgroup disk said && mount -t cgroup2 none cgroup &&
		mkdir "$cgroup" && echo +memory >cgroup/cgroup.subtree_control &&
		mount -t ext4 /dev/vda disk &&
		{ [ -e disk/swap ] ||
			dd if=/dev/zero of=disk/swap bs=1M count=256 2>/dev/null; } &&
		chmod 600 disk/swap && mkswap disk/swap >/dev/null &&
		swapon disk/swap && constants >said/constants
}

# All chunks of per-CPU memory have the size of the first.
constants() {
	cat $module/constants &&
		awk '$1 == "unit_size" { print "percpu_unit", $3 }' \
			/sys/kernel/debug/percpu_stats
}

tear_down() {
	swapoff disk/swap
	umount disk
	rmdir "$cgroup"
	umount cgroup
	! [ -e $tags ] || rmmod kmemtrace_tags
	rmmod kmemtrace_load
}

# quietly COMMAND...: run it without kernel messages on the console, since injected
# failures cause many. Fail if COMMAND fails or the kernel log has a fault.
quietly() {
	dmesg -c >/dev/null
	echo 1 >/proc/sys/kernel/printk
	"$@"
	status=$?
	dmesg -c >kernel.log
	echo 7 >/proc/sys/kernel/printk
	! grep -E 'BUG|WARNING:|Oops|KASAN:|UBSAN:|suspicious|possible' kernel.log >>log &&
		[ $status -eq 0 ]
}

# Print the kernel parameters that change the allocators or the trace.
words() {
	tr ' ' '\n' </proc/cmdline |
		grep -E -e '^(slub_debug=.*|slab_nomerge|kfence.sample_interval=.*|preempt=full)$' \
			-e '^kmemtrace\.(sample|with)='
}

# has_effect WORD: did the kernel apply this parameter?
has_effect() {
	case $1 in
	slub_debug=*)
		[ "$(cat /sys/kernel/slab/kmalloc-64/poison)" -eq 1 ] ;;
	slab_nomerge)
		[ -z "$(find /sys/kernel/slab -mindepth 1 -maxdepth 1 -type l)" ] ;;
	kfence.*)
		awk '/^total allocations/ { exit $3 < 100 }' /sys/kernel/debug/kfence/stats ;;
	preempt=full)
		grep -qx 'preempt_full 1' said/constants ;;
	kmemtrace.*)
		value=${1#kmemtrace.}
		[ "$(cat "$kmemtrace/${value%%=*}")" = "${value#*=}" ] ;;
	esac
}

# ---- one load ----

traced() {
	cat $module/counts >said/counts.before
	kmemtraced -o trace -- "$here/accounting.sh" --load "$1" "$work" >>log 2>&1 &&
		! grep -q 'exit status [1-9]\|killed by' log
	status=$?
	cat $kmemtrace/cpu_events >said/cpu_events
	cat $module/counts >said/counts.after
	return $status
}

# unexplained TRACE: print the number of unexplained findings. Fail if there is one.
unexplained() {
	nr=$(kmemtrace-report --csv trace --columns unexplained "$1" 2>>log | tail -n 1)
	echo "$nr"
	[ "$nr" = 0 ] || {
		kmemtrace-report --show findings "$1" >>log
		false
	}
}

# agrees COMPARISON: print its result line. Fail if it is "not ok".
agrees() {
	sed -n "s/^\(not \)\?ok $1: //p" verdict
	grep -q "^ok $1: " verdict
}

# keep LOAD: store the trace in the folder ACCOUNTING_KEEP if LOAD is one of
# ACCOUNTING_KEEP_LOADS or a comparison failed.
keep() {
	case " $ACCOUNTING_KEEP_LOADS " in
	*" $1 "*)	;;
	*)		grep -q '^not ok' verdict || return ;;
	esac
	[ "$ACCOUNTING_KEEP" ] || return
	cp said/* verdict trace
	rm -rf "$ACCOUNTING_KEEP/trace-$1"
	cp -r trace "$ACCOUNTING_KEEP/trace-$1"
}

# Each load has this number of results. scripts/vm/guest/mutants takes only those with a
# colon after the load's name for results about the records.
comparisons="events $(basename "$(allocated)") moves failures caches"
# SLOB has no list of caches.
[ ! -e /proc/slabinfo ] || comparisons="$comparisons slabinfo"
results=$((5 + $(echo "$comparisons" | wc -w)))
try() {
	name=$1
	rm -rf trace log said/tags said/sites
	: >log
	echo 0 >said/offlined
	echo 100 >said/migrates
	! command -v "prepare_$name" >/dev/null || "prepare_$name"
	count_now "$name" >before
	quietly traced "$name"
	result "$name succeeds: $(column 2 "$name")"
	count_now "$name" >after
	path=$(path_taken before after 2>&1)
	result "$name takes its path: $path"
	is_whole trace
	result "$name has a complete trace, no event is lost"
	is_valid trace
	result "$name: each record is valid"
	nr=$(unexplained trace)
	result "$name: $nr unexplained findings"
	"$here/accounting_check" trace said >verdict 2>&1
	grep -q '^not ok\|^Bail' verdict && cat verdict >>log
	for comparison in $comparisons; do
		verdict=$(agrees "$comparison")
		result "$name: $comparison: $verdict"
	done
	keep "$name"
	discard
}

names=${*:-$(loads)}
plan $((2 + results * $(echo "$names" | wc -w) + $(words | wc -l)))
[ "$(cat $kmemtrace/enable)" = yes ]
result "tracing is on since boot"
[ -z "$(missing_options)" ] && set_up >log 2>&1
result "the kernel has config.accounting, but for: $(missing_options | tr '\n' ' ')"
[ -e $module ] || exit 1
case $names in
boot*)	;;
*)	discard ;;
esac
for name in $names; do
	try "$name"
done
for word in $(words); do
	has_effect "$word"
	result "the parameter $word has an effect"
done
tear_down
finish
