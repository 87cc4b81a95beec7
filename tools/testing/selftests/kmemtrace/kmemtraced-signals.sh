#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced gets signals at different moments. The trace must be valid.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 9
pause=0.2

# A shell starts background processes with SIGINT and SIGQUIT ignored, until kmemtraced
# sets its own handlers. So repeat the signal.
stop_with() {
	while kill "-$1" "$daemon" 2>/dev/null; do
		i=0
		while [ $i -lt 30 ] && ! says stopping && kill -0 "$daemon"; do
			sleep 0.1
			i=$((i + 1))
		done
		! says stopping || break
	done 2>/dev/null
	wait "$daemon"
}

# The other signals kill kmemtraced before it has its handlers; no trace exists then.
in_order() {
	for delay in 0 0.2 1; do
		rm -rf trace log
		log_in_background
		sleep $delay
		stop_with "$1"
		status=$?
		echo "after $delay s: exit status $status" >>log
		if [ -e trace ]; then
			[ $status -eq 0 ] && is_complete trace || return 1
		else
			[ $status -gt 128 ] || return 1
		fi
	done
	[ -e trace ]
}

for signal in INT QUIT TERM HUP; do
	start_load
	in_order $signal
	tested "SIG$signal at any moment: no trace, or a complete one"
done

nohup_is_kept() {
	: >log
	(trap '' HUP; exec kmemtraced -o trace -t 3) >log 2>&1 &
	daemon=$!
	until_logging 1 && kill -HUP "$daemon" && sleep 0.5 &&
		kill -0 "$daemon" && ended 0 && is_complete trace
}
start_load
nohup_is_kept
tested "SIGHUP is ignored under nohup"

# The buffers have room for the records of these three seconds.
stopped() {
	log_in_background
	until_logging 1 && kill -STOP "$daemon" && sleep 3 &&
		kill -CONT "$daemon" && sleep 0.5 && kill -INT "$daemon" &&
		ended 0 && is_complete trace
}
start_load
stopped
tested "SIGSTOP: no event is lost until the buffers are full"

# seconds: print the duration of the trace in whole seconds.
seconds() {
	kmemtrace-report -n 1 trace | sed -n 's/^  events .* in \([0-9]*\)\..*/\1/p'
}

# No clock of a trace depends on CLOCK_REALTIME.
stepped() {
	now=$(date +%s)
	log_in_background
	until_logging 1 || return 1
	date -s "@$((now + 100000))" && sleep 1 && date -s "@$((now - 100000))" &&
		sleep 1 && date -s "@$((now + 2))" && kill -INT "$daemon" &&
		ended 0 && is_complete trace && [ "$(seconds)" -lt 60 ]
}
start_load
stepped >>log 2>&1
tested "steps of the time of day don't change the times of a trace"

# SIGKILL can interrupt a write, so a stream may end within a record. The file of counters lacks its
# end.
is_valid_to_its_end() {
	kmemtrace-check trace >checked 2>&1 ||
		! grep -v -e ': tail: ' -e ' records\?, ' -e '/counters.zst: ' checked
}

killed() {
	log_in_background
	until_logging 1 && sleep 3 && kill -KILL "$daemon"
	wait "$daemon"
	[ "$(key trace state)" = running ] && is_valid_to_its_end &&
		[ -n "$(find trace -name 'cpu*.out' -size +0c)" ]
}
start_load
killed
tested "SIGKILL: the trace is valid up to the last whole record"

taken_over() {
	log_in_background
	until_logging 1 && sleep 1 && kill -KILL "$daemon"
	wait "$daemon"
	kmemtraced -f -o trace -t 1 >>log 2>&1 && is_complete trace
}
start_load
taken_over
tested "after SIGKILL, another kmemtraced makes a complete trace"

finish
