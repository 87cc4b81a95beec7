#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# babeltrace2 reads what kmemtrace-export ctf writes: each record, at the same time, with the
# same fields, and the events that are lost.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

export=$program_dir/kmemtrace-export
report=$program_dir/kmemtrace-report
compare=$(dirname "$golden")/export-ctf.py

command -v babeltrace2 >/dev/null || { echo "skipped: no babeltrace2"; exit 77; }

# converted NAME [BEGIN OPTION...]: convert trace/ and compare the events with its records.
# babeltrace2 must not complain of anything but discarded events.
converted()
{
	what=$1 begin=${2:-0}
	shift $(($# > 1 ? 2 : 1))
	rm -rf ctf
	"$here/kmemtrace-records" trace >records
	if ! "$export" ctf "$@" -o ctf trace >out 2>&1 ||
	   ! babeltrace2 --clock-seconds --no-delta ctf >text 2>err ||
	   ! "$compare" records text "$begin" ||
	   grep -v '^WARNING: Tracer discarded\|^$' err; then
		echo "FAIL: $what"
		cat out err
		failed=1
	fi
}

# discarded NAME: the discarded events must be those that the report calls lost.
discarded()
{
	want=$("$report" --csv cpus --columns lost_events trace |
		awk 'NR > 1 { sum += $1 } END { print sum + 0 }')
	got=$(sed -n 's/^WARNING: Tracer discarded \([0-9]*\) event.*/\1/p' err |
		awk '{ sum += $1 } END { print sum + 0 }')
	if [ "$want" != "$got" ]; then
		echo "FAIL: $1: $got events discarded, expected $want"
		cat err
		failed=1
	fi
}

for name in findings bare baseline boot losses nodes moves grouped who; do
	for order in little big; do
		setup $name $order
		converted "$name, $order-endian"
		mv ctf ctf-$order
		discarded "$name, $order-endian"
	done
	diff -r ctf-little ctf-big | grep -v 'byte_order\|^---\|^diff\|^[0-9c]*$' && failed=1
	rm -r ctf-little ctf-big
done

# Many packets, of a compressed stream, and a part of it.
rm -rf trace
"$here/kmemtrace-gen" --events 60000 --live 1000 --cpus 3 trace >/dev/null || exit 1
converted "many events"
[ "$(stat -c %s ctf/cpu0)" -gt 524288 ] || {
	echo "FAIL: too small for several packets"
	failed=1
}
first=$(head -n 1 records | cut -d ' ' -f 1)
converted "a part of the trace" $((first + 1000000)) --between 0.001,
cp -r ctf part
"$here/kmemtrace-zst" 5600 trace/cpu1.out
converted "a part of a compressed trace" $((first + 1000000)) --between 0.001,
diff -r part ctf || failed=1

# Nothing is overwritten, and an error names the file.
expect 2 'ctf/metadata: File exists; remove it, or name another folder' \
	"$export" ctf -o ctf trace
expect 2 'no/such/folder: No such file or directory' "$export" ctf -o no/such/folder trace
expect 2 'this format is a folder' "$export" ctf -o - trace
expect 2 "don't apply" "$export" ctf --site x -o new trace
expect 2 'this format has no stacks' "$export" ctf --stacks calls -o new trace
exit $failed
