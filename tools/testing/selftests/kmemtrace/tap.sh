# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests: TAP, where the verdict is that of the last command, and how to
# wait for something.

# shellcheck source=/dev/null
. "$(dirname "$0")/../kselftest/ktap_helpers.sh"

# plan N: first lines of the output.
plan() {
	ktap_print_header
	ktap_set_plan "$1"
}

# result NAME: pass or fail, as the last command did. What that left in the file
# "log" explains a failure.
result() {
	if [ $? -eq 0 ]; then
		ktap_test_pass "$1"
	else
		ktap_test_fail "$1"
		[ ! -e log ] || sed 's/^/# /' log
	fi
}

# within SECONDS COMMAND...: wait until it succeeds, so long at most.
within() {
	tries=$(($1 * 10))
	shift
	until "$@"; do
		sleep 0.1
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
	done
}

finish() {
	ktap_finished
}
