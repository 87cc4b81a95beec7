# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions that print KTAP, with the names that later kernels have.

KSFT_SKIP=4
ktap_passed=0
ktap_failed=0
ktap_planned=0

ktap_print_header() {
	echo "TAP version 13"
}

ktap_set_plan() {
	ktap_planned=$1
	echo "1..$1"
}

ktap_skip_all() {
	echo "1..0 # SKIP $*"
}

ktap_test_pass() {
	ktap_passed=$((ktap_passed + 1))
	echo "ok $((ktap_passed + ktap_failed)) $*"
}

ktap_test_fail() {
	ktap_failed=$((ktap_failed + 1))
	echo "not ok $((ktap_passed + ktap_failed)) $*"
}

# ktap_test_result NAME COMMAND...: print a pass if COMMAND succeeds.
ktap_test_result() {
	ktap_name=$1
	shift
	if "$@"; then
		ktap_test_pass "$ktap_name"
	else
		ktap_test_fail "$ktap_name"
	fi
}

ktap_finished() {
	echo "# Totals: pass:$ktap_passed fail:$ktap_failed xfail:0 xpass:0 skip:0 error:0"
	[ "$ktap_passed" -eq "$ktap_planned" ]
	exit
}
