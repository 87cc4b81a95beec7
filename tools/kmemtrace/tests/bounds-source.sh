#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The bytes of a vmlinux and of the trace bound the time and the memory of finding lines of call
# sites, whatever the debug information claims. Each kind of hostile-elf.py is an attack.

# shellcheck disable=SC2317 # measure.sh calls make_input()
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"
report=$program_dir/kmemtrace-report
generate=$srcdir/hostile-elf.py
# Bytes of memory for each byte of the input: libdw keeps 100 for a byte of a line table.
SOURCE_TIMES=128

# Each of 50 N call sites is in the code of input/vmlinux.
make_input()
{
	lines "$((50 * $1))" '0 alloc kmalloc 56 -1 @ 0x10@00 8 8 0xcc0 @' |
		awk '{ $6 = sprintf("%.0f", 343597383681 + 16 * $6); print }' | assemble
	echo '5000000000 T _stext' >input/kallsyms
	"$generate" "$kind" "$1" >input/vmlinux || exit 1
}

# The slide moves the code to the addresses of the call sites.
kind=entries
make_input 1
"$report" -k input/vmlinux --csv addresses input 2>err | grep -c 'slab.h,' >found
[ "$(cat found)" = 50 ] || fail "$(cat found) of 50 call sites have a line: $(cat err)"

# kmemtrace-report refuses a bomb.
worst=2
for kind in $("$generate"); do
	is_linear "$kind" 4 "$report" -k input/vmlinux --csv addresses input
	make_input 100
	is_small "$kind" 0 $SOURCE_TIMES "$report" -k input/vmlinux --csv addresses input
done

# What does not fit is told, once.
for kind in bomb old_bomb; do
	make_input 10
	expect 2 'damaged: its sections are compressed' "$report" -k input/vmlinux input
done
for kind in path paths defined attributes tables; do
	make_input 50
	"$report" -k input/vmlinux input >out 2>err
	[ "$(grep -c 'damaged: parts of its debug information are left out' err)" = 1 ] ||
		fail "$kind: $(cat err)"
done
exit $failed
