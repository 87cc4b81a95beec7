#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Programs free all memory that nothing refers to any more. The sanitizers search for leaks in a few
# tests only, as that takes long.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

if ! command -v valgrind >/dev/null; then
	echo "leaks.sh: needs valgrind" >&2
	exit 77
fi

# frees PROGRAM OPTION...: run a program, which must lose no memory.
frees()
{
	program=$1
	shift
	valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99 \
		--log-file=lost "$program_dir/$program" "$@" >out 2>err ||
		fail "$program $*: exit status $?: $(cat err lost)"
}

make_suspects
mv trace suspects
"$here/kmemtrace-gen" --abi 2 --events 2000 --before 100 --live 200 --pages 20 --cpus 2 \
	--with stack,task,cgroup events >/dev/null || exit 1
frees kmemtrace-check events
for trace in events suspects; do
	frees kmemtrace-report --show all $trace
	frees kmemtrace-report --json $trace
	frees kmemtrace-report --html page $trace
	frees kmemtrace-report --csv lives $trace
done
frees kmemtrace-report --diff events suspects
for format in books ctf parquet pprof speedscope; do
	frees kmemtrace-export -q $format events -o "$format"
done
exit $failed
