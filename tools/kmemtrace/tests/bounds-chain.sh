#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The bytes of the traces of a chain bound the time and the memory of kmemtrace-report --growth,
# whatever the traces have.

# shellcheck disable=SC2317,SC2218 # measure.sh calls make_input(), which each case defines
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "$(dirname "$golden")/measure.sh"

# A shell expands input/* again for each input; valgrind follows it to the report. valgrind counts
# an instruction for each byte that "rep stosb" clears, several megabytes a trace.
VALGRIND_OPTS=--trace-children=yes
GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000000
export VALGRIND_OPTS GLIBC_TUNABLES

# chain N: make the chain input/ of N traces. awk runs $records with the number i of a trace,
# from 0, and its time t, and prints the records behind the clock.
chain()
{
	rm -rf input
	mkdir input
	for i in $(seq 0 $(($1 - 1))); do
		awk -v i="$i" -v n="$1" 'BEGIN {
			t = sprintf("%.0f", 1e9 + i * 60e9)
			print "0 clock 0 56 0 " t " 0 0 0 0 " t
			'"$records"'
		}' | "$here/kmemtrace-asm" "input/$(printf %06d "$i")"
	done
}

# growth NAME N: --growth of the chain takes time in proportion to it, and memory, too.
growth()
{
	set -- "$1" "$2" sh -c "exec $program_dir/kmemtrace-report --threads 1 --growth input/*"
	is_linear "$@"
	name=$1
	shift 2
	is_small "$name" 0 16 "$@"
}

# ---- many traces, with rows that only one trace has ----
make_input()
{
	chain "$1"
}
# shellcheck disable=SC2016 # awk's
records='for (j = 0; j < 20; j++)
	printf "0 alloc kmalloc 56 -1 0x%x 0x%x 8 8 0 %s\n", 4096 + (20 * i + j) * 16, 65536 + j * 64, t'
growth 'many traces' 700

# ---- functions of one name, which all traces lack but the first one; each has another one ----
# shellcheck disable=SC2016 # awk's
records='for (j = 0; j < (i ? 1 : 40 * n); j++)
	printf "0 alloc kmalloc 56 -1 0xffffffff%08x 0x%x 8 8 0 %s\n",
	       2164260880 + i * 1048576 + j * 64, 65536 + j * 64, t'
make_input()
{
	chain "$1"
	for i in $(seq 0 $(($1 - 1))); do
		awk -v i="$i" -v n="$1" 'BEGIN {
			print "ffffffff81000000 T _stext"
			for (j = 0; j < (i ? 1 : 40 * n); j++)
				printf "ffffffff%08x t same\n", 2164260864 + i * 1048576 + j * 64
			print "ffffffffa0000000 R __start_rodata"
		}' >"input/$(printf %06d "$i")/kallsyms"
	done
}
growth 'functions of one name' 50
exit $failed
