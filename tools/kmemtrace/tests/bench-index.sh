#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Reports on moments of a trace that has an index, and on short parts of it: minimum, median and
# maximum of wall time and of processor time. Run it in the build tree: make -C tests bench-index
#
# EVENTS: events of the trace
# LIVE: its live objects
# TRACE: another trace, which gets an index
# MOMENTS: number of reports

program_dir=$(readlink -f "${progdir:-../src}")
here=$(readlink -f .)
trace=${TRACE:+$(readlink -f "$TRACE")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
report=$program_dir/kmemtrace-report

# summary WHAT: print a row of the times in the file times
summary()
{
	sort -n times | awk -v what="$1" '
	{ wall[NR] = $1; cpu[NR] = $2 + $3; memory = $4 > memory ? $4 : memory }
	END {
		for (i = 2; i <= NR; i++)
			for (j = i; j > 1 && cpu[j] < cpu[j - 1]; j--) {
				t = cpu[j]; cpu[j] = cpu[j - 1]; cpu[j - 1] = t
			}
		m = int((NR + 1) / 2)
		printf "  %-28s %6.2f %6.2f %6.2f  %6.2f %6.2f %6.2f %7d\n", what,
			wall[1], wall[m], wall[NR], cpu[1], cpu[m], cpu[NR], memory / 1024
	}'
	rm times
}

# run COMMAND...: measure a run
run()
{
	/usr/bin/time -a -o times -f '%e %U %S %M' "$@" >/dev/null || exit 1
}

if [ -z "$trace" ]; then
	trace=$work/trace
	"$here/kmemtrace-gen" --abi 2 --events "${EVENTS-100000000}" --live "${LIVE-10000}" \
		--cpus 4 "$trace" >/dev/null || exit 1
fi
printf '  %-28s %20s  %20s %7s\n' 'report' 'wall s, min med max' 'cpu s, min med max' MB
rm -f "$trace/kmemtrace.index"
run "$report" "$trace"
summary "all of it, without an index"
run "$report" --index "$trace"
summary "the same, writes the index"
run "$report" "$trace"
summary "all of it"
seconds=$("$report" --json "$trace" | awk -F'[:,]' '
	/"origin_ns"/ { origin = $2 }
	/"last_ns"/ { printf "%.9f", ($2 - origin) / 1e9; exit }')
moments=$(awk -v seconds="$seconds" -v nr="${MOMENTS-15}" 'BEGIN {
	srand(1)
	for (i = 0; i < nr; i++)
		printf "%.6f\n", rand() * seconds
}')
for at in $moments; do run "$report" --at "$at" "$trace"; done
summary "--at"
for at in $moments; do
	run "$report" --between "$at,$(echo "$at $seconds" | awk '{ print $1 + $2 / 1000 }')" "$trace"
done
summary "--between, a 1000th"
du -b "$trace"/cpu*.out* | awk -v index_="$(stat -c %s "$trace/kmemtrace.index")" '
	{ bytes += $1 }
	END { printf "the index: %.1f MB, 1/%d of the streams\n", index_ / 1e6, bytes / index_ }'
