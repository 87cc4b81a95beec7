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
extern void deep(void);
void _stext(void)
{
	deep();
	direct();
	through_wrapper();
	through_two();
}
END
mkdir mm/below
cat >mm/below/deep.c <<'END'
extern void *slow_kmalloc(unsigned long size);
extern void *volatile kept;
void deep(void)
{
	kept = slow_kmalloc(4);
	kept = 0;
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
		-o "../$2" "$tree/mm/test.c" "$tree/mm/below/deep.c" \
		"$tree/init/main.c")
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
for symbol in _stext direct through_wrapper through_two deep slow_kmalloc; do
	printf '%016x T %s\n' "$(address $symbol)" $symbol
done >trace/kallsyms
i=1
for symbol in direct through_wrapper through_two deep; do
	site=$(returns $symbol)
	echo "0 alloc kmalloc 56 -1 $site $((0x10000 * i)) 8 8 0xcc0 $i"
	i=$((i + 1))
done >sites
# In a module.
echo "0 alloc kmalloc 56 -1 0x7fffc0001010 0x90000 8 8 0xcc0 9" >>sites
"$here/kmemtrace-asm" trace <sites
echo "loaded 0x7fffc0001000 4096" >trace/modules
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

# Files, and directories as a tree, of which each level has the sum of those below.
for key in file dir; do
	"$report" -g $key -k vmlinux trace | awk -v key=$key '
	/^$/ { list = 0 }
	list { print key, $1, $3, substr($0, 74) }
	/^ live bytes .*(file|directory)$/ { list = 1 }'
	"$report" -n 1000 --json -g $key -k vmlinux trace >json
	adds_up "by $key" json
done >got
diff -u - got <<'END' || failed=1
file 24B 3 mm/test.c
file 8B 1 [loaded]
file 8B 1 mm/below/deep.c
dir 32B 4 mm/
dir 8B 1   below/
dir 8B 1 [loaded]
END
reports 0 '1 of 3 directories' -n 1 -g dir -k vmlinux
reports 0 '            "name":"mm/below/",' --json -g dir -k vmlinux
reports 2 'needs the --vmlinux' -g dir
reports 2 'no debug information' -g file -k vmlinux.stripped

"$report" --folded -k vmlinux trace 2>/dev/null >got
sort <<END | diff -u - got || failed=1
slab;loaded;(no_symbol) 8
slab;mm;below;deep.c;deep;deep.c:5 8
slab;mm;test.c;direct;test.c:$(line_of 'slow_kmalloc(1)') 8
slab;mm;test.c;through_two;test.c:$(line_of 'kzalloc(3)') 8
slab;mm;test.c;through_wrapper;test.c:$(line_of 'kmalloc(2)') 8
END

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
