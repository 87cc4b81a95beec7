#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What check and report print of known traces. golden/NAME holds a trace (see
# kmemtrace-asm.c) and what is expected of it; to write that anew:
#	make -C tests golden-update

program_dir=$(readlink -f "${progdir:-../src}")
here=$(readlink -f .)
golden=$(readlink -f "${srcdir:-.}")/golden
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# compare NAME: what is in "out" is what golden/NAME has.
compare()
{
	if [ -n "$update" ]; then
		cp out "$golden/$1"
	elif ! diff -u "$golden/$1" out; then
		echo "FAIL: $1"
		failed=1
	fi
}

# setup NAME: make the trace of golden/NAME in trace/.
setup()
{
	rm -rf trace
	"$here/kmemtrace-asm" trace <"$golden/$1/trace.asm" || exit 1
	for file in metadata kallsyms modules; do
		if [ -e "$golden/$1/$file" ]; then
			cp "$golden/$1/$file" trace/
		fi
	done
}

for name in findings bare; do
	setup $name
	"$program_dir/kmemtrace-report" trace >out 2>&1
	compare $name/report
done
setup findings
"$program_dir/kmemtrace-report" --json -n 1 trace >out 2>&1
compare findings/json
"$program_dir/kmemtrace-report" -n 1 --sort count trace >out 2>&1
compare findings/report-n1

setup rules
"$program_dir/kmemtrace-check" trace >out 2>&1
echo "exit status $?" >>out
compare rules/check

# One seed, written by three machines: all but the banner's line on the kernel
# is the same, and that of the first is as expected.
for machine in little-64 big-64 little-32; do
	"$here/kmemtrace-gen" --seed 7 --events 20000 --live 500 --cpus 3 \
		--order ${machine%-*} --bits ${machine#*-} trace-$machine
	"$program_dir/kmemtrace-check" trace-$machine >out || {
		echo "FAIL: trace-$machine is not clean:"
		cat out
		failed=1
	}
	ln -sfn trace-$machine trace-any
	"$program_dir/kmemtrace-report" -n 5 trace-any >report-$machine 2>&1
	grep -v '^  kernel ' report-$machine >out
	compare generated
done
if cmp -s trace-little-64/cpu0.out trace-big-64/cpu0.out; then
	echo "FAIL: the byte orders do not differ"
	failed=1
fi
exit $failed
