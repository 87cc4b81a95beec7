#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-crash without a dump: the buffers of a crashed kernel, valid and damaged, files that
# claim more than they have, and wrong arguments. scripts/check.d/crash has dumps. The ABI document must have the fields of all records
# as kmemtrace-crash reads them.

document=$(readlink -f "${kernel_tree:-../../..}")/Documentation/ABI/testing/debugfs-kmemtrace
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

expect 0 'each stream is as expected' python3 "$srcdir/crash.py" "$srcdir/../src/crash" trace
expect 0 'each input is bounded' python3 "$srcdir/crash-hostile.py" "$srcdir/../src/crash"
expect 0 'cpu2.out: 36 records, clean' "$program_dir/kmemtrace-check" trace
expect 0 '17 records are the same' python3 "$srcdir/abi-document.py" "$srcdir/../src/crash" \
	"$document"
expect 2 'expected VMCORE VMLINUX DIR' "$program_dir/kmemtrace-crash" vmcore
expect 2 'unknown option' "$program_dir/kmemtrace-crash" --frobnicate
exit $failed
