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

# pages COLUMN PATTERN: the sum of a column over the call sites that match.
pages() {
	kmemtrace-report --show sites -n 100000 --type pages --site "$2" trace >rows 2>&1
	cat rows >>log
	awk -v column="$1" '
	/^Pages:/ { rows = 1 }
	/^$/ { rows = 0 }
	rows && !/^Pages:/ { gsub(",", ""); sum += $column }
	END { print sum + 0 }' rows
}

# moving COLUMN: the same of the code that moves memory.
moving() {
	echo $(($(pages "$1" '*migrate*') + $(pages "$1" '*compact*')))
}

# loaded COLUMN: the same of the code that allocates anonymous memory.
loaded() {
	echo $(($(pages "$1" '*fault*') + $(pages "$1" '*anon*') + $(pages "$1" '*prealloc*')))
}

begin 4
moves
result "a trace of a load whose memory moves"
moved=$(cat moved)
allocated=$(moving 3)
[ "$moved" -ge 2000 ] && [ "$allocated" -ge "$moved" ]
result "compaction allocates pages for others: $allocated for $moved"
live=$(moving 2)
[ "$live" -eq 0 ]
result "compaction owns none of them: $live"
live=$(loaded 2)
[ "$live" -ge $kept ]
tested "the load owns its memory: $live pages"
finish
