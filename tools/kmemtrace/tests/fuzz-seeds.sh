#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fuzz-seeds.sh DIR: write the first inputs of a fuzzer into DIR: the golden traces, those in
# which fuzzers found bugs, small ones of each ABI version, byte order and word size, compressed
# ones, and a vmlinux.

mkdir -p "$1" || exit 1
seeds=$(readlink -f "$1")

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

# save NAME: save the trace, also compressed.
save()
{
	pack trace >"$seeds/$1"
	squeeze 1000
	pack trace >"$seeds/$1-compressed"
	rm -r trace
}

for asm in "$golden"/*/trace.asm; do
	name=${asm%/*}
	from_asm "$asm"
	save "${name##*/}"
done
for asm in "$golden"/../fuzz-found/*.asm; do
	name=${asm##*/}
	from_asm "$asm"
	save "${name%.asm}"
done

# generate NAME OPTION...: write a trace of kmemtrace-gen.
generate()
{
	name=$1
	shift
	"$here/kmemtrace-gen" --events 40 --live 10 --pages 20 --subbuf 4096 \
		--before 70 "$@" trace >/dev/null || exit 1
	# Fewer symbols are enough.
	sed -i 8q trace/kallsyms
	pack trace >"$seeds/$name"
}

for machine in little-64 big-64 little-32 big-32; do
	order="--order ${machine%-*} --bits ${machine#*-}"
	# shellcheck disable=SC2086
	generate generated-1-$machine --abi 1 $order
	# shellcheck disable=SC2086
	generate generated-who-$machine --abi 2 $order --with stack,task,cgroup
	# shellcheck disable=SC2086
	generate generated-2-$machine --abi 2 $order --cycles 2400000001 --fallback 3
done
squeeze 4096
pack trace >"$seeds/generated-2-compressed"

# arriving NAME OPTION...: write a stream without symbols that says once that all has arrived.
arriving()
{
	name=$1
	shift
	"$here/kmemtrace-gen" --abi 2 --events 130 --live 10 --pages 20 --subbuf 4096 \
		--pause 1000000 --flush 45000000 "$@" - >stream 2>/dev/null || exit 1
	size=$(sed -n 's/^kallsyms //p; 2q' stream)
	{
		echo 'kmemtrace-stream 1'
		tail -c +$((19 + 10 + ${#size} + size + 1)) stream
	} >"$seeds/$name"
}

arriving arriving-cycles --skew 300 --cycles 2400000001
arriving arriving-big --order big --bits 32
arriving arriving-compressed --compress

# Small forms of the attacks of bounds-read.sh, on the last trace.
# attack NAME: write trace/ as an input.
attack()
{
	pack trace >"$seeds/attack-$1"
}

# The sizes in the first entry of the table are wrong.
set -- trace/*.zst
entries=$(od -An -tu4 -j $(($(stat -c %s "$1") - 9)) -N 4 "$1")
printf '\350' | dd of="$1" bs=1 conv=notrunc 2>/dev/null \
	seek=$(($(stat -c %s "$1") - 9 - 8 * entries + 4))
attack table
# The table is cut.
truncate -s -8 "$1"
attack no-table
# Empty frames, one of 2^62 bytes, one with a window of 2 GB.
for _ in $(seq 100); do
	printf '\050\265\057\375\040\000\001\000\000'
done >"$1"
attack empty-frames
printf '\050\265\057\375\340\000\000\000\000\000\000\000\100\011\000\000x' >"$1"
attack frame
printf '\050\265\057\375\000\250\011\000\000x' >"$1"
attack window
# Symbols of one address, modules that overlap, metadata of very many CPUs.
rm -r trace
generate one-address --abi 1
seq -f 'ffffffff81000000 T symbol_%.0f' 100 >trace/kallsyms
for i in $(seq 50); do
	printf 'm%d 0xffffffff%x %d\n' "$i" $((0x81100000 - 4096 * i)) $((65536 * i))
done >trace/modules
attack symbols
seq -f 'overruns.cpu%.0f: 0' 60000 600 65000 >>trace/metadata
seq -f 'overruns.cpu%.0f: 0' 60000 600 65000 >>trace/metadata
attack metadata
# Packets of a few bytes.
{
	echo 'kmemtrace-stream 1'
	for i in $(seq 0 100); do
		echo 'cpu0.out 8'
		dd if=trace/cpu0.out bs=8 skip="$i" count=1 2>/dev/null
		echo 'cpu1.out 0'
	done
	echo end
} >"$seeds/attack-packets"

cat >wrapper.h <<'END'
void *slow(int);
static inline __attribute__((always_inline)) void *kmalloc(int n)
{
	return slow(n);
}
END
mkdir -p include/linux init
mv wrapper.h include/linux/slab.h
cat >init/main.c <<'END'
#include "../include/linux/slab.h"
void *volatile kept;
__attribute__((noinline)) void *slow(int n) { return (void *)(long)n; }
void _stext(void)
{
	kept = kmalloc(1);
	kept = slow(2);
}
END
for version in 4 5; do
	${CC:-cc} -O1 -gdwarf-$version -fno-asynchronous-unwind-tables -nostdlib -static \
		-no-pie -Wl,-e,_stext -Wl,-z,noseparate-code -Wl,--build-id \
		-o "$seeds/vmlinux-$version" "$PWD/init/main.c" || exit 1
done

# Traces that begin with books: their own.
generate generated-books-who --abi 2 --with stack,task,cgroup
"$program_dir/kmemtrace-export" -q books trace -o books.out || exit 1
mv books.out trace
pack trace >"$seeds/generated-books-who"
rm -r trace
generate generated-books --abi 2
"$program_dir/kmemtrace-export" -q books trace -o books.out || exit 1
mv books.out trace
pack trace >"$seeds/generated-books"

# Counters in a frame of zstd whose block is not compressed, so that a change of a byte is one of
# the text.
rm -r trace
mkdir trace
cp "$golden/counters/metadata" trace
awk -f "$golden/counters/counters.awk" | head -c 20000 | python3 -c '
import struct, sys
text = sys.stdin.buffer.read()
sys.stdout.buffer.write(b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(text)) +
                        struct.pack("<I", len(text) << 3 | 1)[:3] + text)' >trace/counters.zst
pack trace >"$seeds/counters"
