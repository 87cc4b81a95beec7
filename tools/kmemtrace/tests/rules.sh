#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What check finds where each rule of ABI version 2 is broken, and only there,
# in both byte orders. To write anew what is expected, see golden.sh.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
rules=$golden/rules-2

for order in little big; do
	rm -rf trace
	"$here/kmemtrace-asm" --order $order trace <"$rules/trace.asm" || exit 1
	sed "s/little/$order/" "$rules/metadata" >trace/metadata
	"$program_dir/kmemtrace-check" trace >out 2>&1
	echo "exit status $?" >>out
	if [ -n "$update" ]; then
		cp out "$rules/check"
	elif ! diff -u "$rules/check" out; then
		echo "FAIL: $order-endian"
		failed=1
	fi
	# A report has to bear all of that.
	expect 0 'trace: INCOMPLETE' "$program_dir/kmemtrace-report" trace
	# A lone file tells its version, and the number of its CPU.
	cp trace/cpu0.out lone
	expect 0 '31 records, 4 lost, clean' "$program_dir/kmemtrace-check" lone
	expect 0 '31 records, 4 lost, clean' "$program_dir/kmemtrace-check" \
		trace/cpu0.out
	mv trace/cpu2.out lone
	expect 1 '1, expected the 2 of this stream' \
		"$program_dir/kmemtrace-check" lone
done
exit $failed
