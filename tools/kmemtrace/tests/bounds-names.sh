#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Names have the limits of a kernel wherever they are read, and a name that many rows have is
# written once where the format allows. So the bytes of the input bound time, memory and output.

# shellcheck disable=SC2317 # measure.sh calls make_input(), which each case defines
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"

export="$program_dir/kmemtrace-export --threads 1"
report="$program_dir/kmemtrace-report --threads 1"
# Bytes of a name, and of a module's, as they are printed.
MAX_NAME=511
MAX_MODULE=59
told='names are cut: no kernel has names of so many bytes'

# name LETTER N: print a name of N letters
name()
{
	printf "%${2}s" '' | tr ' ' "$1"
}

# writer FORMAT: set $write to the command that writes it, $most to the bytes of output for each
# byte of the input, and for an empty one.
writer()
{
	case $1 in
	html)		write="$report --html output" most=4 ;;
	# Rows of these repeat their names: four bounded ones in each row.
	json)		write="$report --json -n 1000000" most=96 ;;
	text)		write="$report --show all -n 1000000" most=96 ;;
	csv)		write="$report --csv $relation" most=96 ;;
	folded)		write="$report --folded" most=16 ;;
	*)		write="$export -q $1 -o output" most=4 ;;
	esac
}

# output_of FORMAT: print how many bytes it writes of input/
output_of()
{
	writer "$1"
	rm -rf output
	# shellcheck disable=SC2086
	$write input >written 2>err || cat err >&2
	find output written -type f -exec cat {} + 2>/dev/null | wc -c
}

# bounded NAME N FORMAT...: output is at most a multiple of the input, in all formats; with four
# times the input it is at most five times as long, beside what an empty input makes. Memory is small.
bounded()
{
	what=$1 parts=$2
	shift 2
	rm -rf input
	mkdir input
	echo '0 alloc kmalloc 56 -1 0x1000 0x1000 8 8 0 1' | "$here/kmemtrace-asm" input
	for format; do
		output_of "$format" >"least-$format"
	done
	for size in "$((4 * parts))" "$parts"; do
		make_input "$size"
		for format; do
			echo $(($(output_of "$format") - $(cat "least-$format"))) >"bytes-$format-$size"
			writer "$format"
			[ "$(cat "bytes-$format-$size")" -le $((most * $(bytes_of input))) ] ||
				fail "$what as $format: $(cat "bytes-$format-$size") bytes of $(bytes_of input)"
		done
	done
	for format; do
		[ "$(cat "bytes-$format-$((4 * parts))")" -le \
			$((5 * $(cat "bytes-$format-$parts") + 4096)) ] ||
			fail "$what as $format: $(cat "bytes-$format-$((4 * parts))") bytes," \
				"$(cat "bytes-$format-$parts") of a quarter"
	done
	make_input $((16 * parts))
	for format; do
		writer "$format"
		rm -rf output
		# shellcheck disable=SC2086
		is_small "$what as $format" "$((16 * parts))" 32 $write input
	done
}
formats='html json text csv folded pprof speedscope parquet ctf'

# ---- a function and a module with names as long as the call sites are many ----
relation=sites
make_input()
{
	{
		lines "$1" '0 alloc kmalloc 56 -1 @ 0x10@00 8 8 0xcc0 @'
	} | assemble
	echo "0000000000000001 t $(name f $((60 * $1)))	[$(name m $((60 * $1)))]" >input/kallsyms
}
# shellcheck disable=SC2086
bounded 'call sites of one function' 250 $formats
expect 0 "$told" "$program_dir/kmemtrace-report" input
expect 0 "\"reason\":\"$told\"" "$program_dir/kmemtrace-report" --json --show all input
# shellcheck disable=SC2086
for format in html csv parquet speedscope; do
	writer $format
	is_linear "call sites of one function as $format" 250 $write input
done

