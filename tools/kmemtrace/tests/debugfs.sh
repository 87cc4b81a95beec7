# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests of kmemtraced that need no kernel with kmemtrace: an imitation of the
# recorder's files in debugfs. It needs root, who mounts debugfs in a mount namespace of his own.

if [ "$(id -u)" -eq 0 ] && [ -z "$own_mounts" ]; then
	own_mounts=1 exec unshare -m "$0" "$@"
fi

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

daemon=$program_dir/kmemtraced

skip()
{
	echo "skipped: $1"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'has to be run as root'
while umount -a -t debugfs && grep -q ' debugfs ' /proc/self/mounts; do :; done
mkdir debugfs
mount -t debugfs none debugfs 2>/dev/null || skip "no debugfs here"
mount -t tmpfs none debugfs
mount --bind "$golden/stock/kallsyms" /proc/kallsyms
trap 'cd / && umount "$work/debugfs" "$work/debugfs" && rm -rf "$work"' EXIT
kernel=debugfs/kmemtrace
from_asm "$golden/stock/trace.asm"
mv trace/cpu0.out stream

# until_enable TEXT: until the file has this text, or for 10 s
until_enable()
{
	for _ in $(seq 200); do
		[ "$(cat $kernel/enable)" != "$1" ] || break
		sleep 0.05
	done
}

# cpu0: the stream of a CPU has no reader before tracing is on, and ends when it is off.
# "no" overwrites "yes" up to its last letter.
cpu0()
{
	until_enable yes
	cat stream
	until_enable nos
	echo no >$kernel/enable
}

# recorder ENABLED LINE...: the kernel's recorder is on or off, and says LINEs of itself.
recorder()
{
	rm -rf $kernel data
	mkdir $kernel
	echo "$1" >$kernel/enable
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" >$kernel/source
	echo 2 >$kernel/abi_version
	echo 65536 >$kernel/subbuf_size
	echo 4 >$kernel/n_subbufs
	echo 'cpu0 0 0 0 0' >$kernel/cpu_overruns
	echo mono >$kernel/clock
	# shellcheck disable=SC2216 # kmemtraced reads what sleep does not
	cpu0 | sleep 60 &
	pipe=$!
}

# begin_stream: once tracing is on, CPU 0 has a stream.
begin_stream()
{
	until_enable yes
	ln -s /proc/$pipe/fd/0 $kernel/cpu0
}

