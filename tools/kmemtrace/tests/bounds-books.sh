#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The bytes of the input bound the time and the memory of the ledger, whatever the records
# claim. Each input here once took seconds or gigabytes.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/measure.sh
. "${srcdir:-.}/measure.sh"

report="$program_dir/kmemtrace-report --threads 1 input"

CLOCK='0 clock 0 56 0 0 0 0 0 0 10'

# shellcheck disable=SC2086 # several words
{

# One record of a snapshot that claims 4 TB in pages of 4 KB.
make_input()
{
	{
		echo "$CLOCK"
		for i in $(seq "$1"); do
			ptr=$((0x880000000000 + (i << 42)))
			echo "0 snapshot pages 56 0 1 $ptr 0 0x40000000000 0 20"
		done
	} | assemble
}
make_input 1
is_small 'a snapshot of 4 TB' 0 $TIMES $report
is_quick 'a snapshot of 4 TB' 20000000 $report
make_input 4
is_small 'a snapshot of 16 TB' 0 $TIMES $report
is_quick 'a snapshot of 16 TB' 20000000 $report

# A slab of one object and of the most pages that a block may have.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 snapshot cache 64 0 0x1000 0x@40000000 0x40000000 0x40000000 1 20 1'
	} | assemble
}
make_input 500
is_small 'slabs of 1 GB' 500 $TIMES $report
is_quick 'slabs of 1 GB' 40000000 $report

# The same in the books of the trace before.
GB=0x40000000
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" "0 snapshot kmalloc 64 -1 0x1000 0x@40000000 $GB $GB 0 20 0x2000"
	} | assemble
	mv input/cpu0.out input/books.out
	"$here/kmemtrace-asm" input <<-END
		$CLOCK
	END
}
is_linear 'books with objects of 1 GB' 500 $report
is_small 'books with objects of 1 GB' 500 $TIMES $report
is_quick 'books with objects of 1 GB' 100000000 $report

# Blocks of 1 GB.
make_input()
{
	lines "$1" '0 alloc pages 56 -1 0x1000 0x@40000000 0x40000000 0x40000000 0 @' | assemble
}
make_input 3000
is_small 'blocks of 1 GB' 0 $TIMES $report
is_quick 'blocks of 1 GB' 150000000 $report
is_linear 'blocks of 1 GB' 1000 $report

# Moves of the most pages that one record may have, all of them different.
make_input()
{
	{
		seq 4194304 4096 12578816 |
			sed 's/.*/0 alloc pages 56 -1 0x1000 & 4096 4096 0 &/'
		lines "$1" '0 move pages 56 -1 0 0x800000 0x400000 0x400000 0 @000000000'
	} | assemble
}
is_linear 'moves of 1024 pages' 500 $report
is_small 'moves of 1024 pages' 2048 $TIMES $report
is_quick 'moves of 1024 pages' 200000000 $report

# The same pages many times, with a hole in each move.
make_input()
{
	{
		lines "$1" '0 alloc pages 56 -1 0x1000 0x@40000000 0x40000000 0x40000000 0 1@'
		lines "$1" '0 free pages 56 -1 0x2000 0x@40123000 0 0x1000 0 2000000@'
		lines "$1" '0 alloc pages 56 -1 0x3000 0x@40000000 0x40000000 0x40000000 0 3000000@'
		lines "$1" '0 free pages 56 -1 0x4000 0x@40000000 0 0x40000000 0 4000000@'
	} | assemble
}
is_linear 'holes in blocks of 1 GB' 500 $report
is_small 'holes in blocks of 1 GB' 0 $TIMES $report

# Call sites that hash_u64() alone can't tell apart.
make_input()
{
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "0 alloc kmalloc 56 -1 0x%04x%04x00000000 0x%x0 8 8 0 %d\n",
				i % 65536, i / 65536, 4096 + i, i
	}' | assemble
}
is_linear 'call sites that differ in the upper bits' 5000 $report
make_input()
{
	i=0
	# shellcheck disable=SC2004 # the inverse of the factor of hash_u64()
	while [ "$i" -lt "$1" ]; do
		i=$((i + 1))
		printf '0 alloc kmalloc 56 -1 %#x 0x%x0 8 8 0 %d\n' \
			$((i * 0xf1de83e19937733d)) $((4096 + i)) $i
	done | assemble
}
is_linear 'call sites that collide' 5000 $report
is_small 'call sites that collide' 20000 $TIMES $report

# A cache with many names.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 cache 1 88 2 0x2000 0x9000 8 8 0 20 8 "name-@"'
	} | assemble
}
is_linear 'names of one cache' 10000 $report
is_small 'names of one cache' 0 $TIMES $report

# The links of sysfs, of many caches.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 cache 0 88 1 0x2000 0x@000 8 8 0 20 8 "cache-@"'
	} | assemble
	lines "$1" 'cache-@ :target-@' >input/slabs
}
is_linear 'links of many caches' 10000 $report

# New peaks after many kinds of events.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 64 -1 0x1@ 0x10@0 8 8 0 2@ 0'
		lines "$1" '0 snapshot cache 64 0 0x1000 0x20@00 8 8 1 30000000 1'
	} | assemble
}
is_linear 'peaks of many kinds' 5000 $report

# Each thread has a sum of each kind. By default there are 4 threads at most.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 56 -1 0x1@0 0x10@00 8 8 0xcc0 @'
	} | assemble
}
make_input 100000
for threads in 4 16; do
	is_small "many kinds, $threads threads" 100000 $((11 + threads)) \
		"$program_dir/kmemtrace-report" --threads $threads input
