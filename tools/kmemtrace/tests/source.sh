#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# File and line of call sites: a small program stands for the vmlinux, and KASLR moved
# it in the trace.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
report=$program_dir/kmemtrace-report
export=$program_dir/kmemtrace-export
folded=$(dirname "$golden")/speedscope-folded.py
slide=0x15000000

# reports STATUS TEXT ARGUMENT...: the report must exit with STATUS and print TEXT.
reports()
{
	status=$1 said=$2
	shift 2
	expect "$status" "$said" "$report" "$@" trace
}

# For a call in an inline wrapper, the report shows the line of the wrapper's caller.
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
# A kernel is built with absolute paths, outside of its sources.
tree=$(pwd)
sources="mm/test.c mm/below/deep.c init/main.c"
calls="direct through_wrapper through_two deep"
mkdir objects
link="-nostdlib -static -no-pie -Wl,-e,_stext"

# build DIGIT VMLINUX [OPTION...]: build VMLINUX with compiler OPTIONs; its build id ends
# with DIGIT.
build()
{
	id=0123456789abcdef0123456789abcdef0123456$1 vmlinux=$2
	shift 2
	for source in $sources; do
		set -- "$@" "$tree/$source"
	done
	# shellcheck disable=SC2086
	(cd objects && ${CC:-cc} -O1 -g -fno-stack-protector \
		-fno-optimize-sibling-calls $link "-Wl,--build-id=0x$id" \
		-o "../$vmlinux" "$@")
}
if ! build 8 vmlinux.other -O0 || ! build 7 vmlinux; then
	echo "FAIL: can't build the program that plays the vmlinux"
	exit 1
fi
strip -o vmlinux.stripped vmlinux
strip --strip-debug -o vmlinux.nodebug vmlinux
strip --strip-debug -o vmlinux.other-nodebug vmlinux.other

# address SYMBOL: print its address in the running kernel.
address()
{
	printf '%d' $((0x$(nm "$vmlinux" | sed -n "s/ T $1\$//p") + slide))
}

# Print the return address of the first call in SYMBOL, as in the vmlinux.
returns()
{
	printf '%d' $((0x$(objdump -d --no-show-raw-insn "$vmlinux" |
		sed -n "/<$1>:/,/^\$/p" |
		sed -n '/call.*slow_kmalloc/{n;s/^ *\([0-9a-f]*\):.*/\1/p}') + slide))
}

# trace_of DIR: write a trace of $vmlinux with build id $id, moved by $slide.
trace_of()
{
	mkdir "$1"
	for symbol in _stext $calls slow_kmalloc; do
		printf '%016x T %s\n' "$(address "$symbol")" "$symbol"
	done >"$1/kallsyms"
	i=1
	for symbol in $calls; do
		site=$(returns "$symbol")
		echo "0 alloc kmalloc 56 -1 $site $((0x10000 * i)) 8 8 0xcc0 $i"
		i=$((i + 1))
	done >sites
	# In a module.
	echo "0 alloc kmalloc 56 -1 0x7fffc0001010 0x90000 8 8 0xcc0 9" >>sites
	"$here/kmemtrace-asm" "$1" <sites
	echo "loaded 0x7fffc0001000 4096" >"$1/modules"
	echo "build_id: $id" >"$1/metadata"
}
trace_of trace

line_of()
{
	sed -n "/$1/=" mm/test.c
}
reports 0 'through_wrapper+'
reports 0 " mm/test.c:$(line_of 'slow_kmalloc(1)')" -k vmlinux
reports 0 " mm/test.c:$(line_of 'kmalloc(2)')" -k vmlinux
reports 0 " mm/test.c:$(line_of 'kzalloc(3)')" -k vmlinux
reports 0 "\"line\":$(line_of 'kmalloc(2)')" -k vmlinux --json

# clang writes no list of the addresses of each unit.
objcopy -R .debug_aranges vmlinux vmlinux.no-aranges
reports 0 " mm/test.c:$(line_of 'kzalloc(3)')" -k vmlinux.no-aranges
reports 0 ' mm/below/deep.c:5' -k vmlinux.no-aranges

# groups KEY: print bytes, objects and name of each group.
groups()
{
	"$report" --show sites -g "$1" -k "$vmlinux" trace | awk -v key="$1" '
	/^$/ { list = 0 }
	list { print key, $1, $3, substr($0, list) }
	/^ live bytes .*(file|directory|line)$/ { list = match($0, /[a-z]*$/) }'
}

