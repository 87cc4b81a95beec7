#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The output is the same for a trace with compressed streams, and for one from a pipe.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

# same COMMAND...: compressed streams must not change its output for trace/, for frames of
# a sub-buffer or of another size.
same()
{
	"$@" trace >plain-out 2>&1
	for bytes in 16384 1000; do
		mv trace plain-trace
		cp -r plain-trace trace
		squeeze $bytes
		for packed in trace/cpu*.zst; do
			zstdcat "$packed" | cmp - "plain-${packed%.zst}" ||
				fail "zstdcat $packed"
		done
		"$@" trace >out 2>&1
		sed 's/\(cpu[0-9]*\.out\)\.zst/\1/' out | diff -u plain-out - || {
			echo "FAIL: frames of $bytes bytes change $1"
			failed=1
		}
		rm -r trace
		mv plain-trace trace
	done
}

# sent COMMAND...: a pipe must not change its output for trace/.
sent()
{
	pack trace >stream
	"$@" trace >plain-out 2>&1
	TMPDIR=$work "$@" - <stream >out 2>&1
	sed 's/^standard input/trace/; s/"trace":"standard input"/"trace":"trace"/' out |
		diff -u plain-out - || {
		echo "FAIL: a pipe changes $1"
		failed=1
	}
	for left in "$work"/kmemtrace-*; do
		if [ -e "$left" ]; then
			echo "FAIL: $1 - leaves $left behind"
			failed=1
		fi
	done
}

for name in findings losses rules; do
	setup $name
	sent "$program_dir/kmemtrace-report" --show all
	sent "$program_dir/kmemtrace-report" --json
	sent "$program_dir/kmemtrace-check"
	same "$program_dir/kmemtrace-report" --show all
	same "$program_dir/kmemtrace-report" --json
	same "$program_dir/kmemtrace-check"
done
for abi in 1 2; do
	rm -rf trace
	"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
		--abi $abi --before 300 --subbuf 16384 --cycles 24000000 trace >expected
	same "$program_dir/kmemtrace-report" --show all
	same "$program_dir/kmemtrace-report" --json --threads 1
	same "$program_dir/kmemtrace-report" --json --threads 4
	same "$program_dir/kmemtrace-check"
	# The generator writes the same trace into a pipe.
	"$program_dir/kmemtrace-report" --json trace >plain-out
	for compress in "" --compress; do
		"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
			--abi $abi --before 300 --subbuf 16384 --cycles 24000000 \
			$compress - 2>live | "$program_dir/kmemtrace-report" --json - |
			sed 's/"trace":"standard input"/"trace":"trace"/' >out
		diff -u plain-out out && diff -u expected live || failed=1
	done
done
rm -r trace

exit $failed
