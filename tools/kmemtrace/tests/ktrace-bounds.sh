#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The bytes of the input bound the time and the memory of ktrace-report, whatever the input
# claims.

# shellcheck disable=SC2317,SC2218 # measure.sh calls make_input(), which each case defines
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
. "$(dirname "$golden")/ktrace-lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"

# fresh_input: make the directory input, with metadata and an empty overflow
fresh_input()
{
	rm -rf input
	mkdir input
	cp "$traces/plain/metadata" input
	: >input/overflow
}

# repeated COMMAND...: print the output of COMMAND $copies times
repeated()
{
	"$@" >block
	for _ in $(seq "$copies"); do
		cat block
	done
}

# ---- events ----
make_input()
{
	generated "$((200 * $1))"
	rm -rf input
	mv trace input
}
for options in "" -l -lj; do
	# shellcheck disable=SC2086
	is_linear "events $options" 10 "$report" $options input
done
make_input 100
is_small "events" 0 1 "$report" -lj input

# ---- a file of clocks ----
make_input()
{
	fresh_input
	echo 'version 1' >input/info
	echo '0 clock 0 0 1000 1000' | "$here/ktrace-asm" input
	quadruple input/cpu0.out 5
	copies=$1
	repeated cat input/cpu0.out >clocks
	mv clocks input/cpu0.out
}
is_linear "clocks" 4 "$report" -l input
make_input 40
is_small "clocks" 0 3 "$report" -l input

# ---- many short events with a long text, and wide numbers ----
make_input()
{
	fresh_input
	awk -v n="$((100 * $1))" 'BEGIN {
		print "0 clock 0 0 1000 1000"
		for (i = 0; i < n; i++)
			print "0 event " 16 + i % 2 " " i, "i:1 i:2 i:3 i:4"
	}' | "$here/ktrace-asm" input
	{
		echo 'version 1'
		printf '16 1 long "%04000d"\n' 0
		echo '17 1 wide "%999999999d%-999999999d%.999999999d%0999999999d"'
	} >input/info
}
is_linear "long texts" 5 "$report" -l input
make_input 20
is_small "long texts" 0 1 "$report" -lj input

# ---- descriptions of all ids, each with events ----
make_input()
{
	fresh_input
	awk -v n="$((1000 * $1))" 'BEGIN {
		print "0 clock 0 0 1000 1000"
		for (i = 16; i < 16 + n; i++)
			print "0 event " i " 1", "i:1"
	}' | "$here/ktrace-asm" input
	{
		echo 'version 1'
		seq -f '%.0f 1 event "%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d%%d"' \
			16 $((15 + 1000 * $1))
	} >input/info
}
is_linear "types" 10 "$report" input
make_input 64
is_small "types" 0 12 "$report" input

# ---- bad lines ----
make_input()
{
	fresh_input
	echo '0 clock 0 0 1000 1000' | "$here/ktrace-asm" input
	{
		echo 'version 1'
		seq -f '%.0f bad' "$((1000 * $1))"
		seq -f '16 1 again "%.0f"' "$((1000 * $1))"
	} >input/info
	{
		seq -f 'cpu%.0f' "$((1000 * $1))"
		seq -f 'cpu%.0f 1 1 1' "$((1000 * $1))"
	} >input/overflow
}
is_linear "bad lines" 5 "$report" input
make_input 60
is_small "bad lines" 0 20 "$report" input

# ---- many CPUs, with records as large as they may be ----
make_input()
{
	fresh_input
	echo 'version 1' >input/info
	for i in $(seq "$((20 * $1))"); do
		printf '%s\n' "0 clock 0 0 1000 1000 cpu:$i" '0 event 16 0 i:1' \
			'0 event 16 0 i:1 size:65528' | "$here/ktrace-asm" input
		$compress input/cpu0.out
		mv input/cpu0.out* "input/cpu$i.out$suffix"
	done
}
compress=: suffix=
is_linear "many CPUs" 5 "$report" -l input
is_small "many CPUs" 0 8 "$report" -l input
compress="$here/kmemtrace-zst 65536" suffix=.zst
is_linear "many small files" 5 "$report" -l input
make_input 40
is_small "many small files" 0 40 "$report" -l input

# ---- more streams than open files ----
fresh_input
echo 'version 1' >input/info
for i in $(seq 0 15); do
	printf '%d clock 0 0 1000 1000\n%d event 16 %d\n' "$i" "$i" "$i"
done | "$here/ktrace-asm" input
"$report" -lj input >all.json
# shellcheck disable=SC3045 # every sh that matters has ulimit -n
(ulimit -n 12 && "$report" -lj input) >few.json 2>err
if ! cmp all.json few.json; then
	echo "FAIL: 16 streams and 12 open files"
	cat err
	failed=1
fi
exit $failed