# Files, and directories as a tree: each level has the sum of the levels below.
for key in file dir; do
	groups $key
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
reports 0 '1 of 3 directories' -n 1 --show sites -g dir -k vmlinux
reports 0 '  slab           32B  80.0%           4  mm/' -g dir -k vmlinux
reports 0 '                  8B  20.0%           1    below/' -g dir -k vmlinux
reports 0 '"dir":"mm/below/",' --json -g dir -k vmlinux
reports 2 '--group-by file and dir need --vmlinux' -g dir
reports 2 'no debug information' -g file -k vmlinux.stripped

"$report" --folded -k vmlinux trace 2>/dev/null >got
sort <<END | diff -u - got || failed=1
slab;loaded;(no_symbol) 8
slab;mm;below;deep.c;deep;deep.c:5 8
slab;mm;test.c;direct;test.c:$(line_of 'slow_kmalloc(1)') 8
slab;mm;test.c;through_two;test.c:$(line_of 'kzalloc(3)') 8
slab;mm;test.c;through_wrapper;test.c:$(line_of 'kmalloc(2)') 8
END

# Stacks of the source, and of calls, in a profile.
"$export" speedscope --stacks source -k vmlinux -o profile.json trace 2>/dev/null
"$folded" profile.json >got
diff -u - got <<END || failed=1
loaded;0x7fffc0001010 [loaded] 8
mm;below;deep.c;deep:5 8
mm;test.c;direct:$(line_of 'slow_kmalloc(1)') 8
mm;test.c;through_two:$(line_of 'kzalloc(3)') 8
mm;test.c;through_wrapper:$(line_of 'kmalloc(2)') 8
END
rm profile.json
# A path from the root, with a slash more: a folder has a name.
(build 7 vmlinux.far "-fdebug-prefix-map=$tree/mm/below=/far//below")
"$export" speedscope --stacks source -k vmlinux.far -o profile.json trace 2>/dev/null
"$folded" profile.json | grep deep >got
echo 'far;below;deep.c;deep:5 8' | diff -u - got || failed=1
rm profile.json
"$export" speedscope -k vmlinux -o profile.json trace 2>/dev/null
"$folded" profile.json >got
diff -u - got <<END || failed=1
0x7fffc0001010 [loaded] 8
deep:5 8
direct:$(line_of 'slow_kmalloc(1)') 8
through_two:$(line_of 'kzalloc(3)') 8
through_wrapper:$(line_of 'kmalloc(2)') 8
END
expect 2 'stacks source needs --vmlinux' "$export" pprof --stacks source trace
expect 2 'no debug information' "$export" pprof --stacks source -k vmlinux.stripped -o - trace

# Modules: files whose sections have no addresses yet, found by name in a folder, too.
mkdir -p mods/below/deep
cat >mods/net.c <<'END'
extern void *slow_kmalloc(unsigned long size);
extern void *volatile kept;
__attribute__((used, section(".modinfo"))) static const char magic[] = "vermagic=6.12.0 SMP ";
void module_poll(void);
void module_poll(void)
{
	kept = slow_kmalloc(1);
	kept = 0;
}
void module_send(void);
void module_send(void)
{
	kept = 0;
	kept = slow_kmalloc(2);
	kept = 0;
}
static inline __attribute__((always_inline)) void *inner(void)
{
	void *p = slow_kmalloc(3);
	__asm__ volatile("" ::: "memory");
	return p;
}
static inline __attribute__((always_inline)) void *outer(void)
{
	return inner();
}
static inline __attribute__((always_inline)) void *entry(void);
void module_grab(void);
static inline void *entry(void) { return outer(); } void module_grab(void) { kept = entry(); kept = 0; }
END
# module FILE OPTION...: build the module
module()
{
	file=$1
	shift
	${CC:-cc} -O1 -g -ffunction-sections -fno-stack-protector -fno-optimize-sibling-calls \
		-fno-pic -c -o "$file" "$@" mods/net.c
}
module mods/below/deep/net-drv.ko
module mods/packed.ko -gz
module above.ko -fdebug-prefix-map=mods=../mods
objcopy --only-keep-debug mods/below/deep/net-drv.ko mods/net-drv.ko.debug
strip --strip-debug -o mods/stripped.ko mods/below/deep/net-drv.ko
cp -r trace modules
{
	echo "00007fffc0001000 t module_poll	[net_drv]"
	echo "00007fffc0001200 t module_send	[net_drv]"
	echo "00007fffc0001400 t module_grab	[net_drv]"
} >>modules/kallsyms
echo "kernel_release: 6.12.0" >>modules/metadata
echo "net_drv 0x7fffc0001000 4096" >modules/modules
for function in poll send grab; do
	objdump -d --no-show-raw-insn mods/below/deep/net-drv.ko | sed -n "/<module_$function>:/,/^\$/p" |
		sed -n '/\(call\|bl\|jal\|brasl\).*/{n;s/^ *\([0-9a-f]*\):.*/\1/p}' | head -n 1
