#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a file says, and its name, never controls a terminal: see terminal.py.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
tests=$(dirname "$golden")

all_kinds
if [ -x "$program_dir/ktrace-report" ]; then
	# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
	. "$tests/ktrace-lib.sh"
	setup plain
	mv trace ktrace
	kinds="$kinds ktrace"
fi
for name in 6.12.dat 6.12-stack.perf; do
	base64 -d "$tests/import/$name.xz.b64" | xz -d >"import.$name" || exit 1
done
# shellcheck disable=SC2086 # words
exec python3 "$tests/terminal.py" "$program_dir" "$tests/../src/crash" $kinds
