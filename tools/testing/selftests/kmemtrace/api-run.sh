#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# api-run.sh TIMES: call each interface that allocates and frees TIMES times, in a memory
# cgroup that refuses large allocations. End when all memory is free.

api=/sys/kernel/debug/kmemtrace_api
cgroup=$(mktemp -d)
trap 'echo 0 >"$cgroup/cgroup.procs"; rmdir "$cgroup/api"; umount "$cgroup"
	rmdir "$cgroup"' EXIT

mount -t cgroup2 none "$cgroup" && mkdir -p "$cgroup/api" &&
	echo +memory >"$cgroup/cgroup.subtree_control" &&
	echo 1M >"$cgroup/api/memory.max" &&
	echo 0 >"$cgroup/api/cgroup.procs" &&
	echo "$1" >$api/run || exit 1

# Without this barrier, objects of kfree_rcu() wait for seconds, unless memory is short.
if ! grep -q ' kvfree_rcu_barrier$' /proc/kallsyms; then
	echo 2 >/proc/sys/vm/drop_caches && sleep 1
fi
