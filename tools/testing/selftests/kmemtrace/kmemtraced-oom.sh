#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Where there is too little memory for the buffers, tracing isn't switched on, and
# nobody is killed for it. Memory runs out while kmemtraced logs: another process is
# killed, and nothing is missing. Needs a disk for an ext4 file system at /dev/vda.

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

begin 3
# The buffers are given back by a work item.
sleep 1
refused
tested "too little memory for the buffers: refused, and nobody is killed"
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
