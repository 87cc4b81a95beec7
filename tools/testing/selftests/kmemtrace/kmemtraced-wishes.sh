#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What kmemtraced may ask for before a trace begins: buffers of another size, and no snapshot.
# The files "resize" and "baseline" behind that, and a signal during a snapshot.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 8

# refuses FILE WORD: writing WORD to FILE fails.
refuses() {
	! (echo "$2" >$kmemtrace/"$1") 2>>log
}

# logged_nothing: there is no file in the folder of the trace.
logged_nothing() {
	[ -z "$(ls trace 2>/dev/null)" ]
}

# has_subbufs N: each CPU has N sub-buffers.
has_subbufs() {
	[ "$(cat $kmemtrace/n_subbufs)" = "$1" ] &&
		[ "$(cut -d ' ' -f 2 $kmemtrace/cpu_subbufs | sort -u)" = "$1" ]
}

# The first CPU may have more, from a trace of the boot.
before=$(cut -d ' ' -f 2 $kmemtrace/cpu_subbufs | sort -n | head -n 1)
echo 8 >$kmemtrace/resize && has_subbufs 8 && refuses resize 1 &&
	refuses resize 1000000000 && refuses resize many && has_subbufs 8
tested "resize refuses a size that can't be"

logs 0 --subbufs 5 -o trace -- true && has_subbufs 5 && is_complete trace &&
	[ "$(key trace n_subbufs)" = 5 ]
tested "--subbufs changes the size of the buffers"

logs 2 --subbufs 1000000000 -o trace -- true && logged_nothing &&
	grep -q -- '--subbufs 1000000000: expected 2 to [0-9]*, an 8th of the memory' log
tested "--subbufs names the limit"
echo "$before" >$kmemtrace/resize

echo yes >$kmemtrace/enable
refuses resize 9 && refuses baseline no && says 'busy' &&
	logs 2 --no-baseline -o trace -t 1 && says 'tracing is on already' && logged_nothing
tested "nothing can be asked for while tracing is on"

echo yes >$kmemtrace/enable
echo no >$kmemtrace/enable
logs 2 --subbufs 5 -o trace && says "save them first, without --no-baseline" &&
	refuses resize 9
tested "nothing can be asked for while records are unread"

older() {
	logs 0 --no-baseline -o trace -- sh -c 'ls -lR /sys/module >/dev/null' &&
		is_complete trace &&
		[ "$(key trace unseen)" = baseline ] && [ "$(cat $kmemtrace/baseline)" = yes ] &&
		kmemtrace-report trace >>log && says 'not seen: what was allocated before' &&
		! says 'because  the snapshot' &&
		says 'slab, freed, but allocated before tracing began: '
}
older
tested "--no-baseline: no snapshot, and frees of what is older are counted"

refuses baseline nonsense && echo no >$kmemtrace/baseline &&
	logs 0 -o trace -- true && [ "$(key trace unseen)" = baseline ] &&
	[ "$(cat $kmemtrace/baseline)" = no ]
tested "the file baseline counts without the option, too"
echo yes >$kmemtrace/baseline

# The signal comes during the snapshot, or before or after it.
interrupted() {
	for delay in 0 0.01 0.02 0.05 0.1; do
		sh -c "echo yes >$kmemtrace/enable" 2>>log &
		writer=$!
		sleep $delay
		kill -TERM $writer
		wait $writer
		discard
	done
	kmemtraced -o trace -- true >>log 2>&1 && is_complete trace &&
		kmemtrace-report trace | head -n 1 | grep -q ': COMPLETE'
}
interrupted
tested "a signal during a snapshot: the next trace is complete"

finish
