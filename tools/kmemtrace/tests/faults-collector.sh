#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Each write of kmemtraced goes wrong in turn, see faulty.c: it ends with a status of its manual and
# the reason, switches the recorder off, and keeps what it has written. debugfs and /proc are
# imitations.

# shellcheck source=tools/kmemtrace/tests/debugfs.sh
. "${srcdir:-.}/debugfs.sh"
report_program=$program_dir/kmemtrace-report

mkdir proc
echo 'nr_free_pages 7' >proc/vmstat

# session KIND N OPTION...: log a trace, whose write N goes wrong. Fail if there is none.
session()
{
	kind=$1 n=$2
	shift 2
	recorder yes 'source: module' 'unseen: boot baseline' 'missed: 0'
	begin_stream
	timeout 60 "$here/faulty" report "$kind" "$n" "$daemon" -r 0 "$@" -- true >stdout 2>log
	status=$?
	is_on=$(cat $kernel/enable)
	# Let the stream end if no one read it.
	echo nos >$kernel/enable
	kill $pipe 2>/dev/null
	wait
	what="$*: $kind at write $n ($(cat report))"
	[ -s report ]
}

# is_prefix FILE: the file has the begin of what the recorder gave.
is_prefix()
{
	[ ! -e "$1" ] || cmp -n "$(stat -c %s "$1")" "$1" stream >differ 2>&1
}

# has_ended FOLDER TEXT: the session must have ended as it should where a write failed with TEXT.
has_ended()
{
	case $status in
	0) cmp -s "$1/cpu0.out" stream || fail "$what: lost events, and does not say so" ;;
	1 | 2) grep -q "$2" log || fail "$what: exit status $status without the reason: $(cat log)" ;;
	*) fail "$what: exit status $status: $(cat log)" ;;
	esac
	is_prefix "$1/cpu0.out" || fail "$what: $1/cpu0.out is not what was recorded"
	[ $status -ne 1 ] || [ ! -s "$1/cpu0.out" ] || grep -q '^state: ' "$1/metadata" ||
		fail "$what: the trace does not say how it ended: $(ls "$1")"
	# It was on before: who logs nothing does not change that. A full disk is not debugfs.
	[ "$is_on" != yes ] || [ $status -eq 2 ] || [ "$kind" = ENOSPC ] || grep -q enable report ||
		fail "$what: tracing is on"
}

for options in '-o data' '-o data --rotate 1h'; do
	# shellcheck disable=SC2086 # words
	session rough 1 $options
	for trace in data data/000001; do
		[ ! -e $trace/cpu0.out ] || cmp -s $trace/cpu0.out stream || fail "$what: lost events"
		[ ! -e $trace/metadata ] || grep -qx 'state: complete' $trace/metadata || fail "$what: $(cat log)"
	done
	[ $status -eq 0 ] || fail "$what: exit status $status: $(cat log)"
	case $options in
	*rotate*) trace=data/000001 ;;
	*) trace=data ;;
	esac
	for kind in EIO ENOSPC; do
		text='Input/output error'
		[ $kind = EIO ] || text='No space left on device'
		n=1
		# shellcheck disable=SC2086 # words
		while session $kind $n $options; do
			has_ended $trace "$text"
			n=$((n + 1))
		done
		[ "$n" -gt 10 ] || fail "$options: $kind: only $n writes: $(cat log)"
		echo "$((n - 1)) faults: $options, $kind"
	done
done

# A pipe: what arrives has the events up to the fault.
session rough 1 -o -
[ $status -eq 0 ] || fail "$what: exit status $status: $(cat log)"
TMPDIR=$work "$report_program" --show trace - <stdout >out || fail "$what: $(cat out log)"
grep -q ' 0 lost' out || fail "$what: $(cat out)"
exit $failed
