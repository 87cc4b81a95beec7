#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtrace-top starts kmemtraced, shows the memory of a known load while the load has it,
# and leaves tracing off, so that it can be started again.

# shellcheck source=tools/testing/selftests/kmemtrace/kmemtraced-lib.sh
. "$(dirname "$0")/kmemtraced-lib.sh"

nr=12		# pictures
files=2000	# an inode of tmpfs each
megabytes=32	# of one more file
few=100		# other objects of the same function, or one part of so many

# shown N: the program has printed N pictures.
shown() {
	[ "$(grep -c ' events, ' pictures)" -ge "$1" ]
}

# Files in the folder "load", of known number and size.
start_files() {
	mkdir load && (cd load && seq $files | xargs touch) &&
		dd if=/dev/zero of=load/large bs=1M count=$megabytes 2>>log
}

# begin_top ARG...: let kmemtrace-top print pictures. Those of another run must not be taken for
# its own.
begin_top() {
	: >pictures
	kmemtrace-top "$@" >pictures 2>log &
	top=$!
}

# shows ARG...: kmemtrace-top prints pictures, while the load comes and goes. The complete load
# stays for two pictures: the first one may have begun before.
shows() {
	begin_top -b "$nr" "$@"
	within 30 shown 1 && start_files &&
		within 30 shown $(($(grep -c ' events, ' pictures) + 2)) && rm -r load
	loaded=$?
	wait $top
	status=$?
	echo "exit status $status, load $loaded" >>log
	sed -n '/ events, /,/\*/p' pictures >>log
	[ $status -eq 0 ] && [ $loaded -eq 0 ] && shown $nr
}

# each PATTERN: each picture has a line that matches.
each() {
	[ "$(grep -c "$1" pictures)" -eq $nr ]
}

# Each picture has more events than the one before.
grows() {
	awk '
	/ events, / {
		gsub(",", "")
		for (i = 1; $i != "events"; i++)
			;
		more += $(i - 1) > before + 0
		before = $(i - 1)
	}
	END { exit more != '$nr' }' pictures
}

# has_load FUNCTION OBJECTS MORE: a picture shows OBJECTS of FUNCTION, and none has MORE beside
# these; the last picture has no others.
has_load() {
	awk -v function_name="$1" -v objects="$2" -v more="$3" '
	/ events, /		{ last = 0 }
	$NF ~ function_name	{ gsub(",", ""); last += $2; most = last > most ? last : most }
	END {
		print function_name ": at most " most " objects, at last " last
		exit most < objects || most > objects + more || last > more
	}' pictures >>log
}

# The pictures were printed, and tracing is off now.
is_off() {
	shown 2 && [ "$(cat $kmemtrace/enable)" = no ] && ! pidof kmemtraced &&
		[ "$(cat $kmemtrace/total_overruns)" -eq 0 ]
}

begin 8

shows -g function
result "kmemtrace-top starts kmemtraced and prints $nr pictures"

each 'Trust    complete so far, 0 events lost' && each 'Buffers  at most .*% of a buffer was'
result "each picture says that nothing was lost so far, and how full the buffers were"

grows
result "events become more"

has_load '^shmem_alloc_inode$' $files $few
result "the $files inodes of the load are live at their call site, and are gone at the end"

is_off
result "tracing is off, and kmemtraced has ended"

shows -a pages -g function && each 'complete so far, 0 events lost'
result "a second kmemtrace-top shows another trace"

pages=$((megabytes * 1024 / $(awk '/^KernelPageSize/ { print $2; exit }' /proc/self/smaps)))
has_load '^shmem_alloc' $pages $((pages / few + few))
result "the $pages pages of the load are live at their call site, and are gone at the end"

begin_top -b 100
within 30 shown 2 && kill $top
wait $top
[ $? -eq 143 ] && is_off
result "a signal ends kmemtrace-top, and with it tracing"

finish
