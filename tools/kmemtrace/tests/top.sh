#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-top on a terminal of tmux, with streams that this test feeds.

# shellcheck disable=SC2317 # eventually() calls functions
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
top=$program_dir/kmemtrace-top
socket=kmemtrace-$$
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT

if ! command -v tmux >/dev/null; then
	echo "FAIL: tmux is missing"
	exit 1
fi

mux()
{
	tmux -L "$socket" -f /dev/null "$@"
}

# The server must stay while no program runs.
LC_ALL=C.UTF-8 mux -u new-session -d -s stay "sleep 1000"

# pane [OPTION]: print the screen
pane()
{
	mux capture-pane -p -t test "$@"
}

shows()
{
	pane | grep -qF -- "$1"
}

# shows_lines PATTERN: succeed if a line of the screen matches
shows_lines()
{
	pane | grep -q -- "$1"
}

# eventually WHAT COMMAND...: repeat COMMAND until it succeeds, for 20 seconds.
eventually()
{
	what=$1
	shift
	tries=200
	until "$@"; do
		sleep 0.1
		tries=$((tries - 1))
		if [ $tries -eq 0 ]; then
			echo "FAIL: $what:"
			pane
			failed=1
			return
		fi
	done
}

# expect_screen TEXT: the screen must show TEXT soon.
expect_screen()
{
	eventually "the screen does not show '$1'" shows "$1"
}

# refuse_screen TEXT: the screen must not show TEXT.
refuse_screen()
{
	if shows "$1"; then
		echo "FAIL: the screen shows '$1':"
		pane
		failed=1
	fi
}

keys()
{
	mux send-keys -t test "$@"
}

# start WIDTH HEIGHT [ENVIRONMENT...] COMMAND: run COMMAND on a terminal of that size. Its exit
# status goes to the file status.
start()
{
	width=$1 height=$2
	shift 2
	mux kill-session -t test 2>/dev/null
	rm -f status pipe
	mkfifo pipe
	mux new-session -d -s test -x "$width" -y "$height" \
		"cd '$work'; env $*; echo \$? >status; sleep 60"
}

ended_with()
{
	[ "$(cat status 2>/dev/null)" = "$1" ]
}

# feed BYTES: send so many bytes of the stream, and keep it open until the file go is there.
feed()
{
	rm -f go
	{
		head -c "$1" stream
		until [ -e go ]; do sleep 0.1; [ -e stream ] || exit; done
		tail -c "+$(($1 + 1))" stream
	} >pipe 2>/dev/null &
	feeder=$!
}

"$here/kmemtrace-gen" --abi 2 --events 100000 --cpus 3 --before 500 --flush 1000000 - \
	>stream 2>live
half=$(($(wc -c <stream) / 2))

# ---- a live stream, its end, and the same figures as in the report

start 80 24 "'$top' - <pipe"
feed $half
expect_screen "[LIVE]"
expect_screen "complete so far, 0 events lost"
expect_screen "call sites of slab by live"
expect_screen "6.12.0-generated"
expect_screen "site_11+0x2c"
expect_screen "q quit"
if pane | grep -q '.\{81\}'; then
	echo "FAIL: a line is too long"
	failed=1
fi
touch go
expect_screen "[ENDED]"
expect_screen "COMPLETE, 0 events lost"
keys j
expect_screen "wrote kmemtrace-top-1.json"
"$program_dir/kmemtrace-report" --json -n 100000 - <stream >report.json
# Totals and rows have all columns of the report, and more: those of changes.
python3 - <<-'END' || failed=1
	import json, sys
	top = json.load(open("kmemtrace-top-1.json"))
	report = json.load(open("report.json"))
	def by(rows, key, space):
	    return {row[key]: row for row in rows if row["allocator"] in (space, row[key])}
	bad = []
	for what, key, member in ("rows", "address", "sites"), ("totals", "allocator", "totals"):
	    got, want = by(top[what], key, "slab"), by(report[member], key, "slab")
	    bad += got.keys() ^ want.keys()
	    for row in got.keys() & want.keys():
	        bad += [(row, name, got[row].get(name)) for name, value in want[row].items()
	                if got[row].get(name) != value]
	        bad += [(row, name) for name in ("change_bytes", "allocs_per_second")
	                if name not in got[row]]
	for row in bad:
	    print("FAIL: top and the report differ in", row)
	sys.exit(bool(bad) or len(got) != 4)