done >offsets
{
	echo "0 alloc kmalloc 56 -1 $((0x7fffc0001000 + 0x$(sed -n 1p offsets))) 0x10000 8 8 0xcc0 1"
	echo "0 alloc kmalloc 56 -1 $((0x7fffc0001200 + 0x$(sed -n 2p offsets))) 0x20000 8 8 0xcc0 2"
	echo "0 alloc kmalloc 56 -1 $((0x7fffc0001400 + 0x$(sed -n 3p offsets))) 0x40000 8 8 0xcc0 3"
	sed -n 1p sites | sed 's/65536/196608/; s/1$/4/'
} | "$here/kmemtrace-asm" modules
cp mods/packed.ko net_drv.ko
cp mods/stripped.ko mods/below/net_drv.ko
mkdir above
mv above.ko above/net_drv.ko
for file in mods/below/deep/net-drv.ko mods/net-drv.ko.debug mods net_drv.ko; do
	for kernel in "" "-k vmlinux"; do
		# shellcheck disable=SC2086 # two words, or none
		"$report" -k $file $kernel --show sites modules >out 2>err || fail "-k $file $kernel: $(cat err)"
		for line in "module_poll+0x[0-9a-f]* \[net_drv\] mods/net.c:7" \
			"module_send+0x[0-9a-f]* \[net_drv\] mods/net.c:14" \
			"module_grab+0x[0-9a-f]* \[net_drv\] mods/net.c:19 in inner < mods/net.c:25 in outer < mods/net.c:29"; do
			grep -q "$line\$" out || fail "-k $file $kernel: no $line: $(cat out)"
		done
		[ -z "$kernel" ] || grep -q " mm/test.c:$(line_of 'slow_kmalloc(1)')" out ||
			fail "-k $file $kernel: no line of the kernel"
	done
done
"$report" -k above --show sites modules >out
grep -q ' mods/net.c:7$' out || fail "files of a build in a folder of the tree: $(cat out)"
"$report" -k mods --csv sites -g file --columns file --where file~mods* modules >out
printf 'file\nmods/net.c\n' | diff -u - out || failed=1
"$report" -k mods --csv sites --columns line,inlined --where function~module_grab* modules >out
printf 'line,inlined\n19,inner < mods/net.c:25 in outer < mods/net.c:29\n' | diff -u - out || failed=1
expect 0 'net_drv.ko: has no debug information' "$report" -k mods/below/net_drv.ko modules
sed -i 's/6.12.0/6.12.1/' modules/metadata
expect 0 'is for the kernel 6.12.0, not for the traced one, 6.12.1' "$report" -k net_drv.ko modules
expect 2 'nonexistent.ko: No such file' "$report" -k nonexistent.ko modules
mkdir cut
head -c 3000 net_drv.ko >cut/net_drv.ko
expect 0 'cut/net_drv.ko: is truncated: no file:line' "$report" -k cut modules
mkdir none other_name
expect 0 'none: has no module: no file is named *.ko' "$report" -k none modules
cp net_drv.ko other_name/other.ko
printf 'vermagic=6.12.1 \0name=ring\0' >modinfo
mkdir renamed
objcopy --update-section .modinfo=modinfo net_drv.ko renamed/net_drv.ko
expect 0 'renamed/net_drv.ko: is the module ring, not net_drv' "$report" -k renamed modules
expect 0 'renamed/net_drv.ko: is the module ring' "$export" speedscope -k renamed -o - modules
expect 0 'these modules, as no file is named like them: net_drv' "$report" -k other_name modules

