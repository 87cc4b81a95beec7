#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The messages and exit status of ktraced where it can't trace, and the selection of events, with an
# imitation of the recorder's files in debugfs.

program=ktraced config=CONFIG_KTRACE
# shellcheck source=tools/kmemtrace/tests/collector.sh
. "${srcdir:-.}/collector.sh"
check_options
for names in '' ',' 'a,' ',a' 'a,,b' 'a b' "$(printf 'a\nb')"; do
	refuses 2 "--event: '$names', expected NAME: " "$run" -e "$names"
done
refuses 2 "--event: 'b c', expected NAME: " "$run" -e 'a,*' -e '[ab]?' -e 'b c'
refuses 2 '--help' "$run" -e
refuses 2 '--help' "$run" --overwrite=yes

# selects FORMER SELECTION OPTION...: ktraced with these OPTIONs must replace the kernel's selection
# while it logs, and bring back the former one. Only first lines count: no kernel cuts this file.
selects()
{
	former=$1 want=$2
	shift 2
	rm -rf "$data"
	echo "$former" >$kernel/select
	# shellcheck disable=SC2086,SC2154 # collector.sh has the limit
	$limit "$run" -o "$data" "$@" -- head -n 1 $kernel/select >selected 2>out ||
		{ fail "$*: $(cat out)"; exit 1; }
	[ "$(cat selected)" = "$want" ] || fail "$*: selects $(cat selected)"
	[ "$(head -n 1 $kernel/select)" = "$former" ] || fail "$*: leaves $(cat $kernel/select)"
	[ "$(cat $kernel/enabled)" = 0 ] || fail "$*: leaves tracing on"
	cmp $kernel/info "$data/info" || fail "$*: no formats"
	rm -rf "$data"
}

# check_selection: with no reader of any CPU, the selection of events still counts.
check_selection()
{
	mount -t debugfs none /mnt
	mount -t tmpfs none /mnt
	kernel=/mnt/ktrace
	mkdir -p $kernel/buffers
	cp "$srcdir/ktrace/plain/info" $kernel
	echo 0 >$kernel/enabled
	echo 'cpu0 0 0 0' >$kernel/overflow
	echo 65536 >$kernel/subbuf_size
	echo 4 >$kernel/n_subbufs
	echo >$kernel/select
	refuses 2 "which events? -e NAME selects markers, and $kernel/info lists them" "$run"
	selects '' 'open,sched_*' -e 'open,sched_*'
	! grep -q 'no marker matches' out || fail "all markers match: $(cat out)"
	selects '' 'open,f[ab]*' -e open -e 'f[ab]*'
	grep -qF -- '-e f[ab]*: no marker matches now' out || fail "no marker: $(cat out)"
	! grep -qF -- '-e open:' out || fail "a marker matches: $(cat out)"
	selects free free
	grep -q "no -e: recording free, the kernel's selection" out || fail "selection: $(cat out)"
	selects free open -e open
	! grep -q 'no -e' out || fail "selection: $(cat out)"
	umount /mnt
	umount /mnt
}

if [ "$(id -u)" -eq 0 ] && mount -t debugfs none /mnt; then
	umount /mnt
	check_selection
fi
check_places
