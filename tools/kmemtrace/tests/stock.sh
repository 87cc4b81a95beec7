#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced --stock: which source it chooses, what it says about the others, and how it lets
# trace-cmd record. debugfs, tracefs, modprobe, trace-cmd and kmemtrace-import are imitations:
# they need root, who mounts them in a mount namespace of his own.

if [ "$(id -u)" -eq 0 ] && [ -z "$own_mounts" ]; then
	own_mounts=1 exec unshare -m "$0"
fi

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

skip()
{
	echo "skipped: $1"
	umount debugfs 2>/dev/null
	[ $failed -eq 0 ] && exit 77
	exit 1
}

# tool NAME: the standard input is a script that PATH has under this name
tool()
{
	cat >"bin/$1"
	chmod +x "bin/$1"
}

# run OPTION...: run kmemtraced --stock with the imitations, and no other program
run()
{
	rm -rf data
	PATH=$work/bin "$program_dir/kmemtraced" --stock -o data "$@" 2>out
	status=$?
}

# says TEXT...: the last run must have printed each TEXT.
says()
{
	for text; do
		grep -qF -- "$text" out && continue
		fail "no '$text' in:"
		cat out
	done
}

# has_status N: the last run must have ended with this exit status.
has_status()
{
	[ $status -eq "$1" ] && return
	fail "exit status $status, expected $1:"
	cat out
}

mkdir bin
for name in sh cat sleep rm kill touch; do
	ln -s "$(command -v $name)" bin
done
if [ "$(id -u)" -ne 0 ]; then
	run -t 0.1
	has_status 2
	says 'must be run as root'
	skip 'the rest has to be run as root'
fi

# No source but counters.
while umount -a -t debugfs && grep -q ' debugfs ' /proc/self/mounts; do :; done
run -t 0.1
has_status 0
says 'source: the patched kernel: no: debugfs is not mounted; try: mount -t debugfs' \
	'it would not see: nothing' \
	'source: the module kmemtrace: no: debugfs is not mounted' \
	'source: ftrace, by trace-cmd: no: trace-cmd is not installed; try: apt install trace-cmd' \
	'source: counters: chosen; what it does not see: the boot before the source was there, single allocations and frees'
grep -q '^source: counters' data/metadata || fail "no counters: $(ls data)"

# The options are checked first.
run nonexistent
has_status 2
says 'nonexistent: No such file or directory'
[ ! -e data ] || fail "left data behind"
mkdir data
touch data/metadata
PATH=$work/bin "$program_dir/kmemtraced" --stock -o data -t 0.1 2>out
status=$?
has_status 2
says 'holds a trace already'
[ "$(wc -l <out)" = 1 ] || fail "more than one message: $(cat out)"

# Counters can't obey these options, and nothing is logged; they obey the others.
for option in --no-baseline --overwrite '--until oom' '--sample 4' '--with stack' '--subbufs 4' \
	'--rotate 1h' '--realtime 5'; do
	# shellcheck disable=SC2086 # an option and its argument
	run -t 0.1 $option
	has_status 2
	says "source: counters: no: ${option% *} has no effect on it"
	[ ! -e data ] || fail "$option: left data behind"
done
run -t 0.1 -z --counters 0.03 --proc /proc
has_status 0
says 'source: counters: chosen' "reading the kernel's counters every 0.03 s"

# An imitation of debugfs lies on the real one.
mkdir debugfs
mount -t debugfs none debugfs 2>/dev/null || skip "no debugfs here"
mount -t tmpfs none debugfs
run -t 0.1
says 'source: the patched kernel: no: this kernel was built without the patches (CONFIG_KMEMTRACE)' \
	'source: the module kmemtrace: no: modprobe is not installed'

# refuses_module ERROR ADVICE: modprobe prints ERROR, and kmemtraced the ADVICE.
refuses_module()
{
	tool modprobe <<EOF
#!/bin/sh
[ "\$*" = kmemtrace ] || exit 9
echo "modprobe: $1" >&2
exit 1
EOF
	run -t 0.1
	has_status 0
	says "source: the module kmemtrace: no: modprobe: $1: $2" 'source: counters: chosen'
}

