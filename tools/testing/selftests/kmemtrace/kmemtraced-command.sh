#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The end of a run: a command's, a time's. And modules that come and go.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 8

logs 0 -o trace -- sh -c 'echo out >&3; exit 3' 3>out &&
	says 'sh: exit status 3' && [ "$(cat out)" = out ] && is_complete trace
tested "a command ends, its exit status is told"

logs 0 -o trace -- sh -c 'kill -SEGV $$' && says 'killed by signal 11' && is_complete trace
tested "a command dies"

logs 2 -o trace -- no-such-command && says 'no-such-command: No such file or directory' &&
	! [ -e trace ] && [ "$(cat $kmemtrace/enable)" = no ]
tested "a command that isn't there"

logs 0 -o trace -t 1 -- sleep 100 && says 'killed by signal 15' && is_complete trace &&
	! pidof sleep
tested "the time is up before the command ends"

# lasts SECONDS: so long, and no longer than a slow machine needs to notice.
lasts() {
	from=$(key trace start_ns)
	to=$(key trace end_ns)
	took=$(((to - from) / 1000000))
	echo "took $took ms" >>log
	[ $took -ge $(($1 * 1000)) ] && [ $took -lt $(($1 * 3000)) ]
}
logs 0 -o trace -t 2 && lasts 2 && is_complete trace
tested "the time is up"

# A module that is gone at the end: its symbols are in the trace, once.
gone() {
	! grep -q '^dummy ' /proc/modules && log_in_background &&
		until_logging 1 && modprobe dummy && sleep 2 &&
		base=$(sed -n 's/^dummy .* 0x//p' /proc/modules) &&
		rmmod dummy && kill -INT "$daemon" && ended 0 && is_complete trace &&
		grep -q "^dummy ${base%% *} " trace/modules &&
		[ "$(grep -c ' dummy_setup	\[dummy\]$' trace/kallsyms)" -eq 1 ]
}
gone
tested "the symbols of a module that is unloaded before the end"

at_once() {
	logs 0 -o trace -- sh -c 'modprobe dummy; rmmod dummy' &&
		is_complete trace &&
		{ grep -q ' dummy_setup' trace/kallsyms ||
			says 'module dummy was gone'; }
}
at_once
tested "a module that is unloaded at once: its symbols, or a word about it"

last() {
	logs 0 -o trace -- modprobe dummy && rmmod dummy &&
		is_complete trace && grep -q '^dummy ' trace/modules &&
		grep -q ' dummy_setup' trace/kallsyms
}
last
tested "the symbols of a module that is loaded last"

finish