END
"$top" --json-schema >schema.json || failed=1

# is_valid FILE...: the files must match the schema.
is_valid()
{
	"$golden/../validate.py" schema.json "$@" || failed=1
}

is_valid kmemtrace-top-1.json

# ---- the page

# page_data PAGE: print the data in it, as JSON
page_data()
{
	sed -n '/id="data">/,/<\/script>/ { s/.*id="data">//; s/<\/script>.*//; p; }' "$1"
}

# page_has JSON PAGE: the page has the totals and the call sites of slab that the JSON has
page_has()
{
	page_data "$2" | "$golden/../top-page.py" "$1" || failed=1
}

keys w
expect_screen "wrote kmemtrace-top-1.html"
"$program_dir/kmemtrace-report" --html report.html - <stream || failed=1
page_data report.html >report.data
page_data kmemtrace-top-1.html | cmp - report.data || failed=1
page_has kmemtrace-top-1.json kmemtrace-top-1.html

# ---- keys

keys g
expect_screen "functions of slab by live"
keys g
expect_screen "slab caches of slab by live"
expect_screen "generated-4096"
keys a
expect_screen "call sites of pages by live"
keys a a a
expect_screen "slab caches of slab by live"
keys g
expect_screen "modules of slab by live"
expect_screen "  kernel"
keys g
expect_screen "call sites of slab by live"
keys s
expect_screen "call sites of slab by live,"
expect_screen "OBJECTS*"
keys /
expect_screen "filter: _"
keys -l 'SITE_12x'
keys BSpace
expect_screen "filter: SITE_12_"
keys Enter
expect_screen 'with "SITE_12"'
refuse_screen "site_1+0x2c"
keys / Escape
expect_screen "site_1+0x2c"
refuse_screen 'with "SITE_12"'
keys /
keys -l 'no such name'
keys Enter
expect_screen "no name matches"
keys Escape
expect_screen "site_1+0x2c"
refuse_screen 'with "no such name"'
keys s s s
expect_screen "ALLOCS/s*"
keys s
expect_screen "FREES/s*"
keys s s s s s
expect_screen "call sites of slab by live,"
keys f
expect_screen "the stream has ended"
keys End
eventually "the last row is not shown" shows_lines '\([0-9]*\) of \1$'
keys Home
expect_screen "1-13 of"
keys NPage
expect_screen "14-26 of"
keys '?'
expect_screen "count changes from now on"
keys '?'
expect_screen "14-26 of"
keys j
expect_screen "wrote kmemtrace-top-2.json"
keys q
eventually "q does not end the program" ended_with 0

# ---- mark and freeze

start 80 24 "'$top' - <pipe"
feed $((half / 2))
expect_screen "[LIVE]"
sleep 2
keys j
expect_screen "wrote kmemtrace-top-3.json"
keys w
expect_screen "wrote kmemtrace-top-2.html"
page_has kmemtrace-top-3.json kmemtrace-top-2.html
keys f
expect_screen "[FROZEN]"
pane | sed -n 1,3p >before
sleep 1.5
pane | sed -n 1,3p | diff before - || failed=1
keys f
expect_screen "[LIVE]"
keys m
touch go
expect_screen "[ENDED]"
eventually "no row has changed since the mark" shows_lines ' [+-][0-9.]*[KM] .*site_'
# An ended stream can't be frozen.
keys f
refuse_screen "[FROZEN]"
keys q
eventually "q does not end the program" ended_with 0

# ---- another size, a change of size

start 200 60 "'$top' -g function -s live_wasted - <pipe"
feed $half
expect_screen "functions of slab by live waste"
expect_screen "1-49 of"
mux resize-window -t test -x 80 -y 24
expect_screen "1-13 of"
mux resize-window -t test -x 30 -y 8
eventually "a small terminal shows nothing" shows "Trust    complete so far"
mux resize-window -t test -x 200 -y 60
expect_screen "1-49 of"

# ---- the stream breaks off

kill $feeder
wait $feeder 2>/dev/null
expect_screen "[BROKE OFF]"
expect_screen "INCOMPLETE"
expect_screen "ends before the trace does"
keys g g g
expect_screen "call sites of slab by live waste"
keys j
expect_screen "wrote kmemtrace-top-4.json"
keys w
expect_screen "wrote kmemtrace-top-3.html"
page_has kmemtrace-top-4.json kmemtrace-top-3.html
keys q
eventually "q does not end the program" ended_with 0

