#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Two things are never one row: cgroups whose names look alike, bytes that are no text, functions
# of one name, slab caches and tasks with the same name. Each output tells them apart, and takes
# back the text that it printed. Two traces compare the same function, or say that they can't tell.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report
alike trace

# has COUNT TEXT: so many lines of the output have the text.
has()
{
	nr=$(grep -acF -- "$2" out)
	[ "$nr" -eq "$1" ] && return
	fail "$what: $nr lines with '$2', expected $1"
	grep -anF -- "${2%% *}" out
}

# is LINE...: the output has these lines, in any order
is()
{
	{ [ $# -eq 0 ] || printf '%s\n' "$@"; } | sort >expected
	sort out | diff -u expected - || fail "$what"
}

what=text
"$report" --show cgroups trace | sed -n 's|.*  \(/.*\)|\1|p' >out
is '/é' '/è' '/é' '/\xff' '/\xfe' '/\x5cxff'
"$report" --show sites -g function trace >out
has 1 'init_once (1 of 2)'
has 1 'init_once (2 of 2)'
"$report" --show tasks trace >out
has 2 '  shell-100'
"$report" --show caches trace >out
has 2 '  same'

what=CSV
"$report" --csv cgroups --columns cgroup,cgroup_id,live_bytes trace | sed 1d >out
is '/é,7,64' '/è,8,128' '/é,9,256' '/\xff,10,32' '/\xfe,11,16' '/\x5cxff,12,8'
"$report" --csv functions --columns function trace | sed 1d >out
is 'init_once (1 of 2)' 'init_once (2 of 2)'
"$report" --csv tasks --columns task,task_id,start_ns,live_bytes trace | sed 1d >out
is shell-100,5,500,448 shell-100,6,900,56
"$report" --csv caches --columns cache,cache_id,live_bytes trace | sed 1d >out
is '(none),0,312' same,1,64 same,2,128
"$report" --csv trace --columns kernel trace >out
has 1 böard
for relation in lives objects; do
	"$report" --csv $relation --columns address,cache_id,task_id,pid,tgid,cgroup,cgroup_id trace |
		sed 1d >out
	is '0xffffffff81001010,1,5,100,100,/é,7' '0xffffffff81001010,2,5,100,100,/è,8' \
		'0xffffffff81002010,0,5,100,100,/é,9' '0xffffffff81002010,0,6,100,100,/\xff,10' \
		'0xffffffff81002010,0,6,100,100,/\xfe,11' '0xffffffff81002010,0,6,100,100,/\x5cxff,12'
done

what=JSON
"$report" --json --show trace,cgroups trace >out
has 2 '"cgroup":"/\u00e9"'
has 1 '"cgroup":"/\u00e8"'
has 1 '"cgroup":"/\\xff","cgroup_id":10'
has 1 '"cgroup":"/\\xfe","cgroup_id":11'
has 1 '"cgroup":"/\\x5cxff","cgroup_id":12'
has 1 '"kernel":"b\u00f6ard"'

# Text that was printed names the same thing again, and so do its bytes.
for name in '/\xff 32' '/\xfe 16' '/\x5cxff 8' '/è 128' "$(printf '/\377') 32"; do
	bytes=${name#* } name=${name% *}
	what="the filter $name"
	for option in "--cgroup=$name" "--where=cgroup=$name" "--where=cgroup~$name*"; do
		"$report" --csv cgroups "$option" --columns live_bytes trace | sed 1d >out
		is "$bytes"
	done
	"$report" --show cgroups --cgroup "$name" trace >out
	! grep -q 'nothing matches' out || fail "$what matches nothing"
done
what='the filter'
"$report" --cgroup '/\xff' trace >out
has 1 ' --cgroup /\xff'

what='the difference of two traces'
mkdir before
cp trace/kallsyms trace/metadata before/
"$here/kmemtrace-asm" before <<'END'
0 clock    0       56   0   5000               0                  0     0     0     1000
END
"$report" --diff -g cgroup before trace | sed -n 's|.*  \(/.*\)|\1|p' >out
is '/é' '/è' '/\xff' '/\xfe' '/\x5cxff'

# kernel NAME [ASM [SYMBOLS]]: the trace of who allocates, of a kernel with two init_once, after these
# changes by sed
kernel()
{
	mkdir "$1"
	sed "$2" "$golden/who/trace.asm" | "$here/kmemtrace-asm" "$1"
	cp "$golden/who/metadata" "$1"
	sed 's/alloc_leaf\|alloc_buffer/init_once/; '"$3" "$golden/who/kallsyms" >"$1/kallsyms"
}

# differs BEFORE AFTER [ROW...]: the functions that differ are those of these rows, with their changes
differs()
{
	what="functions of $1 and $2"
	"$report" --diff -g function "$1" "$2" | sed -n 's|^ *\([+-][^ ]*\) .*  \([a-z].*\)|\1 \2|p' >out
	shift 2
	is "$@"
}

larger='s/1000  1024/1000  2048/'
kernel first
kernel boot "$larger; s/0xffffffff81/0xffffffff92/g" 's/^ffffffff81/ffffffff92/'
kernel same '' '/page_cache/a ffffffff81001300 T init_once'
kernel build "$larger" '/page_cache/a ffffffff81001300 T init_once'
kernel single '' 's/ffffffff81001100 T init_once/ffffffff81001100 T other/'
differs first boot '+1.0K init_once (2 of 2)'
differs boot first '-1.0K init_once (2 of 2)'
differs first build '+1.0K init_once (any of this name)'
differs first same
differs single build '+2.0K init_once (any of this name)' '-1.0K other' \
	'+48B init_once (any of this name)' '-48B other' \
	'+8.0K init_once (any of this name)' '-8.0K other'
"$report" --diff -g line first build >out
has 1 'init_once (any of this name)'
"$report" --diff -g stack first build >out
has 1 'init_once (any of this name) <- middle'
"$report" --diff --html page.html first build || failed=1
grep -ao 'init_once ([^)]*)' page.html | sort -u >out
is 'init_once (any of this name)'

what='the export'
"$program_dir/kmemtrace-export" pprof -o profile.gz trace && gzip -dc profile.gz | tr '\0' '\n' >out
has 1 'init_once (1 of 2)'
has 1 'init_once (2 of 2)'

what='the page'
"$report" --html page.html trace || failed=1
grep -ao 'init_once ([12] of 2)\|"/\\\\x[5cfex]*"' page.html | sort -u >out
is 'init_once (1 of 2)' 'init_once (2 of 2)' '"/\\xff"' '"/\\xfe"' '"/\\x5cxff"'

what=kmemtrace-top
pack trace | "$program_dir/kmemtrace-top" -b 1 -g cgroup - | sed -n 's|.*  \(/\\.*\)|\1|p' >out
is '/\xff' '/\xfe' '/\x5cxff'

exit "$failed"
