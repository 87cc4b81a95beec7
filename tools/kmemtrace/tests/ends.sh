#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced saves the kernel's counters at both ends of a trace: the sums of memory, and all where the
# recorder can't list what is live. debugfs and /proc are imitations.

# shellcheck source=tools/kmemtrace/tests/debugfs.sh
. "${srcdir:-.}/debugfs.sh"

report=$program_dir/kmemtrace-report
check=$program_dir/kmemtrace-check
# What the stream does not have.
unseen='caches some_page_callers percpu_bytes percpu_callers'

# rows N [DIR]: write the files of /proc, as the directory DIR: N objects
rows()
{
	dir=${2:-proc}
	rm -rf "$dir"
	mkdir "$dir"
	printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n' >"$dir/allocinfo"
	printf '%12d %8d mm/a.c:1 func:one\n' $(($1 * 4096)) "$1" >>"$dir/allocinfo"
	cat >"$dir/slabinfo" <<END
slabinfo - version: 2.1
dentry $1 42 192 21 2 : tunables    0    0    0 : slabdata      2      2      0
END
	echo 'nr_free_pages 7' >"$dir/vmstat"
	echo 'MemFree:      28 kB' >"$dir/meminfo"
}

# log OPTION...: log a trace, in which the script "load" runs
log()
{
	if [ "$(cat $kernel/enable)" = yes ]; then
		begin_stream
	else
		begin_stream &
	fi
	"$daemon" -r 0 "$@" -- sh -c '. ./load' >stdout 2>log
	status=$?
	kill $pipe
	wait
}

# logged STATUS [DIR]: the last run must have ended with this status, and its trace must have
# all events.
logged()
{
	[ $status -eq "$1" ] || fail "exit status $status, expected $1: $(cat log)"
	cmp -s stream "${2:-data}/cpu0.out" ||
		fail "the stream differs: $(ls "${2:-data}") $(cat log)"
	grep -qx 'state: complete' "${2:-data}/metadata" || fail "not complete: $(cat log)"
	! grep -q Success log || fail "an error that is none: $(cat log)"
}

# has_readings TEXT: these are the readings without their times.
has_readings()
{
	readings=$(zstdcat data/counters.zst | sed 's/^\(reading [a-z]*\) .*/\1/')
	[ "$readings" = "$1" ] || fail "readings: $readings: $(cat log)"
}

# has_none: there is no file of counters, and no message about it.
has_none()
{
	[ ! -e data/counters.zst ] || fail "counters: $(zstdcat data/counters.zst)"
	is_quiet
}

is_quiet()
{
	! grep -q 'counters\|allocinfo\|slabinfo\|proc' log || fail "says too much: $(cat log)"
}

both='kmemtrace-counters 1
reading full
allocinfo 0 122880 30 mm/a.c:1 func:one
slabinfo 1 30 42 192 4 dentry
vmstat 2 7 nr_free_pages
meminfo 3 28672 MemFree
end
reading delta
0 143360 35
1 35 42 192 4
end'

# In the middle, the counters change.
rows 35 later
echo 'sleep 1.5; cp later/* proc' >load

# Tracing is switched on.
for word in baseline baseline_objects; do
	rows 30
	recorder no 'source: module' "unseen: boot $word $unseen" 'missed: 0'
	log -o data --proc proc
	logged 0
	has_readings "$both"
	is_quiet
done
{
	cat data/metadata
	zstdcat data/counters.zst
} | awk '
/^start_ns: / { begin = $2 }
/^end_ns: / { end = $2 }
/^reading / { bad += $3 < begin || $3 > end || n++ && $3 < last + 1.4e9; last = $3 }
END { exit bad || n != 2 }' || fail "times: $(cat data/metadata; zstdcat data/counters.zst)"
expect 0 'counters.zst: 2 readings, clean' "$check" data
expect 0 'counters 2 readings in 1.' "$report" data

