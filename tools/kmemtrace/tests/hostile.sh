#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Messages and exit status of kmemtrace-check and kmemtrace-report for input that is
# damaged, foreign or missing.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

check=$program_dir/kmemtrace-check
report=$program_dir/kmemtrace-report

# fresh: make a valid trace in trace/.
fresh()
{
	rm -rf trace
	"$here/kmemtrace-gen" --events 2000 --live 100 trace >/dev/null || exit 1
}

# forget KEY: remove the key of each CPU from the metadata, as in older traces.
forget()
{
	sed -i "/^$1\.cpu/d" trace/metadata
}

# The command lines.
for program in "$check" "$report"; do
	expect 0 'Usage: ' "$program" --help
	expect 0 'kmemtrace-' "$program" --version
	expect 2 '--help' "$program" --nonsense
	# getopt_long() names the program as the other messages do.
	grep -qx "${program##*/}: unrecognized option '--nonsense'" out || fail "$(cat out)"
	expect 2 'No such file' "$program" nonexistent
done
expect 2 'no FILE or DIR' "$check"
expect 2 "--number: '0', expected a number of rows, 1 or more" "$report" -n 0 trace
expect 2 "', expected " "$report" -n 1x trace
# The figures of the library are the keys.
figures=$("$report" --csv modules --columns list | sed -n 's/^  \([a-z_]*\) *number, \(count\|bytes\): .*/\1/p')
list=$(echo "$figures" | paste -sd , | sed 's/,/, /g; s/, \([a-z_]*\)$/ or \1/')
expect 2 "--sort takes $list, and" \
	"$report" --sort nonsense trace
expect 2 '--group-by takes site, line' "$report" --group-by nonsense trace
expect 2 "--color: 'nonsense', expected auto, always or never" "$report" --color nonsense trace
for option in --site= --module= --cache= --type= --type=nonsense "--type=kmalloc," \
	--type=,pages --type=pagess --cpu= --cpu=x --cpu=-1 --cpu=3-1 --cpu=1- "--cpu=0," \
	--cpu=1x --cpu=65536 --cpu=0-65536 --cpu=0x1 --cpu=99999999999999999999 --size= \
	--size=- --size=x --size=4K-1 --size=1-2-3 --size=1T --size=-1-2 --size=1%- \
	--size=17179869184G --at= --at=-1 --at=1x --at=nan --at=0x1 --at=1e3 "--at= 1" \
	--at=1.2.3 --between= "--between=," \
	--between=1 --between=2,1 --between=1,2,3 "--between=-1," --between=,x "--between=1x,"; do
	expect 2 "', expected " "$report" "$option" trace
done
# A pattern that fnmatch() takes for plain text.
for option in site cache task cgroup stack; do
	for pattern in '[' 'a[b' '[]' '[!]' '[[:digit:]' '[a\]' "a\\"; do
		expect 2 "--$option: '$pattern', expected a name, or a pattern in which each [ has its ]" \
			"$report" --$option "$pattern" trace
	done
done
expect 2 "--between: '5,3', expected seconds after the first event: A,B with A not after B" \
	"$report" --between 5,3 trace
expect 2 "'nonsense' is no part of a report" "$report" --show nonsense trace
expect 2 "'' is no part of a report" "$report" --show sites, trace
expect 2 '  sites ' "$report" --show site trace
expect 0 '  findings ' "$report" --show list
expect 2 "--show and --diff can't be combined" "$report" --diff --show sites a b
expect 2 "--show and --folded can't be combined" "$report" --folded --show sites a
expect 2 "--show and --html can't be combined" "$report" --html page --show sites a
expect 2 "--show and --diff can't be combined" "$report" --diff --tasks a b
expect 2 "--show and --folded can't be combined" "$report" --folded --stacks a
expect 2 "--stacks: 'sideways', expected top-down or bottom-up" "$report" --stacks=sideways a
expect 2 "can't be combined with --growth" "$report" --growth --group-by task a b
expect 2 "', expected " "$report" --task= trace
expect 2 "', expected " "$report" --cgroup '' trace
expect 2 "', expected " "$report" --stack '' trace
expect 2 'can each be given once only' "$report" --stack a --stack b trace
expect 2 'more than one DIR' "$report" a b
expect 2 'more than one --vmlinux' "$report" -k a -k b trace
expect 2 "', expected " "$report" --diff -k a -k b -k c a b
expect 2 '--at or --between can be given once only' "$report" --at 1 --between ,2 trace
expect 2 '--at or --between can be given once only' "$report" --at 1 --at 2 trace
expect 2 'can each be given once only' "$report" --site a --site b trace
expect 2 'can each be given once only' "$report" --size 1 --cpu 0 --size 2 trace
expect 2 "--json, --csv, --folded and --html can't be combined" "$report" --json --folded trace
expect 2 'two DIRs' "$report" --diff
expect 2 'two DIRs' "$report" --diff a
expect 2 'two DIRs' "$report" --diff a b c
expect 2 'standard input' "$report" --diff a -
expect 2 "--diff and --folded can't be combined" "$report" --diff --folded a b
expect 2 'without --diff' "$report" --threshold 1 a
for size in '' x -1 ' 1' 1T 1KK 1.5 % K 99999999999999999999 18014398509481984K; do
	expect 2 "', expected " "$report" --diff --threshold "$size" a b
