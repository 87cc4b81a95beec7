#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Outputs of kmemtraced: a full disk, an existing trace, a read-only or missing place, a
# pipe; compressed and not.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 11

# refused TEXT ARG...: kmemtraced exits with this message and leaves tracing off.
refused() {
	text=$1
	shift
	logs 2 "$@" && grep -qF "$text" log &&
		[ "$(cat $kmemtrace/enable)" = no ]
}

# The file system has room for the symbols and a few sub-buffers.
full() {
	mkdir small
	mount -t tmpfs -o "size=$(($(wc -c </proc/kallsyms) / 1024 + 3000))k" \
		none small || return 1
	logs 1 -o small/trace -t 30 && grep -q 'write: No space left on device' log &&
		is_valid small/trace && [ "$(key small/trace state)" = interrupted ] &&
		[ "$(cat $kmemtrace/enable)" = no ] &&
		for stream in small/trace/cpu*.out; do
			[ $(($(stat -c %s "$stream") %
			     $(key small/trace page_size))) -eq 0 ] || return 1
		done
}

# The records that did not fit are still in the kernel. A second trace saves them, and
# begins where the first ends.
rest() {
	full && ! says 'not saved' && kmemtraced -o trace >>log 2>&1 &&
		is_valid trace && [ "$(key trace state)" = complete ] &&
		continues small/trace trace
}

start_load
full
tested "a full disk: the trace is valid"
umount small; rm -rf small
start_load
rest
tested "a full disk: a second trace elsewhere saves the other records"
umount small; rm -rf small

# RLIMIT_FSIZE, set by a shell or systemd, must not kill kmemtraced.
limited() {
	(ulimit -f $(($(wc -c </proc/kallsyms) / 512 + 4000)) &&
		logs 1 -o trace -t 30) &&
		grep -q 'write: File too large' log && is_valid trace &&
		[ "$(key trace state)" = interrupted ] &&
		[ "$(cat $kmemtrace/enable)" = no ]
}
start_load
limited
tested "a limit on the size of files: the trace is valid"

existing() {
	mkdir trace && echo mine >trace/notes && kmemtraced -o trace -t 0.5 &&
		refused 'holds a trace already' -o trace -t 0.5 &&
		kmemtraced -f -o trace -t 0.5 && is_complete trace &&
		[ "$(cat trace/notes)" = mine ]
}
existing >log 2>&1
tested "only -f overwrites an existing trace, and never other files"

mount -t tmpfs -o ro none /mnt
refused 'Read-only file system' -o /mnt/trace
tested "a read-only place is refused"
umount /mnt

touch file
refused 'Not a directory' -o file
tested "a file instead of a folder is refused"

refused 'No such file or directory' -o no/such/place
tested "a place in a missing folder is refused"

compressed() {
	kmemtraced -z -o trace -t 1 && kmemtrace-check trace &&
		is_whole trace && [ "$(key trace compression)" = zstd ] &&
		[ -s trace/cpu0.out.zst ] && ! [ -e trace/cpu0.out ]
}
start_load
compressed >log 2>&1
tested "-z: the trace is complete"

# kmemtraced reserves room for two incompressible frames of each CPU. So the table of
# frames fits in too, without which kmemtrace-check fails.
full_compressed() {
	room=$(($(wc -c </proc/kallsyms) / 1024 + $(nproc) * 1000))
	mkdir small && mount -t tmpfs -o "size=${room}k" none small || return 1
	logs 1 -z -o small/trace -t 60 &&
		grep -q 'write: No space left on device' log &&
		kmemtrace-check small/trace >>log 2>&1 &&
		[ "$(key small/trace state)" = interrupted ]
}
start_load
full_compressed
tested "-z: a full disk: the trace is valid"
umount small; rm -rf small

# The output of the command must not get into the stream: kmemtrace-check would fail.
# kmemtraced needs no directory that it can write to.
piped() {
	TMPDIR=/nonexistent kmemtraced -o - -- sh -c 'sleep 1; echo mine' 2>said |
		TMPDIR="$work" kmemtrace-check - || return 1
	cat said
	grep -q mine said && grep -q 'MB/s, 0 events lost' said &&
		[ -z "$(ls -d kmemtrace-* 2>/dev/null)" ] &&
		[ "$(cat $kmemtrace/enable)" = no ]
}
start_load
piped >log 2>&1
tested "a pipe: the trace is complete"

# The reader closes the pipe after the first bytes.
closed() {
	{
		kmemtraced -z -o - -t 30
		echo $? >status
	} | dd count=1 of=/dev/null
	[ "$(cat status)" = 1 ] && [ "$(cat $kmemtrace/enable)" = no ]
}
start_load
closed >log 2>&1
tested "kmemtraced ends when the reader closes the pipe"

finish
