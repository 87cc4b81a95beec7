#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run the fuzzer over a small trace of each ABI version and byte order. Most worth
# under AddressSanitizer.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fuzz NAME: the trace $work/NAME.
fuzz()
{
	mkdir "$work/$1.work"
	if ! ./fuzz "$work/$1" "$work/$1.work" >/dev/null 2>"$work/err"; then
		echo "FAIL: the fuzzer, ABI version and byte order $1:"
		tail -n 40 "$work/err"
		exit 1
	fi
	grep ' spoiled ' "$work/err"
}

for trace in 1-little 2-little 2-big; do
	./kmemtrace-gen --events 300 --live 30 --pages 20 --subbuf 4096 \
		--before 300 --abi ${trace%-*} --order ${trace#*-} \
		"$work/$trace" >/dev/null || exit 1
	fuzz $trace
done
for stream in "$work"/2-little/cpu*.out; do
	./kmemtrace-zst 4096 "$stream" || exit 1
done
mv "$work/2-little" "$work/2-little-compressed"
fuzz 2-little-compressed
