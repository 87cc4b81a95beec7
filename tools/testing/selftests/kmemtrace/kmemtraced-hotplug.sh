#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A CPU that goes and comes back while kmemtraced logs loses nothing.

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

# Its last records are flushed when it goes, its thread reads them elsewhere.
stays_away() {
	log_in_background
	until_logging 1 && taskset 2 ls -lR /sys/module >/dev/null &&
		echo 0 >$cpu1 && sleep 0.3 && kill -INT "$daemon" &&
		ended 0 && is_complete trace && [ -s trace/cpu1.out ]
	away=$?
	echo 1 >$cpu1
	return $away
}

# Its stream is there though it is not.
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
tested "a CPU goes and comes back, three times"
start_load
stays_away
tested "a CPU goes and stays away"
start_load
starts_without
tested "a CPU comes back that was away at the start"
finish
