#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Traces that are a sample: their figures are estimates of those of the whole trace, and the
# standard errors say how good the estimates are.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report

# generate SEED OPTION...: make the trace whole/
generate()
{
	rm -rf whole
	seed=$1
	shift
	"$here/kmemtrace-gen" --seed "$seed" --abi 2 "$@" whole >live || exit 1
}

# take N: make the sample sample/ of whole/
take()
{
	rm -rf sample
	"$here/kmemtrace-sample" "$1" whole sample || exit 1
	expect 0 'clean' "$program_dir/kmemtrace-check" sample
}

# list TRACE FILE: write the figures of a trace with standard errors
list()
{
	"$report" --json -n 100000 --show trace,totals,sites,caches,findings "$1" >"$2" || failed=1
}

# The true figures are near the estimates. Addresses are reused, last in, first out.
for one_of in 16 64; do
	set --
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		generate $seed --events 150000 --live 40000 --before 10000 --pages 10
		take $one_of
		list whole "whole-$seed.json"
		list sample "sample-$seed.json"
		set -- "$@" "whole-$seed.json" "sample-$seed.json"
	done
	"$srcdir/sample.py" $one_of "$@" || {
		echo "FAIL: one of $one_of: estimates are too far off"
		failed=1
	}
done

# A sample of all objects is the whole trace.
take 1
for trace in whole sample; do
	"$report" --show all $trace | sed '1d' >$trace.txt
done
diff -u whole.txt sample.txt || failed=1
echo 'sample: 1' >>sample/metadata
"$report" --show all sample | sed '1d' | diff -u whole.txt - || failed=1

# What the trace has all of is exact. A sample is COMPLETE, and explains all of its frees.
take 16
list whole whole.json
list sample sample.json
python3 - <<'END' || failed=1
import json
with open("whole.json", encoding="utf-8") as file:
    whole = json.load(file)
with open("sample.json", encoding="utf-8") as file:
    sample = json.load(file)
assert sample["trace"]["complete"] and sample["trace"]["sample"] == 16
assert not sample["findings"], sample["findings"]
def exact(report):
    return [{key: row[key] for key in row if not key.endswith("_error")}
            for row in report["totals"] if row["allocator"] != "slab"]
assert exact(sample) == exact(whole) and len(exact(sample)) == 3
def large(report):
    keys = "allocs", "frees", "bytes_req", "live", "live_bytes", "remote_frees"
    return {row["cache"]: [row[key] for key in keys] for row in report["caches"]
            if row.get("slot_size", 0) >= 4096 and row["allocs"]}
assert large(whole) == large(sample) and large(whole)
END

# All lists add up to the totals, and the number of threads changes nothing.
generate 7 --events 60000 --live 8000 --cpus 4
take 8
"$report" --json -n 100000 sample >json
adds_up "a sample" json
for threads in 1 2 3 4; do
	"$report" --json -n 100000 --threads $threads sample | cmp - json || {
		echo "FAIL: $threads threads change the report of a sample"
		failed=1
	}
done

# The generator's own sample is the same; so is one of the other byte order.
"$report" --show all -n 100000 sample | sed '1d' >sample.txt
for order in little big; do
	rm -rf other
	"$here/kmemtrace-gen" --seed 7 --abi 2 --events 60000 --live 8000 --cpus 4 --sample 8 \
		--order $order other >live || exit 1
	expect 0 'clean' "$program_dir/kmemtrace-check" other
	"$report" --show all -n 100000 other | sed '1d; s/big-endian/little-endian/' |
		diff -u sample.txt - || failed=1
done

# The parts of a sample add up to the whole: a filter doesn't change the weight.
for only in "--size -100" "--size 101-" "--cpu 0" "--cpu 1-65535" "--type kmalloc" \
	"--type cache"; do
	# shellcheck disable=SC2086
	"$report" --json -n 100000 $only sample >part
	adds_up "sample $only" part
done
for size in 0- -100 101-; do
	"$report" --csv totals --where allocator=slab --columns allocs,bytes_req,bytes,remote_frees \
		--size $size sample | sed 1d
done | awk -F, '
	{ for (i = 1; i <= NF; i++) sum[i] += NR == 1 ? $i : -$i }
	END {
		for (i in sum)
			if (sum[i])
				exit 1
		exit NR != 3
	}' || fail "the sizes of a sample don't add up"

# A trace that has more than its sample: allocations break a rule, frees are findings.
cp -r whole more
echo 'sample: 8' >>more/metadata
expect 1 ' bytes is not in the sample of one in 8' \
	"$program_dir/kmemtrace-check" more
if grep -E '(has (4096|8192) bytes|: (ptr|bytes_alloc): )' out; then
	echo 'FAIL: kmemtrace-check: findings about objects that are not sampled'
	failed=1
fi
generate 8 --events 20000 --live 500 --before 4000
echo 'sample: 8' >>whole/metadata
expect 0 'freed, but neither' "$report" --show findings whole

# Values that no kernel writes.
for value in 0 3 17 131072 -2 x ''; do
	sed "s/^sample: .*/sample: $value/" sample/metadata >metadata
	cp metadata sample/metadata
	expect 2 "metadata: sample: '$value', expected a " "$report" sample
	expect 2 "metadata: sample: '$value', expected a " "$program_dir/kmemtrace-check" sample
	sed -i 's/^sample: .*/sample: 8/' sample/metadata
done
exit $failed
