#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output of ktrace-report for known traces. ktrace/NAME holds a trace (see ktrace-asm.c) and
# the expected output. To update it:
#	update=1 make -C tests check TESTS=ktrace-golden.sh

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
. "$(dirname "$golden")/ktrace-lib.sh"

# compare NAME FILE: FILE must equal ktrace/NAME.
compare()
{
	if [ -n "$update" ]; then
		cp "$2" "$traces/$1"
	elif ! diff -u "$traces/$1" "$2"; then
		echo "FAIL: $1"
		failed=1
	fi
}

# valid FILE...: each must be JSON that matches the schema.
valid()
{
	"$golden/../validate.py" "$golden/../../src/ktrace/ktrace-report.schema.json" "$@" ||
		failed=1
}

# outputs: write all outputs for trace/ into files.
outputs()
{
	"$report" trace >table 2>&1
	"$report" --list trace >list 2>&1
	"$report" --json trace >json 2>&1
	"$report" --json --list trace >list.json 2>&1
	rm -rf ctf
	"$report" --ctf ctf trace >ctf.out 2>&1
	cp ctf/metadata ctf.metadata
	valid json list.json
}

for name in plain losses overwrite; do
	setup $name
	outputs
	for output in table list json list.json ctf.metadata; do
		compare $name/$output $output
	done
	# --ctf prints the first part of the table.
	sed -n '/^$/q;p' table | diff -u - ctf.out || failed=1
done

# The same events of another machine: only the machine and the bytes of words differ.
same_events()
{
	for part in list list.json ctf.metadata; do
		sed '/^  kernel /d; /byte_order/d; /word_bits/d; /"bytes":/d
			s/size = 64; align = 8; signed/size = WORD; align = 8; signed/
			s/size = 32; align = 8; signed/size = WORD; align = 8; signed/' $part
	done
}
for name in plain losses overwrite; do
	setup $name
	outputs
	same_events >first
	for machine in little-32 big-64 big-32; do
		setup $name ${machine%-*} ${machine#*-}
		outputs
		same_events >other
		diff -u first other || {
			echo "FAIL: $name: $machine changes the events"
			failed=1
		}
	done
	# Without metadata, the order is that of the streams.
	setup $name big
	rm trace/metadata
	"$report" --json trace >json
	grep -q '"byte_order":"big"' json || {
		echo "FAIL: $name: the byte order was not found"
		failed=1
	}
done

# The streams are different.
setup plain big 32
mv trace big
setup plain
if cmp -s trace/cpu0.out big/cpu0.out; then
	echo "FAIL: the machines do not differ"
	failed=1
fi

# A pointer has all digits of its machine.
for bits in 32 64; do
	"$here/ktrace-asm" --bits $bits pointers <<-'END'
	0 clock 0 0 0 0
	0 event 16 0 w:0xbeef w:0xbeef w:0xbeef
	END
	printf 'version 1\n16 1 p "%%p %%#p %%px"\n' >pointers/info
	printf 'recorder: ktrace\nbyte_order: little\nword_bits: %d\n' $bits >pointers/metadata
	"$report" -l pointers | sed -n 's/.* p: //p'
	rm -r pointers
done >out
cat >expected <<'END'
0000beef 0x0000beef 0000beef
000000000000beef 0x000000000000beef 000000000000beef
END
diff -u expected out || failed=1

# all: print the table and the list in both formats.
all()
{
	for options in "" --list --json "--list --json"; do
		# shellcheck disable=SC2086
		"$report" $options "$1" 2>&1
	done
}

# A pipe and compression change nothing.
generated 1000
all trace >expected
grep -q '^trace: COMPLETE' expected || failed=1
pack trace >stream
for options in "" --list --json "--list --json"; do
	# shellcheck disable=SC2086
	"$report" $options - <stream 2>&1
done | sed 's/^standard input: /trace: /; s/"path":"standard input"/"path":"trace"/' >out
cmp expected out || {
	echo "FAIL: a pipe changes the output"
	failed=1
}
for bytes in 1000 4096 16777216; do
	generated 1000
	squeeze $bytes
	all trace | cmp expected - || {
		echo "FAIL: frames of $bytes bytes change the output"
		failed=1
	}
done

# The list has each event once, and its times don't decrease.
generated 1000
"$report" -l trace | awk '
/^ +[0-9]/ { n++; if ($1 < last) bad = 1; last = $1 }
END { if (n != 3000 || bad) print "FAIL: the list has " n " events, bad order: " bad + 0; exit bad || n != 3000 }' ||
	failed=1

# filtered OPTION...: print the list of ktrace/plain with these options.
filtered()
{
	echo "$*"
	"$report" "$@" trace | sed '/^  kernel /d'
	echo
}
setup plain
{
	filtered -l -e open
	filtered -l --event 'o*' --event '[ew]*' --cpu 0
	filtered --cpu 1
	filtered -l --between 0.000000250,0.0000020
	filtered --between ,0.000001
	filtered -l --between 0.000004,
	filtered -e nothing
	filtered -l -e nothing
} >out
compare plain/filters out
"$report" -j -e 'o*' -e free --cpu 0,2-3 --between 0,0.001 trace >out
valid out
compare plain/filters.json out

# A filter and its complement are the whole.
generated 500
for only in "-e open" "-e [!o]*" "--between ,0.0001" "--between 0.000100001," "--cpu 0" \
	"--cpu 1-2"; do
	# shellcheck disable=SC2086
	(set -f && "$report" -j $only trace) | sed -n 's/.*"selected_events":\([0-9]*\),/\1/p'
done | paste -sd ' \n' >out
awk '$1 + $2 != 1500 || !$1 || !$2' out >bad
[ ! -s bad ] || {
	echo "FAIL: the parts don't add up to 1500:"
	cat out
	failed=1
}
exit $failed
