#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The bytes of the input bound the time and the memory of reading, whatever the input claims.
# Each case is an attack that once took minutes or gigabytes.

# shellcheck disable=SC2317,SC2218 # measure.sh calls make_input(), which each case defines
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"

report=$program_dir/kmemtrace-report
check=$program_dir/kmemtrace-check
top=$program_dir/kmemtrace-top

# fresh_input: make the directory input, empty
fresh_input()
{
	rm -rf input
	mkdir input
}

# allocations N: print N allocations for kmemtrace-asm, each at a call site of its own
allocations()
{
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "0 alloc kmalloc 56 -1 0x%x 0x%x 8 8 0xcc0 %d\n",
				0x10000001 + 16 * i, 0x10000 + 64 * i, 1000 + i
	}'
}

# clocked N: print a clock and N records
clocked()
{
	echo '0 clock 0 56 0 50 0 0 0 0 1000'
	allocations "$1"
}

# ---- a frame whose entry in the table is 8 bytes short ----
# Each frame has 4 MB; the reader searches each of its pages for a sub-buffer.
make_input()
{
	fresh_input
	clocked 74897 | "$here/kmemtrace-asm" input
	mv input/cpu0.out frame
	: >input/cpu0.out
	for _ in $(seq "$1"); do
		cat frame >>input/cpu0.out
	done
	printf 'byte_order: little\nsubbuf_size: 4194304\n' >input/metadata
	"$here/kmemtrace-zst" "$(stat -c %s frame)" input/cpu0.out
	# The table ends with a footer of 9 bytes; the second half of an entry is the size.
	printf '\350' | dd of=input/cpu0.out.zst bs=1 conv=notrunc 2>/dev/null \
		seek=$(($(stat -c %s input/cpu0.out.zst) - 9 - 8 * $1 + 4))
}
make_input 1
expect 0 'the frame at byte 0 is damaged' "$report" input
is_quick "a damaged frame" 400000000 "$report" input
is_linear "damaged frames" 1 "$report" input

