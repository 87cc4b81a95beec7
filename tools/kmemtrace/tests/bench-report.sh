#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# How fast kmemtrace-report is, on one core, and how much memory it takes:
# traces of two lengths, with few and with many live objects. Best of three, by
# processor time: that is what it would take on a machine with nothing else to do.
# Run it where kmemtrace-gen was built: make -C tests bench

program_dir=$(readlink -f "${progdir:-../src}")
here=$(readlink -f .)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

if ! [ -x /usr/bin/time ]; then
	echo "bench-report.sh: needs /usr/bin/time (Debian: time)" >&2
	exit 77
fi

printf '%10s %10s %8s %8s %12s %10s\n' \
	events live elapsed cpu 'events/cpu s' 'peak RSS'
for live in 10000 1000000; do
	for events in 1000000 10000000; do
		"$here/kmemtrace-gen" --events $events --live $live \
			--cpus 4 --abi 2 trace >/dev/null || exit 1
		rm -f times
		for _ in 1 2 3; do
			/usr/bin/time -a -o times -f '%U %S %e %M' taskset -c 0 \
				"$program_dir/kmemtrace-report" trace >/dev/null
		done
		awk '{ print $1 + $2, $3, $4 }' times | sort -n |
			awk -v n=$events -v live=$live 'NR == 1 {
			printf "%10d %10d %7.2fs %7.2fs %12.0f %7d KB\n",
				n, live, $2, $1, n / $1, $3 }'
		rm -rf trace
	done
done
