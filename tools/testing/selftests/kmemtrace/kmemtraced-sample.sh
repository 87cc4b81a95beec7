#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --sample: one of so many small slab objects is in the trace, with all of its
# events, and so is all other memory.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 3

# small: print the number of allocations of small slab objects in the trace.
small() {
	"$here/count_events" trace/cpu*.out | awk '{ sum += $3 } END { print sum }'
}

# sampled N: trace a load as a sample. An object is in the sample by its address: the files have
# many, each of which is used once.
sampled() {
	logs 0 --sample "$1" -o trace -- sh -c \
		'mkdir files && seq -f files/%g 1000 | xargs touch && rm -r files' &&
		is_complete trace && is_explained trace
}

sampled 1 && [ -z "$(key trace sample)" ] && all=$(small)
rm -rf trace
sampled 16 && [ "$(key trace sample)" = 16 ] && part=$(small) &&
	echo "small slab objects: $all, $part of a sample" >>log && [ "$part" -gt 0 ] &&
	[ "$part" -lt $((all / 3)) ]
tested "a sample has few small slab objects, and each free has its allocation"

[ "$(cat $kmemtrace/sample)" = 1 ] && ! (echo 3 >$kmemtrace/sample) 2>>log &&
	echo 64 >$kmemtrace/sample && logs 0 -o trace -- true &&
	[ "$(key trace sample)" = 64 ] && echo 1 >$kmemtrace/sample
tested "--sample is for one trace; the file stays"

echo yes >$kmemtrace/enable
! (echo 4 >$kmemtrace/sample) 2>>log && logs 2 --sample 4 -o trace -t 1 &&
	says 'tracing is on already'
tested "nothing changes while tracing is on"

finish
