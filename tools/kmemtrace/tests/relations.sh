#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# All relations of traces of all kinds: what the programs print is what the library has, sums agree,
# and JSON matches its schema. relations.py, texts.py and sums.py say what is checked.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

if ! command -v python3 >/dev/null; then
	echo "relations.sh: needs python3" >&2
	exit 77
fi
report=$program_dir/kmemtrace-report

all_kinds
# shellcheck disable=SC2086 # several names
set -- $kinds
"$srcdir/relations.py" "$report" "$here/relation-dump" "$@" || failed=1

# What filters by age count is what the table of objects has. Groups by what tasks or cgroups have in
# common count these.
"$here/kmemtrace-gen" --abi 2 --events 6000 --before 200 --live 300 --pages 20 --cpus 3 \
	--with stack,task,cgroup generated >/dev/null
"$srcdir/ages.py" "$report" generated || fail "ages"
"$srcdir/members.py" "$report" generated who || fail "members"

# The difference of two traces has the rows of both, by name.
for key in module function task process cgroup; do
	"$report" --diff --json -n 100000 -g $key who some >diff-$key.json || failed=1
	for trace in who some; do
		"$report" --csv sites -g $key $trace >$trace-$key.csv || failed=1
	done
done
python3 - <<'END' || fail "--diff"
import collections, csv, json
def read(trace, key):
    sums = collections.defaultdict(collections.Counter)
    with open(f"{trace}-{key}.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sums[row["allocator"], row[key]].update(
                {name: int(row[name]) for name in figures - {"wasted", "live_wasted"}})
    for row in sums.values():
        for live in "", "live_":
            row[live + "wasted"] = max(row[live + "bytes"] - row[live + "bytes_req"], 0)
    return sums
with open("who-module.csv", encoding="utf-8") as file:
    header = set(next(csv.reader(file)))
figures = {name for name in header - {"allocator", "module", "file", "line", "waste_ratio", "exited_bytes"}
           if not name.endswith("_error")}
for key in "module", "function", "task", "process", "cgroup":
    with open(f"diff-{key}.json", encoding="utf-8") as file:
        rows = json.load(file)["sites"]
    before, after = read("who", key), read("some", key)
    found = {(row["allocator"], row["name"]): row for row in rows}
    assert len(found) == len(rows), key
    assert {name for name in before.keys() | after.keys() if before[name] != after[name]} == \
        found.keys(), (key, found.keys(), before, after)
    for name, row in found.items():
        assert {column.removesuffix("_change") for column in row if column.endswith("_change")} == \
            figures, (key, row)
        for figure in figures:
            old, new = before[name][figure], after[name][figure]
            assert [row[f"{figure}_{when}"] for when in ("before", "after", "change")] == \
                [old, new, new - old], (key, row, figure, old, new)
END
for options in "" "-g task" "-t 1K"; do
	# shellcheck disable=SC2086
	tables=$("$srcdir/same-tables.py" "$report" --diff $options who some)
	[ "$tables" = 'caches sites totals' ] || fail "CSV of --diff $options: $tables"
done
expect 2 '--diff --csv takes totals, sites or caches' "$report" --diff --csv tasks who some

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
