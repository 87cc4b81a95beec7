#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-crash without a dump: the buffers of a crashed kernel, valid and damaged, and the
# messages of the program. scripts/check.d/crash has dumps.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

python3 "$srcdir/crash.py" "$srcdir/../src/crash" trace >out 2>&1
result "buffers are read in their order, and damaged ones as far as possible"
[ $failed -eq 0 ] || sed 's/^/# /' out

"$program_dir/kmemtrace-check" trace >out 2>&1
result "kmemtrace-check finds each record of them valid"

fails()
{
	text=$1
	shift
	"$program_dir/kmemtrace-crash" "$@" >out 2>&1
	[ $? -eq 2 ] && grep -q "$text" out
}
fails 'expected VMCORE VMLINUX DIR' vmcore &&
	fails 'unknown option --frobnicate' --frobnicate
result "wrong arguments are refused"

exit $failed
