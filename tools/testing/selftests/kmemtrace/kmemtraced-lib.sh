# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests of kmemtraced: a clean start for each, a load, and what a
# good trace is. They work in $work, on a tmpfs.

# shellcheck disable=SC2034 # for those who source this
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/testing/selftests/kmemtrace/tap.sh
. "$here/tap.sh"
kmemtrace=/sys/kernel/debug/kmemtrace
work=$(mktemp -d /tmp/kmemtraced.XXXXXX)
cd "$work" || exit 1
trap 'end_load; cd /; rm -rf "$work"' EXIT

# Throw away what the buffers hold; tracing is off after that.
discard() {
	echo no >$kmemtrace/enable
	for stream in "$kmemtrace"/cpu[0-9]*; do
		cat "$stream" >/dev/null
	done
}

# begin N: so many tests follow.
begin() {
	plan "$1"
	discard
}

# tested NAME: the result of a test, and a clean start for the next.
tested() {
	result "$1"
	[ -z "$load" ] || end_load
	discard
	rm -rf trace log
}

# Allocate and free until end_load.
start_load() {
	while :; do
		ls -lR /sys/module >/dev/null 2>&1
		sleep 0.02
	done &
	load=$!
}

end_load() {
	[ -z "$load" ] && return
	kill "$load"
	wait "$load" 2>/dev/null
	load=
}

# logs STATUS ARG...: kmemtraced ends with this exit status.
logs() {
	want=$1
	shift
	kmemtraced "$@" >>log 2>&1
	status=$?
	echo "exit status $status" >>log
	[ $status -eq "$want" ]
}

says() {
	grep -qF -- "$1" log
}

# in_background ARG...: kmemtraced runs, its process is $daemon.
in_background() {
	: >>log
	kmemtraced "$@" >>log 2>&1 &
	daemon=$!
}

# kmemtraced logs into "trace".
log_in_background() {
	in_background -o trace
}

# has_logged N: it said for the N-th time that it is logging.
has_logged() {
	[ "$(grep -c 'logging' log)" -ge "$1" ]
}

# until_logging N: wait until it says so for the N-th time.
until_logging() {
	within 20 has_logged "$1"
}

# ended STATUS: the one in the background ends with this exit status.
ended() {
	wait "$daemon"
	status=$?
	echo "exit status $status" >>log
	[ $status -eq "$1" ]
}

# key TRACE NAME: what metadata says.
key() {
	sed -n "s/^$2: //p" "$1/metadata"
}

# Each record keeps the rules, and there are some.
is_valid() {
	kmemtrace-check "$1" >>log 2>&1 &&
		[ -n "$(find "$1" -name 'cpu*.out' -size +0c)" ]
}

# Nothing is missing: all is read, tracing is off, and no event was lost.
is_whole() {
	[ "$(key "$1" state)" = complete ] &&
		[ "$(key "$1" total_overruns)" -eq 0 ] &&
		[ "$(cat $kmemtrace/enable)" = no ]
}

is_complete() {
	is_valid "$1" && is_whole "$1"
}

# The timestamp is the seventh word of each record but a pad (event_id 3), which
# the second 16 bits of the first word have the size of. All sub-buffers but the
# last are full: only that is looked at for the last record.
first_time() {
	od -A n -t d8 -j 48 -N 8 "$1"
}
last_time() {
	subbuf=$(key "${1%/*}" subbuf_size)
	od -A n -v -w8 -t u1 -t u2 -t d8 \
		-j $((($(stat -c %s "$1") - 1) / subbuf * subbuf)) "$1" | awk '
	NR % 3 == 1 && !left { pad = $1 == 3; word = 0 }
	NR % 3 == 2 && !left { left = $2 / 8 }
	NR % 3 == 0 { left--; if (!pad && word++ == 6) time = $1 }
	END { print time }'
}

# continues FIRST SECOND: on no CPU does the second trace begin before the first ends.
continues() {
	for stream in "$2"/cpu*.out; do
		before=$1/${stream##*/}
		if [ -s "$stream" ] && [ -s "$before" ] &&
		   [ "$(first_time "$stream")" -lt "$(last_time "$before")" ]; then
			return 1
		fi
	done
}
