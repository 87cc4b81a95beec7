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
	in_background -o disk/trace "$@"
	until_logging 1 && sleep 1 && unplug && ended 1 &&
		grep -q 'disk/trace/cpu[0-9].*: write: Input/output error' log &&
		grep -q 'disk/trace/metadata: \(Input/output error\|Read-only file system\)' log &&
		says INCOMPLETE &&
		[ "$(cat $kmemtrace/enable)" = no ]
}

# is_sound: each record is valid. A compressed file may lack its table of frames.
is_sound() {
	kmemtrace-check disk/trace >checked 2>&1 && return
	! grep ' findings$' checked | grep -v ' 1 findings$' &&
		! grep -v -e ': frame: cut short: ' -e ' records, ' checked
}

# stored STREAM: print its size on the disk, in bytes before compression.
stored() {
	if [ -e "disk/$1" ]; then
		stat -c %s "disk/$1"
	else
		sed -n "s,^disk/$1.zst: offset \([0-9]*\): frame: .*,\1,p" checked
	fi
}

# No sub-buffer is missing between the two traces, and none is in both: the second
# trace begins with the first sub-buffer that could not be written.
goes_on() {
	for stream in trace/cpu*.out; do
		before=$(($(stored "$stream") / $(key trace subbuf_size)))
		[ "$(od -A n -t u8 -j 16 -N 8 "$stream")" -eq $before ] || return 1
	done
}

# The trace on the disk is valid. A second trace elsewhere has the other records.
rest() {
	fails "$@" && plug_in && logs 0 -o trace && is_sound && is_complete trace &&
		goes_on
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
rest -t 60
tested "the disk fails: the trace is valid, a second one has the other records"
rm -rf disk/trace
if tells_files; then
	start_load
	rest -z -t 60
	tested "-z: the disk fails: the trace is valid, a second one has the other records"
	rm -rf disk/trace
fi
umount disk
finish
