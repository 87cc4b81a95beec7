#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# All relations of traces of all sorts: what the programs print is what the library has, sums agree,
# and JSON matches its schema. relations.py and sums.py say what is checked.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

if ! command -v python3 >/dev/null; then
	echo "relations.sh: needs python3" >&2
	exit 77
fi
report=$program_dir/kmemtrace-report

# A whole trace, who allocated, a sample, what another source recorded, losses, CPUs that are
# missing, one that was overwritten, contradictions, and a machine with other bytes.
for name in baseline who sample stock losses partial overwritten findings nodes boot; do
	setup $name
	mv trace $name
done
setup who big
mv trace big
"$here/kmemtrace-gen" --abi 2 --events 400 --before 60 --live 100 --with task,cgroup some >/dev/null
mkdir counters
cp "$golden/counters/metadata" counters
awk -f "$golden/counters/counters.awk" | awk '/^reading/ { n++ } n < 9' >counters/counters
"$here/kmemtrace-zst" 4096 counters/counters
set -- baseline who sample stock losses partial overwritten findings nodes boot big some counters
"$srcdir/relations.py" "$report" "$here/relation-dump" "$@" || failed=1

# The difference of two traces has the rows of both.
"$report" --diff --json -n 100000 -g module who sample >diff.json || failed=1
for trace in who sample; do
	"$report" --csv modules $trace >$trace.csv || failed=1
done
python3 - <<'END' || fail "--diff: $(cat diff.json)"
import csv, json
def read(name):
    with open(f"{name}.csv", encoding="utf-8") as file:
        return {(row["allocator"], row["module"]): row for row in csv.DictReader(file)}
with open("diff.json", encoding="utf-8") as file:
    rows = json.load(file)["sites"]
before, after = read("who"), read("sample")
figures = [name.removesuffix("_change") for name in rows[0] if name.endswith("_change")]
header = next(iter(after.values())).keys() - {"allocator", "module", "waste_ratio"}
assert set(figures) == {name for name in header if not name.endswith("_error")}, figures
assert {(row["allocator"], row["name"]) for row in rows} == before.keys() | after.keys()
for row in rows:
    for figure in figures:
        old, new = (int(of.get((row["allocator"], row["name"]), {}).get(figure, 0))
                    for of in (before, after))
        found = [row[f"{figure}_{when}"] for when in ("before", "after", "change")]
        assert found == [old, new, new - old], (row, figure, old, new)
END

# ---- JSON ----

# document OPTION...: make a document, which must match the schema.
document()
{
	"$report" --json "$@" >json || fail "--json $*"
	keep_document json
}

for trace; do
	document "$trace"
	document --show all "$trace"
done
for trace in who sample; do
	for options in "-g function" "-g module -s wasted" "--cpu 1 --size 1-100" "--site nothing" \
		"--at 0.0000011" "--between 0,0.000001" "--show nodes,phases"; do
		# shellcheck disable=SC2086
		document $options $trace
	done
done
document --diff who big
document --diff -g stack --threshold 0 who who
document --diff -g module sample losses
check_documents
sed 's/"allocs":/"allocations":/' document-1 >bad
! "$srcdir/validate.py" schema bad >out || fail "the schema is wide"
grep -q '/totals/0: has no allocs' out || fail "the schema says nothing of totals: $(cat out)"
exit $failed
