#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# chain-fuzz-seeds.sh DIR: write the first inputs of fuzz-chain into DIR: chains of traces, of
# counters, and of traces with functions of one name.

mkdir -p "$1" || exit 1
seeds=$(readlink -f "$1")

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

# link DIR I: make trace I of the chain of growth.sh in DIR.
link()
{
	rm -rf "$1"
	"$srcdir/growth-chain.py" "$2" 0 | "$here/kmemtrace-asm" "$1" || exit 1
	printf 'abi_version: 2\nbyte_order: little\npage_size: 4096\nstate: complete\n' >"$1/metadata"
	{
		echo 'ffffffff81000000 T _stext'
		for at in 1000 1100 1200 1300 1400; do
			echo "ffffffff8100$at T same"
		done
	} >"$1/kallsyms"
}

for i in 0 1 2 3; do
	link trace $i
	pack trace >>"$seeds/chain"
	"$program_dir/kmemtrace-export" -q books trace -o books || exit 1
	[ $i = 0 ] || cp before trace/books.out
	mv books before
	pack trace >>"$seeds/books"
	rm trace/kallsyms
	pack trace >>"$seeds/bare"
done
awk -f "$golden/counters/counters.awk" >text
for i in 0 1 2; do
	rm -rf trace
	mkdir trace
	cp "$golden/counters/metadata" trace
	awk -v i="$i" '/^kmemtrace-counters/ { n++ } n == i + 1 && ++lines < 400' text >trace/counters
	"$here/kmemtrace-zst" 4096 trace/counters
	pack trace >>"$seeds/counters"
done
