#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Full buffers lose events. The kernel must count each lost event, the trace must say
# when events were lost, and the same loss must not be in two traces.
#
# The test needs a kernel with CONFIG_KMEMTRACE_DEBUG and small buffers, for example by
# kmemtrace.subbuf_size=64K kmemtrace.subbufs=12.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

# overruns COLUMN: print the sum of a column over all CPUs. Column 3 is the number of
# lost records.
overruns() {
	awk -v column="$1" '{ sum += $column } END { print sum }' $kmemtrace/cpu_overruns
}

# lost TRACE: print the number of lost records in its metadata.
lost() {
	awk -F': ' '/^lost\.cpu/ { sum += $2 } END { print sum }' "$1/metadata"
}

# has_lost N: the kernel has lost more than N records.
has_lost() {
	[ "$(overruns 3)" -gt "$1" ]
}

# accounts_for_all TRACE: on each CPU, recorded and lost events are as many as the calls
# of the probes.
accounts_for_all() {
	kmemtrace-report --csv cpus --columns cpu,events,lost_events "$1" |
		awk -F, 'NR > 1 { print "cpu" $1, $2 + $3 }' >accounted
	cat accounted $kmemtrace/cpu_events $kmemtrace/cpu_overruns >>log
	sort accounted >accounted.sorted
	sort $kmemtrace/cpu_events | cmp - accounted.sorted
}

# places TRACE: a loss lies between the trace's first and last event.
places() {
	last=$(figure trace last_ns "$1")
	kmemtrace-report --csv losses --where "since_ns>=0,since_ns<=$last" "$1" | grep -q '^[0-9]'
}

# SIGSTOP stops kmemtraced until the buffers are full.
stopped() {
	log_in_background
	until_logging 1 && kill -STOP "$daemon" && within 60 has_lost 1000 &&
		kill -CONT "$daemon" && sleep 1 && kill -INT "$daemon" &&
		ended 1 && says 'to lose nothing, boot with' &&
		[ "$(key trace state)" = complete ] && is_valid trace &&
		[ "$(lost trace)" -eq "$(overruns 3)" ] &&
		accounts_for_all trace && places trace
}

# The reader of the pipe is slower than the load, once it has the symbols.
slow_pipe() {
	mkdir trace
	{
		kmemtraced -o - -t 6 2>>log
		echo $? >status
	} | {
		dd bs=64k iflag=fullblock,count_bytes count="$(wc -c </proc/kallsyms)" \
			2>/dev/null
		for _ in 1 2 3 4 5 6 7 8; do
			dd bs=16k count=1 iflag=fullblock 2>/dev/null
			sleep 0.5
		done
		cat
	} >stream
	[ "$(cat status)" -eq 1 ] && TMPDIR="$work" kmemtrace-check - <stream >>log &&
		sum=$(TMPDIR="$work" figure trace lost_events - <stream) &&
		[ "$sum" -gt 0 ] && [ "$sum" -eq "$(overruns 3)" ]
}

# The disk of the first trace is full. The second trace begins with the records that
# remain in the buffers. The losses of both add up to those of the kernel.
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
tested "kmemtraced is stopped until events are lost: the trace counts each, with its time"
start_load
slow_pipe
tested "a slow pipe loses events: the trace counts each of them"
start_load
divided
tested "a disk is full, a second trace saves the rest: each loss is in one of the two"
umount small
finish
