#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a fuzzer begins with, of which a part is what fuzzers found: check and report
# survive each of them. A file in fuzz-found/ is named for the bug that it showed. Most worth
# under AddressSanitizer; to find more is the business of scripts/fuzz.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TMPDIR=$work
export TMPDIR

"${srcdir:-.}/fuzz-seeds.sh" "$work/seeds" || exit 1
if ! ./fuzz "$work"/seeds/* >/dev/null 2>"$work/err"; then
	echo "FAIL: the last of these inputs:"
	tail -n 40 "$work/err"
	exit 1
fi
echo "$(grep -c "^$work/seeds/" "$work/err") inputs"
