#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A module with 10,000 markers is loaded, recorded and unloaded. Each hit is recorded once.
# The times are printed: arming must not take a grace period for each marker.

# shellcheck source=tools/testing/selftests/ktrace/ktrace-lib.sh
. "$(dirname "$0")/ktrace-lib.sh"
cpus=$(nproc)
many=10000
dir=/sys/kernel/debug/ktrace_many

# timed NAME COMMAND...: run it, and print how long it took.
timed() {
	name=$1
	begin=$(cut -d ' ' -f 1 /proc/uptime)
	shift
	"$@" || return 1
	awk -v name="$name" -v begin="$begin" \
		'{ printf "# %s: %.2f s\n", name, $1 - begin }' /proc/uptime
}

write() {
	echo "$1" >"$2"
}

memory() {
	awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo
}

# Each marker has one event on each CPU, and nothing is missing.
each_once() {
	# shellcheck disable=SC2046 # a word for each id
	"$here/ktrace_read" $ktrace/buffers \
		$(awk '$3 ~ /^ktrace_many_/ { print $1 }' $ktrace/info) >figures 2>>log &&
		awk -v cpus="$cpus" -v many=$many '
			$1 != "all" && $2 == cpus { good++ }
			$1 != "all" && $2 != cpus { print "id " $1 ": " $2 " events" }
			$1 == "all" { print; missing = $4 }
			END { exit good != many || missing }' figures >>log
}

files() {
	find $ktrace/events -name 'ktrace_many_*' | wc -l
}

run() {
	before=$(memory)
	timed "insmod, off" insmod "$modules/ktrace_many.ko" &&
		echo "# memory of a marker: $(((before - $(memory)) * 1024 / many)) bytes" &&
		[ "$(files)" -eq $many ] &&
		timed "select" write 'ktrace_many_*' $ktrace/select &&
		timed "on" write 1 $ktrace/enabled && timed "hit" write 1 $dir/hit &&
		timed "select none" write '' $ktrace/select && write 2 $dir/hit &&
		timed "select while on" write 'ktrace_many_*' $ktrace/select &&
		timed "select again" write '*_many_*' $ktrace/select &&
		timed "off" write 0 $ktrace/enabled && write 3 $dir/hit && each_once &&
		timed "rmmod, off" rmmod ktrace_many && [ "$(files)" -eq 0 ]
}

# The module comes and goes while its markers are wanted.
come_and_go() {
	write 'ktrace_many_*' $ktrace/select && write 1 $ktrace/enabled &&
		timed "insmod, on" insmod "$modules/ktrace_many.ko" && write 1 $dir/hit &&
		timed "rmmod, on" rmmod ktrace_many && write 0 $ktrace/enabled && each_once
}

begin 2
run
result "10,000 markers: each hit is recorded once"
come_and_go
result "10,000 markers of a module that comes and goes"
ktap_finished
