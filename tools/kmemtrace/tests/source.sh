#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# File and line of call sites: a small program plays the vmlinux, and the trace
# is of a machine where KASLR moved it.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
report=$program_dir/kmemtrace-report
slide=0x15000000
id=0123456789abcdef0123456789abcdef01234567

# reports STATUS TEXT ARGUMENT...: the report exits so, and says so.
reports()
{
	status=$1 said=$2
	shift 2
	expect "$status" "$said" "$report" "$@" trace
}

# The line of an inline wrapper says nothing: its caller's is wanted.
mkdir -p include/linux init mm
echo "int initialised = 1;" >init/main.c
cat >include/linux/slab.h <<'END'
extern void *slow_kmalloc(unsigned long size);
static inline __attribute__((always_inline)) void *kmalloc(unsigned long size)
{
	void *p = slow_kmalloc(size);
	__asm__ volatile("" ::: "memory");
	return p;
}
static inline __attribute__((always_inline)) void *kzalloc(unsigned long size)
{
	return kmalloc(size);
}
END
cat >mm/test.c <<'END'
#include "../include/linux/slab.h"
extern void *volatile kept;
void *volatile kept;
__attribute__((noinline)) void *slow_kmalloc(unsigned long size)
{
	return (void *)size;
}
__attribute__((noinline)) void direct(void)
{
	kept = slow_kmalloc(1);
	kept = 0;
}
__attribute__((noinline)) void through_wrapper(void)
{
	kept = kmalloc(2);
	kept = 0;
}
__attribute__((noinline)) void through_two(void)
{
	kept = kzalloc(3);
	kept = 0;
}
void _stext(void)
{
	direct();
	through_wrapper();
	through_two();
}
END
# A kernel is built with whole paths, and not where its sources are.
tree=$(pwd)
mkdir objects
link="-nostdlib -static -no-pie -Wl,-e,_stext"
build()
{
	# shellcheck disable=SC2086
	(cd objects && ${CC:-cc} -O1 -g -fno-stack-protector \
		-fno-optimize-sibling-calls $link "-Wl,--build-id=0x$1" \
		-o "../$2" "$tree/mm/test.c" "$tree/init/main.c")
}
if ! build $id vmlinux || ! build "${id%7}8" vmlinux.other; then
	echo "FAIL: can't build the program that plays the vmlinux"
	exit 1
fi
strip -o vmlinux.stripped vmlinux
strip --strip-debug -o vmlinux.nodebug vmlinux

# address SYMBOL: where it ran.
address()
{
	printf '%d' $((0x$(nm vmlinux | sed -n "s/ T $1\$//p") + slide))
}

# The byte after the first call instruction of SYMBOL, as the vmlinux has it.
returns()
{
	printf '%d' $((0x$(objdump -d --no-show-raw-insn vmlinux |
		sed -n "/<$1>:/,/^\$/p" |
		sed -n '/call.*slow_kmalloc/{n;s/^ *\([0-9a-f]*\):.*/\1/p}') + slide))
}

mkdir trace
for symbol in _stext direct through_wrapper through_two slow_kmalloc; do
	printf '%016x T %s\n' "$(address $symbol)" $symbol
done >trace/kallsyms
i=1
for symbol in direct through_wrapper through_two; do
	site=$(returns $symbol)
	echo "0 alloc kmalloc 56 -1 $site $((0x10000 * i)) 8 8 0xcc0 $i"
	i=$((i + 1))
done | "$here/kmemtrace-asm" trace
echo "build_id: $id" >trace/metadata

line_of()
{
	sed -n "/$1/=" mm/test.c
}
reports 0 'through_wrapper+'
reports 0 " mm/test.c:$(line_of 'slow_kmalloc(1)')" -k vmlinux
reports 0 " mm/test.c:$(line_of 'kmalloc(2)')" -k vmlinux
reports 0 " mm/test.c:$(line_of 'kzalloc(3)')" -k vmlinux
reports 0 "\"line\":$(line_of 'kmalloc(2)')" -k vmlinux --json

reports 2 'No such file' -k nonexistent
reports 2 'not an ELF file' -k mm/test.c
reports 2 'is not the traced kernel' -k vmlinux.other
for stripped in vmlinux.stripped vmlinux.nodebug; do
	reports 0 'no debug information' -k $stripped
	reports 0 'through_wrapper+' -k $stripped
done
rm trace/kallsyms
reports 2 "can't tell where the kernel ran" -k vmlinux
rm trace/metadata
reports 2 "can't tell whether this is its kernel" -k vmlinux
exit $failed