# From a server, only if the user wants that: a library that notes what it is asked for.
mkdir library
cat >library/fake.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *debuginfod_begin(void)
{
	return malloc(1);
}
void debuginfod_end(void *client)
{
	free(client);
}
int debuginfod_find_debuginfo(void *client, const unsigned char *id, int bytes, char **path)
{
	FILE *log = fopen("asked", "a");

	(void)client;
	fprintf(log, "%s %d\n", (const char *)id, bytes);
	fclose(log);
	if (!getenv("HAS_IT"))
		return -ENOENT;
	*path = strdup("vmlinux");
	return open(*path, O_RDONLY);
}
END
${CC:-cc} -shared -fPIC -o library/libdebuginfod.so.1 library/fake.c
# fetches STATUS TEXT ARGUMENT...: as reports, with that library
fetches()
{
	status=$1 said=$2
	shift 2
	expect "$status" "$said" env LD_LIBRARY_PATH="$tree/library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@" trace
}
fetches 0 through_wrapper+ DEBUGINFOD_URLS=http://localhost HAS_IT=1 "$report"
fetches 2 "needs the addresses of servers" DEBUGINFOD_URLS= HAS_IT=1 "$report" --debuginfod
[ ! -e asked ] || fail "a server was asked: $(cat asked)"
fetches 2 "no debug information of the kernel $id: No such file" \
	DEBUGINFOD_URLS=http://localhost "$report" --debuginfod
fetches 0 " mm/test.c:$(line_of 'kzalloc(3)')" \
	DEBUGINFOD_URLS=http://localhost HAS_IT=1 "$report" --debuginfod
fetches 0 'mm/below/' DEBUGINFOD_URLS=http://localhost HAS_IT=1 "$report" --debuginfod -g dir
fetches 2 "can't be combined" DEBUGINFOD_URLS=http://localhost HAS_IT=1 "$report" --debuginfod -k vmlinux
printf '%s 0\n' "$id" "$id" "$id" | diff -u - asked || failed=1
sed -i 's,^build_id: .*,build_id: ../../x,' trace/metadata
fetches 2 'has no build id' DEBUGINFOD_URLS=http://localhost HAS_IT=1 "$report" --debuginfod
[ "$(wc -l <asked)" = 3 ] || fail "a server was asked for another path"
sed -i "s,^build_id: .*,build_id: $id," trace/metadata

# What grew over two boots of one kernel, by line.
mv trace first
slide=0x31000000
trace_of trace
sed 's/ \([0-9]*\)$/ 100\1/' sites | "$here/kmemtrace-asm" trace
{
	sed 's/ \([0-9]*\)$/ 100\1/' sites
	sed -n '2s/ 131072 8 8 / 262144 16 16 /; 2s/ \([0-9]*\)$/ 200\1/p' sites
} | "$here/kmemtrace-asm" trace
expect 0 " mm/test.c:$(line_of 'kmalloc(2)')" \
	"$report" --growth -k vmlinux first trace
expect 0 '  slab       mm/test.c' "$report" --growth -k vmlinux -g file first trace
expect 2 'is not the traced kernel' "$report" --growth -k vmlinux.other first trace
expect 2 '--group-by file and dir need --vmlinux' "$report" --growth -g file first trace
rm -r trace
mv first trace
slide=0x15000000

# Another build has another address and other offsets, but the same lines.
mv trace before
slide=0x23000000 id=${id%7}8 vmlinux=vmlinux.other
trace_of trace
if cmp -s before/cpu0.out trace/cpu0.out; then
	echo "FAIL: the builds do not differ"
	failed=1
fi
reports 0 'no difference' -k vmlinux -k vmlinux.other --diff before
reports 0 'no difference' -k vmlinux -k vmlinux.other -g dir --diff before
reports 2 'vmlinux: is not the traced kernel' -k vmlinux --diff before
reports 2 'vmlinux.other: is not the traced kernel' -k vmlinux.other -k vmlinux --diff before
reports 0 'no difference' -k vmlinux.stripped -k vmlinux.other -g line --diff before
reports 0 'no difference' -k vmlinux -k vmlinux.other-nodebug -g line --diff before
tail -n +2 sites | "$here/kmemtrace-asm" trace
reports 0 "gone  direct mm/test.c:$(line_of 'slow_kmalloc(1)')" \
	-k vmlinux -k vmlinux.other --diff before
reports 0 '  gone  direct' -k vmlinux.stripped -k vmlinux.other --diff before
reports 0 '         -8B         -8B          -1          0B           0        mm/' \
	-k vmlinux -k vmlinux.other -g dir --diff before