# ---- many streams with large frames ----
# Each begins with a record that can't be compressed, followed by copies of another one.
fresh_input
{
	echo '0 alloc kmalloc 4096 -1 0x1010 0x10000 8 8 0xcc0 1000'
	echo '0 free kmalloc 56 -1 0x1010 0x10000 0 0 0 1000'
} | "$here/kmemtrace-asm" input
{
	for _ in 1 2 3 4; do
		head -c 56 input/cpu0.out
		head -c 4040 /dev/urandom
	done
} >first
tail -c 56 input/cpu0.out >repeated
make_input()
{
	fresh_input
	cp repeated many
	quadruple many "$quadruplings"
	cat first many >stream
	for i in $(seq "$1"); do
		cp stream "input/cpu$i.out"
		"$here/kmemtrace-zst" 16777216 "input/cpu$i.out"
	done
}
quadruplings=9
make_input 8
is_small "frames of 8 CPUs" 0 12 "$report" input
for zst in input/*.zst; do
	truncate -s -1 "$zst"
done
is_small "frames without tables" 0 12 "$report" input
quadruplings=4
is_linear "frames of many CPUs" 4 "$report" input

# ---- empty frames, and frames with false sizes ----
# empty frames of 9 bytes
make_input()
{
	fresh_input
	printf '\050\265\057\375\040\000\001\000\000' >input/cpu0.out.zst
	quadruple input/cpu0.out.zst 6
	cp input/cpu0.out.zst block
	for _ in $(seq "$1"); do
		cat block
	done >input/cpu0.out.zst
}
is_linear "empty frames" 5 "$report" input
make_input 200
is_small "empty frames" 0 8 "$report" input

# a frame of 2^62 bytes, and one with a window of 2 GB
fresh_input
printf '\050\265\057\375\340\000\000\000\000\000\000\000\100\011\000\000x' >input/cpu0.out.zst
is_small "a frame of 2^62 bytes" 0 1 "$report" input
printf '\050\265\057\375\000\250\011\000\000x' >input/cpu0.out.zst
is_small "a window of 2 GB" 0 1 "$report" input
expect 0 'the frame at byte 0 is damaged' "$report" input

# a bomb: more zeros than a stream may have
head -c 4194304 /dev/zero >input/cpu1.out
"$here/kmemtrace-zst" 4194304 input/cpu1.out
expect 1 'the frame at byte 0 of the file is damaged' "$check" input
is_small "a bomb" 0 1 "$report" input

# ---- symbols ----
make_input()
{
	fresh_input
	allocations 1000 | "$here/kmemtrace-asm" input
	seq -f 'ffffffff81000000 T symbol_%.0f' "$((1000 * $1))" >input/kallsyms
}
is_linear "symbols of one address" 5 "$report" input
make_input()
{
	fresh_input
	allocations "$((200 * $1))" | "$here/kmemtrace-asm" input
	seq -f "module_%.0f 0x10000000 1000000" "$((200 * $1))" >input/modules
}
is_linear "modules of one address" 5 "$report" input
make_input()
{
	fresh_input
	allocations "$((200 * $1))" | "$here/kmemtrace-asm" input
	awk -v n="$((200 * $1))" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "m%d 0x%x %d\n", i, 0x10000000 + 16 * (n - i), 32 * i + 16
	}' >input/modules
}
is_linear "modules that overlap" 5 "$report" input
make_input 40
is_small "modules that overlap" 40000 20 "$report" input

# ---- a chain whose functions have one name, at other addresses in its second trace ----
make_input()
{
	fresh_input
	for i in 1 2; do
		awk -v n="$((200 * $1))" -v i="$i" 'BEGIN {
			for (j = 0; j < n; j++)
				printf "0 alloc kmalloc 56 -1 0x%d%07x 0x%d%07x 8 8 0xcc0 %d\n",
					i, 16 * j + 1, i, 64 * j, 1000000 * i + j
		}' | "$here/kmemtrace-asm" "input/$i"
		awk -v n="$((200 * $1))" -v i="$i" 'BEGIN {
			for (j = 0; j < n; j++)
				printf "%d%07x T same\n", i, 16 * j
		}' >"input/$i/kallsyms"
		printf '%s\n' 'abi_version: 2' 'byte_order: little' 'page_size: 4096' \
			'boot_id: 1' 'state: complete' 'total_overruns: 0' >"input/$i/metadata"
	done
}
is_linear "functions of one name in a chain" 10 "$report" --growth input/1 input/2

# ---- metadata ----
make_input()
{
	fresh_input
	allocations 1 | "$here/kmemtrace-asm" input
	seq -f 'overruns.cpu%.0f: 0' "$((1000 * $1))" >input/metadata
	seq -f 'key: %.0f' "$((1000 * $1))" >>input/metadata
}
# kmemtrace-check ends with 2, because most CPUs have no stream.
worst=2
is_linear "metadata" 2 "$check" input
make_input 60
is_small "metadata" 0 20 "$check" input
worst=1

# ---- the merge: each CPU records its clock very often ----
make_input()
{
	fresh_input
	clocked 0 | "$here/kmemtrace-asm" input
	quadruple input/cpu0.out 3
	mv input/cpu0.out clocks
	for i in $(seq "$((8 * $1))"); do
		cp clocks "input/cpu$i.out"
	done
}
is_linear "clocks of many CPUs" 25 "$report" input

# ---- a stream of small packets ----
make_input()
{
	fresh_input
	{
		echo 'kmemtrace-stream 1'
		awk -v n="$((1000 * $1))" 'BEGIN {
			for (i = 0; i < n; i++)
				printf "cpu%d.out 1\nx", i * 7919 % 2000
		}'
		echo end
	} >input/stream
}
stdin=input/stream
is_linear "small packets" 10 "$check" -
is_small "small packets" 0 8 "$check" -
stdin=/dev/null

# ---- counters: bounded by their text, or by 65536 rows ----
make_input()
{
	fresh_input
	cp "$golden/counters/metadata" input
	awk -v n="$1" "$lines" >input/counters
	"$here/kmemtrace-zst" 65536 input/counters
}
# shellcheck disable=SC2016 # awk's
for lines in \
	'BEGIN { for (i = 0; i < 100 * n; i++) print "reading full " 2 ^ (i % 50 == 0) + i " 1\nend" }' \
	'BEGIN {
		print "reading full 1 1"
		for (i = 0; i < 1000; i++)
			print "vmstat " i " 1 " i
		print "end"
		for (i = 0; i < 200 * n; i++)
			print "reading full " i + 1 " 1\nvmstat 0 " i " row" i "\nend"
	}' \
	'BEGIN {
		print "reading full 1 1"
		for (i = 0; i < 16 * n; i++)
			print "allocinfo " i " 1 1 file.c:" i " func:f" i
		print "end"
		for (t = 2; t < 20; t++) {
			print "reading delta " t ^ 10 " 1"
			for (i = 0; i < 16 * n; i++)
				print i, t, t
			print "end"
		}
	}'; do
	is_linear "counters: $lines" 25 "$report" --json input
done
# shellcheck disable=SC2016 # awk's
lines='BEGIN {
	print "reading full 1 1"
	for (i = 0; i < n; i++)
		print "vmstat " i " 1 row" i
	print "end\nreading delta 1000 1"
	for (i = 0; i < n; i++)
		print i, 2
	print "end"
}'
make_input 100000
is_small "100,000 rows that change" $((65536 * 10)) 10 "$report" --show trace input
expect 0 'because  counters.zst: 34,464 rows are left out: there are more than 65536' \
	"$report" --show trace input

# ---- a stream that arrives, with a flush behind the clock of each of many CPUs ----
# The first CPU is the last one. All bytes are less than 128.
make_input()
{
	awk -v n="$1" 'function metadata(time,    text) {
		text = sprintf("abi_version: 2\nbyte_order: little\nword_bits: 64\n" \
			"page_size: 4096\nsubbuf_size: 458752\nflushed_ns: %.0f\n", time)
		printf "metadata %d\n%s", length(text), text
	}
	function bytes(nr, value) {
		printf "%c", value
		while (--nr)
			printf "%c", 0
	}
	BEGIN {
		print "kmemtrace-stream 1"
		metadata(0)
		for (i = n; i; i--) {
			printf "cpu%d.out 56\n%c%c%c%c%c%c%c%c", i % 128 + 256 * int(i / 128),
				5, 0, 56, 0, i % 128, i / 128, 0, 0
			printf "%c%c%c", 0, 0, 0
			bytes(5, 100)
			bytes(32, 0)
			printf "%c%c%c", 0, 0, 0
			bytes(5, 100)
			metadata(2000000000 + i)
		}
		print "end"
	}' >input
}
rm -r input
stdin=input
is_linear "a flush for each CPU" 500 "$report" -
is_small "a flush for each CPU" 0 1 "$report" -

# ---- symbols that arrive line by line ----
make_input()
{
	awk -v n="$((1000 * $1))" 'BEGIN {
		print "kmemtrace-stream 1"
		for (i = 0; i < n; i++)
			printf "kallsyms 34\nffffffff%08x T symbol_%07d\n", i, i
		print "cpu0.out 0\nend"
	}' >input
}
for program in "$report" "$top --batch 100"; do
	# shellcheck disable=SC2086
	is_linear "symbols line by line: $program" 5 $program -
done

# ---- symbols behind the records that they name ----
make_input()
{
	awk -v n="$((1000 * $1))" 'BEGIN {
		print "kmemtrace-stream 1\ncpu0.out 0"
		for (i = 0; i < n; i++)
			printf "kallsyms 34\nffffffff%08x T symbol_%07d\n", i, i
		print "end"
	}' >input
}
is_linear "symbols behind records" 150 "$top" --batch 100 -
is_small "symbols behind records" 0 4 "$top" --batch 100 -

# ---- pictures that take longer than a second: the stream is read for as long ----
mkdir sites
allocations 30000 | "$here/kmemtrace-asm" sites
pack sites >input
rm -r sites
pictures=$({
	head -c 200000 input
	sleep 2
	tail -c +200001 input
} | "$top" --batch 100 - |
	awk '/^kmemtrace-top/ { n++; system("sleep 1.2") } END { print n }')
if [ "$pictures" -gt 8 ]; then
	fail "$pictures pictures of a stream of some seconds"
fi

# ---- streams of one byte that arrive: buffers are as small as what they hold ----
make_input()
{
	awk -v n="$1" 'BEGIN {
		print "kmemtrace-stream 1"
		for (i = 0; i < n; i++)
			printf "cpu%d.out 1\nx", i
		print "end"
	}' >input
}
for program in "$report" "$top --batch 100"; do
	# shellcheck disable=SC2086
	is_linear "streams of one byte: $program" 1000 $program -
	make_input 65536
	# shellcheck disable=SC2086
	is_small "streams of one byte: $program" 0 80 $program -
done
stdin=/dev/null
rm input

# ---- empty frames of 16 MB behind 10,000 frames ----
# No thread reads them ahead: that would take a hundred times as long.
fresh_input
"$here/kmemtrace-gen" --abi 2 --events 100000 --cpus 1 input >/dev/null || exit 1
"$here/kmemtrace-zst" 560 input/cpu0.out
"$report" --json --threads 2 input >all.json
"$golden/../holes.py" input/cpu0.out.zst
if ! timeout 10 "$report" --json --threads 2 input | cmp all.json; then
	echo "FAIL: empty frames: another report, or none after 10 seconds"
	failed=1
fi

# ---- more streams than open files ----
fresh_input
"$here/kmemtrace-gen" --cpus 100 input >/dev/null || exit 1
"$report" --json input >all.json
# shellcheck disable=SC3045 # every sh that matters has ulimit -n
(ulimit -n 24 && "$report" --json input) >few.json 2>err
if ! cmp all.json few.json; then
	echo "FAIL: 100 streams and 24 open files"
	cat err
	failed=1
fi

# ---- events of one address: of many caches at another one, from many begins ----
make_input()
{
	fresh_input
	awk -v n="$1" 'BEGIN {
		print "0 clock 0 56 0 50 0 0 0 0 1000"
		for (i = 0; i < n; i++) {
			t = 2000 + 10 * i
			printf "0 cache 1 80 1 0x10000011 0x900000 32 32 0 %d 8 \"some\"\n", t
			printf "0 alloc cache 64 -1 0x10000011 0x%x 65536 65536 0xcc0 %d 0x900000\n",
				2097152 - 8 * (i % 8000), t + 1
			printf "0 free cache 56 -1 0x10000021 0x%x 0 0 0 %d\n", 2097152 - 8 * (i % 8000), t + 2
			printf "0 cache 2 80 0 0x10000011 0x900000 32 32 0 %d 8 \"some\"\n", t + 3
		}
	}' | "$here/kmemtrace-asm" input
}
make_input 500
[ "$("$report" --address 200000 --csv events_at input | wc -l)" = 1001 ] || fail "events are missing"
is_linear "events of one address" 500 "$report" --address 200000 --csv events_at input

# ---- folders with very many files of others ----
make_input()
{
	fresh_input
	"$here/kmemtrace-gen" --events 100 input >/dev/null || exit 1
	mkdir input/files
	(cd input && seq -f 'cpu%g.outs' "$1" | xargs touch)
	(cd input/files && seq -f 'ko%g' "$1" | xargs touch)
}
for program in "$check" "$report" "$report -k input/files"; do
	# shellcheck disable=SC2086 # a program with its options
	is_linear "files of others: $program" 4000 $program input
	# shellcheck disable=SC2086
	is_small "files of others: $program" 0 0 $program input
done

exit $failed