refuses_module 'FATAL: Module kmemtrace not found in directory /lib/modules/6.12' \
	'install kmemtrace-dkms'
refuses_module "ERROR: could not insert 'kmemtrace': Key was rejected by service" \
	'Secure Boot: the key that signed the module is not enrolled; try: mokutil'
refuses_module "ERROR: could not insert 'kmemtrace': Required key not available" \
	'Secure Boot: the module is not signed'
refuses_module "ERROR: could not insert 'kmemtrace': Operation not permitted" 'lockdown'
refuses_module "ERROR: could not insert 'kmemtrace': Exec format error" \
	'the module was built for another kernel'
tool modprobe <<EOF
#!/bin/sh
exit 0
EOF
run -t 0.1
says 'source: the module kmemtrace: no: ' 'debugfs/kmemtrace/source is not there'

# The module is chosen once it is loaded. What it has here is of no version that is known.
mkdir debugfs/kmemtrace
echo 99 >debugfs/kmemtrace/abi_version
tool modprobe <<EOF
#!/bin/sh
echo source: module >$work/debugfs/kmemtrace/source
EOF
run -t 0.1
has_status 0
says 'source: the module kmemtrace: chosen; what it does not see: slab objects, per-CPU memory and vmalloc areas' \
	'ABI version 99' \
	'source: the module kmemtrace: nothing was logged, for the reason above; trying the next' \
	'source: counters: chosen'
tool modprobe <<EOF
#!/bin/sh
touch $work/modprobe-ran
EOF
run -t 0.1
says 'source: the patched kernel: no: the kernel'\''s recorder is the module' \
	'source: the module kmemtrace: chosen'
rm debugfs/kmemtrace/source

# The patched kernel comes first; then modprobe is not run. It has all options.
echo yes >debugfs/kmemtrace/enable
run -t 0.1 --rotate 1h --keep 2 --with stack -r 0 -z
has_status 2
says 'source: the patched kernel: chosen' \
	'source: ftrace, by trace-cmd: no: --with has no effect on it' \
	'source: counters: no: --with has no effect on it'
run -t 0.1
says 'source: the patched kernel: chosen; what it does not see: nothing' 'ABI version 99'
rm -rf debugfs/kmemtrace bin/modprobe modprobe-ran

# ---- ftrace ----

tool trace-cmd <<EOF
#!/bin/sh
echo "\$@" >$work/args
while [ "\$1" != sh ]; do
	[ "\$1" != -o ] || file=\$2
	shift
done
"\$@" || exit
[ ! -e $work/hang ] || exec sleep 60
echo recorded >"\$file"
exit \$(cat $work/code)
EOF
echo 0 >code
tool kmemtrace-import <<EOF
#!/bin/sh
echo "\$@" >$work/imported
echo "source: ftrace" >"\$2/metadata"
exec cat "\$1" >"\$2/cpu0.out"
EOF
[ -d /sys/kernel/tracing ] || skip "no /sys/kernel/tracing here"
mount -t tmpfs none /sys/kernel/tracing
run -t 0.1
says 'source: ftrace, by trace-cmd: no: no tracefs; try: mount -t tracefs' 'counters: chosen'
mkdir -p /sys/kernel/tracing/events/kmem
echo 0 >/sys/kernel/tracing/events/enable
run -t 0.1
says 'tracefs has no events/kmem/kmalloc: this kernel has no tracepoints of memory'
mkdir /sys/kernel/tracing/events/kmem/kmalloc /sys/kernel/tracing/events/kmem/kfree
run -t 0.3
has_status 0
says 'source: ftrace, by trace-cmd: chosen; what it does not see: what was allocated before' \
	'trace-cmd records into data/trace.dat, Ctrl-C stops'
[ "$(cat imported)" = 'data/trace.dat data' ] || fail "imported: $(cat imported)"
[ "$(cat data/cpu0.out)" = recorded ] || fail "not imported: $(ls data)"
[ ! -e data/trace.dat ] || fail "data/trace.dat is left"
grep -q -- '^record -q -C mono -b [0-9]* -o data/trace.dat -e kmem:kmalloc -e kmem:kfree sh -c ' args ||
	fail "trace-cmd $(cat args)"