# ---- colours

colours()
{
	pane -e | grep -q "$(printf '\033\\[[0-9;]*3[1-6]')"
}

start 80 24 "'$top' - <pipe"
feed $half
expect_screen "[LIVE]"
eventually "there is no colour" colours
keys q
touch go
for plain in NO_COLOR=1 TERM=vt100; do
	start 80 24 $plain "'$top' - <pipe"
	feed $half
	expect_screen "[LIVE]"
	expect_screen "site_11+0x2c"
	if colours; then
		echo "FAIL: $plain: there are colours"
		failed=1
	fi
	keys q
	touch go
	eventually "$plain: q does not end the program" ended_with 0
done

# ---- the terminal is lost

start 80 24 "sh -c 'echo \$\$ >number; exec \"$top\" -' <pipe"
feed $half
expect_screen "[LIVE]"
read -r pid <number
mux kill-session -t test
gone()
{
	! kill -0 "$pid" 2>/dev/null
}
eventually "the program stays without its terminal" gone
touch go

# ---- hostile names

mkdir hostile
"$here/kmemtrace-asm" hostile <<-'END'
	0 cache 0 96 0 0 0xffff888000001000 64 64 8 100 1 "a\1b[2Jb\1b]0;pwned\07c"
	0 alloc cache 64 -1 0xffffffff81001010 0xffff888000100000 64 64 0xcc0 200 0xffff888000001000
END
printf 'ffffffff81000000 T _stext\nffffffff81001000 t f\033[31mg\r\b</script>\n' >hostile/kallsyms
printf '%b\n' 'abi_version: 2' 'build_id: \033[2J' 'byte_order: little' \
	'kernel_release: 6\033[2J\033]2;x\007' 'state: running' >hostile/metadata
pack hostile >stream
start 120 24 "'$top' - <pipe"
feed "$(wc -c <stream)"
touch go
expect_screen "[ENDED]"
expect_screen '6\x1b[2J\x1b]2;x\x07'
expect_screen 'f\x1b[31mg\x0d\x08</script>+0x10'
keys g g
expect_screen "slab caches"
expect_screen 'a\x1b[2Jb\x1b]0;pwned\x07c'
case $(mux display-message -t test -p '#{pane_title}') in
*pwned* | x) echo "FAIL: a name changed the title"; failed=1 ;;
esac

# has_no_escape FILE...: no name may have got into the files as it is
has_no_escape()
{
	if LC_ALL=C grep -l "$(printf '[\033\a\b\r]')" "$@"; then
		echo "FAIL: a name is as it was in $*"
		failed=1
	fi
}

keys j
expect_screen "wrote kmemtrace-top-5.json"
keys w
expect_screen "wrote kmemtrace-top-4.html"
has_no_escape kmemtrace-top-5.json kmemtrace-top-4.html
is_valid kmemtrace-top-*.json
if [ "$(grep -c '</script>' kmemtrace-top-4.html)" -ne "$(grep -c '</script>' report.html)" ]; then
	echo "FAIL: a name is markup"
	failed=1
fi
keys q
eventually "q does not end the program" ended_with 0

# ---- the name of a cache comes after an allocation from it

mkdir late
"$here/kmemtrace-asm" late <<-'END'
	0 alloc cache 64 -1 0xffffffff81001010 0xffff888000100000 64 64 0xcc0 200 0xffff888000001000
	0 cache 0 96 0 0 0xffff888000001000 64 64 8 300 1 "late-cache"
END
printf '%s\n' 'abi_version: 2' 'byte_order: little' 'state: running' >late/metadata
{
	echo 'kmemtrace-stream 1'
	for file in metadata cpu0.out; do
		echo "$file $(stat -c %s late/$file)"
		cat late/$file
	done
	echo end
} >stream
start 80 24 "'$top' -g cache - <pipe"
feed $(($(wc -c <stream) - 100))
expect_screen "(no name)"
touch go
expect_screen "late-cache"
keys q
eventually "q does not end the program" ended_with 0

# ---- text instead of a terminal

