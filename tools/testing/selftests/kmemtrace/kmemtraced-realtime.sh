#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The threads of kmemtraced read with real-time priority, and still leave the CPUs to
# other processes.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

# policies: print priority and policy of each thread but the first, see proc(5).
policies() {
	for stat in /proc/"$daemon"/task/*/stat; do
		[ "$stat" = "/proc/$daemon/task/$daemon/stat" ] ||
			sed 's/.*) //' "$stat" | cut -d ' ' -f 38-39
	done | sort | uniq -c | tr -s ' '
}

# ticks PID...: print the CPU time of these processes and their children, in ticks.
ticks() {
	for pid; do
		sed 's/.*) //' "/proc/$pid/stat"
	done | awk '{ sum += $12 + $13 + $14 + $15 } END { print sum }'
}

# reads_with POLICIES ARG...: run kmemtraced and expect this policy of its readers.
reads_with() {
	policies=$1
	shift
	: >log
	kmemtraced "$@" -o trace >>log 2>&1 &
	daemon=$!
	until_logging 1 || return 1
	policies >>log
	[ "$(policies)" = " $(nproc) $policies" ] && kill -INT "$daemon" && ended 0
}

# A process on each CPU opens files without a pause, for some seconds. Each of them gets
# twice as many ticks as all threads of kmemtraced together.
leaves_cpus() {
	loads=
	log_in_background
	until_logging 1 || return 1
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" sh -c 'while :; do : <config; done' 2>/dev/null &
		loads="$loads $!"
	done
	own=$(ticks "$daemon")
	sleep 4
	own=$(($(ticks "$daemon") - own))
	used=$(for load in $loads; do ticks "$load"; done | sort -n | head -n 1)
	# shellcheck disable=SC2086 # numbers
	kill $loads
	# shellcheck disable=SC2086
	wait $loads 2>/dev/null
	echo "ticks: the least of the loads $used, kmemtraced $own" >>log
	kill -INT "$daemon"
	ended 0 && is_complete trace && [ "$used" -gt $((2 * own)) ]
}

: >config
begin 5
reads_with '1 1'
tested "by default, the readers have the lowest real-time priority"
reads_with '7 1' -r 7
tested "-r 7: the readers have real-time priority 7"
reads_with '0 0' -r 0
tested "-r 0: the readers have no real-time priority"
logs 2 -r 100 && says "'100'"
tested "-r 100 is refused"
leaves_cpus
tested "the load of each CPU has at least twice the ticks of kmemtraced: $used to $own"
finish
