#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-import where it can't write, where its file changes while it reads, and where its file
# is none: a message, exit status 2, and no part of a trace.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
import=$program_dir/kmemtrace-import
for name in 6.12.dat 6.12.perf; do
	base64 -d "$srcdir/import/$name.xz.b64" | xz -d >"$name" || exit 1
done
printf 'ffffffff81000000 T _stext\nffffffffc0000000 t init_module\t[m]\n' >symbols

# is_gone WHAT: no file of a trace may be left.
is_gone()
{
	[ -z "$(find trace -type f 2>/dev/null)" ] ||
		fail "$1: a part of a trace stays: $(ls trace)"
}

# refuses TEXT COMMAND...
refuses()
{
	expect 2 "$@"
	is_gone "$*"
}

# ---- each write fails ----

# fails_until_it_fits WHAT TEXT COMMAND...: COMMAND gets more and more room, as $room. It ends
# with TEXT until it has enough.
fails_until_it_fits()
{
	what=$1 text=$2 room=1 failures=0
	shift 2
	while "$@" >said 2>&1; status=$? && [ $status -ne 0 ]; do
		{ [ $status -eq 2 ] && grep -q "$text" said; } ||
			fail "$what, $room: exit status $status: $(cat said)"
		is_gone "$what, $room"
		[ $room -lt 1000 ] || break
		room=$((room + 1)) failures=$((failures + 1))
	done
	[ $failures -ge 3 ] || fail "$what: only $failures failures"
	"$program_dir/kmemtrace-check" trace >said || fail "$what, $room: $(cat said)"
}

# shellcheck disable=SC2317,SC3045 # it is an argument; every sh that matters has ulimit -f
with_limit()
{
	(ulimit -f "$room" && exec "$import" -f -k symbols "$1" trace)
}

for name in 6.12.dat 6.12.perf; do
	fails_until_it_fits "files that are too large, $name" 'File too large' with_limit $name
	rm -rf trace
done

# The disk has only the trace.
# shellcheck disable=SC2317 # it is an argument
on_small_disk()
{
	mount -o remount,size=$((4 * room))k trace && "$import" -f -k symbols "$1" trace
}

if [ "$(id -u)" -eq 0 ] && mkdir trace && mount -t tmpfs -o size=1m none trace 2>/dev/null; then
	for name in 6.12.dat 6.12.perf; do
		fails_until_it_fits "a full disk, $name" 'No space left' on_small_disk $name
		rm trace/*
	done
	umount trace
fi
rm -rf trace

# ---- the file changes ----

"$srcdir/import-kinds.py" repeated 400 . || exit 1
mv file whole

# changes WHAT COMMAND...: COMMAND changes the file in the middle of an import.
changes()
{
	what=$1
	shift
	cp whole file
	"$import" file trace >said 2>&1 &
	pid=$!
	until [ -s trace/cpu0.out ]; do
		kill -0 $pid 2>/dev/null || break
	done
	kill -STOP $pid || fail "$what: it ended too soon: $(cat said)"
	"$@"
	kill -CONT $pid
	wait $pid
	status=$?
	{ [ $status -eq 2 ] && grep -q 'file: it changed while it was read' said; } ||
		fail "$what: exit status $status: $(cat said)"
	is_gone "$what"
	rm -rf trace
}

changes 'it shrinks' truncate -s 100000 file
changes 'it vanishes' truncate -s 0 file
changes 'it grows' sh -c 'cat whole >>file'
changes 'it is written' sh -c 'printf x | dd of=file bs=1 seek=20 conv=notrunc 2>dd'

# ---- the file is none ----

mkfifo fifo
mkdir folder
refuses 'fifo: not a regular file' "$import" fifo trace
refuses '/dev/zero: not a regular file' "$import" /dev/zero trace
refuses 'folder: not a regular file' "$import" folder trace
refuses 'fifo: not a regular file' "$import" -k fifo 6.12.perf trace
refuses '/dev/zero: not a regular file' "$import" -k /dev/zero 6.12.perf trace
refuses 'folder: not a regular file' "$import" -k folder 6.12.perf trace
[ ! -e trace ] || fail 'a folder stays'

# Holes that some copies have are read; files of holes are not.
cp --sparse=always 6.12.dat sparse.dat
expect 0 'trace: 385 events, 0 lost' "$import" sparse.dat trace
rm -rf trace
truncate -s 6G sparse.dat
refuses 'sparse.dat: offset 20480: a hole of 6442430464 bytes, where data was expected' \
	"$import" sparse.dat trace
truncate -s 6G symbols
refuses 'symbols: offset 4096: a hole of 6442446848 bytes' "$import" -k symbols 6.12.perf trace
yes 'ffffffff81000000 T function' | head -c 67200000 >symbols
refuses 'symbols: 67200000 bytes, more than the symbols of any kernel' \
	"$import" -k symbols 6.12.perf trace
rm -rf trace

# A terminal must not obey what a file says.
base64 -d "$srcdir/import/6.12-v6.dat.xz.b64" | xz -d |
	LC_ALL=C sed 's/\[mono\]/[m\x1bno]/g' >loud.dat
refuses 'its clock, '"'m\x1bno'"', does not count nanoseconds' "$import" loud.dat trace

# A file of /proc has no size.
if [ -r /proc/kallsyms ]; then
	expect 0 'trace: 875 events, 0 lost' "$import" -k /proc/kallsyms 6.12.perf trace
	[ "$(wc -l <trace/kallsyms)" -eq "$(wc -l </proc/kallsyms)" ] || fail '/proc/kallsyms'
fi
exit "$failed"
