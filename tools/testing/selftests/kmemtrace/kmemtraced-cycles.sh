#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Off and on ten times, with CPU 0 busy and the others idle: each trace holds
# every event of its time exactly once, and begins after the last one's end.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 10

insmod "$here/test_modules/kmemtrace_api.ko" || exit 1
api=/sys/kernel/debug/kmemtrace_api
cat $api/rows >rows

# What no CPU has recorded is no contradiction.
follows() {
	for stream in trace/cpu*.out; do
		[ -s "$stream" ] || continue
		name=${stream##*/}
		if [ -s "last.$name" ] &&
		   [ "$(first_time "$stream")" -le "$(cat "last.$name")" ]; then
			echo "$name: begins before the last trace's end" >>log
			return 1
		fi
		last_time "$stream" >"last.$name"
	done
}

for cycle in 1 2 3 4 5 6 7 8 9 10; do
	logs 0 -o trace -- taskset 1 sh -c "echo 100 >$api/run" &&
		says 'tracing was off, switched it on' && is_complete trace &&
		"$here/api_check" trace rows 100 >>log && follows
	tested "cycle $cycle"
done
rmmod kmemtrace_api
finish
