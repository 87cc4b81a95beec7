#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-check must find each broken rule of ABI version 2, and nothing else, in both
# byte orders. golden.sh says how to update the expected output.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
rules=$golden/rules-2

# compare_check: compare what kmemtrace-check says of the trace with the file of $rules
compare_check() {
	"$program_dir/kmemtrace-check" trace >out 2>&1
	echo "exit status $?" >>out
	if [ -n "$update" ]; then
		cp out "$rules/check"
	elif ! diff -u "$rules/check" out; then
		echo "FAIL: $order-endian"
		failed=1
	fi
}

for order in little big; do
	rm -rf trace
	"$here/kmemtrace-asm" --order $order trace <"$rules/trace.asm" || exit 1
	sed "s/little/$order/" "$rules/metadata" >trace/metadata
	compare_check
	# kmemtrace-report must survive this trace.
	expect 0 'trace: INCOMPLETE' "$program_dir/kmemtrace-report" trace
	# The version and the CPU of a lone file come from its records.
	cp trace/cpu0.out lone
	expect 0 '31 records, 4 lost, clean' "$program_dir/kmemtrace-check" lone
	expect 0 '31 records, 4 lost, clean' "$program_dir/kmemtrace-check" \
		trace/cpu0.out
	mv trace/cpu2.out lone
	expect 1 '1, expected the 2 of this stream' \
		"$program_dir/kmemtrace-check" lone
done

# The same for records that say who allocated.
rules=$golden/rules-who
for order in little big; do
	from_asm "$rules/trace.asm" $order
	compare_check
	expect 0 'trace: ' "$program_dir/kmemtrace-report" trace
	expect 0 '25 records, clean' "$program_dir/kmemtrace-check" trace/cpu0.out
done

# The same for the file of the books.
rules=$golden/rules-books
for order in little big; do
	from_asm "$rules/trace.asm" $order
	mv trace/cpu0.out trace/books.out
	compare_check
done
exit $failed
