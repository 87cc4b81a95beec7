#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# States that kmemtraced finds at its start, and changes by others while it runs.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 8

logs 0 -o trace -t 0.5 && says 'tracing was off, switched it on' && is_complete trace
tested "tracing is off: kmemtraced switches it on"

found_on() {
	echo yes >$kmemtrace/enable && ls -lR /sys/module >/dev/null &&
		kmemtraced -o trace -t 0.5 >log 2>&1 &&
		says 'tracing is on' && is_complete trace
}
found_on
tested "tracing is on: kmemtraced saves the older records too"

# leftovers: leave tracing off, with unread records.
leftovers() {
	echo yes >$kmemtrace/enable && ls -lR /sys/module >/dev/null &&
		echo no >$kmemtrace/enable
}
old_one() {
	leftovers
	logs 2 -o trace -t 1 && says "haven't been read; save them first" &&
		! [ -e trace ] && kmemtraced -o trace >>log 2>&1 &&
		says "saving the records that haven't been read" &&
		is_complete trace
}
old_one
tested "unread records are saved before a new trace can begin"

switched_off() {
	log_in_background
	until_logging 1 && sleep 1 && echo no >$kmemtrace/enable && ended 0 &&
		says 'everything is read' && is_complete trace
}
start_load
switched_off
tested "another process switches tracing off: the trace is complete"

second() {
	log_in_background
	until_logging 1 || return 1
	logs 2 -o other && says 'another kmemtraced is running' && ! [ -e other ] &&
		kill -INT "$daemon" && ended 0 && is_complete trace
}
second
tested "a second kmemtraced is refused"

umount /sys/kernel/debug
logs 2 -o trace && says 'mount -t debugfs none /sys/kernel/debug'
mounted=$?
mount -t debugfs none /sys/kernel/debug
[ $mounted -eq 0 ]
tested "debugfs is not mounted: a message says how to mount it"

elsewhere() {
	umount /sys/kernel/debug && mount -t debugfs none /mnt &&
		kmemtraced -o trace -t 0.5 >log 2>&1
	found=$?
	umount /mnt
	mount -t debugfs none /sys/kernel/debug
	return $found
}
elsewhere && is_complete trace
tested "debugfs is mounted elsewhere: kmemtraced finds it"

restrict=/proc/sys/kernel/kptr_restrict
before=$(cat $restrict)
echo 2 >$restrict
logs 0 -o trace -t 0.5 && says 'sysctl kernel.kptr_restrict=1' && is_complete trace
hidden=$?
echo "$before" >$restrict
[ $hidden -eq 0 ]
tested "kptr_restrict hides the addresses: a message says so, the trace is complete"

finish
