#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Write the configure script and its inputs, for the parts that exist: the folders with a
# part.am or a part.m4.
set -e
cd "$(dirname "$0")"

# write FILE: the standard input becomes FILE, which keeps its time if it stays the same
write()
{
	cat >"$1.new"
	if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# The collectors need these parts alone.
for part in src/*/part.am; do
	case $part in
	src/common/* | src/daemon/* | src/ktrace-daemon/*)
		echo "include ${part#src/}" ;;
	*)
		printf 'if ANALYSIS\ninclude %s\nendif\n' "${part#src/}" ;;
	esac
done | write src/parts.am
for part in src/*/part.m4 */part.m4; do
	[ ! -e "$part" ] || echo "m4_include([$part])"
done | write parts.m4
# The folders beside src/ have a fragment for a program that comes with a later patch.
for folder in completion man tests; do
	[ ! -e $folder/Makefile.am ] || for fragment in "$folder"/*.am; do
		case $fragment in
		*/Makefile.am | */parts.am | *'*'*) ;;
		*)	echo "include ${fragment#*/}" ;;
		esac
	done | write $folder/parts.am
done
exec autoreconf --install
