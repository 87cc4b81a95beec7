#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --rotate: a chain of traces has each event once, and each trace knows what was
# live when it began.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 8
pause=0.2

# traces: print the folders of the chain.
traces() {
	ls -d trace/[0-9]*
}

# last: print the last one.
last() {
	traces | tail -n 1
}

# is_sound TRACE: the same, and each record is valid.
is_sound() {
	kmemtrace-check "$1" >>log 2>&1 && is_explained "$1"
}

# is_chain N: there are N traces or more, each of which is explained, and all but the first
# begin with the books of the one before.
is_chain() {
	[ "$(traces | wc -l)" -ge "$1" ] || return 1
	before=
	for trace in $(traces); do
		is_sound "$trace" || return 1
		[ -z "$before" ] || {
			[ "$(key "$trace" follows)" = "${before#trace/}" ] &&
				[ -s "$trace/books.out" ] && [ "$(key "$before" until_ns)" -gt 0 ]
		} || return 1
		before=$trace
	done
}

# continues_all: each CPU's stream goes on in the next trace, and no sub-buffer is missing.
continues_all() {
	before=
	for trace in $(traces); do
		[ -z "$before" ] || for stream in "$trace"/cpu*.out; do
			cpu=${stream##*/}
			cpu=${cpu%.out}
			overlap=$(key "$trace" "overlap.$cpu")
			size=$(stat -c %s "$before/$cpu.out")
			tail -c "$overlap" "$before/$cpu.out" >old
			head -c "$overlap" "$stream" >new
			[ "$overlap" -le "$size" ] && cmp old new || return 1
		done
		before=$trace
	done
}

# rotates N OPTION...: kmemtraced runs until it has begun the trace of this number.
rotates() {
	next=trace/$(printf '%06d' "$1")
	shift
	in_background "$@" -o trace
	within 60 test -s "$next/cpu0.out" -o -s "$next/cpu0.out.zst" && kill "$daemon" && ended 0
}

start_load
rotates 3 --rotate 1s && is_chain 3 && continues_all
tested "by time: each trace is complete, and begins where the one before ended"

start_load
rotates 2 --rotate 3M && is_chain 2
tested "by size"

start_load
rotates 4 --rotate 1s --keep 2 -z && [ "$(traces | wc -l)" -eq 2 ] &&
	[ "$(last)" != trace/000002 ] && is_sound "$(last)"
tested "--keep: old traces are removed, and the newest one knows all that is live"

start_load
rotates 2 --rotate 1s && rotates 4 --rotate 1s &&
	kmemtrace-report --growth "$(traces | head -n 1)" "$(traces | sed -n 2p)" >growth &&
	grep -q 'grew and never shrank' growth && is_sound "$(last)" &&
	[ "$(traces | wc -l)" -ge 4 ]
tested "another run goes on with the next number; --growth reads a chain"

# A signal at any stage. The books are written all the same.
signalled() {
	for delay in 1.00 1.02 1.05 1.10 1.30; do
		start_load
		in_background --rotate 1s -o trace
		until_logging 1 && sleep $delay && kill "$daemon" && ended 0 &&
			is_sound "$(last)" && [ -n "$(key "$(last)" end_ns)" ] || return 1
		end_load
		rm -rf trace log
	done
}
signalled
tested "a signal while traces are rotated"

# Something is in the way of the next trace.
mkdir -p trace
touch trace/000002
start_load
rotates 4 --rotate 1s && is_sound "$(last)" &&
	rm trace/000002 && is_chain 2
tested "a file that has the name of the next trace"

start_load
rotates 2 --rotate 1s -f && is_chain 2 && [ "$(traces | head -n 1)" = trace/000001 ] &&
	logs 0 --rotate 1h -f -t 1 -o trace && is_chain 1 && [ "$(last)" = trace/000001 ]
tested "--force: a new chain in the place of the one before"

logs 2 --rotate 5 -o trace && says "--rotate" && logs 2 --keep 3 -o trace &&
	says '--keep needs --rotate' && logs 2 --rotate 1s -o - && says 'needs a directory' &&
	logs 2 --rotate 1s --counters 1 -o trace &&
	says '--rotate has no effect on a trace of counters'
tested "options that make no sense"

finish