done
expect 2 'kmemtrace.data' "$report"
fresh
expect 2 'nowhere/page: No such file' "$report" --html nowhere/page trace
expect 2 '/dev/full: No space left' "$report" --html /dev/full trace
expect 2 'No such file' "$report" --diff trace nonexistent
expect 2 'No such file' "$report" --diff nonexistent trace
expect 0 'clean' "$check" trace trace/cpu1.out
expect 2 'standard output' sh -c "'$check' trace >/dev/full"
expect 2 'standard output' sh -c "'$report' trace >/dev/full"
for answer in --help --version "--show list"; do
	expect 2 'standard output' sh -c "'$report' $answer >/dev/full"
done
for key in $figures; do
	title=$("$report" --csv modules --columns list | sed -n "s/^  $key  *[^:]*: \([^:]*\).*/\1/p")
	expect 0 ", by $title" "$report" --show sites --sort "$key" trace
	expect 0 'COMPLETE' "$report" --sort "$key" trace
done
expect 2 'allocations have no property' "$report" --csv sites --group-by nonsense trace
expect 2 "there is no relation 'nonsense'" "$report" --csv nonsense trace
expect 2 "totals has no column 'nonsense'; it has: allocator, live_bytes" \
	"$report" --csv totals --where nonsense=1 trace
expect 2 "live is a number: 'live=x'" "$report" --csv totals --where live=x trace
expect 2 "complete is true or false: 'complete=yes'" \
	"$report" --csv trace --where complete=yes trace
for pattern in '[' 'a[b'; do
	expect 2 "'function~$pattern': expected a name, or a pattern" \
		"$report" --csv sites --where "function~$pattern" trace
done
for pattern in '[]]' '[!]a]*' '*[[:alpha:]]*' '\[' '[[]'; do
	expect 0 COMPLETE "$report" --site "$pattern" trace
done
expect 0 allocator "$report" --csv sites --where "function~a\\" trace
expect 2 "live is a number: 'live>nan'" "$report" --csv totals --where 'live>nan' trace
expect 2 "'live' is no condition" "$report" --csv totals --where live trace

# Without an operand: the current directory, or kmemtrace.data.
expect 0 'COMPLETE' sh -c "cd trace && '$report'"
mv trace kmemtrace.data
expect 0 'kmemtrace.data: COMPLETE' "$report"
rm -r kmemtrace.data

# No trace, or a file of another kind.
mkdir empty
expect 2 'no trace here' "$check" empty
expect 2 'no trace here' "$report" empty
echo "This is a text, long enough to be a record, but none at all." >text
expect 2 'not a kmemtrace stream' "$check" text
fresh
cp text trace/cpu0.out
expect 1 'not from 56 to 4096' "$check" trace
expect 0 'cpu0.out: damaged, 61 bytes' "$report" trace
rm trace/metadata
expect 2 'not a kmemtrace stream' "$check" trace
expect 2 'not a kmemtrace stream' "$report" trace

# The path of a file.
expect 2 'trace/cpu1.out: is no folder; name the folder' "$report" trace/cpu1.out

# A trace without events is valid.
fresh
: >trace/cpu0.out
: >trace/cpu1.out
forget bytes
expect 0 'cpu1.out: 0 records, clean' "$check" trace
expect 0 'events   0 in 0.000000 s' "$report" trace
rm trace/metadata
expect 0 '0 records' "$check" trace

# JSON is ASCII, even if names contain invalid UTF-8 or characters that control a terminal
# (U+0085, U+202E). Files that are too large are not read.
fresh
printf 'ffffffff81001000 T \303\251\212\355\240\200\360\237\220\247_\377\302\205\342\200\256\n' >>trace/kallsyms
sort -o trace/kallsyms trace/kallsyms
"$report" --json -n 100000 trace >json
if LC_ALL=C grep -q '[^ -~]' json ||
   ! grep -q '\\u00e9\\\\x8a.*\\ud83d\\udc27_\\\\xff\\\\xc2\\\\x85\\\\xe2\\\\x80\\\\xae' json; then
	echo "FAIL: JSON is not ASCII"
	failed=1
fi
for file in kallsyms metadata modules slabs; do
	fresh
	truncate -s 3G trace/$file
	expect 2 "trace/$file: has 3221225472 bytes, the limit is " "$report" trace
done

# Half a record at the end.
fresh
head -c 1000 trace/cpu0.out >short
mv short trace/cpu0.out
expect 1 'cpu0.out: offset 952: tail: 48 bytes left' "$check" trace
expect 0 'cpu0.out: ends with 48 bytes that are no record' "$report" trace

# A stream that was cut between two records, or is too long.
fresh
bytes=$(stat -c %s trace/cpu1.out)
truncate -s 5600 trace/cpu1.out
expect 1 "cpu1.out: offset 5600: file_size: 5600 bytes, expected the $bytes that were saved" \
	"$check" trace
expect 0 'trace: INCOMPLETE' "$report" trace
expect 0 "cpu1.out: has 5,600 bytes, expected the $(echo "$bytes" |
	sed 's/...$/,&/') that were saved" "$report" trace
expect 0 'clean' "$check" trace/cpu1.out
forget bytes
expect 0 'clean' "$check" trace
expect 0 'trace: COMPLETE' "$report" trace
fresh
: >trace/cpu1.out
expect 1 'cpu1.out: offset 0: file_size: 0 bytes, expected' "$check" trace
expect 0 'cpu1.out: has 0 bytes, expected' "$report" trace
fresh
tail -c 56 trace/cpu0.out >last
cat last >>trace/cpu0.out
expect 1 'file_size: ' "$check" trace
expect 0 'INCOMPLETE' "$report" trace

