#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Damaged files of trace-cmd and perf: see import-hostile.py.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
tests=$(dirname "$golden")

for name in 6.12.dat 6.12-v6.dat 6.12.perf 6.12-pipe.perf; do
	base64 -d "$tests/import/$name.xz.b64" | xz -d >"$name" || exit 1
done
exec python3 "$tests/import-hostile.py" "$program_dir/kmemtrace-import" \
	"$program_dir/kmemtrace-check" 6.12.dat 6.12-v6.dat 6.12.perf 6.12-pipe.perf