# It is on already.
echo 'cp later/* proc' >load
rows 30
recorder yes "unseen: baseline $unseen"
log -o data --proc proc
logged 0
has_readings "$both"

# Through a pipe.
rows 30
recorder yes "unseen: baseline $unseen"
log -o - --proc proc
[ $status -eq 0 ] || fail "-o -: exit status $status: $(cat log)"
TMPDIR=$work expect 0 'counters.zst: 2 readings, clean' "$check" - <stdout

# The recorder lists what is live: the sums of memory are enough.
echo 'echo "MemFree: 24 kB" >proc/meminfo' >load
for source in '' 'source: baseline' "unseen: boot $unseen"; do
	rows 30
	recorder yes ${source:+"$source"}
	log -o data --proc proc
	logged 0
	has_readings 'kmemtrace-counters 1
reading full
meminfo 0 28672 MemFree
end
reading delta
0 24576
end'
	is_quiet
done
expect 0 'counters.zst: 2 readings, clean' "$check" data

# Through a pipe.
rows 30
recorder yes "unseen: boot $unseen"
log -o - --proc proc
[ $status -eq 0 ] || fail "-o -: exit status $status: $(cat log)"
TMPDIR=$work expect 0 'counters.zst: 2 readings, clean' "$check" - <stdout

# A kmemtraced that is killed leaves the first reading.
rows 30
recorder yes "unseen: boot $unseen"
# shellcheck disable=SC2016  # The load expands it.
echo 'kill -9 $PPID' >load
log -o data --proc proc
[ $status -eq 137 ] || fail "killed: exit status $status: $(cat log)"
expect 1 'counters.zst: 1 reading, 1 finding' "$check" data
echo true >load

# A chain has none.
recorder yes "unseen: baseline $unseen"
log -o data --proc proc --rotate 1h
logged 0 data/000001
[ ! -e data/000001/counters.zst ] || fail "--rotate: $(zstdcat data/000001/counters.zst)"

# --stock obeys all options with the kernel's recorder.
recorder yes "unseen: baseline $unseen"
log -o data --proc proc --stock --rotate 1h --keep 2
logged 0 data/000001
grep -q 'source: the patched kernel: chosen' log || fail "--stock --rotate: $(cat log)"

# --force removes the traces of a chain, and nothing else.
mkdir data/000002 data/mine
touch data/000002/metadata data/000002/cpu7.out data/mine/metadata
mv data keep
recorder yes "unseen: baseline $unseen"
mv keep data
log -o data --proc proc --rotate 1h --force
logged 0 data/000001
[ "$(cd data && echo *)" = '000001 mine' ] || fail "--rotate --force: $(ls data)"
mv data keep
recorder yes "unseen: baseline $unseen"
mv keep data
log -o data --proc proc --rotate 1h
logged 0 data/000002

# Some tables, or none.
rows 30
rm proc/allocinfo proc/vmstat
recorder yes "unseen: baseline $unseen"
echo 'cp later/slabinfo proc' >load
log -o data --proc proc
logged 0
has_readings 'kmemtrace-counters 1
reading full
slabinfo 0 30 42 192 4 dentry
meminfo 1 28672 MemFree
end
reading delta
0 35 42 192 4
end'
is_quiet
echo true >load
for dir in empty nonexistent; do
	rm -rf proc empty
	mkdir empty
	recorder yes "unseen: baseline $unseen"
	log -o data --proc $dir
	logged 0
	has_none
done

# A table that can't be read at the end: its rows are not gone.
rows 30
recorder yes "unseen: baseline $unseen"
echo 'rm proc/slabinfo' >load
log -o data --proc proc
logged 1
has_readings "$(echo "$both" | sed '/^end/q')"
grep -q 'counters.zst: No such file or directory; the counters of the end are missing' log ||
	fail "a table is gone: $(cat log)"
expect 0 'counters.zst: 1 reading, clean' "$check" data

