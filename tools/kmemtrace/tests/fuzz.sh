#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run the fuzzer over a small trace of each ABI version and byte order. Most worth
# under AddressSanitizer.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for trace in 1-little 2-little 2-big; do
	mkdir "$work/$trace.work"
	./kmemtrace-gen --events 300 --live 30 --pages 20 --subbuf 4096 \
		--before 300 --abi ${trace%-*} --order ${trace#*-} \
		"$work/$trace" >/dev/null || exit 1
	if ! ./fuzz "$work/$trace" "$work/$trace.work" >/dev/null 2>"$work/err"; then
		echo "FAIL: the fuzzer, ABI version and byte order $trace:"
		tail -n 40 "$work/err"
		exit 1
	fi
	tail -n 1 "$work/err"
done
