#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The file "enable": valid and invalid words, and the records that become readable
# when tracing is switched off.

# shellcheck source=tools/testing/selftests/kmemtrace/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=tools/testing/selftests/kmemtrace/collector.sh
. "$(dirname "$0")/collector.sh"
cd /sys/kernel/debug/kmemtrace || exit 1

# refuses WORD ERROR: writing WORD fails with ERROR and changes nothing.
refuses() {
	before=$(cat enable)
	! (echo "$1" >enable) 2>/tmp/refused && grep -q "$2" /tmp/refused &&
		[ "$(cat enable)" = "$before" ]
}

drain() {
	cat cpu[0-9]* | wc -c
}

# one_at_a_time: one read returns at most one sub-buffer, and at least one stream has
# more than that.
one_at_a_time() {
	more=0
	for stream in cpu[0-9]*; do
		bytes=$(dd if="$stream" bs=8M count=1 2>/dev/null | wc -c)
		[ "$bytes" -le "$(cat subbuf_size)" ] || return 1
		[ "$(wc -c <"$stream")" -eq 0 ] || more=1
	done
	[ $more -eq 1 ]
}

plan 10

echo no >enable
drain >/dev/null
[ "$(cat enable)" = no ] && [ "$(drain)" -eq 0 ]
result "nothing is readable while tracing is off and the buffers are drained"

refuses nonsense 'Invalid argument' && refuses yesterday 'Invalid argument' &&
	refuses '' 'Invalid argument'
result "a word other than yes and no fails with EINVAL"

echo yes >enable && [ "$(cat enable)" = yes ]
result "yes switches tracing on"

echo yes >enable && [ "$(cat enable)" = yes ]
result "a second yes changes nothing"

refuses nonsense 'Invalid argument'
result "an invalid word doesn't switch tracing off"

echo no >enable && [ "$(cat enable)" = no ] && refuses yes 'busy'
result "yes fails with EBUSY while old records are unread"

bytes=$(drain)
[ "$bytes" -gt 0 ] && [ $((bytes % 4096)) -eq 0 ]
result "no makes whole pages readable: $bytes bytes"

echo yes >enable && echo no >enable && drain >/dev/null
result "tracing can be switched on again after the buffers are drained"

echo yes >enable
ls -lR /sys >/dev/null 2>&1
echo no >enable
one_at_a_time
result "a read returns at most one sub-buffer"

# free_kb: print the free memory.
free_kb() {
	awk '/^MemFree/ { print $2 }' /proc/meminfo
}

# freed: more than the buffer of one CPU has been freed since $during.
freed() {
	[ $(($(free_kb) - during)) -gt $size ]
}

# A work item frees the buffers, so wait for it.
size=$(($(cat n_subbufs) * $(cat subbuf_size) / 1024))
echo yes >enable
during=$(free_kb)
echo no >enable
drain >/dev/null
within 20 freed
sleep 1
after=$(free_kb)
echo yes >enable
again=$(free_kb)
echo no >enable
drain >/dev/null
[ $((after - during)) -gt $size ] && [ $((after - again)) -gt $size ]
result "buffers of $size kB per CPU exist only while tracing is on: $during, $after, $again kB free"

finish