# The disk has no room for the counters: the trace has all else.
mkdir small
mount -t tmpfs -o size=240k none small
rows 30
recorder yes "unseen: baseline $unseen"
echo true >load
log -o small/data --proc proc
logged 1 small/data
[ ! -e small/data/counters.zst ] || fail 'counters on a full disk'
grep -q 'counters.zst: No space left on device; the trace has no counters' log ||
	fail "a full disk: $(cat log)"
umount small

# The disk is full at the end: the last reading has its room.
mount -t tmpfs -o size=2m none small
rows 30
recorder yes "unseen: baseline $unseen"
echo 'sleep 0.5; cp later/* proc; cat /dev/zero >small/fill 2>/dev/null' >load
log -o small/data --proc proc
logged 0 small/data
cp -r small/data .
has_readings "$both"
umount small

# refused TEXT OPTION...: kmemtraced must not begin, and must say TEXT
refused()
{
	text=$1
	shift
	recorder yes
	timeout 20 "$daemon" -r 0 "$@" 2>log
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status"
	grep -qF -- "$text" log || fail "$*: $(cat log)"
	kill $pipe
	wait
}

# Another collector reads the recorder.
recorder yes
flock "$kernel" timeout 20 "$daemon" -r 0 -o second 2>log
status=$?
{ [ $status -eq 2 ] && grep -q 'another kmemtraced is running$' log && [ ! -e second ]; } ||
	fail "another kmemtraced: exit status $status: $(cat log)"
kill $pipe
wait

# Nobody reads the messages: a signal ends it all the same.
recorder yes
begin_stream
expect 0 'exit status 0' python3 "$srcdir/unread.py" "$daemon" -r 0 -o data
kill $pipe
wait
cmp -s stream data/cpu0.out || fail "messages that nobody reads: $(ls data)"

# A link in the place of the directory is followed if there is a slash behind its name only.
echo true >load
mkdir elsewhere
ln -s elsewhere link
refused 'link: is a link; name the directory that it leads to' -o link
refused 'link: is a link' -o link --force
refused 'link: is a link' -o link --rotate 1h
[ -z "$(ls elsewhere)" ] || fail "a link was followed: $(ls elsewhere)"
ln -s nowhere dangling
refused 'dangling: is a link' -o dangling
recorder yes
log -o link/
logged 0 elsewhere
recorder yes
log -o link/ --rotate 1h --force
logged 0 elsewhere/000001

# A link in the place of a file, or of the directory of a chain, is not followed.
mkdir taken victim
echo mine >victim/file
for file in cpu0.out metadata metadata.new kallsyms modules counters.zst books.out.7.new; do
	ln -s ../victim/file taken/$file
done
ln -s ../victim taken/000001
refused 'taken: holds a trace already' -o taken
recorder yes
log -o taken --force
logged 0 taken
[ ! -L taken/books.out.7.new ] || fail "books of an earlier trace are left"
recorder yes
log -o taken --force --rotate 1h
logged 0 taken/000002
[ "$(cat victim/*)" = mine ] || fail "a link was followed: $(ls victim)"

# A file or a FIFO is no directory.
mkfifo fifo
touch file
refused 'fifo: Not a directory' -o fifo
refused 'file: Not a directory' -o file
refused 'file/data: Not a directory' -o file/data
# The kernel says which kinds of references it has.
recorder no
logged_with()
{
	"$daemon" --with "$1" -r 0 -t 1 -o refused >stdout 2>log && fail "--with $1"
	[ "$(cat $kernel/enable)" = no ] || fail "--with $1: tracing is on"
	grep -qF -- "$2" log || fail "--with $1: $(cat log)"
}
logged_with refs=page '--with refs=page: this kernel does not record references: it has no CONFIG_KMEMTRACE_REFS'
printf '%s\n' page net >$kernel/refs
for words in refs=pages refs=pag stack,refs=netdev refs=net,refs= refs=; do
	kind=${words##*,}
	logged_with $words "--with $kind: this kernel records no such references, but these: page net"
done
kill $pipe
exit $failed
