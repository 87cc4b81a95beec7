# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests: TAP, where the verdict is that of the last command.

tests=0
failures=0

# plan N: first lines of the output.
plan() {
	echo "TAP version 13"
	echo "1..$1"
}

# result NAME: pass or fail, as the last command did. What that left in the file
# "log" explains a failure.
result() {
	verdict=$?
	tests=$((tests + 1))
	if [ $verdict -eq 0 ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
		[ ! -e log ] || sed 's/^/# /' log
		failures=$((failures + 1))
	fi
}

finish() {
	exit $((failures > 0))
}
