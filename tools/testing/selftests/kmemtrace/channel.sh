#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The files of a marker channel: a buffer can only be mapped read-only and shared, and a
# flush makes records readable at once.

here=$(cd "$(dirname "$0")" && pwd)
if ! cd /sys/kernel/debug/kmemtrace; then
	echo "1..0 # SKIP no kmemtrace in this kernel"
	exit 4
fi
echo no >enable
cat cpu[0-9]* >/dev/null
echo yes >enable || exit 1
taskset 1 "$here/channel_check" $(($(cat n_subbufs) * $(cat subbuf_size)))
status=$?
echo no >enable
cat cpu[0-9]* >/dev/null
exit $status