# of_times: make a trace with two streams whose clocks are monotonic, from 5 s to 9 s.
of_times()
{
	rm -rf trace
	"$here/kmemtrace-asm" trace <<-'ASM' || exit 1
		0 clock 0 56 0 5000000000 0 0 0 0 5000000000
		0 alloc kmalloc 64 -1 0x1000 0x2000 8 8 0 5000001000 0x9000
		0 alloc kmalloc 64 -1 0x1000 0x3000 8 8 0 6000000000 0x9000
		1 clock 0 56 1 5500000000 0 0 0 0 5500000000
		1 free kmalloc 56 -1 0x1000 0x2000 0 0 0 6000001000
	ASM
	cat >trace/metadata <<-'META'
		abi_version: 2
		byte_order: little
		word_bits: 64
		page_size: 4096
		compression: none
		start_ns: 5000000000
		end_ns: 9000000000
		total_overruns: 0
		bytes.cpu0: 184
		bytes.cpu1: 112
		state: complete
	META
}

# not_of_trace STREAM REASON: the programs must not read STREAM, and say why.
not_of_trace()
{
	expect 0 "because  $1 is not of this trace and not read: $2" "$report" trace
	expect 1 "$1: offset 0: stream: is not of this trace and not read: $2" "$check" trace
}

# Streams of other traces.
of_times
expect 0 'trace: COMPLETE' "$report" trace
expect 0 'clean' "$check" trace
cp trace/cpu1.out trace/cpu2.out
not_of_trace cpu2.out "the metadata doesn't have its CPU"
of_times
cp trace/cpu0.out trace/cpu1.out
not_of_trace cpu1.out 'it begins with a record of another CPU'
of_times
mkdir -p other
"$here/kmemtrace-asm" other <<-'END'
	1 clock 0 56 1 55000000000 0 0 0 0 55000000000
	1 free kmalloc 56 -1 0x1000 0x2000 0 0 0 55000001000
END
cp other/cpu1.out trace
not_of_trace cpu1.out 'it begins at a time that the trace does not have'
"$here/kmemtrace-asm" other <<-'END'
	1 clock 0 56 1 1000000000 0 0 0 0 1000000000
	1 free kmalloc 56 -1 0x1000 0x2000 0 0 0 1000001000
	1 free kmalloc 56 -1 0x1000 0x3000 0 0 0 1000001000
END
cp other/cpu1.out trace
not_of_trace cpu1.out 'it begins at a time that the trace does not have'
rm trace/cpu1.out
expect 0 'cpu1.out is missing' "$report" trace
expect 2 'cpu1.out is missing' "$check" trace

# A damaged record gives neither its time nor its losses.
of_times
for time in 9000000000000000000 -5 4000000000000; do
	"$here/kmemtrace-asm" other <<-END
		1 clock 0 56 1 5500000000 0 0 0 0 5500000000
		1 lost 0 56 0 77777 0 0 0 0 $time
	END
	cp other/cpu1.out trace
	expect 0 "cpu1.out: damaged, 1 record is left out: the trace doesn't have their times" \
		"$report" trace
	expect 0 'in 1.000000 s, 0 lost' "$report" trace
done

# A name with a leading zero is not a stream: it is no second cpu1.
fresh
cp trace/cpu1.out trace/cpu01.out
cp trace/cpu1.out trace/cpu00.out
expect 0 'trace: COMPLETE' "$report" trace
"$check" trace >out 2>&1
if grep -q 'cpu0[01]' out; then
	echo "FAIL: names with leading zeros are streams"
	failed=1
fi

# A FIFO in place of a file must not block.
for name in cpu1.out metadata kallsyms modules; do
	fresh
	rm trace/$name
	mkfifo trace/$name
	expect 2 "trace/$name: not a regular file" timeout 60 "$report" trace
done
fresh
rm trace/cpu1.out
mkfifo trace/cpu1.out
expect 2 'trace/cpu1.out: not a regular file' timeout 60 "$check" trace
expect 2 'trace/cpu1.out: not a regular file' timeout 60 "$check" trace/cpu1.out
mv trace/cpu1.out trace/cpu1.out.zst
expect 2 'cpu1.out.zst: not a regular file' timeout 60 "$report" trace

# Events that kmemtraced could not write.
fresh
set_key dropped.cpu1 560
expect 0 'trace: INCOMPLETE' "$report" trace
expect 0 'cpu1.out: at most 10 events were read from the kernel, but could not be saved' \
	"$report" trace

# A record of an unknown type is no event.
mkdir unknown
"$here/kmemtrace-asm" unknown <<-'END'
	0 alloc kmalloc 56 -1 0x1000 0x2000 8 8 0 1
	0 99 kmalloc 56 -1 0x1000 0x3000 8 8 0 2
	0 free kmalloc 56 -1 0x1000 0x2000 0 0 0 3
END
expect 0 '1 record of unknown types skipped' "$report" unknown
expect 0 '"events":2,' "$report" --json unknown

# An index, which version 0.1 wrote beside a trace, is no part of it.
"$report" unknown >without 2>&1
echo kmtindex >unknown/kmemtrace.index
"$report" unknown 2>&1 | diff without - || fail "an index of version 0.1 changes the report"

