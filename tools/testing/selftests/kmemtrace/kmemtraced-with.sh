#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --with: each allocation has who caused it. Call paths are those that the kernel's
# own unwinder finds: kmemtrace_paths.ko compares 100,000 of them.

here=$(cd "$(dirname "$0")" && pwd)

# Allocate in system calls, page faults, softirqs (packets) and interrupts (the disk).
load() {
	ip link set lo up
	for _ in 1 2 3 4; do
		ls -lR /sys/module >/dev/null
		ping -c 2 -i 0.01 127.0.0.1 >/dev/null
		echo 3 >/proc/sys/vm/drop_caches
		dd if=/dev/vda of=/dev/null bs=64k count=64 2>/dev/null
	done
}

# Print how many paths were compared, by context, and how many differ.
compare() {
	insmod "$here/test_modules/kmemtrace_paths.ko" || return
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		load
	done
	rmmod kmemtrace_paths
	dmesg | grep 'kmemtrace_paths: ' | tail -n 20
}

# Charge a file of 4 MB in memory to a cgroup, and remove the cgroup.
zombie() {
	mkdir cgroup && mount -t cgroup2 none cgroup &&
		echo +memory >cgroup/cgroup.subtree_control &&
		mkdir cgroup/kmemtrace_zombie || return
	(echo 0 >cgroup/kmemtrace_zombie/cgroup.procs &&
		dd if=/dev/zero of=charged bs=64k count=64 2>/dev/null)
	rmdir cgroup/kmemtrace_zombie && umount cgroup
}

# Leave a file of 4 MB in memory. The task that writes it exits, the shell above stays.
leave() {
	dd if=/dev/zero of=left bs=64k count=64 2>/dev/null
}

case $1 in
load | compare | zombie | leave)
	"$@"
	exit
	;;
esac

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$here/kmemtraced-lib.sh"
begin 7

logs 0 --with stack,task -o trace -- "$here/kmemtraced-with.sh" load && is_complete trace &&
	[ "$(key trace with)" = stack,task ] && [ "$(cat $kmemtrace/with)" = none ]
tested "--with is for one trace, which is complete"

# The current folder is in memory, and so are the pages of the trace.
logs 0 -o own -- "$here/kmemtraced-with.sh" load && is_complete own &&
	bytes=$(figure own live_bytes own --where allocator=pages) &&
	[ $((2 * bytes)) -gt "$(cat own/cpu*.out | wc -c)" ]
tested "what kmemtraced allocates is marked, without tasks"
rm -rf own

# The last line: kmemtrace_paths: 140000 of tasks, 300 of softirqs, 40 of interrupts, 0 differ
logs 0 --with stack -o paths -- "$here/kmemtraced-with.sh" compare &&
	sed -n 's/.*kmemtrace_paths: //p' log | awk '{
		all = $1 + $4 + $7
		ok = all > 100000 && $4 > 0 && $7 > 0 && $10 == 0 && $11 == "differ"
	} END { exit !ok }'
tested "100,000 call paths are those of stack_trace_save(), also in softirqs and interrupts"

logs 0 --with cgroup -o charges -- "$here/kmemtraced-with.sh" zombie && is_complete charges &&
	kmemtrace-report --cgroups charges >report && cat report >>log &&
	grep -Eq '^ +4\.[0-9]M +1,[0-9]+ .* /kmemtrace_zombie \(removed\)$' report
rm -f charged
tested "memory that was charged to a removed cgroup keeps it"

(while sleep 0.1; do :; done) &
alive=$!
logs 0 --with task -o gone -- "$here/kmemtraced-with.sh" leave && is_complete gone &&
	[ "$(figure tasks has_exited gone --where "pid=$alive,allocator=slab")" = false ] &&
	[ "$(figure tasks has_exited gone --where comm=dd,allocator=pages)" = true ] &&
	left=$(figure task_names exited_bytes gone --where task_name=dd,allocator=pages) &&
	[ "$left" -ge 4194304 ]
tested "memory of tasks that have exited is told apart"
kill $alive
rm -rf left gone

logs 0 --overwrite --with task -o trace3 -- "$here/kmemtraced-with.sh" load &&
	is_valid trace3 && [ "$(key trace3 with)" = task ]
tested "each sub-buffer has a task, also if others were overwritten"

echo yes >$kmemtrace/enable
! (echo task >$kmemtrace/with) 2>>log && logs 2 --with task -o trace4 -t 1 &&
	says 'tracing is on already' && echo no >$kmemtrace/enable &&
	! (echo who >$kmemtrace/with) 2>>log
tested "nothing changes while tracing is on, and other words are refused"

finish
