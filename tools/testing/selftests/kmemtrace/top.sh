#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-top starts kmemtraced, shows the memory of a known load while the load has it,
# and leaves tracing off.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

files=2000	# an inode of tmpfs each
megabytes=32	# of one file
few=100		# objects that others may allocate at the same call site

# shown N: the program has printed N pictures.
shown()
{
	[ "$(grep -c ' events, ' pictures)" -ge "$1" ]
}

# watch_load N ARG...: let kmemtrace-top print N pictures, while the load comes and goes.
watch_load()
{
	n=$1
	shift
	kmemtrace-top -b "$n" "$@" >pictures 2>log &
	top=$!
	within 60 shown 1 && mkdir load &&
		(cd load && seq $files | xargs touch) &&
		dd if=/dev/zero of=load/large bs=1M count=$megabytes 2>>log &&
		within 60 shown $((n - 4)) && rm -r load
	loaded=$?
	wait $top
	status=$?
	echo "exit status $status, load $loaded" >>log
	sed -n '/ events, /,/\*/p' pictures >>log
	[ $status -eq 0 ] && [ $loaded -eq 0 ] && shown "$n"
}

# lines N PATTERN: N lines of the pictures match.
lines()
{
	[ "$(grep -c "$2" pictures)" -eq "$1" ]
}

# Events of each picture are more than those of the one before.
grows()
{
	awk '/ events, / {
		gsub(",", "")
		for (i = 1; $i != "events"; i++)
			;
		if (seen++ && $(i - 1) <= before)
			exit 1
		before = $(i - 1)
	}' pictures
}

# has_load NAME COLUMN AMOUNT TOLERANCE: the row of NAME has AMOUNT in one of the pictures, no
# picture has more than TOLERANCE beside that, and the last one has only TOLERANCE.
has_load()
{
	grep " $1\$" pictures >>log
	awk -v name="$1" -v column="$2" -v amount="$3" -v tolerance="$4" '
	/ events, /	{ last = 0 }
	$NF == name {
		last = $column
		gsub(",", "", last)
		if (last ~ /M$/)
			last *= 1048576
		else if (last ~ /K$/)
			last *= 1024
		if (last + 0 > most)
			most = last + 0
	}
	END {
		print name ": at most " most ", at last " last
		exit !(most >= amount && most <= amount + tolerance && last + 0 <= tolerance)
	}' pictures >>log
}

begin 6

watch_load 12 -g function
result "kmemtrace-top starts kmemtraced and prints 12 pictures"

lines 12 'Trust    complete so far, 0 events lost' &&
	lines 12 'Buffers  at most .*% of a buffer was unread'
result "each picture says that the trace is complete so far, and how full buffers were"

grows
result "events become more from picture to picture"

has_load shmem_alloc_inode 2 $files $few
result "the $files inodes of the load are live at their call site, and gone at the end"

[ "$(cat $kmemtrace/enable)" = no ] && ! pidof kmemtraced >>log &&
	[ "$(cat $kmemtrace/total_overruns)" -eq 0 ]
result "tracing is off and kmemtraced has ended"

rm -f log
watch_load 10 -a pages -g function && cat pictures
result "pages"
finish
