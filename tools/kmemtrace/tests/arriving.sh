#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Streams that the report reads while they arrive: the report is the same as on the stored
# trace, and takes little memory and no temporary file.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
report=$program_dir/kmemtrace-report
gen=$here/kmemtrace-gen

# unpack STREAM DIR: store the trace that STREAM has in DIR.
unpack()
{
	rm -rf "$2"
	mkdir "$2"
	{
		read -r magic
		[ "$magic" = 'kmemtrace-stream 1' ] || fail "$1: $magic"
		while read -r name size && [ "$name" != end ]; do
			if [ "$name" = metadata ]; then
				head -c "$size" >"$2/$name"
			else
				head -c "$size" >>"$2/$name"
			fi
		done
	} <"$1"
}

# same OPTION...: the report on stream is the same as on trace.
same()
{
	"$report" "$@" trace >stored 2>stored-errors
	"$report" "$@" - <stream >arrived 2>arrived-errors
	sed 's/standard input/trace/' arrived | diff stored - >difference || {
		fail "$* differs:"
		head -n 20 difference
	}
	sed 's/standard input/trace/' arrived-errors | diff stored-errors - ||
		fail "messages with $* differ"
}

# Clocks that count cycles, other machines, CPUs with few events, other records, and traces whose
# clocks are good only later, or that begin with a boot.
for options in "--seed 3 --cpus 5 --skew 300" "--seed 4 --cpus 200 --live 1000" \
	"--seed 1 --order big --bits 32 --sample 16" "--seed 6" "--seed 1 --abi 1" \
	"--seed 7 --cycles 3000000000 --fallback 3" "--seed 9 --compress"; do
	# shellcheck disable=SC2086
	"$gen" --abi 2 --events 100000 --flush 5000000 $options - >stream 2>/dev/null
	unpack stream trace
	same --json
done

# Parts of a trace. Names may follow what they are for: then all of the stream comes first.
"$gen" --abi 2 --events 100000 --flush 5000000 --with stack,task,cgroup --before 1000 - \
	>stream 2>/dev/null
unpack stream trace
for options in "--show all" "--at 0" "--at 0.03" "--between 0.02,0.04" "--between 9,10" \
	"--type pages --cpu 1 --size 64-4K" "--task 101 --at 0.03" "--site site_1*" \
	"--cgroup /cgroup2" "--json --threads 1" "--json --threads 4"; do
	# shellcheck disable=SC2086
	same $options
done
"$report" --html stored trace
"$report" --html arrived - <stream
sed 's/standard input/trace/' arrived | cmp stored - || fail "the page differs"

# same_events REASON: the reports on a faulty stream and trace are the same but for the reasons for
# INCOMPLETE, of which the stream's has REASON.
same_events()
{
	unpack stream trace
	"$report" --json -n 1000 trace >stored 2>/dev/null
	"$report" --json -n 1000 - <stream 2>/dev/null >arrived
	grep -q "$1" arrived || fail "no reason for a faulty stream: $(head -n 20 arrived)"
	for file in stored arrived; do
		sed '/^"reasons": \[$/,/],$/d; s/standard input/trace/' $file >$file-events
	done
	diff stored-events arrived-events || fail "a faulty stream differs"
}

# short: a stream that ends early, after a flush
short()
{
	head -c $(($(wc -c <stream) * 2 / 3)) stream >short
	mv short stream
	same_events 'standard input ends before the trace does'
}

short

# Compressed streams with a damaged frame, one after the other, then a short one.
"$gen" --abi 2 --events 100000 --cpus 3 --subbuf 65536 --flush 5000000 --compress - \
	>whole 2>/dev/null
for part in 2 3 5; do
	cp whole stream
	printf '\377\000' | dd of=stream bs=1 conv=notrunc seek=$(($(wc -c <whole) / part)) 2>/dev/null
	same_events 'the frame at byte [0-9,]* is damaged'
done
cp whole stream
short

# A false table must not be looked for in bytes that were forgotten. A reader has room for what
# arrives behind the last flush.
for name in table late; do
	python3 "$(dirname "$golden")/arriving.py" $name >stream
	unpack stream trace
	same --json
done
grep -q '"events":100,' stored || fail "records behind the last flush are missing"

# A stream is read before it ends: 64 MB of it, and no more, may wait in memory. There is no
# place for a temporary file.
"$gen" --abi 2 --events 1400000 --flush 5000000 - >stream 2>/dev/null
unpack stream trace
if [ "$(wc -c <stream)" -lt 80000000 ]; then
	fail "the stream is too small"
fi
mkfifo pipe
TMPDIR=/nonexistent "$report" - <pipe >arrived 2>&1 &
exec 3>pipe
head -c 80000000 stream >&3
tail -c +80000001 stream >&3
exec 3>&-
wait $! || fail "a stream without a temporary file: $(cat arrived)"
"$report" trace >stored
sed 's/standard input/trace/' arrived | cmp stored - || fail "a large stream differs"

# It takes little memory. So does a compressed one, which needs no temporary file either.
case "$EMULATOR$CFLAGS" in
*qemu* | *-fsanitize=*)
	;;
*)
	"$gen" --abi 2 --events 6000000 --flush 5000000 --compress - >compressed 2>/dev/null
	if [ "$(wc -c <compressed)" -lt 70000000 ]; then
		fail "the compressed stream is too small"
	fi
	for file in stream compressed; do
		TMPDIR=/nonexistent env time -q -o used -f %M "$report" - <$file >/dev/null ||
			fail "$file can't be read without a temporary file"
		if [ "$(cat used)" -gt 65536 ]; then
			fail "$file takes $(cat used) KB"
		fi
	done
	rm compressed
esac

# A signal ends such a stream, not the program.
env --default-signal=INT "$report" - <pipe >arrived 2>&1 &
exec 3>pipe
head -c 40000000 stream >&3
kill -INT $!
wait $!
status=$?
exec 3>&-
[ $status -eq 130 ] || fail "exit status $status after a signal"
grep -q 'because  interrupted after [0-9,]* bytes of standard input' arrived ||
	fail "no reason for an interrupted stream: $(head -n 5 arrived)"

# Without a flush, the order of the events is known at the end: a temporary file has the rest.
"$gen" --abi 2 --events 1400000 - >stream 2>/dev/null
unpack stream trace
mkdir tmp
TMPDIR=$work/tmp same
rmdir tmp || fail "a temporary file is left"
exit $failed
