# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# TAP output, sourced by the tests.

# shellcheck source=/dev/null
. "$(dirname "$0")/../kselftest/ktap_helpers.sh"

# plan N: print the first lines of the output, for N results.
plan() {
	ktap_print_header
	ktap_set_plan "$1"
}

# result NAME: print a pass if the last command succeeded. Print a failure and the file
# "log" if it failed.
result() {
	if [ $? -eq 0 ]; then
		ktap_test_pass "$1"
	else
		ktap_test_fail "$1"
		[ ! -e log ] || sed 's/^/# /' log
	fi
}

finish() {
	ktap_finished
}