# A missing CPU; one that never came up has no file and no line on losses.
fresh
rm trace/cpu1.out
expect 2 'cpu1.out is missing' "$check" trace
expect 0 'cpu1.out is missing, and with it the' "$report" trace
expect 0 'INCOMPLETE' "$report" trace
forget overruns
expect 2 'cpu1.out is missing' "$check" trace
expect 0 'cpu1.out is missing' "$report" trace
fresh
rm trace/cpu1.out
forget bytes
expect 2 'cpu1.out is missing' "$check" trace
expect 0 'cpu1.out is missing' "$report" trace
fresh
set_key cpus 0-7
expect 0 'trace: COMPLETE' "$report" trace

# All possible CPUs in the metadata, twice and in reverse order: each counts once, and the
# time is not quadratic.
fresh
seq 65535 -1 0 | sed 's/.*/overruns.cpu&: 0/' >each_cpu
cat each_cpu each_cpu >>trace/metadata
expect 2 'cpu65535.out is missing' timeout 20 "$check" trace
expect 0 'cpu65535.out is missing' timeout 20 "$report" trace
seq -f 'cpu%.0f.out is missing' 2 65535 >missing
if ! grep -o 'cpu[0-9]*.out is missing' out | cmp - missing; then
	echo "FAIL: not each CPU without a stream is missing once, in order"
	failed=1
fi

# Of lines with the same key, the first counts. Any line may name a CPU.
fresh
seq -f 'kernel_release: not.this.%.0f' 1000 >>trace/metadata
echo 'dropped.cpu1: 560' >>trace/metadata
expect 0 'kernel   6.12.0-generated' "$report" trace
expect 0 'trace: COMPLETE' "$report" trace
sed -i '1i dropped.cpu1: 1120' trace/metadata
expect 0 'cpu1.out: at most 20 events were read from the kernel' "$report" trace
printf 'bytes.cpu3: %d\n' 0 56 >>trace/metadata
expect 2 'cpu3.out is missing' "$check" trace

# Symbols that were saved with the trace, and are missing or of another boot.
for file in kallsyms modules; do
	fresh
	printf 'stored.cpu0: 1\nend_ns: 1000000000\n' >>trace/metadata
	: >>trace/modules
	expect 0 'trace: COMPLETE' "$report" trace
	rm trace/$file
	expect 0 "because  missing: $file, saved with the trace" "$report" trace
	expect 1 "trace: missing: $file, saved with the trace" "$check" trace
done
fresh
sed -i 's/^f*8/ffffffff9/' trace/kallsyms
expect 0 'a name: kallsyms is of another kernel or another boot' "$report" trace

# Wrong values in the metadata.
fresh
set_key abi_version 3
expect 2 'ABI version 3: this program knows 2' "$check" trace
expect 0 'ABI version 3: this program knows 2' "$report" trace
for line in 'abi_version: 0' 'abi_version: one' 'byte_order: middle' \
	    'word_bits: 65' 'page_size: 4095' 'page_size: 0' \
	    'page_size: 524288'; do
	fresh
	set_key "${line%%: *}" "${line#*: }"
	expect 2 "${line%%: *}: '${line#*: }', expected " "$check" trace
	expect 2 "${line%%: *}: '${line#*: }', expected " "$report" trace
done
fresh
echo 'recorder: ktrace' >>trace/metadata
for program in "$check" "$report"; do
	expect 2 'trace/metadata: recorder: ktrace, expected kmemtrace; use ktrace-report' \
		"$program" trace
done
sed -i 's/^recorder: .*/recorder: kmemtrace/' trace/metadata
expect 0 'clean' "$check" trace
fresh
set_key byte_order big
expect 1 'not from 56 to 4096' "$check" trace
fresh
set_key state running
expect 0 'still runs, or was killed' "$report" trace
fresh
set_key state interrupted
expect 0 'could not read or save everything' "$report" trace
fresh
set_key total_overruns 5600
set_key overruns.cpu1 5600
expect 0 '100 events lost; boot with kmemtrace.subbufs=26' "$report" trace
expect 0 '(100 lost)' "$report" --show trace trace
echo 'max_subbufs: 26' >>trace/metadata
expect 0 '100 events lost; boot with kmemtrace.subbufs=26' "$report" trace
set_key max_subbufs 25
expect 0 '100 events lost; kmemtrace.subbufs=26 would be needed, but the traced machine'"'"'s memory allows 25: give it more memory' \
	"$report" trace

# CPUs without losses are not listed on a large machine.
"$here/kmemtrace-gen" --events 2000 --cpus 20 many >/dev/null
expect 0 'per CPU  20 CPUs without losses' "$report" --show trace many
sed -i 's/^overruns.cpu7: .*/overruns.cpu7: 56/' many/metadata
expect 0 '(1 lost), and 19 CPUs without losses' "$report" --show trace many
rm many/metadata
expect 0 'per CPU  20 CPUs' "$report" --show trace many

# squeeze_cpu1 BYTES: make a valid trace and compress cpu1's stream in frames of BYTES.
squeeze_cpu1()
{
	fresh
	"$here/kmemtrace-zst" "$1" trace/cpu1.out || exit 1
	zst=trace/cpu1.out.zst
}

# spoil OFFSET: change a byte of the compressed stream.
spoil()
{
	printf 'X' | dd of=$zst bs=1 seek="$1" conv=notrunc 2>/dev/null
}

squeeze_cpu1 5600
set_key dropped.cpu1 560
expect 0 'cpu1.out.zst: at most 10 events were' "$report" trace
echo 'compression: zstd' >>trace/metadata
rm $zst
expect 0 'cpu1.out.zst is missing, and with it the' "$report" trace
expect 2 'cpu1.out.zst is missing' "$check" trace

