#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The file "enable": what it takes, what it refuses, and what becomes readable
# when tracing is switched off.

# shellcheck source=tools/testing/selftests/kmemtrace/tap.sh
. "$(dirname "$0")/tap.sh"
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

# one_at_a_time: of each stream a read returns a sub-buffer; of one there are more.
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
result "off and drained, nothing is readable"

refuses nonsense 'Invalid argument' && refuses yesterday 'Invalid argument' &&
	refuses '' 'Invalid argument'
result "refuses what is neither yes nor no"

echo yes >enable && [ "$(cat enable)" = yes ]
result "yes switches on"

echo yes >enable && [ "$(cat enable)" = yes ]
result "yes again changes nothing"

refuses nonsense 'Invalid argument'
result "nonsense doesn't switch off"

echo no >enable && [ "$(cat enable)" = no ] && refuses yes 'busy'
result "a new generation waits until the last one is read"

bytes=$(drain)
[ "$bytes" -gt 0 ] && [ $((bytes % 4096)) -eq 0 ]
result "off makes whole pages readable: $bytes bytes"

echo yes >enable && echo no >enable && drain >/dev/null
result "drained, it can be switched on again"

echo yes >enable
ls -lR /sys >/dev/null 2>&1
echo no >enable
one_at_a_time
result "a read ends where a sub-buffer does"

# free_kb: free memory
free_kb() {
	awk '/^MemFree/ { print $2 }' /proc/meminfo
}

# given_back: there is more than a CPU's buffer
given_back() {
	[ $(($(free_kb) - during)) -gt $size ]
}

# The buffers are given back by a work item, which takes a while; with them, their memory.
size=$(($(cat n_subbufs) * $(cat subbuf_size) / 1024))
echo yes >enable
during=$(free_kb)
echo no >enable
drain >/dev/null
within 20 given_back
sleep 1
after=$(free_kb)
echo yes >enable
again=$(free_kb)
echo no >enable
drain >/dev/null
[ $((after - during)) -gt $size ] && [ $((after - again)) -gt $size ]
result "buffers of $size kB a CPU are there only while on: $during, $after, $again kB free"

finish
