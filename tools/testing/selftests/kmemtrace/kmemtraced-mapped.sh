#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced maps the kernel's buffers and writes them to a disk with O_DIRECT. The test
# needs a disk with an ext4 file system at /dev/vda.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
O_DIRECT=040000

# has_mapped: kmemtraced has mapped the buffer of each CPU.
has_mapped() {
	[ "$(grep -c ' r--s .*/kmemtrace/map[0-9]*$' "/proc/$daemon/maps")" -eq "$(nproc)" ]
}

# writes_direct: each stream file is open with O_DIRECT.
writes_direct() {
	for fd in "/proc/$daemon"/fd/*; do
		case $(readlink "$fd") in
		*/cpu*.out)
			flags=$(sed -n 's/^flags:[[:space:]]*//p' \
				"/proc/$daemon/fdinfo/${fd##*/}")
			[ $((flags & O_DIRECT)) -ne 0 ] || return 1 ;;
		esac
	done
}

mapped() {
	log_in_background
	until_logging 1 && within 20 has_mapped && writes_direct &&
		[ "$(cat "/proc/$daemon/oom_score_adj")" -eq -1000 ] || return 1
	kill -INT "$daemon"
	ended 0 && is_complete trace
}

# own_share: print the share of the events that writing the trace causes, in percent:
# allocations of the file system and the block layer, and as many frees.
own_share() {
	kmemtrace-report --own --csv functions --columns allocs,function trace 2>/dev/null |
		awk -F, -v events="$(figure trace events trace)" '
		{ sub(/ .*/, "", $2) }
		$2 ~ /dio|bio|ext4|jbd2|filemap|blk|virt|sg_/ { own += $1 }
		END { if (events) printf "%.3f\n", 200 * own / events }'
}

# frugal ARG...: writing the trace causes some events, but at most 1% of all.
frugal() {
	start_load
	logs 0 -o trace -t 5 "$@" && kmemtrace-check trace >>log && is_whole trace ||
		return 1
	share=$(own_share)
	echo "share $share" >>log
	awk -v share="$share" 'BEGIN { exit !(share > 0 && share <= 1) }'
}

# The command doesn't inherit kmemtraced's protection from the OOM killer.
ordinary() {
	logs 0 -o trace -- sh -c 'cat /proc/self/oom_score_adj >score' &&
		[ "$(cat score)" -eq 0 ]
}

# With O_DIRECT too, a full disk gets whole sub-buffers only. The other records remain
# in the kernel.
full() {
	dd if=/dev/zero of=fill bs=1M count=$(($(df -m . | awk 'NR > 1 { print $4 }') - 9))
	logs 1 -o trace -t 60 && says 'write: No space left on device' &&
		! says 'not saved' && is_valid trace &&
		[ "$(key trace state)" = interrupted ] || return 1
	mv trace first
	kmemtraced -o ../trace >>log 2>&1 && is_valid ../trace &&
		[ "$(key ../trace state)" = complete ] && continues first ../trace
}

begin 5
mkdir disk && mount -t ext4 /dev/vda disk && cd disk || exit 1
start_load
mapped
tested "kmemtraced maps the buffers and writes them with O_DIRECT"
ordinary
tested "the command has the usual oom_score_adj"
frugal
tested "writing the trace causes at most 1% of all events: $share%"
frugal -z
tested "-z: writing the trace causes at most 1% of all events: $share%"
start_load
full >>log 2>&1
tested "a disk is full: a second trace elsewhere saves the other records"
rm -rf fill first ../trace
cd ..
umount disk
finish
