#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The disk that kmemtraced logs to stops working: each write fails from then on. Needs
# one with an ext4 file system at /dev/vda, of virtio_blk, that nobody uses.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
driver=/sys/bus/virtio/drivers/virtio_blk
device=$(basename "$(readlink -f /sys/block/vda/device)")

# What the file system still has in memory would be lost: there is nothing.
unplug() {
	kill -STOP "$daemon" && sync && echo "$device" >$driver/unbind
	kill -CONT "$daemon"
}

plug_in() {
	umount disk
	echo "$device" >$driver/bind && mount -t ext4 /dev/vda disk
}

# fails ARG...: it says which files can't be written and why, and ends.
fails() {
	in_background -o disk/trace "$@"
	until_logging 1 && sleep 1 && unplug && ended 1 &&
		grep -q 'disk/trace/cpu[0-9].*: write: Input/output error' log &&
		says 'disk/trace/metadata: Input/output error' && says INCOMPLETE &&
		[ "$(cat $kmemtrace/enable)" = no ]
}

# Each record keeps the rules; what is compressed may lack its table, but nothing else.
is_sound() {
	kmemtrace-check disk/trace >checked 2>&1 && return
	! grep ' findings$' checked | grep -v ' 1 findings$' &&
		! grep -v -e ': frame: cut short: ' -e ' records, ' checked
}

# stored STREAM: how many bytes of it are on the disk, not compressed
stored() {
	if [ -e "disk/$1" ]; then
		stat -c %s "disk/$1"
	else
		sed -n "s,^disk/$1.zst: offset \([0-9]*\): frame: .*,\1,p" checked
	fi
}

# No sub-buffer is missing between the two traces, and none is in both: the first that
# could not be written is where the second begins.
goes_on() {
	for stream in trace/cpu*.out; do
		before=$(($(stored "$stream") / $(key trace subbuf_size)))
		[ "$(od -A n -t u8 -j 16 -N 8 "$stream")" -eq $before ] || return 1
	done
}

# What is on the disk is valid, and what isn't is still there for another place.
rest() {
	fails "$@" && plug_in && logs 0 -o trace && is_sound && is_complete trace &&
		goes_on
}

begin 2
! grep -q '^/dev/vda ' /proc/mounts && mkdir disk && mount -t ext4 /dev/vda disk || exit 1
start_load
rest -t 60
tested "the disk fails: what is there is valid, the rest can be saved elsewhere"
rm -rf disk/trace
start_load
rest -z -t 60
tested "-z: the disk fails: what is there is valid, the rest can be saved elsewhere"
rm -rf disk/trace
umount disk
finish
