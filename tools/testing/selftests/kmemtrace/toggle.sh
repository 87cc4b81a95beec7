#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Switch tracing off, drain the buffers and switch it on again without a pause, while
# all CPUs allocate. The kernel then frees old buffers while it allocates new ones.

# shellcheck source=tools/testing/selftests/kmemtrace/tap.sh
. "$(dirname "$0")/tap.sh"
cd /sys/kernel/debug/kmemtrace || exit 1
workers=
trap 'kill $workers' EXIT
for _ in 1 2 3; do
	while :; do /bin/true; done &
	workers="$workers $!"
done

times=10
done=0
bytes=0
echo no >enable
cat cpu[0-9]* >/dev/null
for _ in $(seq $times); do
	if ! echo yes >enable || ! echo no >enable; then
		break
	fi
	now=$(cat cpu[0-9]* | wc -c)
	[ $((now % 4096)) -eq 0 ] || break
	bytes=$((bytes + now))
	done=$((done + 1))
done

plan 1
[ $done -eq $times ] && [ $bytes -gt 0 ]
result "$done of $times cycles of on, off and drain succeed under load, $bytes bytes"
finish
