# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions for the tests of ktraced, which source this file: a load, and checks of a trace.
# The tests work on a tmpfs.

# shellcheck source=tools/testing/selftests/ktrace/ktrace-lib.sh
. "$(dirname "$0")/ktrace-lib.sh"
# shellcheck source=tools/testing/selftests/kmemtrace/collector.sh
. "$here/../kmemtrace/collector.sh"
collector=ktraced

# tested NAME: print the result of the last command, and clean up for the next test.
tested() {
	tested=$?
	end_load
	[ $tested -eq 0 ]
	result "$1"
	rm -rf trace rest
}

# Hit the markers of ktrace_hits until end_load.
start_load() {
	while :; do
		hit 300
		sleep 0.01
	done &
	load=$!
}

# Load the modules, and count the hits of ktrace_hits_typed.
load_modules() {
	insmod "$modules/ktrace_hits.ko" && load_counter &&
		count "$(id ktrace_hits_typed)" ktrace_hits_typed
}

# hits: print how often ktrace_hits_typed was hit while recording was on.
hits() {
	awk '{ print $2 }' $hits_file
}

# record_in_background ARG...: start ktraced, and wait until it records.
record_in_background() {
	in_background "$@" && within 20 grep -qE '^ktraced: .*(logging|newest events)' log
}

# report TRACE: write the file "report", and "json".
report() {
	ktrace-report "$1" >report 2>>log && ktrace-report --json "$1" >json 2>>log &&
		head -n 12 report >>log
}

# reports TEXT: the report has this text.
reports() {
	grep -qF -- "$1" report
}

# is_complete TRACE: the report finds nothing missing.
is_complete() {
	report "$1" && reports "$1: COMPLETE"
}

# figure NAME: print a number of the trace in the file "json".
figure() {
	sed -n "s/^.*\"$1\": *\([0-9]*\).*/\1/p" json | head -n 1
}

# events NAME: print the number of events of this name in the file "json", 0 if there is none.
events() {
	sed -n "s/.*\"name\": *\"$1\".*\"events\": *\([0-9]*\).*/\1/p" json | grep . || echo 0
}

# is_off: recording is off, and the selection is the one before.
is_off() {
	[ "$(cat $ktrace/enabled)" = 0 ] && [ "$(cat $ktrace/select)" = "$1" ]
}