pack hostile >stream
"$top" -b 1 -g cache - <stream >pictures 2>&1 || failed=1
expect 2 "is not the traced kernel" "$top" -b 1 -k /bin/sh - <stream
has_no_escape pictures out

"$here/kmemtrace-gen" --abi 2 --events 100000 --cpus 3 --before 500 --flush 1000000 - \
	>stream 2>live
expect 0 "[ENDED]" "$top" --batch 3 - <stream
has_no_escape out
if [ "$(grep -c ' events, ' out)" -ne 1 ] || ! grep -q 'COMPLETE, 0 events lost' out; then
	echo "FAIL: an ended stream is printed as:"
	cat out
	failed=1
fi
# All rows, which add up to the total.
awk '
{ gsub(",", "") }
rows && NF	{ sum += $2 }
/^\* slab/	{ want = $4 }
/ call site$/	{ rows = 1 }
END		{ exit !want || sum != want }' out || { echo "FAIL: rows are missing"; failed=1; }
# A saved stream comes as a whole, and has changes and rates as well.
awk '/^\* slab/ { exit $5 == "0B" || $6 == "0B" || !$7 }' out ||
	{ echo "FAIL: no changes"; failed=1; }
"$here/kmemtrace-gen" --abi 2 --events 3000000 --flush 1000000 - >long 2>live
"$top" -b 1 - <long | awk '/^. slab/ && $6 != "0B" { found = 1 } END { exit !found }' ||
	{ echo "FAIL: nothing changed in the last second"; failed=1; }
expect 0 "ALLOCATED*" "$top" -b 1 -s bytes - <stream
# What the trace doesn't have is refused, as the report does.
for key in task process cgroup; do
	expect 2 "--group-by $key: the trace has no " "$program_dir/kmemtrace-report" -g $key - <stream
	sed 's/^kmemtrace-report/kmemtrace-top/' out >wanted
	expect 2 "--group-by $key: the trace has no " "$top" -b 1 -g $key - <stream
	diff -u wanted out || fail "-g $key has other words than the report"
done
expect 2 "--group-by file and dir need --vmlinux" "$top" -b 1 -g dir - <stream
expect 2 "--group-by cache: only slab has caches" "$top" -b 1 -a pages -g cache - <stream
expect 0 "functions of pages by live" "$top" -b 1 -a pages -g function - <stream
expect 2 "'memory', expected KEY: " "$top" -a memory -
expect 0 "1-3 of 3" env COLUMNS=90 LINES=20 "$top" -b 1 -g module - <stream
awk 'length > 90 { exit 1 }' out || { echo "FAIL: a line is too long"; failed=1; }

rm -f pipe
mkfifo pipe
feed $half
begin=$(date +%s)
"$top" -b 3 - <pipe >pictures || { echo "FAIL: -b 3: exit status $?"; failed=1; }
took=$(($(date +%s) - begin))
touch go
if [ "$(grep -c 'LIVE\]$' pictures)" -ne 3 ] || [ $took -lt 2 ] ||
   [ "$(grep -c 'complete so far' pictures)" -ne 3 ]; then
	echo "FAIL: -b 3 took $took seconds and printed:"
	cat pictures
	failed=1
fi
# Who allocated.
"$here/kmemtrace-gen" --abi 2 --events 20000 --with stack,task,cgroup - >who-stream 2>/dev/null
for key in task cgroup; do
	"$top" -b 1 -g $key - <who-stream | awk '$2 == "OBJECTS" { rows = 1; objects = 0; next }
		!NF { rows = 0 }
		rows { gsub(",", ""); objects += $2; print $NF > "names" }
		END { print objects }' >objects
	"$program_dir/kmemtrace-report" --csv totals --where allocator=slab --columns live \
		- <who-stream | sed 1d | diff -u - objects || {
		echo "FAIL: -g $key: the objects don't add up"
		failed=1
	}
done
grep -qx '/cgroup4' names || { echo "FAIL: -g cgroup has no cgroup:"; cat names; failed=1; }

# Two cgroups and two functions are two rows, whatever their names are.
alike namesakes
pack namesakes >utf8-stream

# rows_by KEY: print live bytes and names of the rows by KEY
rows_by()
{
	LC_ALL=C.UTF-8 "$top" -b 1 -g "$1" - <utf8-stream | sed '1,/OBJECTS.*OLDEST/d; /^$/d' |
		sed 's/^ *\([^ ]*\)  .*  \([^ ].*\)/\1 \2/'
}

