#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --counters: the last reading against the kernel's files of that moment, memory
# that grows all the time, and --stock on a kernel with the series.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"
begin 4

# rows TABLE: print "name place module value count" of each row of the trace, by the report
rows() {
	kmemtrace-report --csv counters --where "table=$1,is_total=0" \
		--columns name,place,module,value,count trace |
		awk -F, 'NR > 1 { print $1, ($2 ? $2 " " : "") ($3 ? "[" $3 "] " : "") $4, $5 }'
}

# similar FILE FILE: rows with two numbers at their end: 95 of 100 rows of the first are in the
# second, and the sums of the first number differ by less than 4 MB: kmemtraced has ended since
# its last reading, and the kernel freed its memory.
similar() {
	awk '
	NR == FNR { row[$0]; sum[0] += $(NF - 1); next }
	{ nr++; sum[1] += $(NF - 1); same += $0 in row }
	END {
		print "# " same " of " nr " rows are the same, " sum[0] " and " sum[1]
		d = sum[0] - sum[1]
		exit nr < 100 || same < 0.95 * nr || d > 4194304 || d < -4194304
	}' "$1" "$2"
}

# An older kernel has no such file, which kmemtraced says. A newer one must be booted with
# sysctl.vm.mem_profiling=1.
sites() {
	if ! [ -e /proc/allocinfo ]; then
		logs 0 --counters 1 -o trace -t 0.1 &&
			says 'allocinfo: No such file or directory' &&
			[ "$(key trace unseen)" = 'boot events call_sites' ]
		return
	fi
	[ "$(cat /proc/sys/vm/mem_profiling)" = 1 ] || return 1
	logs 0 --counters 1 -o trace -- sh -c 'dd if=/dev/zero of=file bs=1M count=8' || return 1
	awk '$1 ~ /^-?[0-9]+$/ {
		f = $0; sub(/.*func:/, "", f); sub(/ .*/, "", f)
		m = $4 ~ /^\[/ ? $4 " " : ""
		key = f " " $3 " " m
		bytes[key] += $1; calls[key] += $2
	}
	END { for (key in bytes) print key (bytes[key] < 0 ? 0 : bytes[key]), calls[key] }
	' /proc/allocinfo >kernel
	rows allocinfo >report
	similar report kernel
}

caches() {
	logs 0 --counters 1 -o trace -t 0.1 || return 1
	awk 'NR > 2 { print $1, $2 * $4, $2 }' /proc/slabinfo >kernel
	rows slabinfo >report
	similar report kernel
}

# grow: until it is killed, other files in memory each 0.1 s
grow() {
	i=0
	while i=$((i + 1)); do
		dd if=/dev/zero of="grow/$i" bs=256k count=1 2>/dev/null
		for j in $(seq 20); do : >"grow/$i.$j"; done
		sleep 0.1
	done
}

# The files grow from before the first reading until after the last one, on a slow machine, too.
growth() {
	mkdir grow && mount -t tmpfs none grow || return 1
	grow &
	logs 0 --counters 0.1 -o trace -t 8
	ended=$?
	kill $!
	wait $! 2>/dev/null
	[ $ended -eq 0 ] &&
		kmemtrace-report --show growth trace >report && sed 's/^/# /' report &&
		sed '/^Larger/,$d' report | grep -q ' shmem_inode_cache  (cache)$' &&
		{ ! [ -e /proc/allocinfo ] || sed '/^Larger/,$d' report | grep -q ' shmem_'; } &&
		kmemtrace-check trace | grep -q 'readings, clean$'
}

stock() {
	logs 0 --stock -o trace -t 0.2 &&
		says 'source: the patched kernel: chosen; what it does not see: nothing' &&
		is_valid trace && [ "$(key trace state)" = complete ]
}

sites
tested "the last reading has what /proc/allocinfo has"
rm -rf trace file
caches
tested "the last reading has what /proc/slabinfo has"
rm -rf trace
growth
tested "what grows all the time is found"
umount grow; rm -rf trace grow
stock
tested "--stock chooses the patched kernel"
