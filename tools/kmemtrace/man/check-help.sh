#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Each program's manual page and its --help must have the same options, with the
# same arguments, in the same order. $pages are the pages that make installs.

status=0
for name in ${pages:?}; do
	page=${srcdir:-.}/$name
	program=${name%.*}
	case $name in *.[35]) continue ;; esac
	"${progdir:-../src}/$program" --help |
		sed -n 's/^ *\(--*[A-Za-z].*\)/\1/p' | sed 's/   *.*//' >"$program.help"
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/{/^\.TP/{n;s/^\.B[IR]* \(.*\\-.*\)/\1/p}}' "$page" |
		sed 's/ "\([^"]*\)" */\1/g; s/\\f[A-Z]//g; s/\\-/-/g' >"$program.man"
	if ! [ -s "$program.help" ]; then
		echo "$program --help names no option"
		status=1
	elif ! diff -u "$program.help" "$program.man"; then
		echo "$page and $program --help differ"
		status=1
	fi
	rm -f "$program.help" "$program.man"
done

# The manual page has the views of the report, in the same order.
"${progdir:-../src}/kmemtrace-report" --show list |
	sed 's/^ *\([a-z]*\) .*/\1/; /^all$/d' >views.help
sed -n '/^\.SH DESCRIPTION/,/^\.SH OPTIONS/{/^\.TP/{n;/^[a-z]*$/p}}' \
	"${srcdir:-.}/kmemtrace-report.1" >views.man
diff -u views.help views.man || status=1
rm -f views.help views.man
exit $status
