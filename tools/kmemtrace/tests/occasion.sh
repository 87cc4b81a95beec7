#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A trace says when, where and of what it was recorded: the report, JSON, the page, exports.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report
export=$program_dir/kmemtrace-export

# says KEY VALUE: let the metadata have this line.
says()
{
	sed -i "/^$1: /d" trace/metadata
	echo "$1: $2" >>trace/metadata
}

# head_has LINE...: the head of the report has these lines, and no other one of the occasion.
head_has()
{
	"$report" --show trace trace | sed -n '/^  recorded /p; /^  command /p' >out
	for line; do echo "$line"; done | diff -u - out || fail "the head: $*"
}

setup own
head_has
says host 'node-7'
head_has '  recorded on node-7'
says realtime_ns 1764463445123456789
head_has '  recorded 2025-11-30 00:44:05 +0000 on node-7'
says utc_offset -12600
says ram_bytes 2075000832
says command 'make -j2 "vm linux"'
head_has '  recorded 2025-11-29 21:14:05 -0330 on node-7, RAM of 1.9G' \
	'  command  make -j2 "vm linux"'
says utc_offset 19800
head_has '  recorded 2025-11-30 06:14:05 +0530 on node-7, RAM of 1.9G' \
	'  command  make -j2 "vm linux"'
"$report" --csv trace --columns recorded,realtime_ns,utc_offset,host,ram_bytes,command trace >out
diff -u - out <<-'END' || fail "the relation trace"
	recorded,realtime_ns,utc_offset,host,ram_bytes,command
	2025-11-30 06:14:05 +0530,1764463445123456789,19800,node-7,2075000832,"make -j2 ""vm linux"""
END
"$report" --json --show trace trace >json
keep_document json
for text in '"recorded":"2025-11-30 06:14:05 +0530"' '"ram_bytes":2075000832' '"host":"node-7"' \
	'"command":"make -j2 \"vm linux\""'; do
	grep -qF "$text" json || fail "JSON: no $text"
done

# Metadata may say anything.
says utc_offset 123456789012345678901234567890
says realtime_ns 18446744073709551615
"$report" --show trace trace >out || fail "a hostile time"
grep -q '^  recorded 2554-07-21 23:34:33 +0000 on node-7' out || fail "a hostile time: $(cat out)"
says realtime_ns x
head_has '  recorded on node-7, RAM of 1.9G' '  command  make -j2 "vm linux"'

# ---- programs of others ----

says realtime_ns 1764463445123456789
says utc_offset 19800
"$export" -q pprof -o profile.pb.gz trace || fail "pprof"
gzip -dc profile.pb.gz >profile
for text in node-7 'make -j2 "vm linux"'; do
	grep -qaF "$text" profile || fail "pprof: no $text"
done
"$export" -q ctf -o folder trace || fail "ctf"
for line in 'hostname = "node-7";' 'realtime_ns = "1764463445123456789";' \
	'command = "make -j2 \"vm linux\"";'; do
	grep -qaF "$line" folder/metadata || fail "ctf: no $line"
done
check_documents
exit $failed
