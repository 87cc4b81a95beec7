#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced ends with its command or at a time limit. It saves the symbols of modules
# that are unloaded before that.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 8

logs 0 -o trace -- sh -c 'echo out >&3; exit 3' 3>out &&
	says 'sh: exit status 3' && [ "$(cat out)" = out ] && is_complete trace
tested "a command ends, and kmemtraced reports its exit status"

logs 0 -o trace -- sh -c 'kill -SEGV $$' && says 'killed by signal 11' && is_complete trace
tested "a signal kills the command, and kmemtraced reports the signal"

logs 2 -o trace -- no-such-command && says 'no-such-command: No such file or directory' &&
	! [ -e trace ] && [ "$(cat $kmemtrace/enable)" = no ]
tested "a command that doesn't exist is refused"

logs 0 -o trace -t 1 -- sleep 100 && says 'killed by signal 15' && is_complete trace &&
	! pidof sleep
tested "the time limit ends the command and the trace"

# lasts SECONDS: the trace has this duration, or up to three times of it, since a slow
# machine notices the time late.
lasts() {
	from=$(key trace start_ns)
	to=$(key trace end_ns)
	took=$(((to - from) / 1000000))
	echo "took $took ms" >>log
	[ $took -ge $(($1 * 1000)) ] && [ $took -lt $(($1 * 3000)) ]
}
logs 0 -o trace -t 2 && lasts 2 && is_complete trace
tested "the time limit ends the trace"

# A module is loaded and unloaded during the trace: its symbols are in it once.
gone() {
	! grep -q '^dummy ' /proc/modules && log_in_background &&
		until_logging 1 && modprobe dummy && sleep 2 &&
		base=$(sed -n 's/^dummy .* 0x//p' /proc/modules) &&
		rmmod dummy && kill -INT "$daemon" && ended 0 && is_complete trace &&
		grep -q "^dummy ${base%% *} " trace/modules &&
		[ "$(grep -c ' dummy_setup	\[dummy\]$' trace/kallsyms)" -eq 1 ]
}
gone
tested "the trace has the symbols of a module that is unloaded before the end"

at_once() {
	logs 0 -o trace -- sh -c 'modprobe dummy; rmmod dummy' &&
		is_complete trace &&
		{ grep -q ' dummy_setup' trace/kallsyms ||
			says 'module dummy was gone'; }
}
at_once
tested "a module is unloaded at once: the trace has its symbols, or a message names it"

last() {
	logs 0 -o trace -- modprobe dummy && rmmod dummy &&
		is_complete trace && grep -q '^dummy ' trace/modules &&
		grep -q ' dummy_setup' trace/kallsyms
}
last
tested "the trace has the symbols of a module that the command loads last"

finish
