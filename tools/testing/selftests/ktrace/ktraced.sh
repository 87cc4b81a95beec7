#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ktraced under hard conditions: signals, a full disk, modules that come later, a pipe,
# overwriting. The traces are compared with the number of hits, to the last one.

# shellcheck source=tools/testing/selftests/ktrace/ktraced-lib.sh
. "$(dirname "$0")/ktraced-lib.sh"
cpus=$(nproc)
# An event has 24 bytes. More than fill a sub-buffer, and as many as fill a buffer:
fills=$(($(cat $ktrace/subbuf_size) / 20))
capacity=$(($(cat $ktrace/subbuf_size) * $(cat $ktrace/n_subbufs) / 24))

# The trace has each hit up to the end, and the former selection comes back.
ended_by() {
	load_modules && echo 'ktrace_hits_init,no*' >$ktrace/select && start_load &&
		record_in_background -e 'ktrace_hits_*' -o trace && sleep 1 &&
		kill "-$1" "$daemon" && ended 0 && is_off 'ktrace_hits_init,no*' &&
		is_complete trace && echo "$(hits) hits" >>log &&
		[ "$(events ktrace_hits_typed)" -eq "$(hits)" ] && [ "$(hits)" -gt 1000 ]
}

# The buffers are full while ktraced is stopped.
stopped() {
	n=$((capacity / 2 + 20000))
	load_modules && record_in_background -e 'ktrace_hits_*' -o trace &&
		kill -STOP "$daemon" && hit $n && kill -CONT "$daemon" && sleep 1 &&
		hit 100 && kill -INT "$daemon" && ended 1 && is_off '' &&
		says 'to lose nothing, boot with' && report trace &&
		reports 'trace: INCOMPLETE' && lost=$(figure lost_events) &&
		[ "$lost" -gt 0 ] &&
		[ "$lost" -eq "$(awk '{ lost += $3 } END { print lost }' $ktrace/overflow)" ] &&
		grep -q "$(grouped "$lost") events lost" report &&
		[ $(($(figure events) + lost)) -eq $(((n + 100) * 2 * cpus)) ]
}

# grouped N: print N as the reports do.
grouped() {
	echo "$1" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'
}

# Sub-buffers are written when they are full. What was written is readable. Another ktraced
# saves what is left, and ends the recording.
killed() {
	load_modules && record_in_background -e 'ktrace_hits_*' -o trace && hit $fills && sleep 1 &&
		kill -KILL "$daemon" && ended 137 && [ "$(cat $ktrace/enabled)" = 1 ] &&
		report trace && reports 'ktraced still runs, or was killed' &&
		reports 'there is no overflow file' && [ "$(figure skipped_events)" -eq 0 ] &&
		[ "$(events ktrace_hits_typed)" -gt 1000 ] &&
		hit $fills && logs 0 -o rest -t 1 && says 'tracing is on; the trace begins with' &&
		report rest && [ "$(events ktrace_hits_typed)" -gt 1000 ] &&
		[ "$(figure lost_events)" -eq 0 ] && is_off 'ktrace_hits_*' &&
		rm -r rest && logs 0 -f -o trace -e ktrace_hits_typed -t 1 &&
		is_complete trace && is_off 'ktrace_hits_*'
}

# The first trace has what found room, the second one the rest. No hit is in both, and the
# lost ones are counted.
full() {
	mkdir small && mount -t tmpfs -o \
		"size=$((($(wc -c </proc/kallsyms) + 4 * $(wc -c <$ktrace/info)) / 1024 + 2000))k" \
		none small || return 1
	load_modules && record_in_background -e ktrace_hits_typed -o small/trace &&
		hit $((6 * fills)) && ended 1 &&
		says 'write: No space left on device' && is_off '' && report small/trace &&
		reports 'INCOMPLETE' && first=$(events ktrace_hits_typed) &&
		[ "$first" -gt 1000 ] && [ "$(figure skipped_events)" -eq 0 ] &&
		lost=$(figure lost_events) && [ -s small/trace/overflow ] &&
		grep -q '^state: interrupted' small/trace/metadata &&
		! says 'not saved' && ktraced -o rest >>log 2>&1 && report rest &&
		total=$((first + lost + $(events ktrace_hits_typed) + $(figure lost_events))) &&
		echo "$total of $(hits) hits" >>log && [ "$total" -eq "$(hits)" ]
}

# The formats of a module's markers are in the trace, after it has gone, too.
later() {
	record_in_background -e 'ktrace_hits_*' -o trace && insmod "$modules/ktrace_hits.ko" &&
		hit 100 && rmmod ktrace_hits && kill -INT "$daemon" && ended 0 &&
		is_complete trace && [ "$(events ktrace_hits_init)" -eq 1 ] &&
		[ "$(events ktrace_hits_site)" -eq $((100 * cpus)) ]
}

piped() {
	insmod "$modules/ktrace_hits.ko" &&
		ktraced -e 'ktrace_hits_*' -o - -- \
			sh -c 'echo 5000 >/sys/kernel/debug/ktrace_hits/hit' 2>>log |
		TMPDIR="$work" ktrace-report - >report 2>>log && head -n 5 report >>log &&
		reports ': COMPLETE' && reports "events   $(grouped $((10000 * cpus))) in" &&
		is_off ''
}

# The newest events are there, the others are counted, and none is lost.
overwrites() {
	n=$((2 * capacity))
	insmod "$modules/ktrace_hits.ko" &&
		logs 0 --overwrite -e ktrace_hits_typed -o trace -- \
			sh -c "echo $n >/sys/kernel/debug/ktrace_hits/hit" &&
		is_complete trace && [ "$(figure lost_events)" -eq 0 ] &&
		[ "$(figure overwritten_events)" -gt 0 ] &&
		[ $(($(figure events) + $(figure overwritten_events))) -eq $((n * cpus)) ]
}

if ! command -v ktraced >/dev/null; then
	ktap_skip_all "no ktraced"
	exit "$KSFT_SKIP"
fi
begin 9
for signal in INT TERM HUP; do
	ended_by $signal
	tested "SIG$signal: the trace has all hits until then"
done
stopped
tested "SIGSTOP: each event is recorded or counted as lost"
killed
tested "SIGKILL: the trace is readable, and another ktraced ends the recording"
full
tested "a full disk: what has no room is saved by another ktraced, each event once"
umount small 2>/dev/null
later
tested "a module that comes while events are recorded"
piped
tested "a pipe: the trace is complete"
overwrites
tested "overwriting: each event is in the trace or counted"
ktap_finished
