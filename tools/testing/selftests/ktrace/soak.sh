#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ktrace records all markers while everything else happens at once: it is switched on, off
# and reset, in both modes; other markers are selected; readers come, and are killed; modules
# come and go; a CPU goes offline and online; kmemtrace records the same markers. Every half
# minute, all of this stops, and each hit must be recorded once.
# KTRACE_SECONDS is the duration of this test.

# shellcheck source=tools/testing/selftests/ktrace/ktrace-lib.sh
. "$(dirname "$0")/ktrace-lib.sh"
# shellcheck source=tools/testing/selftests/markers/kmemleak.sh
. "$here/../markers/kmemleak.sh"
seconds=${KTRACE_SECONDS:-60}
cpus=$(nproc)
markers=$here/../markers/test_modules
kmemtrace=/sys/kernel/debug/kmemtrace
cpu1=/sys/devices/system/cpu/cpu1/online

# Each of these fails now and then, because another one is in its way.
switching() {
	for state in overwrite 0 1 0 overwrite 1; do
		echo $state >$ktrace/enabled
		sleep 0.2
		echo 1 >$ktrace/reset
	done
}

selecting() {
	for patterns in '*' 'k*,sched_*' '*_[a-m]*' 'ktrace_hits_*' '*' '' '*'; do
		echo "$patterns" >$ktrace/select
		for name in kmalloc kfree ktrace_hits_site; do
			echo 0 >$ktrace/events/$name
			echo 1 >$ktrace/events/$name
		done
		sleep 0.1
	done
}

reading() {
	for file in "$ktrace"/buffers/cpu*; do
		cat "$file" >/dev/null
	done
	timeout 2 "$here/ktrace_read" $ktrace/buffers
	cat $ktrace/info $ktrace/overflow $ktrace/select /sys/kernel/debug/markers/list >/dev/null
}

loading() {
	insmod "$modules/ktrace_hits.ko"
	hit 500
	load_counter
	count "$(id ktrace_hits_typed)" ktrace_hits_typed
	count "$(id kmalloc)" kmalloc
	hit 500
	rmmod ktrace_hits
	rmmod ktrace_count
	for name in hits user steady; do
		insmod "$markers/marker_$name.ko"
	done
	insmod "$modules/ktrace_many.ko"
	for name in marker_user marker_hits ktrace_many marker_steady; do
		rmmod $name
	done
}

plugging() {
	echo 0 >$cpu1
	sleep 0.3
	echo 1 >$cpu1
	sleep 0.3
}

working() {
	ls -lR /sys/kernel/slab /proc/self
	dd if=/dev/zero of=file bs=64k count=10
	rm file
}

beside() {
	echo yes >$kmemtrace/enable
	sleep 0.5
	echo no >$kmemtrace/enable
	cat $kmemtrace/cpu[0-9]* >/dev/null
	kmemtraced -f -o other -t 1
}

collecting() {
	ktraced -f -o trace -e '*' -t 1
	ktraced -f -o trace --overwrite -e '*' -t 1
	ktraced -f -o trace -e '*' &
	sleep 1
	kill -KILL $!
	wait $!
}

workers='switching selecting reading loading working collecting'
[ ! -e $kmemtrace ] || workers="$workers beside"
[ ! -e $cpu1 ] || workers="$workers plugging"

# Let all workers work for N seconds.
storm() {
	touch running
	pids=
	for worker in $workers; do
		while [ -e running ]; do
			$worker
			echo "$worker" >>rounds
		done >/dev/null 2>&1 &
		pids="$pids $!"
	done
	sleep "$1"
	rm running
	# shellcheck disable=SC2086 # one word each
	wait $pids
	[ ! -e $cpu1 ] || echo 1 >$cpu1
	clean
	for name in marker_user marker_hits marker_steady; do
		rmmod $name 2>/dev/null
	done
}

# Nothing is left of the storm: each hit is recorded once.
calm() {
	insmod "$modules/ktrace_hits.ko" && echo '*' >$ktrace/select &&
		echo "$1" >$ktrace/enabled && hit 1000 && echo 0 >$ktrace/enabled &&
		read_all ktrace_hits_site ktrace_hits_typed &&
		cat $ktrace/overflow figures >>log &&
		[ "$(counted ktrace_hits_site)" -eq $((1000 * cpus)) ] &&
		[ "$(counted ktrace_hits_typed)" -eq $((1000 * cpus)) ] &&
		[ "$(missing)" -eq 0 ] || return 1
	clean
	rm log
}

storms() {
	end=$(($(date +%s) + seconds))
	storms=0
	while [ "$(date +%s)" -lt $end ]; do
		storm 30
		calm 1 2>>log && calm overwrite 2>>log || return 1
		storms=$((storms + 1))
	done
}

begin $((2 + leaky))
: >rounds
storms
ktap_test_result "$storms storms, and each hit after them is recorded once" [ $? -eq 0 ]
[ ! -e log ] || sed 's/^/# /' log
sort rounds | uniq -c | sed 's/^/# rounds:/'
ktap_test_result "each worker has worked" \
	[ "$(sort -u rounds | wc -l)" -eq "$(echo "$workers" | wc -w)" ]
clean
[ ! -e $leaks ] || ktap_test_result "kmemleak finds nothing" no_leaks
ktap_finished
