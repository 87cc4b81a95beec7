#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --until: an OOM kill, a failed allocation and live memory end a trace, which has
# what happened before.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 4

# ended_by TEXT: kmemtraced ended because of that, and the trace is complete.
ended_by() {
	says "$1: stopping" && is_complete trace && kmemtrace-report trace >report &&
		head -n 1 report | grep -q ': COMPLETE'
}

# A memory cgroup with little memory: the kernel kills who needs more.
out_of_memory() {
	mkdir cgroup && mount -t cgroup2 none cgroup &&
		echo +memory >cgroup/cgroup.subtree_control &&
		mkdir cgroup/small && echo 8M >cgroup/small/memory.max || return
	in_background --overwrite --until oom -o trace
	until_logging 1 && sleep 0.3
	(echo 0 >cgroup/small/cgroup.procs; dd if=/dev/zero of=/dev/null bs=64M count=1) 2>>log
	ended 0 && ended_by 'the OOM killer has killed a process'
	status=$?
	rmdir cgroup/small
	umount cgroup
	rmdir cgroup
	return $status
}
# The lines in the kernel log say that the test expects a killed process and a failed allocation.
echo 'kselftest: expects oom-killer' >/dev/kmsg
out_of_memory
tested "oom: an OOM kill ends a trace of the newest events"

failed_allocation() {
	in_background --until failure -o trace
	until_logging 1 && sleep 0.3 && fail_one &&
		ended 0 && ended_by 'an allocation has failed' &&
		kmemtrace-report --show failed trace >report && cat report >>log &&
		grep -q vmalloc report
}

# The module asks for more than there is.
fail_one() {
	! insmod "$here/test_modules/kmemtrace_fail.ko" 2>>log
}
failed_allocation
result=$?
echo 'kselftest: expects nothing' >/dev/kmsg
[ $result -eq 0 ]
tested "failure: a failed allocation ends a trace"

logs 0 --until live=1K -o trace -t 20 &&
	ended_by "bytes of kernel memory are live, more than 1024"
tested "live: so much memory of the kernel ends a trace"

logs 2 --until never -o trace -t 1 && says "'never', expected EVENTS" &&
	logs 2 --until live=0K -o trace -t 1 && logs 2 --until '' -o trace -t 1
tested "anything else is refused"

finish
