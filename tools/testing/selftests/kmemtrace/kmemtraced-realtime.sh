#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced reads with real-time priority, and leaves the CPUs to others all the
# same.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

# policies: priority and policy of each thread but the first, see proc(5).
policies() {
	for stat in /proc/"$daemon"/task/*/stat; do
		[ "$stat" = "/proc/$daemon/task/$daemon/stat" ] ||
			sed 's/.*) //' "$stat" | cut -d ' ' -f 38-39
	done | sort | uniq -c | tr -s ' '
}

# ticks PID...: of CPU time that these processes had, with their children's.
ticks() {
	for pid; do
		sed 's/.*) //' "/proc/$pid/stat"
	done | awk '{ sum += $12 + $13 + $14 + $15 } END { print sum }'
}

# reads_with POLICIES ARG...
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

# One that allocates on each CPU, as fast as it can, for some seconds: each has twice as
# many ticks as all threads of who reads.
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
tested "by default, the lowest real-time priority reads"
reads_with '7 1' -r 7
tested "-r 7: it is 7"
reads_with '0 0' -r 0
tested "-r 0: none"
logs 2 -r 100 && says "'100'"
tested "-r 100: there is no such priority"
leaves_cpus
tested "the load of each CPU has twice the ticks of who reads: $used to $own"
finish
