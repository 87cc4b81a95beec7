# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Asks kmemleak for leaks, sourced by the tests.

leaks=/sys/kernel/debug/kmemleak
# the number of tests that need it, for the plan
# shellcheck disable=SC2034 # the sourcing scripts use it
leaky=0
[ ! -e $leaks ] || leaky=1

no_leaks() {
	# Memory that waits for RCU, or was just allocated, looks like a leak.
	sleep 6
	echo scan >$leaks
	echo scan >$leaks
	sed 's/^/# /' $leaks
	! grep -q . $leaks
}