squeeze_cpu1 5600
expect 0 'clean' "$check" trace $zst
expect 0 'trace: COMPLETE' "$report" trace
expect 0 'COMPLETE' sh -c "cd trace && '$report'"
cp $zst renamed.zst
expect 0 'renamed.zst: ' "$check" renamed.zst
zstdcat $zst >trace/cpu1.out
for program in "$check" "$report"; do
	expect 2 'trace: has cpu1.out as well as cpu1.out.zst' "$program" trace
done
rm $zst
expect 0 'trace: COMPLETE' "$report" trace

# Cut the table, or a frame.
squeeze_cpu1 5600
truncate -s -1 $zst
expect 1 "cpu1.out.zst: offset $bytes: frame: cut short: no whole frame from byte " \
	"$check" trace
expect 0 'cpu1.out.zst: cut short: no whole frame from byte ' "$report" trace
truncate -s 4000 $zst
expect 1 'frame: cut short' "$check" $zst
expect 1 "file_size: " "$check" trace
expect 0 'trace: INCOMPLETE' "$report" trace
"$report" --json trace >cut.json
truncate -s 0 $zst
expect 1 'offset 0: frame: cut short: no whole frame from byte 0 ' "$check" trace
expect 0 'no whole frame from byte 0 on' "$report" trace

# Damage a frame: the records before it remain.
squeeze_cpu1 5600
spoil 4000
expect 1 'cpu1.out.zst: offset 16800: frame: the frame at byte ' "$check" trace
expect 0 'cpu1.out.zst: the frame at byte ' "$report" trace
expect 0 'trace: INCOMPLETE' "$report" trace
squeeze_cpu1 5600
spoil 0
expect 1 'cpu1.out.zst: offset 0: frame: the frame at byte 0 of the file is damaged' \
	"$check" trace $zst
fresh
mv trace/cpu1.out trace/cpu1.out.zst
expect 1 'frame: the frame at byte 0 of the file is damaged' "$check" trace
expect 0 'the frame at byte 0 is damaged' "$report" trace

# Through a pipe: cut, of another kind, with a plain and a compressed stream of one CPU.
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"
fresh
pack trace >stream
expect 0 'standard input/cpu1.out: ' "$check" - <stream
expect 0 'standard input: COMPLETE' "$report" - <stream
expect 2 'standard input: given more than once' "$check" - - <stream
set_key state running
for key in bytes overruns lost; do
	forget $key
done
{
	echo "kmemtrace-stream 1"
	echo "metadata $(stat -c %s trace/metadata)"
	cat trace/metadata
	tail -n +2 stream
} >begun
head -c 20000 begun >short
expect 1 'standard input: offset 20000: the stream ends before the trace does' "$check" - <short
expect 0 'standard input: INCOMPLETE' "$report" - <short
expect 0 'still runs, or was killed' "$report" - <short
"$here/kmemtrace-gen" --abi 2 --compress - 2>/dev/null >stream
head -c $(($(wc -c <stream) - 100)) stream >short
expect 0 'standard input: INCOMPLETE' "$report" - <short
expect 0 "standard input ends before the trace does" "$report" - <short
expect 2 'standard input: no trace here: expected what kmemtraced -o -' "$report" - </dev/null
{
	echo 'kmemtrace-stream 1'
	echo '../cpu0.out 1'
} >escape
"$here/kmemtrace-gen" --events 1400000 - 2>/dev/null | head -c 75000000 >large
# Streams of others: a text, a file of a trace, an archive, and none.
gzip <stream >stream.gz
tar cf tarball trace
for program in "$check" "$report" "$program_dir/kmemtrace-export pprof -o out.pprof" \
	"$program_dir/kmemtrace-top -b 1"; do
	for file in text trace/cpu0.out stream.gz tarball; do
		# shellcheck disable=SC2086
		expect 2 'has no place in a kmemtrace stream: expected what kmemtraced -o -' $program - <$file
		grep -q '^kmemtrace-[a-z]*: standard input: offset 0: ' out ||
			fail "$program - <$file: $(cat out)"
	done
	# shellcheck disable=SC2086
	expect 2 'standard input: ' $program - </dev/null
done
for program in "$check" "$report"; do
	expect 2 "standard input: offset 19: '../cpu0.out 1' has no place in a kmemtrace stream: expected the name" \
		"$program" - <escape
	expect 2 'more than 64 MB wait for the events of other CPUs, and no temporary file' \
		env TMPDIR=/nonexistent "$program" - <large
done
# What fits into memory needs none.
pack trace >stream
expect 0 'kmemtraced still runs' env TMPDIR=/nonexistent "$report" - <stream
squeeze_cpu1 5600
pack trace >stream
expect 0 'standard input: COMPLETE' "$report" - <stream
zstdcat $zst >trace/cpu1.out
pack trace >stream
expect 2 'standard input: has cpu1.out as well as cpu1.out.zst' "$report" - <stream

# The temporary file is removed, even if a signal ends the program.
for signal in INT TERM HUP QUIT XCPU; do
	mkfifo pipe
	env --default-signal="$signal" "$report" - <pipe >out 2>&1 &
	exec 3>pipe
	cat large >&3
	tries=100
	while ! spools $! && [ $tries -gt 0 ]; do
		sleep 0.05
		tries=$((tries - 1))
	done
	if [ $tries -eq 0 ]; then
		echo "FAIL: nothing was read"
		failed=1
	fi
	kill -$signal $!
	wait $!
	status=$?
	exec 3>&-
	rm pipe
	if [ "$(kill -l $status)" != $signal ]; then
		echo "FAIL: SIG$signal: exit status $status"
		failed=1
	fi
