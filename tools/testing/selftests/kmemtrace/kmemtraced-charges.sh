#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --with cgroup: by the trace, a memory cgroup is charged for what the kernel's own
# statistics of the cgroup say.

here=$(cd "$(dirname "$0")" && pwd)
top=cgroup/kmemtrace_charges

# In a cgroup: files that stay, and processes that keep full pipes.
fill() {
	echo 0 >$top/leaf/cgroup.procs
	for i in $(seq 2000); do : >"files/$i"; done
	dd if=/dev/zero of=files/large bs=64k count=128 2>/dev/null
	for i in $(seq 24); do
		mkfifo "fifo$i"
		sleep 1000 <>"fifo$i" >/dev/null 2>&1 &
		dd if=/dev/zero of="fifo$i" bs=64k count=1 2>/dev/null
	done
}

# Charge cgroups for memory of all kinds that stays, and copy the statistics. The kernel charges a
# new cgroup's per-CPU memory to the cgroup above.
charge() {
	mkdir $top $top/leaf && echo +memory >$top/cgroup.subtree_control || return
	for i in $(seq 20); do mkdir "$top/child$i" || return; done
	(fill)
	mkdir $top/removed || return
	(echo 0 >$top/removed/cgroup.procs &&
		dd if=/dev/zero of=files/removed bs=64k count=4 2>/dev/null)
	rmdir $top/removed
	mkdir $top/released || return
	(echo 0 >$top/released/cgroup.procs && exec true)
	rmdir $top/released
	# The kernel frees this one some time later; the other one is kept by its file.
	for _ in $(seq 30); do
		[ "$(awk '$1 == "nr_dying_descendants" { print $2 }' $top/cgroup.stat)" -gt 1 ] ||
			break
		sleep 1
	done
	# what was freed a moment ago waits for RCU
	sleep 2
	cat $top/memory.stat >stat && cat $top/memory.current >current
}

if [ "$1" = charge ]; then
	charge
	exit
fi

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$here/kmemtraced-lib.sh"

# traced: trace it, and let the processes live until the end of the trace.
traced() {
	logs 0 --with cgroup -o trace -- "$here/kmemtraced-charges.sh" charge
	status=$?
	xargs kill <$top/leaf/cgroup.procs
	[ $status -eq 0 ] && is_complete trace && [ -s current ]
}

# by_trace SPACE KEY: a figure of the live memory that is charged to the cgroups.
by_trace() {
	figure totals "$2" trace --where "allocator=$1" --cgroup /kmemtrace_charges
}

# by_kernel KEY: a figure of memory.stat.
by_kernel() {
	awk -v key="$1" '$1 == key { print $2 }' stat
}

# near WHAT TRACE KERNEL BYTES: the two figures differ by at most so many bytes.
near() {
	verdict="charges: $2 bytes of $1 by the trace, $3 by the kernel"
	[ "$3" -gt "$4" ] && [ $(($2 - $3)) -le "$4" ] && [ $(($3 - $2)) -le "$4" ]
}

begin 6
cpus=$(awk -F - '{ print $NF + 1 }' /sys/devices/system/cpu/possible)
mkdir cgroup files && mount -t cgroup2 none cgroup && echo +memory >cgroup/cgroup.subtree_control
traced
result "charges: a complete trace of cgroups that are charged for memory of all kinds"

# An object is charged with a pointer to its cgroup. Up to a page of changes waits on each CPU.
slab=$(by_kernel slab)
near "slab objects" $(($(by_trace slab live_bytes) + 8 * $(by_trace slab live))) \
	"$slab" $((2 * cpus * 4096))
result "$verdict"

# Per-CPU memory is charged with such a pointer for each 4 bytes of a CPU.
percpu=$(by_kernel percpu)
bytes=$(by_trace percpu live_bytes)
near "per-CPU memory" $((bytes + bytes * 8 / 4 / cpus)) "$percpu" 4096
result "$verdict"

# The kernel charges each CPU for up to 64 pages in advance.
near pages "$(by_trace pages live_bytes)" $(($(cat current) - slab - percpu)) \
	$((cpus * 64 * 4096 + 65536))
result "$verdict"

kmemtrace-report --cgroups trace >report
[ "$(grep -c ' /kmemtrace_charges/removed (removed)$' report)" -gt 0 ] &&
	! grep -q ' /kmemtrace_charges/leaf (removed)$' report
result "charges: a removed cgroup is removed"

# is_released CGROUP: print whether a removed cgroup is released, by the trace.
is_released() {
	figure cgroups is_released trace --where "cgroup=/kmemtrace_charges/$1"
}
[ "$(is_released released)" = true ] && [ "$(is_released removed)" = false ]
result "charges: of two removed cgroups, the one that has memory is not released"
rm -r files fifo*
rmdir $top/*/ $top && umount cgroup
discard
finish
