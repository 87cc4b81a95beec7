#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What check and report say of input that is damaged, foreign or missing, and
# how they end.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

check=$program_dir/kmemtrace-check
report=$program_dir/kmemtrace-report

# A sound trace in trace/, to be spoiled.
fresh()
{
	rm -rf trace
	"$here/kmemtrace-gen" --events 2000 --live 100 trace >/dev/null || exit 1
}

# set_key KEY VALUE: change a line of the metadata.
set_key()
{
	sed -i "s/^$1: .*/$1: $2/" trace/metadata
}

# The command lines.
for program in "$check" "$report"; do
	expect 0 'Usage: ' "$program" --help
	expect 0 'kmemtrace-' "$program" --version
	expect 2 '--help' "$program" --nonsense
	expect 2 'No such file' "$program" nonexistent
done
expect 2 'no FILE or DIR' "$check"
expect 2 'makes no sense' "$report" -n 0 trace
expect 2 'makes no sense' "$report" -n 1x trace
expect 2 'makes no sense' "$report" --sort nonsense trace
expect 2 'more than one DIR' "$report" a b
expect 2 'kmemtrace.data' "$report"
fresh
expect 0 'clean' "$check" trace trace/cpu1.out
expect 2 'standard output' sh -c "'$check' trace >/dev/full"
expect 2 'standard output' sh -c "'$report' trace >/dev/full"
for key in live alloc count waste remote; do
	expect 0 ', by ' "$report" --sort $key trace
done

# Without a directory: the one it is in, or kmemtrace.data.
expect 0 'COMPLETE' sh -c "cd trace && '$report'"
mv trace kmemtrace.data
expect 0 'kmemtrace.data: COMPLETE' "$report"
rm -r kmemtrace.data

# Nothing, or nothing of ours.
mkdir empty
expect 2 'no trace here' "$check" empty
expect 2 'no trace here' "$report" empty
echo "This is a text, long enough to be a record, but none at all." >text
expect 2 'not a kmemtrace stream' "$check" text
fresh
cp text trace/cpu0.out
expect 1 'out of 56 to 4096' "$check" trace
expect 0 'cpu0.out: damaged, 61 bytes' "$report" trace
rm trace/metadata
expect 2 'not a kmemtrace stream' "$check" trace
expect 2 'not a kmemtrace stream' "$report" trace

# No events are no error.
fresh
: >trace/cpu0.out
: >trace/cpu1.out
expect 0 'cpu1.out: 0 records, clean' "$check" trace
expect 0 'events   0 in 0.000000 s' "$report" trace
rm trace/metadata
expect 0 '0 records' "$check" trace

# Half a record at the end.
fresh
head -c 1000 trace/cpu0.out >short
mv short trace/cpu0.out
expect 1 'cpu0.out: offset 952: tail: 48 bytes left' "$check" trace
expect 0 'cpu0.out: ends with 48 bytes that are no record' "$report" trace

# A missing CPU; one that never came up has no file and no line on losses.
fresh
rm trace/cpu1.out
expect 2 'cpu1.out is missing' "$check" trace
expect 0 'cpu1.out is missing' "$report" trace
expect 0 'INCOMPLETE' "$report" trace
fresh
set_key cpus 0-7
expect 0 'trace: COMPLETE' "$report" trace

# What the metadata says.
fresh
set_key abi_version 2
expect 2 'ABI version 2: this program knows 1' "$check" trace
expect 0 'ABI version 2: this program knows 1' "$report" trace
for line in 'abi_version: 0' 'abi_version: one' 'byte_order: middle' \
	    'word_bits: 65' 'page_size: 4095' 'page_size: 0'; do
	fresh
	set_key "${line%%: *}" "${line#*: }"
	expect 2 "${line%%: *}: '${line#*: }' makes no sense" "$check" trace
	expect 2 "${line%%: *}: '${line#*: }' makes no sense" "$report" trace
done
fresh
set_key byte_order big
expect 1 'out of 56 to 4096' "$check" trace
fresh
set_key state running
expect 0 'still runs, or was killed' "$report" trace
fresh
set_key state interrupted
expect 0 'could not read to the end' "$report" trace
fresh
set_key total_overruns 5600
set_key overruns.cpu1 5600
expect 0 '100 events lost; boot with kmemtrace.subbufs=26' "$report" trace
expect 0 '(100 lost)' "$report" trace

# Many CPUs don't fill the screen.
"$here/kmemtrace-gen" --events 2000 --cpus 20 many >/dev/null
expect 0 'per CPU  20 CPUs that lost nothing' "$report" many
sed -i 's/^overruns.cpu7: .*/overruns.cpu7: 56/' many/metadata
expect 0 '(1 lost), and 19 CPUs that lost nothing' "$report" many
rm many/metadata
expect 0 'per CPU  20 CPUs' "$report" many

# Streams of two machines.
"$here/kmemtrace-gen" --order big other >/dev/null
fresh
rm trace/metadata
cp other/cpu1.out trace/
expect 2 'is big-endian, unlike' "$report" trace

# No names, or none that may be seen.
fresh
sed -i 's/^[0-9a-f]*/0000000000000000/' trace/kallsyms
expect 0 'kptr_restrict' "$report" trace
expect 0 '0xffffffff8100' "$report" trace
rm trace/kallsyms
expect 0 'there is no kallsyms file' "$report" trace

# A module that left no symbols: its calls are not somebody else's.
mkdir gone
"$here/kmemtrace-asm" gone <"$golden/findings/trace.asm"
cp "$golden/findings/kallsyms" "$golden/findings/modules" gone/
expect 0 '0xffffffffc0004010 [gone]' "$report" gone
exit $failed