done
pack many | "$report" -n 1000 - | head -n 1 >/dev/null
if ! rmdir "$TMPDIR"; then
	echo "FAIL: a temporary file is still there"
	failed=1
fi
unset TMPDIR

# Streams of two machines.
"$here/kmemtrace-gen" --order big other >/dev/null
fresh
rm trace/metadata
cp other/cpu1.out trace/
expect 2 'is big-endian, unlike' "$report" trace

# No clock follows in more bytes than a sub-buffer has.
rm -rf trace
"$here/kmemtrace-gen" --abi 2 --events 20000 --cpus 1 --cycles 2400000001 trace >/dev/null
head -c 1000000 /dev/zero | dd of=trace/cpu0.out bs=1000 seek=200 conv=notrunc 2>/dev/null
expect 0 'cpu0.out: damaged, 1,' timeout 60 "$report" trace

# Before Linux 6.4, kfree() was for memory of kmalloc() alone.
for release in 5.19 6.3.9 6.4.0 6.12.0 7.0; do
	setup findings
	set_key kernel_release $release
	expect 0 "mixed_api$(case $release in 5.* | 6.3.*) ;; *) echo _legal ;; esac)," \
		"$report" --csv findings --columns class,count trace
done

# assembled: make a trace without losses from the standard input, with kmemtrace-asm.
assembled()
{
	rm -rf trace
	"$here/kmemtrace-asm" trace || exit 1
	printf '%s\n' 'word_bits: 64' 'byte_order: little' \
		'total_overruns: 0' 'state: complete' >trace/metadata
}

# A flipped byte in the requested size.
assembled <<'END'
0 alloc kmalloc 56 -1 0x1010 0x10000 8    8    0xcc0 1000
0 alloc pages   56 -1 0x1010 0x10000 4096 4096 0xcc0 1001
END
expect 0 'trace: COMPLETE' "$report" trace
assembled <<'END'
0 alloc kmalloc 56 -1 0x1010 0x10000 9    8    0xcc0 1000
0 alloc pages   56 -1 0x1010 0x10000 4096 4096 0xcc0 1001
END
expect 0 'trace: INCOMPLETE' "$report" trace
expect 0 '1 record with fewer bytes allocated than requested' "$report" trace
assembled <<'END'
0 alloc kmalloc 56 -1 0x1010 0x10000 8    8    0xcc0 1000
0 alloc pages   56 -1 0x1010 0x10000 0x10000000001000 4096 0xcc0 1001
END
expect 0 'trace: INCOMPLETE' "$report" trace
expect 0 '1 impossible record skipped' "$report" trace

# Sizes beyond the limits of a kernel: kmemtrace-report skips them, kmemtrace-check reports
# them.
assembled <<'END'
0 clock 0       56  0 0      0       0 0 0 900
0 alloc pages   56 -1 0x1010 0x10000 4096 0x80000000 0xcc0 1000
0 alloc kmalloc 64 -1 0x1010 0x10000 4096 0x100000000 0xcc0 1001 0
0 free  pages   56 -1 0x1010 0x10000 0 0x80000000 0 1002
END
expect 0 '3 impossible records skipped; see kmemtrace-check' "$report" trace
expect 1 'bytes_alloc: 2147483648, expected no more than 1073741824' "$check" trace
expect 1 'bytes_alloc: 4294967296, expected no more than 4294967295' "$check" trace
expect 1 'offset 176: bytes_alloc: 2147483648, expected' "$check" trace

# Pages beyond the last address: no batch would have room for them.
assembled <"$golden/../fuzz-found/pages-wrap.asm"
expect 0 '1 impossible record skipped; see kmemtrace-check' "$report" trace
expect 1 'offset 56: bytes_alloc: 8192, expected no more than the 4096' "$check" trace

# Longer records than this version has are legal: their tails are skipped.
assembled <<'END'
0 alloc kmalloc 72 -1 0x1010 0x10000 8 8 0xcc0 1000 1 2
0 alloc cache   64 -1 0x1010 0x20000 8 8 0xcc0 1001 3
0 free  kmalloc 72 -1 0x1010 0x10000 0 0 0     1002 4 5
0 alloc pages   56 -1 0x1010 0x30000 4096 4096 0xcc0 1003
END
expect 0 '4 records, clean' "$check" trace
expect 0 'Findings: none' "$report" trace

# ABI version 2. Without metadata, the first record shows the version.
fresh2()
{
	rm -rf trace
	"$here/kmemtrace-gen" --events 2000 --live 100 --abi 2 --subbuf 4096 \
		--before 100 trace >/dev/null || exit 1
}
fresh2
rm trace/metadata
expect 0 'clean' "$check" trace trace/cpu1.out
expect 0 'INCOMPLETE' "$report" trace

# A sub-buffer that is missing: in the middle, at the begin, at the end.
fresh2
{
	head -c 8192 trace/cpu1.out
	tail -c +16385 trace/cpu1.out
} >short
mv short trace/cpu1.out
expect 1 'cpu1.out: offset 8192: sequence: 4, expected 2: 2 sub-buffers are missing' \
	"$check" trace
expect 0 'INCOMPLETE' "$report" trace
fresh2
tail -c +4097 trace/cpu1.out >short
mv short trace/cpu1.out
expect 0 'clean' "$check" trace/cpu1.out
fresh2
head -c 4096 trace/cpu1.out >short
mv short trace/cpu1.out
expect 0 'clean' "$check" trace/cpu1.out

