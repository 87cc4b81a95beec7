#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The manual page of the relations is what the program says of them.

dir=${srcdir:-.}
"$dir/relations.sh" "${progdir:-../src}/kmemtrace-report" >relations.new || exit 1
if [ -n "$update" ]; then
	cp relations.new "$dir/kmemtrace-relations.5"
fi
diff -u "$dir/kmemtrace-relations.5" relations.new
