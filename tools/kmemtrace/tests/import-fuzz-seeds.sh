#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# import-fuzz-seeds.sh DIR: write the first inputs of fuzz-import into DIR: the known files of perf
# and trace-cmd, those that claim more than they have, and those in which fuzzers found bugs.

mkdir -p "$1" || exit 1
seeds=$(readlink -f "$1")

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

for packed in "$(dirname "$golden")"/import/*.perf.xz.b64 \
	"$(dirname "$golden")"/import/*.dat.xz.b64 \
	"$(dirname "$golden")"/import/found-*.xz.b64; do
	[ -e "$packed" ] || continue
	base64 -d "$packed" | xz -d >"$seeds/$(basename "${packed%.xz.b64}")" || exit 1
done

"$srcdir/import-kinds.py" list | while read -r kind n; do
	case $kind in
	*hole*)	continue ;;
	esac
	mkdir "$kind" && "$srcdir/import-kinds.py" "$kind" "$n" "$kind" || exit 1
	mv "$kind/file" "$seeds/$kind"
done
