# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions that run a collector, kmemtraced or ktraced, and the load that it records. The
# sourcing script sets $collector. The file "log" has what the collector says.

load=

# within SECONDS COMMAND...: repeat COMMAND until it succeeds, or fail after SECONDS.
within() {
	tries=$(($1 * 10))
	shift
	until "$@"; do
		sleep 0.1
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
	done
}

# End the load that runs in the background, if there is one.
end_load() {
	[ -z "$load" ] && return
	kill "$load"
	wait "$load" 2>/dev/null
	load=
}

# logs STATUS ARG...: run the collector and expect this exit status.
logs() {
	want=$1
	shift
	$collector "$@" >>log 2>&1
	status=$?
	echo "exit status $status" >>log
	[ $status -eq "$want" ]
}

# says TEXT: the log has this text.
says() {
	grep -qF -- "$1" log
}

# in_background ARG...: start the collector; $daemon is its process.
in_background() {
	: >>log
	$collector "$@" >>log 2>&1 &
	daemon=$!
}

# ended STATUS: wait for the end of $daemon and expect this exit status.
ended() {
	wait "$daemon"
	status=$?
	echo "exit status $status" >>log
	[ $status -eq "$1" ]
}
