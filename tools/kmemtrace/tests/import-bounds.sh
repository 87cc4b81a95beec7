#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What kmemtrace-import takes grows with the bytes that are there, whatever a file claims: see
# import-kinds.py. For N, 2 N and 4 N parts, each kind takes instructions, memory and disk that
# grow with N; for many more parts, no more than man/kmemtrace-import.1 says. So the limits hold
# for a process that has no others, and for both processes.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$srcdir/measure.sh"
import=$program_dir/kmemtrace-import
worst=2
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR

# Of the manual: a trace, and all temporary files, have this many KB, and times the bytes that are
# there. So has the memory of each process, which has 8 MB of its own.
base_disk=16384 disk_factor=32
base_memory=$((65536 + 8192)) memory_factor=16

# blocks PATH: print the KB that it has on the disk.
blocks()
{
	du -sk "$1" 2>/dev/null | cut -f1
}

# make_kind KIND N: make input/file, and set $symbols to the option for its symbols.
make_kind()
{
	rm -rf input
	mkdir input
	"$srcdir/import-kinds.py" "$1" "$2" input || fail "$1: no input"
	symbols=
	[ ! -e input/symbols ] || symbols='-k input/symbols'
}

# try KIND N: import it; set $used and $disk to the KB of memory and disk, and check the limits.
try()
{
	make_kind "$1" "$2"
	rm -rf output
	# shellcheck disable=SC2086 # an option and its argument
	runs env time -q -o used -f %M "$import" $symbols input/file output || return
	used=$(tail -n 1 used) disk=$(blocks output) there=$(blocks input)
	disk=${disk:-0}
	[ "$disk" -le $((base_disk + disk_factor * there)) ] ||
		fail "$1 $2: a trace of $disk KB of a file of $there KB"
	[ "$sanitized" ] || [ "$used" -le $((base_memory + memory_factor * there)) ] ||
		fail "$1 $2: $used KB of memory for a file of $there KB"
	[ -z "$(ls -A tmp)" ] || fail "$1 $2: $(ls tmp) stays"
	if [ $status -eq 2 ]; then
		[ -z "$(find output -type f 2>/dev/null)" ] || fail "$1 $2: a part of a trace stays"
		return
	fi
	"$program_dir/kmemtrace-check" output >checked 2>&1 || fail "$1 $2: $(cat checked)"
}

# is_steady WHAT SLACK N 2N 4N: the step from 2 N to 4 N is at most 2.5 times that from N to 2 N.
# SLACK is three times what one measurement differs from the next: pages of a program's file are
# mapped many at once, where the page cache has them, so memory differs by 400 KB.
is_steady()
{
	first=$(($4 - $3))
	[ $first -gt 0 ] || first=0
	[ $(($5 - $4)) -le $(($2 + 5 * first / 2)) ] ||
		fail "$1: $3, $4, $5 for 1, 2 and 4 times the input"
}

# grows KIND N
grows()
{
	all_used='' all_disk='' all_instructions=''
	for times in 1 2 4; do
		try "$1" $(($2 * times))
		all_used="$all_used $used" all_disk="$all_disk $disk"
		rm -rf output
		# shellcheck disable=SC2086 # an option and its argument
		count "$import" $symbols input/file output
		all_instructions="$all_instructions ${instructions:-0}"
	done
	[ -z "$sanitized" ] || return
	echo "$1: $2 parts and 2 and 4 times as many: instructions$all_instructions," \
		"KB of memory$all_used, of disk$all_disk"
	# shellcheck disable=SC2086 # three numbers each
	{
		is_steady "$1: instructions" 300000 $all_instructions
		is_steady "$1: KB of memory" 1536 $all_used
		is_steady "$1: KB of disk" 64 $all_disk
	}
}

"$srcdir/import-kinds.py" list >kinds || exit 1
while read -r kind n; do
	grows "$kind" "$n" </dev/null
done <kinds

# What a file claims is far from what it has.
for many in 'lost 8000' 'cpus 1000' 'lost-cpus 1000' 'hole 6000' 'hole-of-records 6000' \
	'shared-ids 1800' 'late-attrs 20000' 'formats 20000' 'many-fields 20000' 'tracings 3000' \
	'long-modules 20000' 'long-symbols 1000' 'dat-shared 1000' 'dat-formats 20000' \
	'dat-long-format 100000' 'dat-chunks 2000' 'dat-packed-cpus 1000' \
	'dat-packed-symbols 3000'; do
	# shellcheck disable=SC2086 # a kind and a number
	try $many
	# shellcheck disable=SC2154 # runs() sets it
	echo "$many: exit status $status, $used KB of memory, $disk KB of disk for $there KB:" \
		"$(head -n 1 err)"
done

# Refusals say what was expected.
try hole 6000
grep -q 'input/file: offset 4096: a hole of 6291452094 bytes, where data was expected' err ||
	fail "a hole: $(cat err)"
try shared-ids 1800
grep -q 'offset 264: the ids of an event are behind the end of the file, or are shared' err ||
	fail "shared ids: $(cat err)"
try dat-chunks 2000
grep -q 'it has more than a file of this size can have' err || fail "chunks: $(cat err)"

# Names that are cut are reported, once.
try long-symbols 10
grep -q '^kmemtrace-import: 10 names were longer than a kernel.s, and cut$' err ||
	fail "long symbols: $(cat err)"
[ "$(awk '{ print length($3) }' output/kallsyms | sort -u)" = 511 ] || fail "long symbols"
try long-modules 10
grep -q '^kmemtrace-import: 10 names were' err || fail "long modules: $(cat err)"
[ "$(awk '{ print length($1) }' output/modules | sort -u)" = 63 ] || fail "long modules"
try long-host 3
[ "$(grep -c ^host: output/metadata)" -eq 1 ] || fail "hosts: $(cat output/metadata)"
[ "$(awk '/^host:/ { print length($2) }' output/metadata)" -eq 64 ] || fail "a long host"
exit "$failed"