rm -r trace
mv before trace

reports 2 'No such file' -k nonexistent
reports 2 'not an ELF file' -k mm/test.c
head -c "$(($(stat -c %s vmlinux) / 2))" vmlinux >vmlinux.cut
reports 0 'vmlinux.cut: is truncated: no file:line' -k vmlinux.cut
reports 2 'is not the traced kernel' -k vmlinux.other
for stripped in vmlinux.stripped vmlinux.nodebug; do
	reports 0 'no debug information' -k $stripped
	reports 0 'through_wrapper+' -k $stripped
done
rm trace/kallsyms
reports 0 "can't find the address at which the kernel ran: no file:line" -k vmlinux
reports 0 'there is no kallsyms file' -k vmlinux
reports 2 "can't find the address at which the kernel ran" -g file -k vmlinux
rm trace/metadata
reports 0 "can't tell whether this is its kernel" -k vmlinux
rm -r trace

# All paths of a file have the same name, also those of a wrapper. Paths may lead out of
# the tree or above the root.
cat >mm/inner.h <<'END'
extern void *slow_kmalloc(unsigned long size);
extern void *volatile kept;
void CALL(void)
{
	kept = slow_kmalloc(5);
	kept = 0;
}
END
cat >mm/names.c <<'END'
#define CALL from_here
#include "inner.h"
void *volatile kept;
__attribute__((noinline)) void *slow_kmalloc(unsigned long size)
{
	return (void *)size;
}
void _stext(void) { }
#line 1 "mm//./names.c"
void dots(void) { kept = slow_kmalloc(6); kept = 0; }
#line 1 "mm/below/../../../../outside/./o.c"
void outside(void) { kept = slow_kmalloc(7); kept = 0; }
#line 1848 "/../r.c"
void above_root(void) { kept = slow_kmalloc(8); kept = 0; }
#line 1 "include/linux/../linux/slab.h"
static inline __attribute__((always_inline)) void *kmalloc(unsigned long size)
{
	void *p = slow_kmalloc(size);
	__asm__ volatile("" ::: "memory");
	return p;
}
#line 1 "./mm/below/../names.c"
void through_odd(void) { kept = kmalloc(9); kept = 0; }
END
cat >mm/below/from.c <<'END'
#define CALL from_below
#include <inner.h>
END
sources="mm/names.c mm/below/from.c init/main.c"
calls="from_here from_below dots outside above_root through_odd"
if ! build 9 vmlinux.names "-I$tree/mm/below/.."; then
	echo "FAIL: can't build what has names to fold"
	failed=1
fi
trace_of trace
for key in file dir line; do
	groups $key
done >got
diff -u - got <<'END' || failed=1
file 16B 2 mm/inner.h
file 16B 2 mm/names.c
file 8B 1 ../../outside/o.c
file 8B 1 /r.c
file 8B 1 [loaded]
dir 32B 4 mm/
dir 8B 1 ../
dir 8B 1   ../
dir 8B 1     outside/
dir 8B 1 /
dir 8B 1 [loaded]
line 8B 1 (no symbol) [loaded]
line 8B 1 above_root /r.c:1848
line 8B 1 dots mm/names.c:1
line 8B 1 from_below mm/inner.h:5
line 8B 1 from_here mm/inner.h:5
line 8B 1 outside ../../outside/o.c:1
line 8B 1 through_odd mm/names.c:1
END
reports 0 '"file":"mm/inner.h"' -k vmlinux.names --json
"$report" --folded -k vmlinux.names trace 2>/dev/null >got
diff -u - got <<'END' || failed=1
slab;..;..;outside;o.c;outside;o.c:1 8
slab;loaded;(no_symbol) 8
slab;mm;inner.h;from_below;inner.h:5 8
slab;mm;inner.h;from_here;inner.h:5 8
slab;mm;names.c;dots;names.c:1 8
slab;mm;names.c;through_odd;names.c:1 8
slab;r.c;above_root;r.c:1848 8
END

# The same sources, by paths from a directory below them.
mv trace before
tree=..
if ! build a vmlinux.relative -O0 -I../mm; then
	echo "FAIL: can't build by paths from a directory below"
	failed=1
fi
trace_of trace
for key in site line file; do
	reports 0 'no difference' -k vmlinux.names -k vmlinux.relative -g $key --diff before
done
exit $failed
