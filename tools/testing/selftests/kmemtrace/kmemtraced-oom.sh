#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Too little memory for the buffers: tracing stays off. Too little memory for the buffer
# of a CPU that comes online: the CPU runs without one. The kernel kills no process for
# either. Memory runs out while kmemtraced logs: the kernel kills another process, and
# the trace is complete. The test needs a disk with an ext4 file system at /dev/vda.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

total=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
if [ "$total" -gt $((4 << 20)) ]; then
	ktap_print_header
	ktap_skip_all "more than 4 GiB of memory: the test uses all of it"
	exit "$KSFT_SKIP"
fi

available() {
	sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# is_available TEST KB: compare the available memory, for example with -lt 1000.
is_available() {
	test "$(available)" "$1" "$2"
}

killed() {
	awk '$1 == "oom_kill" { print $2 }' /proc/vmstat
}

switch_on() {
	(echo yes >$kmemtrace/enable) 2>>log
}

# dd fills memory until only half of the buffers' size is available, then blocks since
# nobody reads its pipe.
refused() {
	need=$(($(nproc) * $(cat $kmemtrace/n_subbufs) *
		$(cat $kmemtrace/subbuf_size) / 1024))
	before=$(killed)
	# shellcheck disable=SC2216 # sleep reads nothing, so that dd blocks
	dd if=/dev/zero bs="$(($(available) - need / 2))k" count=1 2>>log | sleep 100 &
	reader=$!
	within 20 is_available -lt "$need"
	echo "$(available) kB are available, the buffers need $need kB" >>log
	is_available -lt "$need" && ! switch_on && says 'Cannot allocate memory' &&
		[ "$(cat $kmemtrace/enable)" = no ] && [ "$(available)" -lt "$need" ]
	refused=$?
	kill $reader
	within 20 is_available -ge "$need" && [ $refused -eq 0 ] && switch_on &&
		[ "$(killed)" -eq "$before" ]
}

# dd leaves half of the memory that the buffer of CPU 1 needs.
cpu1=/sys/devices/system/cpu/cpu1/online
online_without_memory() {
	need=$(($(cat $kmemtrace/n_subbufs) * $(cat $kmemtrace/subbuf_size) / 1024))
	before=$(killed)
	# shellcheck disable=SC2216 # sleep reads nothing, so that dd blocks
	dd if=/dev/zero bs="$(($(available) - need / 2))k" count=1 2>>log | sleep 100 &
	reader=$!
	within 20 is_available -lt "$need" && echo 1 >$cpu1 &&
		taskset 2 ls -lR /sys/module >/dev/null &&
		[ "$(killed)" -eq "$before" ] && [ "$(available)" -lt "$need" ]
	online=$?
	kill $reader
	within 20 is_available -ge "$need" && [ $online -eq 0 ]
}

# lost CPU: print the number of its lost records.
lost() {
	awk -v cpu="$1" '$1 == cpu { print $3 }' $kmemtrace/cpu_overruns
}

# CPU 1 has no buffer, and loses its records, until it comes online again with enough
# memory.
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

# The OOM killer may kill a second process while the first is still exiting. A spare
# process is its choice before the test's own small processes, but after a process as
# large as kmemtraced.
spare() {
	echo 50 >/proc/self/oom_score_adj
	exec sleep 100
}

# dd allocates nearly all memory, more than is free, and the OOM killer must kill it.
# The lines in the kernel log say that the test expects the OOM killer.
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
# A work item frees the buffers of an earlier trace.
sleep 1
refused
tested "too little memory for the buffers: tracing stays off, no process is killed"
sleep 1
unbuffered
tested "too little memory for the buffer of a CPU that comes online: it runs without one"
spares=
for _ in 1 2 3 4; do
	(spare) &
	spares="$spares $!"
done
mkdir disk && mount -t ext4 /dev/vda disk || exit 1
start_load
survives
tested "memory runs out: the trace is complete"
rm -rf disk/trace
start_load
survives -z
tested "-z: memory runs out: the trace is complete"
rm -rf disk/trace
umount disk
# shellcheck disable=SC2086 # a word for each process
kill $spares 2>/dev/null
finish
