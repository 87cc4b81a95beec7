#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Check and report survive the inputs with which a fuzzer begins. Fuzzers found some of them:
# a file in fuzz-found/ has the name of the bug that it showed. AddressSanitizer makes this test
# stricter. scripts/fuzz searches for more.

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
