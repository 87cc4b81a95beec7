#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Speed and memory of kmemtrace-report for traces of several lengths, with few and with
# many live objects, with one thread and with two. Prints wall time, the median of three
# runs, and their spread, so nothing else should run. Run it in the build tree:
# make -C tests bench
#
# EVENTS: lengths of the traces, in events
# TRACE: another trace, written by kmemtraced
# PERF_DATA: a file that "perf record -c 1 -e kmem:kmalloc,kmem:kfree,
#	kmem:kmem_cache_alloc,kmem:kmem_cache_free" made, for "perf kmem stat"

program_dir=$(readlink -f "${progdir:-../src}")
here=$(readlink -f .)
trace=${TRACE:+$(readlink -f "$TRACE")}
perf_data=${PERF_DATA:+$(readlink -f "$PERF_DATA")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

if ! [ -x /usr/bin/time ]; then
	echo "bench-report.sh: needs /usr/bin/time (Debian: time)" >&2
	exit 77
fi

# measure EVENTS LIVE WHAT COMMAND...: a row of the table
measure()
{
	events=$1 live=$2 what=$3
	shift 3
	rm -f times
	for _ in 1 2 3; do
		/usr/bin/time -a -o times -f '%e %M' "$@" >/dev/null 2>&1 || {
			echo "bench-report.sh: '$*' failed" >&2
			exit 1
		}
	done
	sort -n times | awk -v n="$events" -v live="$live" -v what="$what" '
	{ time[NR] = $1; memory = memory > $2 ? memory : $2 }
	END {
		printf "%10d %10s  %-16s %7.2fs (%.2f-%.2f) %12.0f %7d KB\n",
			n, live, what, time[2], time[1], time[3],
			n / time[2], memory
	}'
}

printf '%10s %10s  %-16s %8s (%s) %13s %10s\n' \
	events live 'who' time spread events/s 'peak RSS'
# report EVENTS LIVE TRACE: print the rows of a trace
report()
{
	for threads in 1 2; do
		measure "$1" "$2" "report, $threads thread$(
			[ "$threads" = 1 ] || echo s)" \
			"$program_dir/kmemtrace-report" --threads "$threads" "$3"
	done
}

for live in 10000 1000000; do
	for events in ${EVENTS-1000000 10000000}; do
		"$here/kmemtrace-gen" --events "$events" --live "$live" \
			--cpus 4 trace >/dev/null || exit 1
		report "$events" "$live" trace
		rm -rf trace
	done
done
if [ -n "$trace" ]; then
	events=$("$program_dir/kmemtrace-report" --json "$trace" |
		awk -F'[ :,]+' '$2 == "\"events\"" { print $3; exit }')
	report "$events" - "$trace"
fi
if [ -n "$perf_data" ]; then
	events=$(perf report -i "$perf_data" --stats 2>/dev/null |
		awk '/SAMPLE events:/ { print $3; exit }')
	measure "$events" - 'perf kmem stat' \
		perf kmem -i "$perf_data" stat --caller -l 10
fi
