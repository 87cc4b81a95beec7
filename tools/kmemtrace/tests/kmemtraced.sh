#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The messages and exit status of kmemtraced where it can't trace. All other tests need
# a kernel with kmemtrace: tools/testing/selftests/kmemtrace.

program=kmemtraced config=CONFIG_KMEMTRACE
# shellcheck source=tools/kmemtrace/tests/collector.sh
. "${srcdir:-.}/collector.sh"
check_options
for value in '' 0 -2 3 12 4x x 131072; do
	refuses 2 "--sample: '$value', expected N: log one of N" "$run" --sample "$value"
done
refuses 2 "--with: '', expected WORDS: " "$run" --with ''
refuses 2 "--until: 'x', expected EVENTS: stop at one of: oom" "$run" --until x
# A user who isn't root learns that the others make sense.
user=
[ "$(id -u)" -ne 0 ] || user='setpriv --reuid 65534 --clear-groups'
for value in 1 2 65536; do
	# shellcheck disable=SC2086
	refuses 2 'must be run as root' $user "$run" --sample $value
done
for size in 64K 64k 64KiB 1.5GiB; do
	# shellcheck disable=SC2086
	refuses 2 'must be run as root' $user "$run" --until live=$size
done
# m is minutes, KB are 1000 bytes elsewhere.
for size in 4 4m 4KB 4Ki 4KK; do
	refuses 2 "--until: 'live=$size', expected EVENTS" "$run" --until live=$size
done
check_places
