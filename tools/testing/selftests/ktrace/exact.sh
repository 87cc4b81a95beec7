#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# All markers of the kernel are recorded under load, while a module counts the same hits
# with probes of its own, modules come and go, and a CPU goes offline and online.

# shellcheck source=tools/testing/selftests/ktrace/ktrace-lib.sh
. "$(dirname "$0")/ktrace-lib.sh"

# Count all markers.
count_all() {
	awk 'NR > 1 && $2 != "-" { print $1, $3 }' $ktrace/info >all
	while read -r id name; do
		count "$id" "$name" || echo "$name" >>log
	done <all
	[ "$(wc -l <$hits_file)" -eq "$(wc -l <all)" ]
}

work_hard() {
	for _ in 1 2 3; do
		ls -lR /sys/kernel >/dev/null 2>&1
		insmod "$modules/ktrace_hits.ko" && hit 300 && rmmod ktrace_hits
		if [ -e /sys/devices/system/cpu/cpu1/online ]; then
			echo 0 >/sys/devices/system/cpu/cpu1/online
			sleep 0.1
			echo 1 >/sys/devices/system/cpu/cpu1/online
		fi
	done
}

# Compare each count of the module with the number of events.
compare() {
	awk 'FILENAME == "counts" { want[$1] = $2; next }
	     $1 != "all" { got[$1] = $2 }
	     END {
		for (id in want) {
			if (want[id] != got[id] + 0) {
				print "id " id ": " want[id] " hits, " got[id] + 0 " events"
				bad = 1
			}
			total += want[id]
		}
		print total " hits of " length(want) " markers"
		exit bad || total < 10000
	     }' counts figures >>log
}

exact() {
	# the markers of a module that comes and goes are counted, too
	insmod "$modules/ktrace_hits.ko" &&
		load_counter && count_all && rmmod ktrace_hits || return 1
	echo '*' >$ktrace/select && echo 1 >$ktrace/enabled || return 1
	# shellcheck disable=SC2046 # a word for each id
	"$here/ktrace_read" $ktrace/buffers $(cut -d ' ' -f 1 $hits_file) >figures 2>>log &
	reader=$!
	work_hard
	echo 0 >$ktrace/enabled
	cat $hits_file >counts
	wait $reader && cat $ktrace/overflow >>log && [ "$(missing)" -eq 0 ] && compare
}

begin 1
exact
status=$?
[ ! -e log ] || sed 's/^/# /' log
[ $status -eq 0 ]
result "each hit of each marker is recorded once"
ktap_finished
