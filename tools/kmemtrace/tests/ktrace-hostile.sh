#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Messages and exit status of ktrace-report for input that is damaged, foreign or missing.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
. "$(dirname "$golden")/ktrace-lib.sh"

# The command lines.
expect 0 'Usage: ' "$report" --help
expect 0 'ktrace-report' "$report" --version
expect 2 '--help' "$report" --nonsense
expect 2 'nonexistent: open: No such file' "$report" nonexistent
expect 2 'ktrace.data: open: No such file' "$report"
expect 2 'more than one DIR' "$report" a b
expect 2 "--ctf can't be combined" "$report" --ctf x --list trace
expect 2 'can each be given once only' "$report" --cpu 1 --cpu 2 trace
expect 2 'can each be given once only' "$report" --between 1, --between 2, trace
for option in --event= '--event=[' --cpu= --cpu=x --cpu=3-1 --cpu=65536 --between= "--between=," \
	--between=1 --between=2,1 --between=1,2,3 "--between=nan," --ctf=; do
	expect 2 "', expected " "$report" "$option" trace
done
setup plain
expect 2 'standard output' sh -c "'$report' trace >/dev/full"
expect 2 'standard output' sh -c "'$report' -lj trace >/dev/full"
mv trace ktrace.data
expect 0 'ktrace.data: COMPLETE' "$report"
rm -r ktrace.data

# No trace, or that of another recorder.
mkdir empty
expect 2 'no trace here' "$report" empty
"$here/kmemtrace-gen" --events 200 kmem >/dev/null || exit 1
expect 2 "kmem/metadata: has no line 'recorder', expected 'recorder: ktrace'; use kmemtrace-report" \
	"$report" kmem
echo 'recorder: kmemtrace' >>kmem/metadata
expect 2 'kmem/metadata: recorder: kmemtrace, expected ktrace; use kmemtrace-report' \
	"$report" kmem
for abi in 1 2; do
	for order in little big; do
		rm -r kmem
		"$here/kmemtrace-gen" --events 200 --abi $abi --order $order kmem >/dev/null
		rm kmem/metadata
		expect 2 'cpu0.out: offset 0: not a ktrace stream: expected a CLOCK' "$report" kmem
	done
done
"$here/kmemtrace-asm" first <<'END'
0 alloc kmalloc 64 0 0x1010 0x10000 8 8 0xcc0 1000 0
END
expect 2 'first/cpu0.out: offset 0: not a ktrace stream' "$report" first
setup plain
expect 2 'use ktrace-report for this trace' "$program_dir/kmemtrace-report" trace

# A stream of a CPU that the metadata doesn't have.
setup plain
echo 'end_ns: 9' >>trace/metadata
printf 'bytes.cpu%d: %d\n' 0 "$(stat -c %s trace/cpu0.out)" 1 "$(stat -c %s trace/cpu1.out)" >>trace/metadata
expect 0 'trace: COMPLETE' "$report" trace
cp trace/cpu1.out trace/cpu2.out
expect 0 "cpu2.out is not of this trace and not read: the metadata doesn't have its CPU" "$report" trace

# Streams of two machines.
setup plain big
mv trace/cpu1.out foreign
setup plain
mv foreign trace/cpu1.out
expect 2 'cpu1.out: offset 0: is big-endian, expected little-endian as the metadata says' \
	"$report" trace
rm trace/metadata
expect 2 'cpu1.out: offset 0: is big-endian, expected little-endian as the streams before it' \
	"$report" trace
setup plain
set_key byte_order big
expect 2 'cpu0.out: offset 0: is little-endian, expected big-endian' "$report" trace

# Versions.
setup plain
set_key abi_version 2
expect 2 'metadata: abi_version: 2, expected 1; use a newer ktrace-report' "$report" trace
setup plain
sed -i 1s/.*/version\ 2/ trace/info
expect 2 "info: line 1: 'version 2', expected 'version 1'; use a newer ktrace-report" \
	"$report" trace
