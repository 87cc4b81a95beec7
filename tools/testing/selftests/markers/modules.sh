#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules with markers and probes are loaded and unloaded. Meanwhile sites are hit on
# all CPUs, in tasks and in interrupts, and probes are registered and unregistered.
# Each hit must reach the probes that stay registered. MARKERS_SECONDS is the duration
# of this test.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/markers/kmemleak.sh
. "$here/kmemleak.sh"
modules=$here/test_modules
test=/sys/kernel/debug/marker_test
steady=/sys/kernel/debug/marker_steady
churn=/sys/module/marker_churn/parameters
list=/sys/kernel/debug/markers/list
seconds=${MARKERS_SECONDS:-5}

trap 'unload_all 2>/dev/null' EXIT
unload_all() {
	for name in user rude churn hits steady; do
		rmmod "marker_$name"
	done
}

if ! [ -e $list ]; then
	ktap_skip_all "no markers in this kernel"
	exit "$KSFT_SKIP"
fi

# load NAME [PARAMETER]
load() {
	name=$1
	shift
	insmod "$modules/marker_$name.ko" "$@"
}

# row NAME FIELD: print a field, by its number, of a marker in the list.
row() {
	awk -v name="$1" -v field="$2" '$1 == name { print $field }' $list
}

count() {
	cat "$1"
}

early() {
	load steady && [ -z "$(row marker_test_typed 1)" ] &&
		load hits && [ "$(row marker_test_typed 5)" = 2 ] &&
		[ "$(row marker_test_adhoc 5)" = 1 ]
}

listed() {
	[ "$(row marker_test_typed 4)" = 2 ] && load user &&
		[ "$(row marker_test_typed 4)" = 3 ] &&
		[ "$(row marker_test_own 2)" = marker_user ] &&
		[ "$(row marker_test_own 3)" = typed ] &&
		[ "$(row marker_test_own_adhoc 3)" = ad-hoc ] &&
		[ "$(row marker_test_own 5)" = 0 ] &&
		rmmod marker_user && [ -z "$(row marker_test_own 1)" ] &&
		[ "$(row marker_test_typed 4)" = 2 ]
}

# Add up what marker_churn has counted, before it is unloaded.
registrations=0
errors=0
end_churn() {
	registrations=$((registrations + $(count $churn/registrations)))
	errors=$((errors + $(count $churn/errors)))
	rmmod marker_churn
}

cycles=0
cycle() {
	load user && rmmod marker_user || return 1
	# Its sites are hit, and then its init function fails.
	load user fail=1 2>/dev/null && return 1
	cycles=$((cycles + 1))
	if [ $((cycles % 5)) -eq 0 ]; then
		end_churn && load churn || return 1
	fi
	grep -q marker_test_typed $list
}

storm() {
	load churn && echo 1 >$test/run || return 1
	end=$(($(date +%s) + seconds))
	while [ "$(date +%s)" -lt $end ]; do
		cycle || return 1
	done
	end_churn && echo 0 >$test/run && [ $errors -eq 0 ] &&
		[ $cycles -gt 0 ] && [ $registrations -gt 0 ]
}

equal() {
	for probe in typed generic adhoc; do
		[ "$(count $steady/$probe)" -eq "$hits" ] || return 1
	done
	[ "$hits" -gt 1000 ] && [ "$(count $steady/wrong)" -eq 0 ]
}

refused() {
	load rude 2>/dev/null &&
		grep -q '^marker_test_adhoc marker_rude ad-hoc .* refused "%d"$' $list &&
		dmesg | grep 'marker_test_adhoc: has "number %lu who %s" in one place' |
			grep -q '"%d" in another'
}

left() {
	grep -q '^marker_test_adhoc marker_hits .* 2 "' $list && rmmod marker_rude &&
		grep -q '^marker_test_adhoc marker_hits .* 1 "' $list &&
		dmesg | grep -q 'marker_test_adhoc: module marker_rude left its probe'
}

gone() {
	rmmod marker_hits && [ -z "$(row marker_test_typed 1)" ] && rmmod marker_steady
}

ktap_print_header
ktap_set_plan $((7 + leaky))
ktap_test_result "probes attach before their markers exist" early
ktap_test_result "the list counts the sites of modules" listed
storm
ktap_test_result "$cycles module cycles and $registrations registrations, $errors errors" \
	[ $? -eq 0 ]
hits=$(count $test/hits)
ktap_test_result "$hits hits, each seen by each probe that stays registered" equal
ktap_test_result "another format under the same name gets no probes" refused
ktap_test_result "a probe that a module leaves behind is removed" left
ktap_test_result "all modules can be unloaded" gone
[ ! -e $leaks ] || ktap_test_result "kmemleak finds nothing" no_leaks
ktap_finished
