# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions for the tests of ktrace, which source this file.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../kselftest/ktap_helpers.sh"
ktrace=/sys/kernel/debug/ktrace
# shellcheck disable=SC2034 # the sourcing scripts use it
modules=$here/test_modules
work=$(mktemp -d /tmp/ktrace.XXXXXX)
cd "$work" || exit 1

# Switch recording off, forget everything, and record nothing.
clean() {
	echo 0 >$ktrace/enabled
	echo 1 >$ktrace/reset
	echo >$ktrace/select
	for name in ktrace_hits ktrace_count ktrace_many; do
		rmmod $name 2>/dev/null
	done
}
trap 'clean; cd /; rm -rf "$work"' EXIT

if ! [ -e $ktrace/enabled ]; then
	ktap_skip_all "no ktrace in this kernel"
	exit "$KSFT_SKIP"
fi

# begin N: print the plan for N tests, and start in a clean state.
begin() {
	ktap_print_header
	ktap_set_plan "$1"
	clean
}

# result NAME: print a pass if the last command succeeded, else a failure and the log.
result() {
	if [ $? -eq 0 ]; then
		ktap_test_pass "$1"
	else
		ktap_test_fail "$1"
		[ ! -e log ] || sed 's/^/# /' log
	fi
	rm -f log
	clean
}

# Load the module that counts hits while recording is on.
# shellcheck disable=SC2034 # the sourcing scripts use it
hits_file=/sys/kernel/debug/ktrace_count/counts
load_counter() {
	insmod "$modules/ktrace_count.ko" \
		channel="$(awk '$3 == "ktrace_channel" { print "0x" $1 }' /proc/kallsyms)"
}

# count ID NAME: let it count the hits of a marker.
count() {
	echo "$1 $2" >/sys/kernel/debug/ktrace_count/add
}

# id NAME: print the id of a marker
id() {
	awk -v name="$1" '$3 == name { print $1 }' $ktrace/info
}

# state NAME: print whether it is recorded
state() {
	awk -v name="$1" '$3 == name { print $2 }' $ktrace/info
}

# hit N: let module ktrace_hits hit its markers N times on each CPU
hit() {
	echo "$1" >/sys/kernel/debug/ktrace_hits/hit
}

# read_all NAME...: read what was recorded, into the file "figures"
read_all() {
	# shellcheck disable=SC2046 # a word for each id
	"$here/ktrace_read" $ktrace/buffers $(for name; do id "$name"; done) >figures 2>>log
}

# counted NAME: print the number of its events in the file "figures"
counted() {
	awk -v id="$(id "$1")" '$1 == id { print $2 }' figures
}

# missing: print how many events are missing in the file "figures"
missing() {
	awk '$1 == "all" { print $4 }' figures
}
