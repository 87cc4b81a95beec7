#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Random traces: the report says the same as a slow ledger, which shares no code with it.
# Run it in the build tree.
#
# SEEDS: numbers of the traces

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

if ! command -v python3 >/dev/null; then
	echo "ledger.sh: needs python3" >&2
	exit 77
fi

# compare SEED CLOCKS ORDER: make a trace and compare its report
compare()
{
	rm -rf trace
	python3 "$srcdir/ledger.py" make "$1" "$2" "$3" trace || exit 1
	for threads in 1 3; do
		"$program_dir/kmemtrace-report" --threads $threads --json -n 1000000 \
			--show trace,totals,findings trace >report || failed=1
		python3 "$srcdir/ledger.py" check trace <report || {
			echo "seed $1, $2, $3, $threads threads"
			failed=1
		}
	done
}

for seed in ${SEEDS-1 2 3 122 127 133}; do
	compare "$seed" faulty little
	compare "$seed" faulty big
	compare "$seed" skewed little
	compare "$seed" skewed big
done
exit $failed
