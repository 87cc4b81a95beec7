#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Without memory for the buffers, tracing isn't switched on. A CPU that comes online
# without memory for its buffer runs without one. No process is killed for either.
# Memory runs out while kmemtraced logs: another process is killed, and nothing is
# missing. Needs a disk for an ext4 file system at /dev/vda.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

total=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
if [ "$total" -gt $((4 << 20)) ]; then
	ktap_print_header
	ktap_skip_all "more than 4 GiB of memory: somebody may need them"
	exit "$KSFT_SKIP"
fi

available() {
	sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# is_available TEST KB: such as -lt 1000
is_available() {
	test "$(available)" "$1" "$2"
}

killed() {
	awk '$1 == "oom_kill" { print $2 }' /proc/vmstat
}

switch_on() {
	(echo yes >$kmemtrace/enable) 2>>log
}

# A process that waits for its reader has so much that half of the buffers is left.
refused() {
	need=$(($(nproc) * $(cat $kmemtrace/n_subbufs) *
		$(cat $kmemtrace/subbuf_size) / 1024))
	before=$(killed)
	# shellcheck disable=SC2216 # it is to read nothing
	dd if=/dev/zero bs="$(($(available) - need / 2))k" count=1 2>>log | sleep 100 &
	reader=$!
	within 20 is_available -lt "$need" && ! switch_on && says 'Cannot allocate memory' &&
		[ "$(cat $kmemtrace/enable)" = no ] && [ "$(available)" -lt "$need" ]
	refused=$?
	kill $reader
	within 20 is_available -ge "$need" && [ $refused -eq 0 ] && switch_on &&
		[ "$(killed)" -eq "$before" ]
}

# Another process leaves half of a buffer, which CPU 1 needs.
cpu1=/sys/devices/system/cpu/cpu1/online
online_without_memory() {
	need=$(($(cat $kmemtrace/n_subbufs) * $(cat $kmemtrace/subbuf_size) / 1024))
	before=$(killed)
	# shellcheck disable=SC2216 # it is to read nothing
	dd if=/dev/zero bs="$(($(available) - need / 2))k" count=1 2>>log | sleep 100 &
	reader=$!
	within 20 is_available -lt "$need" && echo 1 >$cpu1 &&
		taskset 2 ls -lR /sys/module >/dev/null &&
		[ "$(killed)" -eq "$before" ] && [ "$(available)" -lt "$need" ]
	online=$?
	kill $reader
	within 20 is_available -ge "$need" && [ $online -eq 0 ]
}

# lost CPU: how many of its records were lost
lost() {
	awk -v cpu="$1" '$1 == cpu { print $3 }' $kmemtrace/cpu_overruns
}

# CPU 1 gets a buffer when it comes online the next time.
unbuffered() {
	dmesg -c >/dev/null
	echo 0 >$cpu1 && switch_on && online_without_memory &&
		dmesg | grep -q 'cpu1: no memory for a buffer' &&
		[ "$(lost cpu1)" -gt 0 ] && [ "$(wc -c <$kmemtrace/cpu1)" -eq 0 ] &&
		echo 0 >$cpu1 && echo 1 >$cpu1 && before=$(lost cpu1) &&
		taskset 2 ls -lR /sys/module >/dev/null && echo 1 >$kmemtrace/flush &&
		[ "$(lost cpu1)" -eq "$before" ] && [ "$(wc -c <$kmemtrace/cpu1)" -gt 0 ]
	unbuffered=$?
	echo 1 >$cpu1
	return $unbuffered
}

# The OOM killer may want another one while the first is still on its way out. These are
# its choice before the test, but not before a process as large as kmemtraced.
spare() {
	echo 50 >/proc/self/oom_score_adj
	exec sleep 100
}

# A process wants nearly all memory, of which the kernel has taken more already. Who
# searches its log for faults is told that the OOM killer is none.
run_out() {
	echo 'kselftest: expects oom-killer' >/dev/kmsg
	dd if=/dev/zero of=/dev/null bs="$((total * 19 / 20))k" count=1 2>>log &
	hog=$!
	wait $hog
	status=$?
	echo 'kselftest: expects nothing' >/dev/kmsg
	[ $status -eq 137 ] && dmesg | grep -q "Killed process $hog "
}

survives() {
	in_background -o disk/trace "$@"
	until_logging 1 && run_out && kill -0 "$daemon" || return 1
	kill -INT "$daemon"
	ended 0 && kmemtrace-check disk/trace >>log 2>&1 && is_whole disk/trace
}

begin 4
# A work item frees the buffers.
sleep 1
refused
tested "too little memory for the buffers: refused, and nobody is killed"
# A work item frees the buffers of the last test.
sleep 1
unbuffered
tested "too little memory for the buffer of a CPU that comes online: it runs without"
spares=
for _ in 1 2 3 4; do
	(spare) &
	spares="$spares $!"
done
mkdir disk && mount -t ext4 /dev/vda disk || exit 1
start_load
survives
tested "memory runs out: a complete trace"
rm -rf disk/trace
start_load
survives -z
tested "-z: memory runs out: a complete trace"
rm -rf disk/trace
umount disk
# shellcheck disable=SC2086 # one word each, of those that are left
kill $spares 2>/dev/null
finish
