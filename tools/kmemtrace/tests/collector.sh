# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests of the collectors, which set $program and $config: the messages and
# exit status where a collector can't trace.

# Root changes mounts, so run in a mount namespace.
if [ "$(id -u)" -eq 0 ] && [ -z "$own_mounts" ]; then
	own_mounts=1 exec unshare -m "$0"
fi

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
chmod 755 "$work"
# The user nobody can't run a program in a directory that he can't search.
cp "$program_dir/$program" "$work/$program"
run=./$program
recorder=${program%d}
data=$recorder.data

# skip REASON: note that a part of the test can't run here.
skipped=
skip()
{
	echo "skipped: $1"
	skipped=1
}

# A collector that starts where it should refuse would record forever.
limit='timeout --foreground -k 5 60'

# refuses STATUS TEXT COMMAND...: as expect(), and COMMAND must end, and leave no file.
refuses()
{
	status=$1 text=$2
	shift 2
	# shellcheck disable=SC2086
	expect "$status" "$text" $limit "$@"
	[ "$got" -lt 124 ] || exit 1
	if [ -e "$data" ]; then
		echo "FAIL: $*: left $data behind"
		failed=1
	fi
	rm -rf out "$data"
}

# check_options: options that make no sense, and a terminal
check_options()
{
	refuses 0 "Usage: $program" "$run" --help
	refuses 0 "$program " "$run" --version
	refuses 2 "$program --help" "$run" --nonsense
	refuses 2 '--help' "$run" -o
	refuses 2 '--output' "$run" -o ''
	for seconds in '' 0 -1 1x nan inf 1e99; do
		refuses 2 --time "$run" -t "$seconds"
	done

	if command -v script >/dev/null; then
		refuses 2 'standard output is a terminal' \
			script -qec "$run -o -" /dev/null
	else
		skip "no script(1): can't test a terminal"
	fi
}

# check_places: a user who isn't root, and kernels without debugfs or the recorder. Exit.
check_places()
{
	if [ "$(id -u)" -ne 0 ]; then
		refuses 2 'must be run as root' "$run"
		echo "skipped: the rest has to be run as root"
		[ $failed -eq 0 ] && exit 77
		exit 1
	fi
	refuses 2 'must be run as root' \
		setpriv --reuid 65534 --clear-groups "$run"

	while umount -a -t debugfs && grep -q ' debugfs ' /proc/self/mounts; do
		:
	done
	refuses 2 'mount -t debugfs none /sys/kernel/debug' "$run"

	printf 'nodev\tproc\n' >filesystems
	mount --bind filesystems /proc/filesystems
	refuses 2 'no debugfs (CONFIG_DEBUG_FS' "$run"
	refuses 2 'no debugfs (CONFIG_DEBUG_FS' "$run" -z -o -

	echo 'quiet debugfs=off' >cmdline
	mount --bind cmdline /proc/cmdline
	refuses 2 'switched off by debugfs=' "$run"
	umount /proc/cmdline /proc/filesystems

	mount -t debugfs none /mnt
	if [ -e "/mnt/$recorder" ]; then
		skip "this kernel has $recorder, can't test a kernel without it"
	else
		refuses 2 "$config" "$run"
	fi

	[ $failed -eq 0 ] && [ "$skipped" ] && exit 77
	exit $failed
}
