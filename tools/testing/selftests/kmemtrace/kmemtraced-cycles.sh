#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Five traces, one after the other, while CPU 0 is busy and the others are idle. Each
# trace holds each event of its time exactly once, and begins after the end of the
# previous one.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 5

insmod "$here/test_modules/kmemtrace_api.ko" || exit 1
cat /sys/kernel/debug/kmemtrace_api/rows >rows

# follows: on each CPU with records in both, this trace begins after the previous one.
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

for cycle in 1 2 3 4 5; do
	logs 0 -o trace -- taskset 1 "$here/api-run.sh" 100 &&
		says 'tracing was off, switched it on' && is_complete trace &&
		"$here/api_check" trace rows 100 >>log && follows
	tested "trace $cycle has each event once, and begins after the previous trace"
done
rmmod kmemtrace_api
finish
