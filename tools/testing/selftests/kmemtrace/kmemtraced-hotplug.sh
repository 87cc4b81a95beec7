#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPU 1 goes offline and online while kmemtraced logs. No event is lost.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
cpu1=/sys/devices/system/cpu/cpu1/online

comes_back() {
	log_in_background
	until_logging 1 || return 1
	for _ in 1 2 3; do
		echo 0 >$cpu1 && sleep 0.3 && echo 1 >$cpu1 && sleep 0.3 ||
			return 1
	done
	taskset 2 ls -lR /sys/module >/dev/null
	kill -INT "$daemon" && ended 0 && is_complete trace && [ -s trace/cpu1.out ]
}

# The kernel flushes the last records when the CPU goes offline. The reader thread of
# this CPU reads them on another one.
stays_away() {
	log_in_background
	until_logging 1 && taskset 2 ls -lR /sys/module >/dev/null &&
		echo 0 >$cpu1 && sleep 0.3 && kill -INT "$daemon" &&
		ended 0 && is_complete trace && [ -s trace/cpu1.out ]
	away=$?
	echo 1 >$cpu1
	return $away
}

# The stream of an offline CPU exists.
starts_without() {
	echo 0 >$cpu1
	log_in_background
	until_logging 1 && echo 1 >$cpu1 &&
		taskset 2 ls -lR /sys/module >/dev/null && kill -INT "$daemon" &&
		ended 0 && is_complete trace && [ -s trace/cpu1.out ]
	away=$?
	echo 1 >$cpu1
	return $away
}

begin 3
start_load
comes_back
tested "a CPU goes offline and online three times: no event is lost"
start_load
stays_away
tested "a CPU goes offline and stays so: no event is lost"
start_load
starts_without
tested "a CPU that was offline at the start comes online: no event is lost"
finish
