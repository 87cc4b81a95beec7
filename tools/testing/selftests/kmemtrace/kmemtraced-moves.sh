#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Memory that compaction moves stays that of the code that allocated it.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

# The load has 64M of pages of 4K, and frees half of them.
kept=8192

# moves: trace the load until compaction is over. The load goes on, so that its memory is
# live at the end of the trace.
moves() {
	log_in_background
	until_logging 1 || return
	"$here/move_load" >moved 2>>log &
	holder=$!
	within 60 test -s moved
	status=$?
	kill -INT "$daemon"
	ended 0 && is_complete trace && [ $status -eq 0 ]
	status=$?
	kill "$holder"
	wait "$holder" 2>/dev/null
	return $status
}

# pages KEY PATTERN...: the sum of bytes or live_bytes over the call sites that match, in
# pages.
pages() {
	sum=$1 bytes=0
	shift
	for pattern; do
		found=$(figure totals "$sum" trace --where allocator=pages --site "$pattern")
		echo "$pattern: $sum $found" >>log
		bytes=$((bytes + found))
	done
	echo $((bytes / $(key trace page_size)))
}

# moving KEY: the same of the code that moves memory.
moving() {
	pages "$1" '*migrate*' '*compact*'
}

# loaded KEY: the same of the code that allocates anonymous memory.
loaded() {
	pages "$1" '*fault*' '*anon*' '*prealloc*'
}

begin 4
moves
result "a trace of a load whose memory moves"
moved=$(cat moved)
allocated=$(moving bytes)
[ "$moved" -ge 2000 ] && [ "$allocated" -ge "$moved" ]
result "compaction allocates pages for others: $allocated for $moved"
live=$(moving live_bytes)
[ "$live" -eq 0 ]
result "compaction owns none of them: $live"
live=$(loaded live_bytes)
[ "$live" -ge $kept ]
tested "the load owns its memory: $live pages"
finish