# A pad is cut; then the metadata claims version 1.
assembled <<'END'
0 clock 0       56 0  50     0       0 0 0     1000
0 alloc kmalloc 64 -1 0x1010 0x10000 8 8 0xcc0 1000 0
0 pad 64
END
truncate -s -1 trace/cpu0.out
expect 1 'offset 120: tail: 63 bytes left' "$check" trace
expect 0 'cpu0.out: ends with 63 bytes that are no record' "$report" trace
truncate -s 123 trace/cpu0.out
expect 1 'offset 120: tail: 3 bytes left' "$check" trace
fresh2
set_key abi_version 1
expect 1 'offset 0: event_id: 5, expected 1 (alloc) or 2 (free)' "$check" trace
expect 0 'trace: ' "$report" trace

# Only a pad: the byte order is unknown.
assembled <<'END'
0 pad 16
END
expect 1 'event_id: 3, expected the 5 (clock)' "$check" trace
expect 0 'events   0 in 0.000000 s' "$report" trace
rm trace/metadata
expect 1 'tail: 16 bytes left' "$check" trace

# One record with a time far in the future: later records and the duration are correct.
assembled <<'END'
0 alloc kmalloc 56 -1 0x1010 0x10000 8 8 0xcc0 1000
0 free  kmalloc 56 -1 0x1010 0x10000 0 0 0     0x100000000002000
0 alloc kmalloc 56 -1 0x1010 0x10000 8 8 0xcc0 3000
1 free  kmalloc 56 -1 0x1010 0x10000 0 0 0     4000
0 alloc kmalloc 56 -1 0x1010 0x10000 8 8 0xcc0 500000
END
expect 0 'time runs backwards in 1 place' "$report" trace
expect 0 'events   5 in 0.000499 s' "$report" trace
expect 0 'Findings: none' "$report" trace

# A better clock replaced one that counts ticks: time steps back by less than its clock is
# uncertain, then by more.
assembled <<'END'
0 clock 0       56 0  1000 0 4000000 0 0 1000
0 alloc kmalloc 64 -1 0x1010 0x10000 8 8 0xcc0 16000000 0
0 alloc kmalloc 64 -1 0x1010 0x20000 8 8 0xcc0 13000000 0
0 alloc kmalloc 64 -1 0x1010 0x30000 8 8 0xcc0 13100000 0
END
set_key abi_version 2
expect 0 'clean' "$check" trace/cpu0.out
expect 0 'trace: COMPLETE' "$report" trace
assembled <<'END'
0 clock 0       56 0  1000 0 4000000 0 0 1000
0 alloc kmalloc 64 -1 0x1010 0x10000 8 8 0xcc0 16000000 0
0 alloc kmalloc 64 -1 0x1010 0x20000 8 8 0xcc0 11000000 0
END
set_key abi_version 2
expect 1 'timestamp: 11000000, expected no less than the 16000000 before it' "$check" trace
expect 0 'time runs backwards in 1 place' "$report" trace

# Hidden symbols, and no symbols.
fresh
sed -i 's/^[0-9a-f]*/0000000000000000/' trace/kallsyms
expect 0 'kptr_restrict' "$report" trace
expect 0 '0xffffffff8100' "$report" trace
rm trace/kallsyms
expect 0 'there is no kallsyms file' "$report" trace

# No text of a trace may control the terminal.
fresh
esc=$(printf '\033[31m')
set_key kernel_release "6.12$esc"
set_key machine "$esc"
set_key state "$esc"
sed -i "s/site_/si${esc}te_/" trace/kallsyms
expect 0 'kernel   6.12\x1b[31m \x1b[31m, ' "$report" trace
expect 0 'save everything (\x1b[31m)' "$report" trace
expect 0 ' si\x1b[31mte_' "$report" -n 1000 trace
if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177-\377]')" out; then
	echo "FAIL: a report has bytes that aren't printable"
	failed=1
fi
sed 's/shell/s\\1b[1m/; s|/web"|/w\\1b\\ff"|' "$golden/who/trace.asm" |
	"$here/kmemtrace-asm" who
cp "$golden/who/metadata" who
for view in tasks processes cgroups stacks sites; do
	"$report" --show sites,$view --group-by task who
	"$report" --show $view --json who
done >out 2>&1
grep -q ' s\\x1b\[1m-100$' out || { echo "FAIL: no task with a hostile name"; failed=1; }
grep -q ' /w\\x1b\\xff$' out || { echo "FAIL: no cgroup with a hostile path"; failed=1; }
if grep -v '^  *"path"' out | LC_ALL=C grep "$(printf '[\001-\010\013-\037\177-\377]')"; then
	echo "FAIL: who allocated has bytes that aren't printable"
	failed=1
fi
mkdir module
"$here/kmemtrace-asm" module <"$golden/findings/trace.asm"
for file in kallsyms modules; do
	sed "s/loaded/lo${esc}aded/" "$golden/findings/$file" >module/$file
done
expect 0 'alloc_in_module+0x10 [lo\x1b[31maded]' "$report" module
expect 0 'alloc_in_module [lo\x1b[31maded]' "$report" --show sites -g function module
expect 0 '  lo\x1b[31maded' "$report" --show sites -g module module
expect 0 'gone  alloc_in_module [lo\x1b[31maded]' "$report" -n 1000 --diff module trace
if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177-\377]')" out; then
	echo "FAIL: a difference has bytes that aren't printable"
	failed=1
