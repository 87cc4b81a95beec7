#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# embed.sh FOLDER LIBRARY LICENCE: print the page as C: the files of FOLDER with the library
# d3, which Debian installs as LIBRARY under LICENCE. Without LIBRARY, print an empty page.
# No third-party code is in this repository.

set -e
folder=$1 library=$2 licence=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# array NAME: print the standard input as an array of bytes
array()
{
	echo "static const unsigned char $1[] = {"
	od -An -v -tu1 | sed 's/  */,/g; s/^,//; s/$/,/'
	echo '};'
}

# hash FILE: print the hash by which the page's policy allows a part of it
hash()
{
	# The external printf: the shell's need not know \x.
	env printf "$(sha256sum "$1" | cut -c 1-64 | sed 's/../\\x&/g')" | base64
}

echo '/* Made by embed.sh */'
if [ -z "$library" ]; then
	echo 'static const char *const page_lacks = "node-d3";'
	: | array page_before_data | sed 's/^,$/0/'
	: | array page_after_data | sed 's/^,$/0/'
	exit
fi

{
	echo '/*'
	sed 's|\*/|* /|g; s/^/ * /; s/ *$//' "$licence"
	echo ' */'
	cat "$library"
	echo
	echo '"use strict";'
	for script in cells numbers page timeline tree tables blocks main; do
		sed '1,/^ \*\//d' "$folder/$script.js"
	done
} >"$work/script"
sed '1,/^ \*\//d' "$folder/page.css" >"$work/style"
if grep -qi '</script\|<!--' "$work/script" || grep -qi '</style' "$work/style"; then
	echo "embed.sh: a script or the style would end its element early" >&2
	exit 1
fi

policy="default-src 'none'; script-src 'sha256-$(hash "$work/script")'; style-src 'sha256-$(
	hash "$work/style")'; base-uri 'none'; form-action 'none'"
echo 'static const char *const page_lacks;'
{
	sed -n '/^<!DOCTYPE/,/@POLICY@/p' "$folder/page.html" | sed "s|@POLICY@|$policy|"
	printf '<style>'
	cat "$work/style"
	echo '</style>'
	sed '1,/@POLICY@/d; /@DATA@/,$d' "$folder/page.html"
	printf '<script type="application/json" id="data">'
} | array page_before_data
{
	echo '</script>'
	printf '<script>'
	cat "$work/script"
	echo '</script>'
	sed '1,/@DATA@/d' "$folder/page.html"
} | array page_after_data
