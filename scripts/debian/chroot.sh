# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced after lib.sh by the stages that install the packages on a Debian in the folder
# $root: run commands in it, and print results.

# shellcheck disable=SC2034 # the exit status of the stage
result=0

# verdict NAME: print a pass if $said is empty; otherwise print $said and a failure
verdict() {
	if [ -z "$said" ]; then
		echo "ok - $1"
	else
		echo "# ${said//$'\n'/$'\n'# }"
		echo "not ok - $1"
		result=1
	fi
}

# in_chroot COMMAND...: run it in $root, with a file system proc of its own
in_chroot() {
	# shellcheck disable=SC2016,SC2154 # sh expands it; the stage sets root
	DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 unshare -m sh -ec \
		'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"' "$root" "$@"
}
