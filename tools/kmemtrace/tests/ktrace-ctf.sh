#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# babeltrace2 reads what ktrace-report --ctf writes: each event, at the same time, with the same
# fields, and the events that are missing.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
. "$(dirname "$golden")/ktrace-lib.sh"

command -v babeltrace2 >/dev/null || { echo "skipped: no babeltrace2"; exit 77; }

# converted NAME [OPTION...]: convert trace/ and compare it with --list; babeltrace2 must not
# complain of anything but discarded events.
converted()
{
	what=$1
	shift
	rm -rf ctf
	"$report" "$@" --list --json trace >json
	if ! "$report" "$@" --ctf ctf trace >out 2>&1 ||
	   ! babeltrace2 --clock-seconds --no-delta ctf >text 2>err ||
	   ! "$golden/../ktrace-ctf.py" json text ||
	   grep -v '^WARNING: Tracer discarded\|^$' err; then
		echo "FAIL: $what"
		cat out err
		failed=1
	fi
}

# discarded NAME: the discarded events must be those that are lost or can't be decoded.
discarded()
{
	want=$(sed -n 's/^    "\(lost\|skipped\)_events":\([0-9]*\),/\2/p' json |
		awk '{ sum += $1 } END { print sum - '"${2:-0}"' }')
	got=$(sed -n 's/^WARNING: Tracer discarded \([0-9]*\) event.*/\1/p' err |
		awk '{ sum += $1 } END { print sum + 0 }')
	if [ "$want" != "$got" ]; then
		echo "FAIL: $1: $got events discarded, expected $want"
		cat err
		failed=1
	fi
}

for name in plain losses overwrite; do
	for machine in little-64 big-64 little-32 big-32; do
		setup $name ${machine%-*} ${machine#*-}
		converted "$name of $machine"
		# CPU 2 of losses has 7 events, and no stream.
		[ $name = losses ] && elsewhere=7 || elsewhere=0
		discarded "$name of $machine" "$elsewhere"
		mv ctf ctf-$name-${machine%-*}-${machine#*-}
	done
	diff -r ctf-$name-little-64 ctf-$name-big-64 | grep -v 'byte_order\|^---\|^diff\|^[0-9c]*$' &&
		failed=1
done

# The places of the losses.
setup losses
converted "losses"
sed -n 's/^WARNING: Tracer discarded \(.*\) in trace.*\/\(cpu[0-9]*\)".*/\2 \1/p' err >out
cat >expected <<'END'
cpu0 3 events between [0.001001000] and [0.001001100]
cpu0 4 events between [0.001001100] and [0.001002000]
cpu0 10 events between [0.001002000] and [0.001009000]
END
grep 'cpu0 \(3\|4\|10\) events' out | diff -u expected - || {
	echo "FAIL: the places of the losses"
	failed=1
}

# Many packets, filters, strings and names that need escapes.
generated 30000
converted "many events"
[ "$(stat -c %s ctf/cpu0)" -gt 524288 ] || {
	echo "FAIL: too small for several packets"
	failed=1
}
converted "filtered events" -e 'o*' -e wide --cpu 0,2 --between 0.0001,0.0200001
cat >keywords <<'END'
version 1
16 1 struct "int %d struct %u event=%x stream:%lu (env %s typealias %lld"
17 1 a"b\c "1st %d 1st %d same %d same %d same_2 %d %d %d x-y %d"
18 1 all "%c %hhd %hd %d %ld %lld %zu %p %pS %x %o"
END
assembled <<'END'
0 clock 0 0 1000 1000
0 event 16 0 i:-1 i:2 i:3 w:4 "\22quoted\5c\22" q:-5
0 event 17 1 i:1 i:2 i:3 i:4 i:5 i:6 i:7 i:8
0 event 18 2 i:65 i:-128 i:-32768 i:-2147483648 w:-9223372036854775808 q:-9223372036854775808 w:0xffffffffffffffff w:0xc1000010 w:0 i:0xffffffff i:8
0 event 16 3 i:0 i:0 i:0 w:0 "" q:0
END
cp keywords trace/info
echo 'cpu0 4 0 0' >trace/overflow
converted "keywords"

# Records as long as they may be.
awk 'BEGIN {
	long = sprintf("%4000s", "")
	gsub(" ", "x", long)
	print "0 clock 0 0 1000 1000"
	for (i = 0; i < 300; i++)
		print "0 event 16 " i " \"" long "\" i:" i " i:0"
}' | assembled
echo 'cpu0 300 0 0' >trace/overflow
converted "long strings"

# Nothing is overwritten, and an error names the file.
expect 2 'ctf/metadata: File exists; remove it, or name another folder' \
	"$report" --ctf ctf trace
expect 2 'no/such/folder: No such file or directory' "$report" --ctf no/such/folder trace
exit $failed
