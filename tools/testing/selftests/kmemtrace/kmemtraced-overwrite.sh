#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --overwrite: the newest events are all there, and the snapshot at the end tells
# what is live, and who allocated it. The kernel needs CONFIG_KMEMTRACE_DEBUG.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 5

# The first CPU may have more, from a trace of the boot.
before=$(cut -d ' ' -f 2 $kmemtrace/cpu_subbufs | sort -n | head -n 1)

overwrites() {
	# shellcheck disable=SC2016 # sh expands it
	logs 0 --overwrite --subbufs 2 -o trace -- sh -c \
		'for i in $(seq 1250); do ls -lR /sys/module >/dev/null; done' &&
		cat $kmemtrace/cpu_events >events && is_complete trace &&
		[ "$(key trace overwrites)" = yes ] && is_explained trace
}
overwrites
explained=$?

# Each event of a CPU was overwritten, or is in its stream. One CPU had 100 times the events that
# its buffer holds.
counted() {
	most=0
	while read -r cpu all; do
		set -- "$("$here/count_events" "trace/$cpu.out" | cut -d ' ' -f 2)" \
			"$(key trace "overwritten.$cpu")"
		echo "$cpu: $1 events, $2 overwritten, $all in all" >>log
		[ $(($1 + $2)) -eq "$all" ] || return 1
		[ "$most" -gt $((all / $1)) ] || most=$((all / $1))
	done <events
	[ $most -ge 100 ]
}
counted
counted=$?
[ $explained -eq 0 ]
result "a trace of the newest events is complete and explained"
[ $counted -eq 0 ]
tested "each event was overwritten or is in the trace"
echo "$before" >$kmemtrace/resize

# What the shell holds was allocated in the window, and the kernel's own memory before.
owned() {
	logs 0 --overwrite -o trace -- sh -c 'sleep 1000 & ls -lR /sys/module >/dev/null' &&
		kmemtrace-report --show baseline,sites trace >report && cat report >>log &&
		killall sleep &&
		grep -q 'Baseline: live before the first event and at the end$' report &&
		grep -q ' (before the first event)$' report && grep -q 'copy_process' report
}
owned
tested "live memory has its owner, or is older than the trace"

echo overwrite >$kmemtrace/enable && [ "$(cat $kmemtrace/enable)" = overwrite ] &&
	! (echo yes >$kmemtrace/enable) 2>>log && echo overwrite >$kmemtrace/enable &&
	logs 0 -t 1 -o trace && says 'the trace will have what the buffers hold at the end' &&
	[ "$(key trace overwrites)" = yes ] && is_complete trace && is_explained trace
tested "tracing that overwrites goes on as it is"

logs 0 --overwrite --no-baseline -o trace -- sh -c 'ls -lR /sys/module >/dev/null' &&
	is_valid trace &&
	[ "$(key trace unseen)" = baseline ] &&
	[ "$(figure baseline complete trace)" = false ]
tested "--no-baseline: no snapshot at the end, either"

finish
