#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What finds no room is counted to the event, placed in time, and missing from one
# trace only. Needs a kernel with CONFIG_KMEMTRACE_DEBUG and small buffers, such as
# kmemtrace.subbuf_size=64K kmemtrace.subbufs=12 make.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

export TMPDIR="$work"

# overruns COLUMN: the sum of it over all CPUs; 3: records, 5: those untold.
overruns() {
	awk -v column="$1" '{ sum += $column } END { print sum }' $kmemtrace/cpu_overruns
}

# lost TRACE: records that its metadata call lost.
lost() {
	awk -F': ' '/^lost\.cpu/ { sum += $2 } END { print sum }' "$1/metadata"
}

# has_lost N: more than N records.
has_lost() {
	[ "$(overruns 3)" -gt "$1" ]
}

# accounts_for_all TRACE: on each CPU, what is recorded and what is lost is what the
# probes were called for.
accounts_for_all() {
	kmemtrace-report --json --show trace "$1" |
		awk -F'[:, ]+' '
		$2 == "\"cpu\"" { cpu = $3 }
		$2 == "\"events\"" && cpu != "" { events = $3 }
		$2 == "\"lost_events\"" && cpu != "" { print "cpu" cpu, events + $3; cpu = "" }' \
		>accounted
	cat accounted $kmemtrace/cpu_events $kmemtrace/cpu_overruns >>log
	sort accounted >accounted.sorted
	sort $kmemtrace/cpu_events | cmp - accounted.sorted
}

# places TRACE: losses lie between the trace's first event and its last.
places() {
	kmemtrace-report --json --show trace "$1" |
		awk -F'[:, ]+' '
		/"last_ns"/ { last = $3 }
		/"since_ns"/ && $3 >= 0 && $3 <= last { placed++ }
		END { exit !placed }'
}

# What is stopped for long has no room for all that happens.
stopped() {
	log_in_background
	until_logging 1 && kill -STOP "$daemon" && within 60 has_lost 1000 &&
		kill -CONT "$daemon" && sleep 1 && kill -INT "$daemon" &&
		ended 1 && says 'to lose nothing, boot with' &&
		[ "$(key trace state)" = complete ] && is_valid trace &&
		[ "$(lost trace)" -eq "$(overruns 3)" ] &&
		accounts_for_all trace && places trace
}

# A reader who is slower than what happens.
slow_pipe() {
	mkdir trace
	{
		kmemtraced -o - -t 6 2>>log
		echo $? >status
	} | {
		for _ in 1 2 3 4 5 6 7 8; do
			dd bs=16k count=1 iflag=fullblock 2>/dev/null
			sleep 0.5
		done
		cat
	} >stream
	[ "$(cat status)" -eq 1 ] && kmemtrace-check - <stream >>log &&
		kmemtrace-report --json --show trace - <stream >json &&
		sum=$(awk -F'[:, ]+' '$2 == "\"lost_events\"" { print $3; exit }' json) &&
		[ "$sum" -gt 0 ] && [ "$sum" -eq "$(overruns 3)" ]
}

# Two traces, of which the second begins where the first had no more room: their
# losses add up to those of the kernel.
divided() {
	mkdir small
	mount -t tmpfs -o "size=$(($(wc -c </proc/kallsyms) / 1024 + 4000))k" \
		none small || return 1
	in_background -o small/trace
	until_logging 1 && kill -STOP "$daemon" && within 60 has_lost 100 &&
		kill -CONT "$daemon" && ended 1 && says 'No space left on device' ||
		return 1
	kmemtraced -o trace >>log 2>&1
	echo "exit status $?" >>log
	kmemtrace-report trace >report
	cat report >>log
	[ "$(lost small/trace)" -gt 0 ] && is_valid small/trace && is_valid trace &&
		[ $(($(lost small/trace) + $(lost trace))) -eq "$(overruns 3)" ] &&
		grep -q 'begins with sub-buffer' report &&
		! grep -q 'missing from the file' report
}

begin 3
start_load
stopped
tested "kmemtraced is stopped: each event is recorded or lost, and where"
start_load
slow_pipe
tested "a slow pipe: each event that is lost is counted"
start_load
divided
tested "the rest of a full disk: what was lost is missing from one trace only"
umount small
finish
