#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# groff must print no warning for any page.

command -v groff >/dev/null || { echo "skipped: no groff"; exit 77; }
status=0
for page in "${srcdir:-.}"/*.[138]; do
	warnings=$(groff -man -Tutf8 -ww -Z "$page" 2>&1 >/dev/null)
	if [ -n "$warnings" ]; then
		echo "$warnings"
		status=1
	fi
done
exit $status
