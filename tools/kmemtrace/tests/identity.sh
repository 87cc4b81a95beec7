#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Two things are never one row: cgroups whose names look alike, bytes that are no text, functions
# of one name, tasks with the same name and number. Each output tells them apart.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report

# The trace of who allocates, with names that are hard to tell apart.
bytes=$(printf '/\377|/\376')
sed "s,\"/web\",\"/é\",; s,\"/web/worker\",\"/è\",; s,\"/old.scope\",\"${bytes%|*}\"," \
	"$golden/who/trace.asm" >names.asm
mkdir names && mv names.asm names/trace.asm
from_asm names/trace.asm
for file in metadata kallsyms modules; do
	cp "$golden/who/$file" trace/
done
sed -i 's/ alloc_leaf$/ init_once/; s/ alloc_buffer$/ init_once/' trace/kallsyms
echo 'host: böard' >>trace/metadata

# has COUNT TEXT: so many lines of the output have the text.
has()
{
	nr=$(grep -acF -- "$2" out)
	[ "$nr" -eq "$1" ] && return
	echo "FAIL: $what: $nr lines with '$2', expected $1"
	grep -anF -- "${2%% *}" out
	failed=1
}

what=text
"$report" --show cgroups trace >out
has 2 '  /é'
has 2 '  /è (removed)'
"$report" --show sites -g function trace >out
has 1 'init_once (1 of 2)'
has 3 'init_once (2 of 2)'
"$report" --show tasks trace >out
has 2 '  shell-100'

what=CSV
"$report" --csv cgroups --columns cgroup,cgroup_id --where allocator=slab trace >out
has 1 '/é,7'
has 1 '/è,9'
"$report" --csv functions --columns function --where allocator=slab trace >out
has 1 'init_once (1 of 2)'
has 1 'init_once (2 of 2)'
"$report" --csv trace --columns host trace >out
has 1 böard

what=JSON
"$report" --json --show trace,cgroups trace >out
has 2 '"cgroup":"/\u00e9"'
has 4 '"cgroup":"/\u00e8"'
has 1 '"host":"b\u00f6ard"'

what='the difference of two traces'
mv trace named && setup who && mv trace before && mv named trace
cp trace/kallsyms before/
"$report" --diff -g cgroup before trace >out
has 2 '  /é'
has 2 '  /è'

what='the export'
"$program_dir/kmemtrace-export" pprof -o profile.gz trace && gzip -dc profile.gz | tr '\0' '\n' >out
has 1 'init_once (1 of 2)'
has 1 'init_once (2 of 2)'

what='the page'
"$report" --html page.html trace || failed=1
grep -ao 'init_once ([12] of 2)' page.html | sort -u >out
has 1 'init_once (1 of 2)'
has 1 'init_once (2 of 2)'

exit "$failed"
