#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The disk of the trace fails: each later write gets an error. The test needs an unused
# virtio_blk disk with an ext4 file system at /dev/vda.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
driver=/sys/bus/virtio/drivers/virtio_blk
device=$(basename "$(readlink -f /sys/block/vda/device)")

# Unbind the driver of the disk. kmemtraced is stopped and the file system written back
# before, so that no write is under way.
unplug() {
	kill -STOP "$daemon" && sync && echo "$device" >$driver/unbind
	kill -CONT "$daemon"
}

plug_in() {
	umount disk
	echo "$device" >$driver/bind && mount -t ext4 /dev/vda disk
}

# fails ARG...: kmemtraced reports each failing file with the error, and ends. Some kernels
# forbid to write to the file system once a write has failed.
fails() {
	in_background -o disk/trace -t 60 "$@"
	until_logging 1 && sleep 1 && unplug && ended 1 &&
		grep -q 'disk/trace/cpu[0-9].*: write: Input/output error' log &&
		grep -q 'disk/trace/metadata: \(Input/output error\|Read-only file system\)' log &&
		says INCOMPLETE &&
		[ "$(cat $kmemtrace/enable)" = no ]
}

# is_sound PATH: each record is valid. A compressed file may lack its table of frames, and so may
# that of the counters.
is_sound() {
	kmemtrace-check "$1" >checked 2>&1 && return
	cat checked >>log
	! grep ' findings$' checked &&
		! grep -v -e ': frame: cut short: ' -e ' records\?, ' -e '/counters.zst: ' checked
}

# whole STREAM: print what kmemtrace-check could read of it; of a compressed file the frames,
# without the table behind them, which has 17 bytes and 8 for each frame.
whole() {
	bytes=$(stat -c %s "$1")
	if [ "${1%.zst}" != "$1" ]; then
		cut=$(sed -n "s,^$1: .* no whole frame from byte \([0-9]*\) .*,\1,p" checked)
		frames=$(tail -c 9 "$1" | od -A n -t u4 -N 4)
		bytes=${cut:-$((bytes - 17 - 8 * frames))}
	fi
	head -c "$bytes" "$1"
}

# goes_on: the second trace goes on where the first ends: together, they have each sub-buffer
# once.
goes_on() {
	is_sound disk/trace || return 1
	for stream in trace/cpu*.out*; do
		[ ! -e "disk/$stream" ] || whole "disk/$stream" >"joined.${stream##*/}"
		whole "$stream" >>"joined.${stream##*/}"
	done
	for stream in joined.*; do
		is_sound "$stream" || return 1
	done
}

# The trace on the disk is valid. A second trace elsewhere has the other records.
rest() {
	rm -f joined.*
	fails "$@" && plug_in && logs 0 -o trace "$@" && kmemtrace-check trace >>log 2>&1 &&
		is_whole trace && goes_on
}

# tells_files: without that, ext4 accepts writes to its cache long after the disk has failed.
# Such a kernel gets only the first test.
tells_files() {
	grep -q ' fs_bdev_mark_dead$' /proc/kallsyms
}

tests=1
! tells_files || tests=2
begin $tests
! grep -q '^/dev/vda ' /proc/mounts && mkdir disk && mount -t ext4 /dev/vda disk || exit 1
start_load
rest
tested "the disk fails: the trace is valid, a second one has the other records"
rm -rf disk/trace
if tells_files; then
	start_load
	rest -z
	tested "-z: the disk fails: the trace is valid, a second one has the other records"
	rm -rf disk/trace
fi
umount disk
finish
