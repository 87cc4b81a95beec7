#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --counters reads files that change, and stores what they hold.

# Root mounts a small file system, so run in a mount namespace.
if [ "$(id -u)" -eq 0 ] && [ -z "$own_mounts" ]; then
	own_mounts=1 exec unshare -m "$0"
fi

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

daemon=$program_dir/kmemtraced
report=$program_dir/kmemtrace-report
check=$program_dir/kmemtrace-check

# rows BYTES OBJECTS: write the files of /proc
rows()
{
	mkdir -p proc/sys/vm
	echo 1 >proc/sys/vm/mem_profiling
	printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n' >allocinfo
	printf '%12d %8d %s\n' "$1" 3 'mm/a.c:1 func:one' 4096 1 'drivers/b.c:2 [mod] func:two' \
		-5 0 'mm/c.c:3 func:three accurate:no' 10 1 'mm/d.c:4 func:twice' \
		20 2 'mm/d.c:4 func:twice' >>allocinfo
	mv allocinfo proc/allocinfo
	cat >proc/slabinfo <<EOF
slabinfo - version: 2.1
# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>
with space         $2     40    200   20    1 : tunables    0    0    0 : slabdata      2      2      0
dentry             10     42    192   21    2 : tunables    0    0    0 : slabdata      2      2      0
EOF
	printf 'nr_free_pages %d\noom_kill 0\n' "$2" >proc/vmstat
	printf 'MemFree:      %d kB\nHugePages_Total:   3\n' "$2" >proc/meminfo
}

# readings: print the number of readings in data/
readings()
{
	zstdcat data/counters.zst 2>/dev/null | grep -c '^end$'
}

# wait_for N: until data/ has N readings
wait_for()
{
	for _ in $(seq 200); do
		[ "$(readings)" -ge "$1" ] && return
		sleep 0.05
	done
	fail "no $1 readings after 10 s: $(cat log)"
}

# start OPTION...: read proc/ into data/
start()
{
	rm -rf data
	TZ=UTC "$daemon" --counters 0.1 --proc proc -o data "$@" 2>log &
	daemon_pid=$!
}

rows 1000 30
start
wait_for 2
rows 2000 35
wait_for $(($(readings) + 2))
sed -i /one/d proc/allocinfo
echo '        64        1 mm/new.c:9 func:new' >>proc/allocinfo
wait_for $(($(readings) + 2))
kill -TERM $daemon_pid
wait $daemon_pid
status=$?
[ $status -eq 0 ] || fail "exit status $status after SIGTERM: $(cat log)"
grep -q 'Terminated: stopping' log || fail "no message: $(cat log)"
zstdcat data/counters.zst >text
sed -n '2,/^end/p' text | grep -v reading >out
cat >want <<'EOF'
allocinfo 0 1000 3 mm/a.c:1 func:one
allocinfo 1 4096 1 drivers/b.c:2 [mod] func:two
allocinfo 2 0 0 mm/c.c:3 func:three
allocinfo 3 30 3 mm/d.c:4 func:twice
slabinfo 4 30 40 200 2 with space
slabinfo 5 10 42 192 4 dentry
vmstat 6 30 nr_free_pages
vmstat 7 0 oom_kill
meminfo 8 30720 MemFree
meminfo 9 3 HugePages_Total
end
EOF
diff -u want out || fail "the first reading"
# Rows that did not change are in full readings only.
for row in '0 2000 3' '4 35 40 200 2' '6 35' '8 35840'; do
	[ "$(grep -cx "$row" text)" -le 1 ] || fail "'$row' is there more than once"
done
! grep -Eq '^(1|2|3|5|7|9) ' text || fail "rows that did not change are there"
# figure NAME: print value, first and count of a row
figure()
{
	"$report" --csv counters --where "name=$1" --columns value,first,count data | sed 1d
}
[ "$(figure one)" = 0,1000,0 ] || fail "one: $(figure one)"
[ "$(figure new)" = 64,0,1 ] || fail "new: $(figure new)"
[ "$(figure 'with space')" = 7000,6000,35 ] || fail "with space: $(figure 'with space')"
expect 0 'readings, clean' "$check" data
grep -qx 'unseen: boot events' data/metadata || fail "unseen: $(grep unseen data/metadata)"
for line in "host: $(uname -n)" 'ram_bytes: [0-9]*' 'realtime_ns: [0-9]*' 'utc_offset: 0'; do
	grep -qx "$line" data/metadata || fail "no $line: $(cat data/metadata)"
