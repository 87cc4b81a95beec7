#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The bytes of the input bound the time and the memory of an export, and of the page of
# kmemtrace-report, whatever the records claim.

# shellcheck disable=SC2317,SC2218 # measure.sh calls make_input(), which each case defines
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"

export="$program_dir/kmemtrace-export --threads 1"
report="$program_dir/kmemtrace-report --threads 1"

# writer FORMAT: set $write to the command that writes a FORMAT
writer()
{
	case $1 in
	html)	write="$report --html output" ;;
	json)	write="$report --json -n 1000000" ;;
	*)	write="$export $1 -o output" ;;
	esac
}

# bounded NAME N M LIVE FORMAT...: exports of N parts take linear time, and of M parts little memory.
# Valgrind is slow, so N is small; M is large, as 32 MB would hide what few parts take.
bounded()
{
	what=$1 parts=$2 many=$3 objects=$4
	shift 4
	# shellcheck disable=SC2086 # several words
	for format; do
		writer "$format"
		is_linear "$what as $format" "$parts" $write input
	done
	make_input "$many"
	# shellcheck disable=SC2086 # several words
	for format; do
		writer "$format"
		rm -rf output
		is_small "$what as $format" "$objects" $TIMES $write input
	done
}

# Blocks of 1 GB that are allocated again with a hole in each.
make_input()
{
	{
		lines "$1" '0 alloc pages 56 -1 0x1000 0x@40000000 0x40000000 0x40000000 0 1@'
		lines "$1" '0 free pages 56 -1 0x2000 0x@40123000 0 0x1000 0 2000000@'
		lines "$1" '0 alloc pages 56 -1 0x3000 0x@40000000 0x40000000 0x40000000 0 3000000@'
		lines "$1" '0 free pages 56 -1 0x4000 0x@40000000 0 0x40000000 0 4000000@'
	} | assemble
}
bounded 'holes in blocks of 1 GB' 150 1000 0 parquet html

# Single pages that one event frees, of another allocation each.
make_input()
{
	{
		awk -v n="$((1024 * $1))" 'BEGIN {
			for (i = 0; i < n; i++)
				printf "0 alloc pages 56 -1 0x1000 0x%x 4096 4096 0 %d\n",
					1073741824 + 4096 * i, i
		}'
		awk -v n="$1" 'BEGIN {
			for (i = 0; i < n; i++)
				printf "0 free pages 56 -1 0x2000 0x%x 0 4194304 0 %d\n",
					1073741824 + 4194304 * i, 1000000000 + i
		}'
	} | assemble
}
bounded 'blocks of many allocations' 2 16 16384 parquet html

# Moves of the most pages that one record may have, all of them different.
make_input()
{
	{
		seq 4194304 4096 12578816 |
			sed 's/.*/0 alloc pages 56 -1 0x1000 & 4096 4096 0 &/'
		lines "$1" '0 move pages 56 -1 0 0x800000 0x400000 0x400000 0 @000000000'
	} | assemble
}
bounded 'moves of 1024 pages' 200 2000 2048 parquet ctf

# Each allocation at a call site and in a step of its own, with the longest times.
make_input()
{
	lines "$1" '0 alloc kmalloc 56 -1 0x1@0 0x10@00 8 8 0xcc0 @0000000000000' | assemble
}
bounded 'call sites and times' 2000 20000 20000 parquet ctf pprof speedscope html json

# Contradictions, each at call sites of its own.
make_input()
{
	{
		lines "$1" '0 alloc kmalloc 56 -1 0x1@ 0x10@0 8 8 0 @'
		lines "$1" '0 alloc kmalloc 56 -1 0x2@ 0x10@0 8 8 0 2000000@'
	} | assemble
}
bounded 'contradictions' 1000 12000 12000 parquet html

# Pages all over the address space, each with an object at its end that reaches beyond it.
make_input()
{
	{
		lines "$1" '0 alloc pages 56 -1 0x1000 0x@000000000 4096 4096 0 1@'
		lines "$1" '0 alloc kmalloc 56 -1 0x1000 0x@000000ff8 8 0x1000000000 0 3000000@'
	} | assemble
}
bounded 'scattered pages' 1000 8000 16000 html

# Records of lost events, each of which ends a packet.
make_input()
{
	{
		echo '0 clock 0 56 0 0 0 0 0 0 10'
		lines "$1" '0 lost 0 56 0 1 56 0 0 0 100@'
	} | assemble
}
bounded 'losses' 1000 12000 0 ctf
[ "$(bytes_of output)" -lt "$((2 * $(bytes_of input)))" ] || {
	echo "FAIL: losses: $(bytes_of output) bytes of output"
	failed=1
}

# Streams of many CPUs.
make_input()
{
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "%d alloc kmalloc 56 -1 0x1000 0x%x 8 8 0xcc0 %d\n",
				i % 16, 1048576 + 64 * i, 1000 + i
	}' | assemble
}
make_input 600
# shellcheck disable=SC2086 # several words
is_small 'a stream for each CPU' 600 "$TIMES" $export ctf -o output input
exit $failed