echo nonsense >trace/info
expect 2 "info: line 1: 'nonsense', expected 'version 1'; copy the file from debugfs" \
	"$report" trace
: >trace/info
expect 2 "info: line 1: '', expected 'version 1'" "$report" trace

# Without the size of a word, no long can be read.
setup plain
sed -i /word_bits/d trace/metadata
expect 0 'the metadata has no word_bits, so the size of its arguments is unknown' \
	"$report" trace
expect 0 'open: open name /etc/passwd' "$report" -l trace

# The file info: a bad line costs its events only.
for line in '20 1 wide' '20 1 wide "%d' '20 1 wide "%d" x' '20 1 wide %d' '15 1 wide "%d"' \
	'65536 1 wide "%d"' '20 2 wide "%d"' '20 1  "%d"' ' 20 1 wide "%d"' '0x14 1 wide "%d"' \
	'20 1 wide "\42"' '20 1 wide "\000"' '20 1 wide "\777"' '20K 1 wide "%d"' \
	"20 1 $(printf '%0300d' 0) \"%d\""; do
	setup plain
	sed -i '/^20 /d' trace/info
	printf '%s\n' "$line" >>trace/info
	expect 0 "info: line 7: expected '<id> <state> <name> \"<format>\"'" "$report" trace
	expect 0 '1 event of unknown types skipped, first id 20: info has no line of it' \
		"$report" trace
done
setup plain
echo '16 1 second "%d"' >>trace/info
expect 0 'info: line 8: expected an id that no line before has' "$report" trace
expect 0 'open: open name /etc/passwd' "$report" -l trace
rm trace/info
expect 0 '12 events of unknown types skipped, first id 16: there is no info file: copy it' \
	"$report" trace
expect 0 'events   12 in' "$report" -l trace
for format in '%' '%d %' '%y' '%*d' '%n' '%hhp%q' "$(printf '%%d%.0s' $(seq 17))" \
	"$(printf '%05000d' 0)"; do
	setup plain
	sed -i '/^19 /d' trace/info
	printf '19 1 empty "%s"\n' "$format" >>trace/info
	expect 0 '3 events skipped because of the format, first of empty' "$report" trace
done

# Formats that would harm with printf().
"$here/ktrace-asm" wide <<'END'
0 clock 0 0 0 0
0 event 16 0 i:1 i:2 "abc" "abc" q:5
0 event 16 0 i:1 i:2 "abc" "abc"
0 event 16 0 i:1 i:2 "abc"
END
printf 'version 1\n16 1 wide "%%999999999999d|%%.99999999d|%%4000000000s|%%.1s|%%-300llx"\n' >wide/info
cp "$traces/plain/metadata" wide
expect 0 '2 events skipped: too short for the format, first of wide' "$report" wide
"$report" -l wide | tail -n 1 >line
if [ "$(wc -c <line)" -ge 1200 ] || ! grep -q ' 1|0*2| *abc|a|5 *$' line; then
	echo "FAIL: widths without limit: $(head -c 2000 line)"
	failed=1
fi

# A string without an end is not read beyond its record.
"$here/ktrace-asm" endless <<'END'
0 clock 0 0 0 0
0 event 16 0 q:0x4141414141414141
0 event 16 0 "B"
END
printf 'version 1\n16 1 text "%%s"\n' >endless/info
cp "$traces/plain/metadata" endless
expect 0 '1 event skipped: too short' "$report" endless
"$report" -l endless | grep -q A && {
	echo "FAIL: read beyond the record"
	failed=1
}

# The file overflow.
setup plain
echo 'cpu9 1' >>trace/overflow
expect 0 "overflow: line 4: expected 'cpu<n> <events> <lost> <bytes>'" "$report" trace
echo 'cpu0 9 0 0' >>trace/overflow
expect 0 'overflow: has two lines of cpu0' "$report" trace
rm trace/overflow
expect 0 'there is no overflow file' "$report" trace
expect 0 'at least 0 lost' "$report" trace
setup plain
sed -i 's/^cpu0 9/cpu0 11/' trace/overflow
expect 0 'cpu0: 2 events lost after its last one' "$report" trace
# ktraced knows that these belong to a later trace.
echo 'lost.cpu0: 0' >>trace/metadata
expect 0 'trace: COMPLETE' "$report" trace

