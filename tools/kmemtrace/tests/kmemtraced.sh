#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The messages and exit status of kmemtraced where it can't trace. All other tests need
# a kernel with kmemtrace: tools/testing/selftests/kmemtrace.

# Root changes mounts, so run in a mount namespace.
if [ "$(id -u)" -eq 0 ] && [ -z "$own_mounts" ]; then
	own_mounts=1 exec unshare -m "$0"
fi

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
chmod 755 "$work"
# The user nobody can't run a program in a directory that he can't search.
cp "$program_dir/kmemtraced" "$work/kmemtraced"

# skip REASON: note that a part of the test can't run here.
skipped=
skip()
{
	echo "skipped: $1"
	skipped=1
}

# refuses STATUS TEXT COMMAND...: as expect(), and COMMAND must leave no file.
refuses()
{
	expect "$@"
	if [ -e kmemtrace.data ]; then
		echo "FAIL: $*: left kmemtrace.data behind"
		failed=1
	fi
	rm -rf out kmemtrace.data
}

refuses 0 'Usage: kmemtraced' ./kmemtraced --help
refuses 0 'kmemtraced ' ./kmemtraced --version
refuses 2 'kmemtraced --help' ./kmemtraced --nonsense
refuses 2 '--help' ./kmemtraced -o
refuses 2 '--output' ./kmemtraced -o ''
for seconds in '' 0 -1 1x nan inf 1e99; do
	refuses 2 --time ./kmemtraced -t "$seconds"
done

if command -v script >/dev/null; then
	refuses 2 'standard output is a terminal' \
		script -qec './kmemtraced -o -' /dev/null
else
	skip "no script(1): can't test a terminal"
fi

if [ "$(id -u)" -ne 0 ]; then
	refuses 2 'must be run as root' ./kmemtraced
	echo "skipped: the rest has to be run as root"
	[ $failed -eq 0 ] && exit 77
	exit 1
fi
refuses 2 'must be run as root' \
	setpriv --reuid 65534 --clear-groups ./kmemtraced

while umount -a -t debugfs && grep -q ' debugfs ' /proc/self/mounts; do
	:
done
refuses 2 'mount -t debugfs none /sys/kernel/debug' ./kmemtraced

printf 'nodev\tproc\n' >filesystems
mount --bind filesystems /proc/filesystems
refuses 2 'no debugfs (CONFIG_DEBUG_FS' ./kmemtraced
refuses 2 'no debugfs (CONFIG_DEBUG_FS' ./kmemtraced -z -o -

echo 'quiet debugfs=off' >cmdline
mount --bind cmdline /proc/cmdline
refuses 2 'switched off by debugfs=' ./kmemtraced
umount /proc/cmdline /proc/filesystems

mount -t debugfs none /mnt
if [ -e /mnt/kmemtrace ]; then
	skip "this kernel has kmemtrace, can't test a kernel without it"
else
	refuses 2 'CONFIG_KMEMTRACE' ./kmemtraced
fi

[ $failed -eq 0 ] && [ "$skipped" ] && exit 77
exit $failed
