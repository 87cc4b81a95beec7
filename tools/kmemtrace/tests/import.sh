#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Import what trace-cmd and perf recorded on kernels of Debian, and compare with what is expected;
# update=1 writes the expected output anew. The files are in import/, with the symbols of their
# call sites:
#
#	trace-cmd record -b 8000 -C mono -e kmem:... -e percpu:... -o VERSION.dat busybox true
#	trace-cmd record --file-version 6 -e kmem:kmalloc ... -o VERSION-v6.dat busybox true
#	perf record -a -c 1 -m 512 -N -B -e kmem:...,percpu:... -o VERSION.perf busybox true
#	perf record ... -o - busybox true >VERSION-pipe.perf
#	perf record -m 1 ... -o VERSION-lost.perf sh -c '...'
#	perf record -g -e kmem:mm_page_alloc,kmem:mm_page_free ... -o VERSION-stack.perf busybox true
#	perf kmem -i VERSION.perf --slab --page --caller --raw-ip stat >VERSION.perf.kmem
#	xz -9e -c FILE | base64 >FILE.xz.b64

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
inputs=$(dirname "$golden")/import
import=$program_dir/kmemtrace-import
check=$program_dir/kmemtrace-check
report=$program_dir/kmemtrace-report

# unpack NAME: write the input NAME
unpack()
{
	base64 -d "$inputs/$1.xz.b64" | xz -d >"$1" || exit 1
}

# describe NAME: print all that the import of NAME makes
describe()
{
	symbols=$inputs/${1%%[-.][dlpsv]*}.kallsyms
	rm -rf trace
	"$import" -k "$symbols" "$1" trace || return
	cat trace/metadata
	[ ! -e trace/modules ] || cat trace/modules
	"$check" trace || return
	"$report" trace
}

for packed in "$inputs"/*.xz.b64; do
	name=$(basename "${packed%.xz.b64}")
	unpack "$name"
	describe "$name" >"$name.out" 2>&1 || { echo "FAIL: $name"; cat "$name.out"; failed=1; }
	[ -z "$update" ] || cp "$name.out" "$inputs/$name.expected"
	diff -u "$inputs/$name.expected" "$name.out" || failed=1
done

# perf kmem has the same figures for each call site.
for kmem in "$inputs"/*.kmem; do
	name=$(basename "${kmem%.kmem}")
	"$import" -f "$name" trace 2>/dev/null || failed=1
	"$report" --json -n 100000 trace >json || failed=1
	python3 "$(dirname "$golden")/import-kmem.py" json "$kmem" || failed=1
done

# The losses are those of the statistics in the file.
LC_ALL=C sed 's/^overrun: 0/overrun: 7/' 6.12.dat >lossy.dat
expect 0 '385 events, 14 lost' "$import" -f lossy.dat trace
expect 0 '385 in 0.151628 s, 14 lost' "$report" trace
expect 0 'record with larger ones: trace-cmd record -b KB' "$report" trace
expect 0 'clean' "$check" trace
for line in 'commit overrun' 'dropped events'; do
	LC_ALL=C sed "s/^$line: 0/$line: 7/" 6.12.dat >lossy.dat
	expect 0 '385 events, 14 lost' "$import" -f lossy.dat trace
done

# The symbols are those of the file where it has some.
"$import" -f 6.12.dat trace 2>/dev/null || failed=1
expect 0 ' t _stext' cat trace/kallsyms
expect 2 "6.12.dat: libtracecmd could not read it: no temporary file in \$TMPDIR or" \
	env TMPDIR=nonexistent "$import" 6.12.dat new
"$import" -f 6.12.perf trace 2>/dev/null || failed=1
expect 0 'there is no kallsyms file' "$report" trace

# Stack traces need symbols.
"$import" -f 6.12-stack.perf trace 2>/dev/null || failed=1
expect 0 ' page_callers' cat trace/metadata

# The command line.
expect 0 'Usage: ' "$import" --help
expect 0 'kmemtrace-import' "$import" --version
expect 2 '--help' "$import" --nonsense
expect 2 'expected a FILE and a DIR' "$import" 6.12.dat
expect 2 'expected a FILE and a DIR' "$import" 6.12.dat a b
expect 2 'nonexistent: No such file' "$import" nonexistent new
expect 2 'nonexistent: No such file' "$import" -k nonexistent 6.12.dat new
expect 2 'trace: not a regular file' "$import" trace new
expect 2 'offset 0: neither a trace.dat of trace-cmd nor a perf.data' \
	"$import" "$golden/../import.sh" new
: >empty
expect 2 'offset 0: neither' "$import" empty new
expect 2 'trace: holds a trace already' "$import" 6.12.dat trace
expect 0 'trace: 385 events, 0 lost' "$import" -f 6.12.dat trace
expect 2 'nowhere/trace: No such file' "$import" 6.12.dat nowhere/trace

# What can't be read leaves no part of a trace.
head -c 9000 6.12.dat >cut.dat
expect 2 'cut.dat: libtracecmd could not read it: ' "$import" cut.dat new
head -c 90000 6.12.perf >cut.perf
expect 2 'was perf record killed?' "$import" cut.perf new
if [ "$(find new -type f)" ]; then
	echo "FAIL: a part of a trace stays"
	failed=1
fi
exit "$failed"