# The metadata.
setup plain
set_key state running
expect 0 'ktraced still runs, or was killed' "$report" trace
set_key state interrupted
expect 0 'ktraced could not read or save everything (interrupted)' "$report" trace
setup plain
echo 'dropped.cpu1: 560' >>trace/metadata
expect 0 'cpu1.out: 560 bytes were read from the kernel, but could not be saved' "$report" trace
echo 'bytes.cpu0: 1000' >>trace/metadata
expect 0 'cpu0.out: has 480 bytes, expected the 1,000 that were saved' "$report" trace
rm trace/metadata
expect 0 'there is no metadata file' "$report" trace

# A missing stream.
setup plain
rm trace/cpu1.out
expect 0 'cpu1.out is missing, and with it 3 events' "$report" trace
rm trace/overflow
echo 'overruns.cpu1: 0' >>trace/metadata
expect 0 'cpu1.out is missing, and with it the events of that CPU' "$report" trace
setup plain
cp trace/cpu1.out trace/cpu3.out
expect 0 'cpu3.out: offset 0: expected a CLOCK of this CPU' "$report" trace

# Each length of a stream, or some where an emulator is slow: what is whole can be read.
setup plain
cp trace/cpu0.out whole
size=$(stat -c %s whole)
step=1
[ -z "$EMULATOR" ] || step=7
for bytes in $(seq 0 "$step" "$size"); do
	head -c "$bytes" whole >trace/cpu0.out
	"$report" trace >out 2>&1 || {
		echo "FAIL: $bytes bytes: exit status $?"
		failed=1
	}
	[ "$bytes" = "$size" ] || grep -q INCOMPLETE out || {
		echo "FAIL: $bytes bytes are complete"
		failed=1
	}
done
head -c 100 whole >trace/cpu0.out
expect 0 'cpu0.out: offset 96: expected a whole record, found the end of the file; the last 4 bytes' \
	"$report" trace
for raw in 1000040000000000 1000050000000000 1000000000000000; do
	echo "0 raw $raw" | "$here/ktrace-asm" raw
	{ head -c 96 whole && cat raw/cpu0.out; } >trace/cpu0.out
	expect 0 'cpu0.out: offset 96: expected a record whose size is a multiple of 8 bytes' \
		"$report" trace
done

# Damaged records. The events that could be read are listed.
assembled <<'END'
0 event 19 0
END
expect 0 'cpu0.out: offset 0: expected a CLOCK, which begins each stream' "$report" trace
assembled <<'END'
0 clock 0 0 1000 1000
0 event 19 0
0 clock 0 1 1000 1000 size:56
END
expect 0 'cpu0.out: offset 72: expected a record' "$report" trace
expect 0 'empty: nothing' "$report" -l trace
for wrong in cpu:1 clock:2; do
	assembled <<-END
	0 clock 0 0 1000 1000
	0 event 19 0
	0 clock 1 1 1000 1000 $wrong
	0 event 19 0
	END
	expect 0 'cpu0.out: offset 72: expected a CLOCK of this CPU, in cycles or in nanoseconds' \
		"$report" trace
done
assembled <<'END'
0 clock 0 0 1000 1000 size:72
0 event 19 0
0 clock 0 0 9000 9000
0 event 19 0
0 clock 0 18446744073709551615 9000 9000
0 event 19 0
0 clock 18446744073709551615 0 9000 9000
0 clock 0 0 5000 5000
0 event 19 0
END
expect 0 'CLOCK counts fewer events than are in the file' "$report" trace
expect 0 'tracing was switched on again 1 time' "$report" trace
expect 0 'time runs backwards in' "$report" trace

