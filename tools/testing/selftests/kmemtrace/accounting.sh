#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# accounting.sh [LOAD...]: after any load, on any path of the allocators, the
# books of kmemtrace balance with those of the kernel. All loads, or those named.
#
# Needs a kernel with config.accounting, a disk for files and swap at /dev/vda, and
# words on the command line: see scripts/check.d/accounting.

# "accounting.sh --load LOAD FOLDER" is what is traced: one load.
if [ "$1" = --load ]; then
	here=$(cd "$(dirname "$0")" && pwd)
	work=$3
	# shellcheck source=tools/testing/selftests/kmemtrace/accounting-loads.sh
	. "$here/accounting-loads.sh"
	cd "$work" && "load_$2"
	exit
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
		mkdir cgroup disk && mount -t cgroup2 none cgroup &&
		mkdir "$cgroup" && echo +memory >cgroup/cgroup.subtree_control &&
		mount -t ext4 /dev/vda disk &&
		dd if=/dev/zero of=disk/swap bs=1M count=256 2>/dev/null &&
		chmod 600 disk/swap && mkswap disk/swap >/dev/null && swapon disk/swap
}

tear_down() {
	swapoff disk/swap
	umount disk
	rmdir "$cgroup"
	umount cgroup
	rmmod kmemtrace_load
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

# ---- one load ----

traced() {
	kmemtraced -o trace -- "$here/accounting.sh" --load "$1" "$work" >>log 2>&1 &&
		! grep -q 'exit status [1-9]\|killed by' log
}

# Each load gets results of its own.
try() {
	name=$1
	rm -rf trace log
	: >log
	count_now "$name" >before
	quietly traced "$name"
	result "$name: $(column 2 "$name")"
	count_now "$name" >after
	path=$(path_taken before after 2>&1)
	result "$name: path taken: $path"
	is_complete trace
	result "$name: each record keeps the rules, none is lost"
	findings=$(unexplained trace)
	result "$name: nothing unexplained: $findings"
	discard
}

# unexplained TRACE: the findings that have no explanation; tells them.
unexplained() {
	kmemtrace-report "$1" >report 2>>log || return
	sed -n '/^Findings/,$p' report | tee -a log | tr -s '\n ' ' '
}

names=${*:-$(loads)}
plan $((1 + 4 * $(echo "$names" | wc -w)))
[ -z "$(missing_options)" ] && set_up >log 2>&1
result "a kernel with config.accounting: $(missing_options | tr '\n' ' ')"
[ -e $module ] || exit 1
discard
for name in $names; do
	try "$name"
done
tear_down
finish
