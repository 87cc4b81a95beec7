#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# accounting.sh [LOAD...]: after any load, on any path of the allocators, the
# books of kmemtrace balance with those of the kernel. All loads, or those named;
# first what was traced since boot.
#
# Needs a kernel with config.accounting, a disk for files and swap at /dev/vda, and
# words on the command line: see scripts/check.d/accounting.

# "accounting.sh --load LOAD FOLDER" is what is traced: one load.
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

missing_options() {
	zcat /proc/config.gz >config
	grep -vxF -f config "$here/config.accounting"
}

set_up() {
	insmod "$here/test_modules/kmemtrace_load.ko" &&
		insmod "$here/test_modules/kmemtrace_tags.ko" \
			"page_ext_get=0x$(sed -n 's/ T page_ext_get$//p' /proc/kallsyms)" &&
		mkdir cgroup disk said && mount -t cgroup2 none cgroup &&
		mkdir "$cgroup" && echo +memory >cgroup/cgroup.subtree_control &&
		mount -t ext4 /dev/vda disk &&
		dd if=/dev/zero of=disk/swap bs=1M count=256 2>/dev/null &&
		chmod 600 disk/swap && mkswap disk/swap >/dev/null &&
		swapon disk/swap && constants >said/constants
}

# The first chunk of per-CPU memory is as large as all others.
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
	rmmod kmemtrace_tags kmemtrace_load
}

# What a load is refused on purpose is told by the kernel at length. It is kept
# from the console, and what else it says is looked for here.
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

# The words of the kernel's command line that change what allocators do.
words() {
	tr ' ' '\n' </proc/cmdline |
		grep -E '^(slub_debug=.*|slab_nomerge|kfence.sample_interval=.*|preempt=full)$'
}

# has_effect WORD: and not only a place on the command line.
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

# unexplained TRACE: tells how many findings nothing explains; none is good.
unexplained() {
	nr=$(kmemtrace-report --json "$1" 2>>log |
		sed -n 's/.*"unexplained": *\([0-9]*\).*/\1/p')
	echo "$nr"
	[ "$nr" = 0 ] || {
		kmemtrace-report --show findings "$1" >>log
		false
	}
}

# agrees COMPARISON: tells the result of it.
agrees() {
	sed -n "s/^\(not \)\?ok $1: //p" verdict
	grep -q "^ok $1: " verdict
}

# keep LOAD: for a look at it elsewhere, in the folder ACCOUNTING_KEEP, if it is
# one of ACCOUNTING_KEEP_LOADS, or its books differ.
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

# Each load gets results of its own.
results=10
try() {
	name=$1
	rm -rf trace log said/tags said/sites
	: >log
	count_now "$name" >before
	quietly traced "$name"
	result "$name ends well: $(column 2 "$name")"
	count_now "$name" >after
	path=$(path_taken before after 2>&1)
	result "$name takes its path: $path"
	is_whole trace
	result "$name has a whole trace, nothing is lost"
	is_valid trace
	result "$name: each record keeps the rules"
	nr=$(unexplained trace)
	result "$name: $nr findings that nothing explains"
	"$here/accounting_check" trace said >verdict 2>&1
	grep -q '^not ok\|^Bail' verdict && cat verdict >>log
	for comparison in events allocinfo slabinfo failures caches; do
		verdict=$(agrees $comparison)
		result "$name: $comparison: $verdict"
	done
	keep "$name"
	discard
}

names=${*:-$(loads)}
plan $((2 + results * $(echo "$names" | wc -w) + $(words | wc -l)))
[ "$(cat $kmemtrace/enable)" = yes ]
result "tracing was switched on at boot"
[ -z "$(missing_options)" ] && set_up >log 2>&1
result "a kernel with config.accounting: $(missing_options | tr '\n' ' ')"
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
	result "$word has an effect"
done
tear_down
finish
