#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Speed and memory of kmemtrace-report: of each trace, plain and compressed, with one thread and
# with two, beside what reading it takes at least. All rows of a trace are measured in turns, so that
# other work on the machine disturbs all alike. Prints the minimum, the median and the maximum of wall
# time and of processor time, and the peak memory. Run it in the build tree: make -C tests bench
#
# EVENTS: lengths of the generated traces, in events
# LIVE: live objects of the generated traces
# TRACE: another trace, written by kmemtraced; TIMES: repeat its events so often
# OLD: another kmemtrace-report, to compare with
# ROUNDS: number of runs, default 3
# PERF_DATA: a file that "perf record -c 1 -e kmem:kmalloc,kmem:kfree,
#	kmem:kmem_cache_alloc,kmem:kmem_cache_free" made, for "perf kmem stat"

program_dir=$(readlink -f "${progdir:-../src}")
here=$(readlink -f .)
trace=${TRACE:+$(readlink -f "$TRACE")}
old=${OLD:+$(readlink -f "$OLD")}
perf_data=${PERF_DATA:+$(readlink -f "$PERF_DATA")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

if ! [ -x /usr/bin/time ]; then
	echo "bench-report.sh: needs /usr/bin/time (Debian: time)" >&2
	exit 77
fi

# run ROW COMMAND...: measure a run for a row of the table
run()
{
	row=$1
	shift
	/usr/bin/time -a -o times -f "$row	%e %U %S %M" "$@" >/dev/null 2>&1 || {
		echo "bench-report.sh: '$*' failed" >&2
		exit 1
	}
}

# table EVENTS: print the rows
table()
{
	sort -s -t '	' -k 1,1 times | awk -F '	' -v events="$1" '
	function sorted(list, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
				t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
			}
	}
	function print_row() {
		sorted(wall, n)
		sorted(cpu, n)
		middle = int((n + 1) / 2)
		printf "  %-28s %6.2f %6.2f %6.2f  %6.2f %6.2f %6.2f %6.1f %7d\n",
			substr(row, 4), wall[1], wall[middle], wall[n],
			cpu[1], cpu[middle], cpu[n], events / wall[1] / 1e6, memory / 1024
	}
	$1 != row { if (n) print_row(); row = $1; n = memory = 0 }
	{
		split($2, v, " ")
		wall[++n] = v[1] + 0
		cpu[n] = v[2] + v[3]
		memory = v[4] > memory ? v[4] : memory
	}
	END { print_row() }'
	rm times
}

# rows TRACE: measure all rows of a trace, which is in TRACE and compressed in TRACE.z, once
rows()
{
	for threads in 1 2; do
		[ -z "$old" ] || run "0$threads another, $threads" "$old" --threads $threads "$1"
		run "1$threads report, $threads" "$program_dir/kmemtrace-report" --threads $threads "$1"
		run "2$threads report of -z, $threads" "$program_dir/kmemtrace-report" \
			--threads $threads "$1.z"
	done
	run "30 sum of records" "$here/kmemtrace-floor" sum "$1"/cpu*.out
	run "31 hash of addresses" "$here/kmemtrace-floor" hash "$1"/cpu*.out
}

# compress TRACE: copy it to TRACE.z, with compressed streams
compress()
{
	cp -r "$1" "$1.z"
	for stream in "$1.z"/cpu*.out; do
		"$here/kmemtrace-zst" -s 458752 "$stream" || exit 1
	done
}

# measure NAME TRACE: print the table of a trace
measure()
{
	compress "$2"
	events=$("$program_dir/kmemtrace-report" --csv trace --columns events "$2" | tail -n 1)
	echo "$1, $events events"
	for _ in $(seq "${ROUNDS:-3}"); do
		rows "$2"
	done
	table "$events"
	rm -rf "$2" "$2.z"
}

printf '  %-28s %20s  %20s %6s %7s\n' 'program, threads' 'wall s, min med max' \
	'cpu s, min med max' 'M/s' 'MB'
for live in ${LIVE-10000 1000000}; do
	for events in ${EVENTS-1000000 10000000}; do
		"$here/kmemtrace-gen" --abi 2 --events "$events" --live "$live" --cpus 4 trace \
			>/dev/null || exit 1
		measure "generated, $live live" trace
	done
done
if [ -n "$trace" ]; then
	"$here/kmemtrace-repeat" "${TIMES:-1}" "$trace" trace || exit 1
	measure "${trace##*/}, ${TIMES:-1} times" trace
fi
if [ -n "$perf_data" ]; then
	events=$(perf report -i "$perf_data" --stats 2>/dev/null |
		awk '/SAMPLE events:/ { print $3; exit }')
	echo "perf.data, $events events"
	for _ in $(seq "${ROUNDS:-3}"); do
		run "40 perf kmem stat" perf kmem -i "$perf_data" stat --caller -l 10
	done
	table "$events"
fi
