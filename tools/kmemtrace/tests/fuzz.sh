#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run the fuzzer over a small trace of each byte order. Most worth under
# AddressSanitizer.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for order in little big; do
	mkdir "$work/$order.work"
	./kmemtrace-gen --events 300 --live 30 --pages 20 --order $order \
		"$work/$order" >/dev/null || exit 1
	if ! ./fuzz "$work/$order" "$work/$order.work" >/dev/null 2>"$work/err"; then
		echo "FAIL: the fuzzer, $order-endian:"
		tail -n 40 "$work/err"
		exit 1
	fi
	tail -n 1 "$work/err"
done