done

# Caches that are destroyed while objects of them live.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 64 -1 0x1@ 0x10@0 8 8 0 2@ 0x7@000'
		lines "$1" '0 cache 2 64 1 0x2000 0x7@000 8 8 0 30000000 8'
	} | assemble
}
is_linear 'caches destroyed in use' 2000 $report

# The same where each cache is destroyed before the next one is created.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 64 -1 0x1@ 0x10@0 8 8 0 2@ 0x7@000
0 cache 2 64 1 0x2000 0x7@000 8 8 0 2@ 8'
	} | assemble
}
is_linear 'caches destroyed in turn' 2000 $report

# Objects at the end of the largest pages, which are freed then.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 64 -1 0x1000 0x1@3fff8 8 8 0 2@0 0
0 free pages 56 -1 0x2000 0x1@00000 0 262144 0 2@1'
	} | assemble
	echo 'page_size: 262144' >>input/metadata
}
make_input 1000
is_quick 'objects in large pages that are freed' 200000000 $report

# Frees of objects that were not known, in one shard, all at the largest time.
make_input()
{
	lines "$1" '0 free vmalloc 56 -1 0x1000 0x@000000 0 0 0 9223372036854775807' | assemble
}
is_linear 'frees at the largest time' 10000 $report

# Contradictions, each at call sites of its own.
make_input()
{
	{
		lines "$1" '0 alloc kmalloc 56 -1 0x1@ 0x10@0 8 8 0 @'
		lines "$1" '0 alloc kmalloc 56 -1 0x2@ 0x10@0 8 8 0 2000000@'
	} | assemble
}
is_linear 'contradictions' 3000 $report

# Events of two CPUs at one address: each waits for an event of the other CPU.
make_input()
{
	{
		lines "$1" '0 free pages 56 -1 0x1@ 0x40000000 0 0x1000000 0 @'
		lines "$1" '1 alloc pages 56 -1 0x2@ 0x40000000 4096 0x1000 0 @'
	} | assemble
}
is_linear 'events that wait for each other' 500 $report

# Numbers of call paths all over 32 bits, with a record or without one, and twice.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 72 -1 0x1000 0x1@000 8 8 0 20 0 0x7@7
0 alloc kmalloc 72 -1 0x1000 0x2@000 8 8 0 20 0 0x8@7
0 stack 0 64 1 0x7@7 0 0 0 0 20 0x@
0 stack 0 64 1 0x7@7 0 0 0 0 20 0x2@'
	} | assemble
}
is_linear 'call paths' 2000 $report
make_input 9000
is_small 'call paths' 9000 $TIMES $report
make_input 300
is_quick 'call paths' 60000000 $report

# Call paths with 32 frames, all of them others, as a tree of frames.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 alloc kmalloc 72 -1 0x1000 0x1@000 8 8 0 20 0 0x7@7
0 stack 0 312 32 0x7@7 0 0 0 0 20 0x1000 2@ 3@ 4@ 5@ 6@ 7@ 8@ 9@ 10@ 11@ 12@ 13@ 14@ 15@ 16@ 17@ 18@ 19@ 20@ 21@ 22@ 23@ 24@ 25@ 26@ 27@ 28@ 29@ 30@ 31@ 32@'
	} | assemble
}
is_linear 'the tree of call paths' 500 $report --stacks=bottom-up

# A task for each event.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 task 0 72 @ @ @ 0 0 0 20 "task" 0
0 alloc kmalloc 72 -1 0x1000 0x1@000 8 8 0 20 0 0'
	} | assemble
}
is_linear 'tasks' 4000 $report --processes
make_input 18000
is_small 'tasks' 18000 $TIMES $report

# Charges of memory that nobody allocated; of memory that is live, again and again.
make_input()
{
	{
		echo "$CLOCK"
		lines "$1" '0 charge kmalloc 56 -1 @ 0x1@000 0 0 0 20'
	} | assemble
}
is_linear 'charges without allocations' 8000 $report
make_input 40000
is_small 'charges without allocations' 40000 $TIMES $report
make_input()
{
	{
		echo "$CLOCK"
		echo '0 alloc pages 56 -1 0x1000 0x40000000 0x400000 0x400000 0 20'
		echo '0 alloc kmalloc 64 -1 0x1000 0x10000000 8 8 0 20 0'
		lines "$1" '0 charge pages 56 -1 @ 0x40000000 0 0x400000 0 30
0 charge kmalloc 56 -1 @ 0x10000000 0 0 0 30'
	} | assemble
}
is_linear 'charges again and again' 1000 $report

# References to one object, and to many, that each of many places takes, and another one drops.
for object in 0x1000 0x@000; do
	make_input()
	{
		{
			echo "$CLOCK"
			lines "$1" "0 reference 0 72 1 0x1@ $object -1 0 0 2@ 'page' 0
0 reference 0 72 -1 0x2@ $object -1 0 0 2@ 'page' 0" | tr "'" '"'
		} | assemble
	}
	is_linear "references to $object" 4000 $report --csv held_references
	make_input 50000
	is_small "references to $object" 50000 $TIMES $report --csv held_references
done

# Objects far from each other.
make_input()
{
	lines "$1" '0 alloc kmalloc 56 -1 0x1000 0x@000000 8 8 0 @' | assemble
}
make_input 200000
is_small 'objects far from each other' 200000 $TIMES $report

}
exit $failed