# Times beyond all limits: no overflow, and the order of a CPU stays.
assembled <<'END'
0 clock 0 0 18446744073709551615 18446744073709551615 frequency:1 clock:1
0 event 19 4294967295
0 clock 1 1 0 9223372036854775807 frequency:18446744073709551615 clock:1
0 event 19 4294967295
1 clock 0 0 9223372036854775807 9223372036854775808 error:4294967295 uncertainty:4294967295
1 event 19 4294967295
1 clock 1 1 1 1
1 event 19 0
END
for options in "" -l -j -lj "--ctf far" "--between 0,1 -l"; do
	# shellcheck disable=SC2086
	expect 0 'INCOMPLETE' sh -c "'$report' $options trace | sed 's/.complete.:false/INCOMPLETE/'"
done

# A stream of a later start than the trace.
assembled <<'END'
0 clock 5 70 1000 1000
0 event 19 0
END
expect 0 'cpu0.out: begins with sub-buffer 5: 70 events were overwritten before the first one, or another reader took them' \
	"$report" trace
echo 'overwrites: yes' >>trace/metadata
expect 0 'before   70 events were overwritten before the first one' "$report" trace
expect 0 'trace: COMPLETE' "$report" trace

# Empty streams.
setup plain
: >trace/cpu0.out
: >trace/cpu1.out
: >trace/overflow
expect 0 'events   0 in 0.000000 s, 0 lost' "$report" trace
expect 0 '"events":[]' "$report" -lj trace
rm trace/metadata
expect 0 'unknown-endian' "$report" trace

# Damaged compression.
setup plain
squeeze 264
rm -rf packed
cp -r trace packed
expect 0 'trace: COMPLETE' "$report" trace
truncate -s -1 trace/cpu0.out.zst
expect 0 'cpu0.out.zst: cut short: no whole frame from byte' "$report" trace
cp packed/cpu0.out.zst trace
printf 'X' | dd of=trace/cpu0.out.zst bs=1 seek=100 conv=notrunc 2>/dev/null
expect 0 'cpu0.out.zst: the frame at byte' "$report" trace
cp "$traces/plain/info" trace/cpu0.out.zst
expect 0 'cpu0.out.zst: the frame at byte 0 is damaged' "$report" trace

# Files that are none, or are too large.
for name in cpu1.out metadata info overflow kallsyms; do
	setup plain
	rm trace/$name
	mkfifo trace/$name
	expect 2 "trace/$name: not a regular file" timeout 60 "$report" trace
done
for name in metadata info overflow kallsyms; do
	setup plain
	truncate -s 3G trace/$name
	expect 2 "trace/$name: has 3221225472 bytes, the limit is " "$report" trace
done

# A pipe that is cut, or that brings something else.
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"
setup plain
pack trace >stream
expect 0 'standard input: COMPLETE' "$report" - <stream
for bytes in 500 800 $(($(stat -c %s stream) - 10)); do
	head -c $bytes stream >short
	expect 0 'standard input ends before the trace does' "$report" - <short
done
expect 2 'no trace here' "$report" - </dev/null
expect 2 "has no place in a kmemtrace stream" "$report" - <"$traces/plain/info"

# No text of a trace may control the terminal.
esc=$(printf '\033[31m')
setup plain
set_key kernel_release "6.12$esc"
set_key state "$esc"
sed -i "s/ open / op${esc}en /; s/name /n${esc}ame /" trace/info
sed -i "s/do_free/do_f${esc}ree/" trace/kallsyms
expect 0 'op\x1b[31men: open n\033[31mame /etc/passwd' "$report" -l trace
expect 0 'at do_f\033[31mree+0x0' "$report" -l trace
for options in "" -l -j -lj "--ctf escapes"; do
	# shellcheck disable=SC2086
	"$report" $options trace >out 2>&1
	if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177-\377]')" out; then
		echo "FAIL: ktrace-report $options prints bytes that aren't printable"
		failed=1
	fi
done
exit $failed
