#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Call each interface that allocates and frees 1000 times. The trace must have exactly
# 1000 ALLOC and 1000 FREE events with the right call site, size, node and flags. The
# machine is idle; with "api.sh load", other processes allocate on all CPUs.

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rmmod kmemtrace_api 2>/dev/null; rm -rf "$work"' EXIT

# Discard older records.
if ! cd /sys/kernel/debug/kmemtrace; then
	echo "1..0 # SKIP no kmemtrace in this kernel"
	exit 4
fi
echo no >enable
cat cpu[0-9]* >/dev/null
cd "$work" || exit 1

insmod "$here/test_modules/kmemtrace_api.ko" || exit 1
api=/sys/kernel/debug/kmemtrace_api
cat $api/rows >rows

workers=
if [ "$1" = load ]; then
	for _ in 1 2 3; do
		while :; do ls -lR /sys/kernel >/dev/null 2>&1; done &
		workers="$workers $!"
	done
fi
kmemtraced -o trace -- "$here/api-run.sh" 1000 >log 2>&1
status=$?
# shellcheck disable=SC2086 # a word for each process
[ -z "$workers" ] || kill $workers
if [ $status -ne 0 ] || [ "$(cat $api/refused)" -ne 1000 ]; then
	sed 's/^/# /' log
	echo "# the memory cgroup refused $(cat $api/refused) of 1000"
	exit 1
fi
"$here/api_check" trace rows 1000
