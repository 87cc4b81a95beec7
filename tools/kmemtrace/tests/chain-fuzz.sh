#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-report --growth survives the inputs with which a fuzzer begins. AddressSanitizer makes
# this test stricter. scripts/fuzz searches for more.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TMPDIR=$work
export TMPDIR

"${srcdir:-.}/chain-fuzz-seeds.sh" "$work/seeds" || exit 1
if ! ./fuzz-chain "$work"/seeds/* >/dev/null 2>"$work/err"; then
	echo "FAIL: the last of these inputs:"
	tail -n 40 "$work/err"
	exit 1
fi
echo "$(grep -c "^$work/seeds/" "$work/err") inputs"
