#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ktrace and kmemtrace record the same markers at once. Neither may change what the other
# sees: each trace is complete, and both have the same events.

# shellcheck source=tools/testing/selftests/ktrace/ktraced-lib.sh
. "$(dirname "$0")/ktraced-lib.sh"
kmemtrace=/sys/kernel/debug/kmemtrace

# Switch kmemtrace off and discard its records.
discard() {
	echo no >$kmemtrace/enable
	cat $kmemtrace/cpu[0-9]* >/dev/null
}

# kmemtraced_in_background ARG...: as record_in_background
kmemtraced_in_background() {
	: >>log
	kmemtraced "$@" >>log 2>&1 &
	other=$!
	within 20 grep -q 'kmemtraced: logging' log
}

fence() {
	echo "$1" >/sys/kernel/debug/ktrace_hits/fence
}

# Use all allocators, between two fences.
work() {
	fence 3001 || return 1
	for _ in 1 2 3; do
		ls -lR /sys/kernel >/dev/null 2>&1
		dd if=/dev/zero of=file bs=64k count=20 2>/dev/null && rm file
		insmod "$modules/ktrace_count.ko" channel=1 && rmmod ktrace_count
	done
	fence 3003
}

# kmemtrace_complete: no record is missing from its trace, and its books balance.
kmemtrace_complete() {
	kmemtrace-report --show trace,findings other >>log 2>&1 &&
		[ "$(kmemtrace-report --csv trace --columns complete,unexplained other |
			tail -n 1)" = true,0 ]
}

same() {
	kmemtrace_complete && is_complete trace &&
		"$here/ktrace_beside" other trace 3001 3003 >>log 2>&1
}

# The first recorder ends last, or first.
kmemtrace_first() {
	insmod "$modules/ktrace_hits.ko" && kmemtraced_in_background -o other &&
		record_in_background -e '*' -o trace && work && kill -INT "$daemon" && ended 0 &&
		kill -INT "$other" && wait "$other" && same
}

ktrace_first() {
	insmod "$modules/ktrace_hits.ko" && record_in_background -e '*' -o trace &&
		kmemtraced_in_background -o other && work && kill -INT "$daemon" && ended 0 &&
		kill -INT "$other" && wait "$other" && same
}

# Events come and go on the markers that kmemtrace records.
switched() {
	insmod "$modules/ktrace_hits.ko" && kmemtraced_in_background -o other || return 1
	(while :; do work; done) >/dev/null 2>&1 &
	load=$!
	for patterns in '*' 'k*' 'page_*' '*' '*free*' 'kmem_*'; do
		echo "$patterns" >$ktrace/select && echo overwrite >$ktrace/enabled &&
			sleep 0.2 && echo '*' >$ktrace/select && sleep 0.1 &&
			echo >$ktrace/select && echo 0 >$ktrace/enabled &&
			echo 1 >$ktrace/reset || return 1
	done
	kill -INT "$other" && wait "$other" && end_load && kmemtrace_complete
}

if ! [ -e $kmemtrace/enable ] || ! command -v ktraced >/dev/null; then
	ktap_skip_all "no kmemtrace in this kernel, or no ktraced"
	exit "$KSFT_SKIP"
fi
begin 3
discard
kmemtrace_first
tested "kmemtrace, and then ktrace: both are complete and have the same events"
rm -rf other
discard
ktrace_first
tested "ktrace, and then kmemtrace: both are complete and have the same events"
rm -rf other
discard
switched
tested "kmemtrace misses nothing while ktrace is switched and selects others"
discard
ktap_finished
