#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The progress of a report on a terminal, and signals that end the reading.

# shellcheck disable=SC2317 # try() calls functions
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
report=$program_dir/kmemtrace-report
mkdir tmp
export TMPDIR="$work/tmp"

# fail TEXT: print TEXT and the file out, and fail.
fail()
{
	echo "FAIL: $1:"
	cat out
	failed=1
}

# eventually WHAT COMMAND...: repeat COMMAND until it succeeds, for 10 seconds.
eventually()
{
	what=$1
	shift
	tries=5000
	until "$@"; do
		sleep 0.002
		tries=$((tries - 1))
		if [ "$tries" -eq 0 ]; then
			echo "FAIL: $what"
			failed=1
			return
		fi
	done
}

"$here/kmemtrace-gen" --events 500000 --cpus 3 trace >/dev/null
"$here/kmemtrace-gen" --events 5000 small >/dev/null
pack small >stream

# slowly ENVIRONMENT OPTION...: run the report on a slow stream, on a terminal.
slowly()
{
	env=$1
	shift
	mkfifo pipe
	# shellcheck disable=SC2094 # a pipe
	{
		head -c 150000 stream
		sleep 0.5
		tail -c +150001 stream
	} >pipe &
	env -u NO_COLOR "$env" script -qec "'$report' $* - <pipe >report" /dev/null \
		</dev/null >out
	rm pipe
	grep -q 'standard input: COMPLETE' report || fail "no report with $*"
}

# The progress line is erased before the report is printed.
erased=$(printf '\r\033[K')
slowly TERM=xterm
if ! grep -q 'of the standard input, .*/s' out ||
   [ "$(tail -c 4 out)" != "$erased" ]; then
	fail "progress of a stream"
fi
for quiet in "TERM=xterm -q" "TERM=xterm --quiet" "TERM=dumb"; do
	# shellcheck disable=SC2086
	slowly $quiet
	if [ -s out ]; then
		fail "$quiet shows progress"
	fi
done
"$report" trace 2>out >/dev/null
if [ -s out ]; then
	fail "progress where there is no terminal"
fi

# delayed SECONDS: run the report on a terminal, and stop it for a moment after SECONDS.
delayed()
{
	rm -f number
	script -qec "sh -c 'echo \$\$ >number; exec \"$report\" trace >report'" /dev/null \
		</dev/null >out &
	eventually "no report begins" test -s number
	sleep "$1"
	read -r pid <number
	kill -STOP "$pid" 2>/dev/null
	sleep 0.3
	# script stops when its child does.
	kill -CONT "$pid" $! 2>/dev/null
	wait $!
}

# try COMMAND...: try several delays, until COMMAND hits the time of reading.
try()
{
	for seconds in 0.002 0.004 0.007 0.01 0.015 0.02 0.03 0.04 0.06 0.09 0.13 0.2 0.3 0.5 0.8 1.2 2 3; do
		"$@" $seconds && return
	done
	fail "$* in no time"
}

shows_percent()
{
	TERM=xterm delayed "$1"
	grep -q '[0-9]% of 2[0-9]M, [0-9,]* events/s' out
}
try shows_percent
if [ "$(tail -c 4 out)" != "$erased" ]; then
	fail "progress stays on the terminal"
fi

# without_reasons REPORT: print JSON without what says why the trace is incomplete.
without_reasons()
{
	sed 's/"complete":[a-z]*,//; /^"reasons": \[],/d; /^"reasons": \[$/,/],$/d' "$1"
}

# An interrupted report equals the report with --at that time.
interrupted()
{
	# shellcheck disable=SC2086
	timeout --preserve-status -s "$signal" "$3" "$report" --threads $2 --json trace >out
	status=$?
	[ -s out ] && ! grep -q '"complete":true' out
}
for signal in INT TERM; do
	# With --cache the trace is read twice.
	for threads in 1 4 "1 --cache generated-8"; do
		try interrupted $signal "$threads"
		if [ "$(kill -l "$status")" != "$signal" ]; then
			fail "SIG$signal: exit status $status"
		fi
		mv out json
		at=$(sed -n 's/^"trace":.*"at_ns":\([0-9]*\).*/\1/p' json)
		at=$((at / 1000000000)).$(printf '%09d' $((at % 1000000000)))
		without_reasons json >early
		# shellcheck disable=SC2086
		"$report" --threads $threads --json --at "$at" trace >late
		without_reasons late | diff -u - early >out ||
			fail "SIG$signal and --at $at differ"
		grep -q "\"interrupted after [0-9,]* of [0-9,]* bytes, at $at s\"" json ||
			fail "no reason"
	done
done

# begin: start a report on a stream without an end. end STATUS...: it must exit with one of
# these.
begin()
{
	mkfifo pipe
	env --default-signal=INT "$report" - <pipe >out 2>&1 &
	exec 3>pipe
	# More than a pipe holds: the report reads.
	head -c 150000 stream >&3
}
end()
{
	wait $!
	status=$?
	exec 3>&-
	rm pipe
	case " $* " in
	*" $status "*)
		;;
	*)
		fail "exit status $status, expected $*"
	esac
	if [ -n "$(ls tmp)" ]; then
		fail "something is left"
	fi
}
begin
kill -INT $!
end 130
grep -q 'standard input: INCOMPLETE' out || fail "stream interrupted"
grep -q 'because  interrupted after [0-9]*,[0-9]* bytes of standard input' out ||
	fail "no reason for a stream"

# The second signal kills the report. It is stopped meanwhile, so that it can't react to the
# first one. The kernel delivers them in any order.
begin
kill -STOP $!
kill -INT $!
kill -TERM $!
kill -CONT $!
end 130 143
if [ -s out ]; then
	fail "a report after the second signal"
fi

# An ignored signal, as under nohup, does not end the report.
begin_ignored()
{
	mkfifo pipe
	(trap '' INT; exec "$report" - <pipe >out 2>&1) &
	exec 3>pipe
	# More than a pipe holds: the report reads.
	head -c 150000 stream >&3
}
begin_ignored
kill -INT $!
tail -c +150001 stream >&3
exec 3>&-
end 0
grep -q 'standard input: COMPLETE' out || fail "an ignored signal"

# A --diff whose reading was interrupted prints nothing. It reads 500,000 events, which takes
# some tens of milliseconds or, with a sanitizer, seconds: some of the delays end while it
# reads. A signal after that ends the program while it prints.
interrupted=
for seconds in 0.01 0.015 0.02 0.03 0.05 0.1 0.2 0.4 0.8; do
	timeout --preserve-status -s INT "$seconds" "$report" --threads 1 --diff small trace >out 2>&1
	status=$?
	if [ $status -eq 130 ]; then
		[ -s out ] || interrupted=1
		if grep 'interrupted after' out; then
			fail "an interrupted --diff"
		fi
	elif [ $status -ne 0 ]; then
		fail "--diff: exit status $status"
	fi
done
if ! [ "$interrupted" ]; then
	fail "--diff was too fast for the signal"
fi
exit $failed