done
began=$(sed -n 's/^realtime_ns: \([0-9]*\)[0-9]\{9\}$/\1/p' data/metadata)
age=$(($(date +%s) - began))
if [ $age -lt 0 ] || [ $age -ge 600 ]; then
	fail "it began $age seconds ago"
fi
grep -qx 'state: complete' data/metadata || fail "state: $(grep state data/metadata)"
expect 2 'holds a trace already' "$daemon" --counters 1 --proc proc -o data -t 0.1

# A file that was there at the start and vanishes is reported.
rows 1 1
start -t 1
wait_for 2
rm proc/slabinfo
wait $daemon_pid
status=$?
[ $status -eq 1 ] || fail "exit status $status without slabinfo"
grep -q 'proc/slabinfo: No such file or directory; it is read no more' log || fail "$(cat log)"

# Killed: the file is valid up to the last reading.
rows 1 1
start
wait_for 3
kill -KILL $daemon_pid
wait $daemon_pid 2>/dev/null
expect 0 'because  kmemtraced still runs, or was killed' "$report" data
expect 0 'because  counters.zst: cut short' "$report" data

# A command, a time, a pipe.
rm -rf data
expect 0 'exit status 3' "$daemon" --counters 9 --proc proc -o data -- sh -c 'exit 3'
[ "$(readings)" = 2 ] || fail "$(readings) readings around a command"
grep -q '^command: ' data/metadata || fail "no command: $(cat data/metadata)"
start -t 0.35
wait $daemon_pid || fail "-t: exit status $?"
case $(readings) in
[345])	;; # one at the start, one at the end, and as many of three between as the machine manages
*)	fail "-t 0.35: $(readings) readings" ;;
esac
"$daemon" --counters 0.1 --proc proc -o - -t 0.35 2>log | TMPDIR=$work "$report" - >out
grep -q '^  counters [345] readings in 0.[3-9] seconds' out || fail "a pipe: $(cat log out)"
"$daemon" --counters 0.1 --proc proc -o - 2>log | head -c 100 >out
grep -q 'standard output: .*: stopping' log || fail "a closed pipe: $(cat log)"

# A kernel without some of the files, or without all.
rm -rf data proc/allocinfo
expect 0 'no call sites: the kernel needs CONFIG_MEM_ALLOC_PROFILING' \
	"$daemon" --counters 1 --proc proc -o data -t 0.1
expect 0 'not seen: the boot before the source was there, single allocations and frees, the call sites of memory' \
	"$report" data
rm -rf data proc
mkdir proc
expect 2 'proc/meminfo: No such file or directory; no sums of memory' \
	"$daemon" --counters 1 --proc proc -o data
[ ! -e data ] || fail "left data behind"
expect 2 'nonexistent: No such file' "$daemon" --counters 1 --proc nonexistent -o data
rows 1 1
echo 0 >proc/sys/vm/mem_profiling
expect 0 'memory profiling is switched off' "$daemon" --counters 1 --proc proc -o data -t 0.1
for seconds in 0 -1 x '' 1e99 nan; do
	expect 2 --counters "$daemon" --counters "$seconds"
done

# Options of a trace of events are refused before anything is written.
rm -rf data
for option in --no-baseline --overwrite '--until oom' '--until live=1M' '--sample 4' '--with stack' \
	'--subbufs 4' '--rotate 1h' '--rotate 1h --keep 2' '--realtime 5'; do
	# shellcheck disable=SC2086 # options and their arguments
	expect 2 "${option%% *} has no effect on a trace of counters" \
		"$daemon" --counters 1 --proc proc -o data -t 0.1 $option
	[ ! -e data ] || fail "$option: left data behind"
done
expect 0 'readings of' "$daemon" --counters 1 --proc proc -o data -t 0.1 -z

# A full disk: readings are lost while it is full, and the next ones are there.
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=320k none small; then
	rm -rf data
	"$daemon" --counters 0.1 --proc proc -o small/data 2>log &
	daemon_pid=$!
	ln -s small/data data
	wait_for 2
	cat /dev/zero >small/fill 2>/dev/null
	for _ in $(seq 100); do
		grep -q 'No space left' log && break
		rows "$(date +%s%N)" 7
		sleep 0.05
	done
	rm small/fill
	wait_for $(($(readings) + 2))
	kill $daemon_pid
	wait $daemon_pid
	status=$?
	[ $status -eq 1 ] || fail "a full disk: exit status $status: $(cat log)"
	grep -q 'No space left on device; trying again' log || fail "a full disk: $(cat log)"
	expect 0 'because  kmemtraced could not read or save everything (interrupted)' \
		"$report" small/data
	expect 0 'readings, clean' "$check" small/data
	umount small
fi
exit $failed