# ---- modules without symbols: each call site has an address of its own, and their name ----
make_input()
{
	lines "$1" '0 alloc kmalloc 56 -1 @ 0x10@00 8 8 0xcc0 @' | assemble
	echo "$(name m $((60 * $1))) 0x1 1000000" >input/modules
}
# shellcheck disable=SC2086
bounded 'call sites of one module' 250 $formats

# ---- bytes that are printed as four ----
make_input()
{
	lines "$1" '0 alloc kmalloc 56 -1 @ 0x10@00 8 8 0xcc0 @' | assemble
	echo "0000000000000001 t $(name f $((60 * $1)) | tr f '\377')" >input/kallsyms
}
# shellcheck disable=SC2086
bounded 'names of odd bytes' 250 $formats

# ---- call paths of many frames in one function ----
relation=paths
make_input()
{
	awk -v n="$1" 'BEGIN {
		print "0 clock 0 56 0 5000 0 0 0 0 1000"
		for (i = 1; i <= n; i++) {
			printf "0 stack 0 312 32 %d 0 0 0 0 %d", i, 1000 + i
			for (j = 0; j < 32; j++)
				printf " %d", 268435457 + 16 * (32 * i + j)
			printf "\n0 alloc kmalloc 72 -1 %d %d 8 8 0xcc0 %d 0 %d\n",
				268435457 + 16 * 32 * i, 65536 + 64 * i, 1000 + i, i
		}
	}' | assemble
	printf '%s\n' 'abi_version: 2' 'byte_order: little' 'with: stack' >input/metadata
	echo "0000000010000000 t $(name f 5000)	[$(name m 500)]" >input/kallsyms
}
# shellcheck disable=SC2086
bounded 'call paths of one function' 60 $formats

# ---- cgroups and caches: many allocations by one of a long name ----
make_input()
{
	{
		printf '0 clock 0 56 0 5000 0 0 0 0 1000\n'
		printf '0 cgroup 0 4064 0 7 1 0 0 0 1100 "/%s"\n' "$(name c 3990)"
		printf '0 cache 0 4064 0 0 4096 64 64 8 1140 1 "%s"\n' "$(name k 3980)"
		lines "$1" '0 charge kmalloc 56 -1 7 0x10@00 0 0 0 2000
0 alloc cache 72 -1 @ 0x10@00 64 64 0xcc0 2010 4096 0'
	} | assemble
	printf '%s\n' 'abi_version: 2' 'byte_order: little' 'with: cgroup' \
		"host: $(name h 4000)" "kernel_release: $(name r 4000)" >input/metadata
}
relation=cache_sites
# shellcheck disable=SC2086
bounded 'allocations of one cgroup' 250 $formats
expect 0 "$told" "$program_dir/kmemtrace-report" input

# ---- limits, to the byte ----
# cut_at BYTES TEXT: the report must have a name of BYTES letters, and none of one more
cut_at()
{
	grep -q "$2\\{$1\\}" names || fail "no name of $1 $2"
	! grep -q "$2\\{$(($1 + 1))\\}" names || fail "a name of more than $1 $2"
}
for relation in sites cgroups caches trace; do
	$report --csv $relation input
done >names
cut_at $((MAX_NAME - 1)) c
cut_at $MAX_NAME k
make_input()
{
	lines 2 '0 alloc kmalloc 56 -1 @ 0x10@00 8 8 0xcc0 @' | assemble
	echo "0000000000000001 t $(name f "$1")	[$(name m "$2")]" >input/kallsyms
}
make_input 5000 500
$report --csv sites input >names
cut_at $MAX_NAME f
cut_at $MAX_MODULE m
# What a kernel may have is not cut.
make_input $MAX_NAME $MAX_MODULE
$report --csv sites input >names
cut_at $MAX_NAME f
cut_at $MAX_MODULE m
! $report input | grep -q "$told" || fail 'a name of the limit is cut'
exit $failed
