# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions for the tests of kmemtraced, which source this file: a clean state for each
# test, a load, and checks of a trace. The tests work in $work, on a tmpfs.

# shellcheck disable=SC2034 # the sourcing scripts use them
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/testing/selftests/kmemtrace/tap.sh
. "$here/tap.sh"
# shellcheck source=tools/testing/selftests/kmemtrace/collector.sh
. "$here/collector.sh"
collector=kmemtraced
pause=0.02
kmemtrace=/sys/kernel/debug/kmemtrace
work=$(mktemp -d /tmp/kmemtraced.XXXXXX)
cd "$work" || exit 1
trap 'end_load; cd /; rm -rf "$work"' EXIT

# Switch tracing off and discard the records in the buffers.
discard() {
	echo no >$kmemtrace/enable
	for stream in "$kmemtrace"/cpu[0-9]*; do
		cat "$stream" >/dev/null
	done
}

# begin N: print the plan for N tests, and start in a clean state.
begin() {
	plan "$1"
	discard
}

# tested NAME: print the result of the last command, and clean up for the next test.
tested() {
	result "$1"
	[ -z "$load" ] || end_load
	discard
	rm -rf trace log
}

# Allocate and free until end_load, with pauses of $pause seconds.
start_load() {
	while :; do
		ls -lR /sys/module >/dev/null 2>&1
		sleep "$pause"
	done &
	load=$!
}

# Start kmemtraced with the folder "trace".
log_in_background() {
	in_background -o trace
}

# has_logged N: kmemtraced has reported N times that it is logging.
has_logged() {
	[ "$(grep -c 'logging' log)" -ge "$1" ]
}

# until_logging N: wait for the N-th report that it is logging.
until_logging() {
	within 20 has_logged "$1"
}

# key TRACE NAME: print a value of the trace's metadata.
key() {
	sed -n "s/^$2: //p" "$1/metadata"
}

# is_valid TRACE: each record is valid, and the trace has records.
is_valid() {
	kmemtrace-check "$1" >>log 2>&1 &&
		[ -n "$(find "$1" -name 'cpu*.out' -size +0c)" ]
}

# is_whole TRACE: all records are stored, no event was lost, and tracing is off.
is_whole() {
	[ "$(key "$1" state)" = complete ] &&
		[ "$(key "$1" total_overruns)" -eq 0 ] &&
		[ "$(cat $kmemtrace/enable)" = no ]
}

is_complete() {
	is_valid "$1" && is_whole "$1"
}

# is_subbuf STREAM OFFSET: a sub-buffer begins there, with a CLOCK: event_id 5, 56 bytes.
is_subbuf() {
	[ "$(od -A n -t u1 -j "$2" -N 1 "$1")" -eq 5 ] &&
		[ "$(od -A n -t u2 -j $(($2 + 2)) -N 2 "$1")" -eq 56 ]
}

# A word has 8 bytes. The first word of a record holds event_id and, in bytes 2 and 3,
# the size of the record. The seventh word is the timestamp, except in a PAD (event_id 3).
# Sub-buffers are whole pages.
first_time() {
	od -A n -t d8 -j 48 -N 8 "$1"
}
last_time() {
	page=$(key "${1%/*}" page_size)
	last=$((($(stat -c %s "$1") - 1) / page * page))
	until is_subbuf "$1" $last; do
		last=$((last - page))
	done
	od -A n -v -w8 -t u1 -t u2 -t d8 -j $last "$1" | awk '
	NR % 3 == 1 && !left { pad = $1 == 3; word = 0 }
	NR % 3 == 2 && !left { left = $2 / 8 }
	NR % 3 == 0 { left--; if (!pad && word++ == 6) time = $1 }
	END { print time }'
}

# figure RELATION COLUMN TRACE [OPTION...]: print the value of the only row, by the report.
figure() {
	relation=$1 column=$2
	shift 2
	kmemtrace-report --csv "$relation" --columns "$column" "$@" 2>>log | tail -n 1
}

# is_explained TRACE: the trace is COMPLETE, and no event contradicts another.
is_explained() {
	kmemtrace-report "$1" >report && head -n 1 report >>log &&
		head -n 1 report | grep -q ': COMPLETE' &&
		[ "$(figure trace unexplained "$1")" = 0 ] && return
	kmemtrace-report --show findings "$1" >>log
	return 1
}

# continues FIRST SECOND: on each CPU, the second trace goes on where the first ends:
# together, they have each sub-buffer once.
continues() {
	for stream in "$2"/cpu*.out; do
		cat "$1/${stream##*/}" "$stream" >"$work/joined"
		kmemtrace-check "$work/joined" >>log 2>&1 || return 1
	done
}