run sh -c "exit 3"
has_status 0
says 'sh: exit status 3'
run -t 0.3 -z
has_status 0
says 'source: ftrace, by trace-cmd: no: --compress has no effect on it' 'counters: chosen'
run -t 0.1 -o - >stream
has_status 0
says "ftrace, by trace-cmd: no: its trace can't be sent through a pipe (-o -)"
[ "$(head -n 1 stream)" = 'kmemtrace-stream 1' ] || fail "-o -: $(head -c 100 stream)"

# Ctrl-C ends trace-cmd as well; a second one kills it.
rm -rf data
PATH=$work/bin "$program_dir/kmemtraced" --stock -o data 2>out &
pid=$!
for _ in $(seq 100); do
	grep -q 'trace-cmd records' out && break
	sleep 0.05
done
kill -INT $pid
wait $pid
status=$?
has_status 0
says ': stopping'
[ "$(cat data/cpu0.out)" = recorded ] || fail "SIGINT: $(ls data)"
touch hang
rm -rf data
PATH=$work/bin "$program_dir/kmemtraced" --stock -o data 2>out &
pid=$!
for _ in $(seq 100); do
	grep -q 'trace-cmd records' out && break
	sleep 0.05
done
kill -TERM $pid
sleep 0.3
kill -TERM $pid
wait $pid
status=$?
has_status 1
says 'trace-cmd: killed by signal 9' 'data/trace.dat: No such file or directory'
rm hang

# Errors of trace-cmd and kmemtrace-import.
echo 5 >code
run -t 0.1
has_status 1
says 'trace-cmd: exit status 5'
echo 0 >code
tool kmemtrace-import <<EOF
#!/bin/sh
exit 2
EOF
run -t 0.1
has_status 1
says 'kmemtrace-import failed; the events are in data/trace.dat'
[ -e data/trace.dat ] || fail "the events are gone"

# A signal ends kmemtrace-import, too.
tool kmemtrace-import <<EOF
#!/bin/sh
touch begun
exec sleep 60
EOF
rm -rf data
PATH=$work/bin "$program_dir/kmemtraced" --stock -o data -t 0.1 2>out &
pid=$!
for _ in $(seq 200); do
	[ ! -e begun ] || break
	sleep 0.05
done
kill -TERM $pid
for _ in $(seq 100); do
	kill -0 $pid 2>/dev/null || break
	sleep 0.05
done
kill -KILL $pid 2>/dev/null && fail 'kmemtrace-import keeps kmemtraced from ending'
wait $pid
status=$?
has_status 1
says 'kmemtrace-import failed; the events are in data/trace.dat'

# Who may write into the directory could put a link where trace-cmd writes.
rm -rf data
mkdir -m 777 data
PATH=$work/bin "$program_dir/kmemtraced" --stock -o data -t 0.1 2>out
status=$?
has_status 0
says 'data: others may write there; trace-cmd needs a directory of root alone' 'counters: chosen'

rm bin/kmemtrace-import
rm -rf data
run -t 0.1
has_status 1
says 'kmemtrace-import: not installed; it makes a trace of data/trace.dat, on any machine'
tool trace-cmd <<EOF
#!/bin/sh
echo "Can't enable ftrace" >&2
exit 1
EOF
run -t 0.1
has_status 0
says "Can't enable ftrace" 'trace-cmd recorded nothing' 'counters: chosen'
[ ! -e data/trace.dat ] || fail "data/trace.dat is left"

# A full disk.
mkdir -p small
mount -t tmpfs -o size=256k none small
tool trace-cmd <<EOF
#!/bin/sh
while [ "\$1" != sh ]; do
	[ "\$1" != -o ] || file=\$2
	shift
done
"\$@"
cat /dev/zero >"\$file" 2>/dev/null
exit 0
EOF
PATH=$work/bin "$program_dir/kmemtraced" --stock -o small/data -t 0.1 2>out
status=$?
has_status 1
says 'small/data/trace.dat: No space left on device: the last events are missing'
umount small
umount debugfs
umount debugfs
exit $failed