fi
rm module/modules
sed -i 's/\[lo.*\]/[l o;a d]/; s/alloc_in/a;b/' module/kallsyms
expect 0 'slab;l_o:a_d;a:b_module 352' "$report" --folded --sort bytes module
expect 0 'slab;kernel;si\x1b[31mte_' "$report" --folded trace
for dir in module trace; do
	if "$report" --folded $dir 2>/dev/null | grep -v '^[!-~]*;[!-~]* [0-9]*$'; then
		echo "FAIL: not what flamegraph.pl reads"
		failed=1
	fi
done
set_key byte_order "$esc"
expect 2 "byte_order: '\x1b[31m', expected little or big" "$report" trace

# grown BYTES STATUS THRESHOLD...: --diff of 1000 and 1000 + BYTES live bytes must exit with
# STATUS for each THRESHOLD.
assembled <<'END'
0 alloc kmalloc 56 -1 0x1010 0x10000 1000 1000 0xcc0 1000
END
mv trace small
grown()
{
	assembled <<-END
	0 alloc kmalloc 56 -1 0x1010 0x10000 $((1000 + $1)) $((1000 + $1)) 0xcc0 1000
	END
	status=$2
	shift 2
	for size; do
		expect "$status" 'trace: COMPLETE' "$report" --diff -t "$size" small trace
	done
}
grown 0 0 0 0% 1
grown 100 0 100 1K 10% 17179869183G
grown 100 1 0 99 9%
grown 1048576 0 1M 1G 104858%
grown 1048576 1 1048575 1023K 104857%
grown -1 0 0 0%
assembled <<'END'
0 alloc kmalloc 56 -1 0x1010 0x10000 8 8 0xcc0 1000
0 alloc kmalloc 56 -1 0x1010 0x20000 8 8 0xcc0 1000
END
expect 0 'nothing matches' "$report" --site x trace
expect 1 'more allocations than' "$report" --diff -t 0 -s allocs small trace
expect 0 '+1' "$report" --diff -t 1 -s allocs small trace
expect 0 'Call sites that match: no difference' "$report" --diff -t 0 --site x small trace

# Exports of damaged and foreign input: an error, or the part that can be read; no text of a trace
# breaks the output.
export=$program_dir/kmemtrace-export

# exports STATUS TEXT NAME: each format must end with STATUS and print TEXT for trace/.
exports()
{
	for format in ctf parquet pprof speedscope; do
		rm -rf exported
		expect "$1" "$2" timeout 60 "$export" $format -o exported trace
		[ "$1" = 0 ] || [ ! -f exported ] || { echo "FAIL: $format leaves a file"; failed=1; }
	done
}
for option in --help --version; do
	expect 0 'kmemtrace-export' "$export" $option
	expect 2 'standard output' sh -c "'$export' $option >/dev/full"
done
expect 2 'expected a FORMAT' "$export"
expect 2 'expected a FORMAT' "$export" pprof a b
expect 2 "'nonsense' is no format" "$export" nonsense
expect 2 "--stacks: 'nonsense', expected KEY: make stacks of: calls or source" \
	"$export" pprof --stacks nonsense
expect 2 "', expected " "$export" pprof --output=
expect 2 "', expected " "$export" parquet --host=
expect 2 'can be given once only' "$export" pprof --at 1 --at 2 trace
rm -rf trace
exports 2 'No such file'
mkdir trace
exports 2 'no trace here'
cp text trace/cpu0.out
exports 2 'not a kmemtrace stream'
fresh
for format in pprof speedscope; do
	expect 2 'standard output: No space left on device' \
		sh -c "'$export' $format -o - trace >/dev/full"
done
if mkdir full && mount -t tmpfs -o size=4k none full 2>/dev/null; then
	head -c 4096 /dev/zero >full/filler
	for format in ctf parquet pprof speedscope; do
		expect 2 'No space left on device' "$export" $format -o full/output trace
		rm -rf full/output
	done
	umount full
fi
head -c 1000 trace/cpu0.out >short
mv short trace/cpu0.out
exports 0 'cpu0.out: ends with 48 bytes that are no record'
fresh
: >trace/cpu0.out
: >trace/cpu1.out
forget bytes
for format in ctf parquet pprof speedscope; do
	rm -rf exported
	"$export" $format -o exported trace || { echo "FAIL: $format of no events"; failed=1; }
done
fresh
sed -i "s/site_/si${esc}\"\\\\te_/" trace/kallsyms
set_key kernel_release "6.12$esc\""
set_key machine "$esc\""
printf 'host: %s\n' "$esc\"" >>trace/metadata
for format in ctf parquet pprof speedscope; do
	rm -rf exported
	"$export" $format -o exported trace || { echo "FAIL: $format of odd names"; failed=1; }
	case $format in
	ctf)	texts=exported/metadata ;;
	pprof)	gzip -dc exported >text.pprof && texts=text.pprof ;;
	parquet) continue ;;
	*)	texts=exported ;;
	esac
	if [ $format != pprof ] && LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177-\377]')" "$texts" ||
	   grep -qF "$esc" "$texts"; then
		echo "FAIL: $format has bytes that aren't printable"
		failed=1
	fi
done
python3 -c 'import json; json.load(open("exported"))' || failed=1
rm -rf exported

# A call site in a module without symbols must not get a symbol of another module.
mkdir gone
"$here/kmemtrace-asm" gone <"$golden/findings/trace.asm"
cp "$golden/findings/kallsyms" "$golden/findings/modules" gone/
expect 0 '0xffffffffc0004010 [gone]' "$report" gone
exit $failed