rows_by cgroup | diff -u - /dev/fd/3 3<<-'END' || failed=1
	256B /é
	128B /è
	64B /é
	32B /\xff
	16B /\xfe
	8B /\x5cxff
END
rows_by function | diff -u - /dev/fd/3 3<<-'END' || failed=1
	312B init_once (2 of 2)
	192B init_once (1 of 2)
END
rows_by cache | diff -u - /dev/fd/3 3<<-'END' || failed=1
	312B (none)
	128B same
	64B same
END
start 80 24 LC_ALL=C.UTF-8 "'$top' -g cgroup - <utf8-stream"
expect_screen " /è"
keys / ' ' BSpace 'É' BSpace 'é' Enter
expect_screen 'with "é"'
expect_screen '1-2 of 2'
keys q
eventually "q does not end the program" ended_with 0

expect 2 "No space left on device" sh -c "'$top' -b 1 - <stream >/dev/full"
expect 2 "standard input: the stream contains no trace" "$top" -b 1 - </dev/null
expect 2 "'0', expected N: " "$top" -b 0 -

# ---- a stream that is none, and no terminal

echo nonsense >stream
start 80 24 "'$top' - <pipe"
feed 9
touch go
expect_screen "'nonsense' has no place"
eventually "nonsense is taken for a stream" ended_with 2
expect 2 "there is no terminal" setsid -w "$top" - </dev/null
expect 2 "'trace': kmemtrace-top reads no folder, only -" "$top" trace
expect 2 "'size', expected KEY: " "$top" --group-by size -
start 80 24 TERM=dumb "'$top' - <pipe"
feed 9
expect_screen "this terminal can't move its cursor; TERM=dumb"
eventually "a dumb terminal will do" ended_with 2
touch go

# ---- kmemtraced is started and stopped

"$here/kmemtrace-gen" --abi 2 --events 20000 --cpus 2 --flush 1000000 - >stream 2>live
mkdir bin
cat >bin/kmemtraced <<-END
	#!/bin/sh
	# Its last records are more than fit into a pipe.
	echo "\$*" >'$work/arguments'
	trap 'tail -c +100001 "$work/stream" && echo stopped >"$work/stopped"; exit' TERM
	printf 'kmemtraced: a message, \\\\x1b[31m \\033]0;title\\007\\n' >&2
	head -c 100000 '$work/stream'
	while :; do sleep 0.1; done
END
chmod +x bin/kmemtraced
start 80 24 "PATH='$work/bin:$PATH'" "'$top'"
expect_screen "[LIVE]"
# What kmemtraced escaped stays as it is; what it did not, no terminal gets.
expect_screen 'kmemtraced: a message, \x1b[31m \x1b]0;title\x07'
keys q
eventually "q does not end the program" ended_with 0

# is_stopped: kmemtraced must have been started with -o - and stopped
is_stopped()
{
	if [ "$(cat arguments)" != "-o -" ] || [ "$(cat stopped)" != stopped ]; then
		echo "FAIL: kmemtraced was not started or not stopped"
		failed=1
	fi
	rm -f arguments stopped
}

is_stopped
expect 0 "kmemtraced: a message" env "PATH=$work/bin:$PATH" "$top" -b 2 </dev/null
is_stopped
# SIGHUP, SIGINT, SIGTERM
for signal in 1 2 15; do
	expect $((128 + signal)) "[LIVE]" env "PATH=$work/bin:$PATH" \
		timeout --foreground --preserve-status -s $signal 5 "$top" -b 20
	is_stopped
done
env "PATH=$work/bin:$PATH" "$top" -b 20 | head -n 1 >first
is_stopped

# ---- suspects

make_suspects
pack trace >stream
expect 0 "Suspects: live, and nothing seems to free it" "$top" -b 2 - <stream
# Who wanted the memory is behind the helper function __alloc_skb.
grep -q "slab  *109 of  *500 .* slow+0x10$" out || fail "not a suspect: $(cat out)"

# ---- a sample

"$here/kmemtrace-gen" --abi 2 --events 50000 --flush 1000000 --sample 8 - >stream 2>live
expect 0 "Sample   one of 8 slab objects below 4.0K: figures of slab are estimates" \
	"$top" -b 2 - <stream

exit $failed
