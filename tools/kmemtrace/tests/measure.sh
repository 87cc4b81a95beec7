# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# Sourced by tests after lib.sh: bounds on instructions, which valgrind counts, and on memory,
# which GNU time measures. Neither can measure a program with sanitizers: that runs once with
# each input, and must not fail.
#
# A test defines make_input N, which writes an input of N parts into the directory input.
# The input of 4 N parts has about 4 times the bytes. $stdin names the file that the
# command reads as its standard input, and $worst the highest exit status that is no failure:
# kmemtrace-check ends with 1 if it has findings.

stdin=/dev/null
worst=1
# Bytes that the ledger may keep for each byte of a record.
TIMES=16

case "$CFLAGS" in
*-fsanitize=*)	sanitized=1 ;;
*)		sanitized= ;;
esac

# runs COMMAND...: run it; it must not fail, and no sanitizer may complain.
runs()
{
	"$@" <"$stdin" >/dev/null 2>err
	status=$?
	[ $status -le $worst ] && ! grep -E 'Sanitizer|runtime error' err && return
	echo "FAIL: $*: exit status $status"
	cat err
	failed=1
	return 1
}

# count COMMAND...: set $instructions to those of COMMAND and its children.
count()
{
	instructions=
	if [ "$sanitized" ]; then
		runs "$@"
		return
	fi
	rm -f counted.*
	runs valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
		--log-file=counted.%p "$@" || return
	instructions=$(sed -n 's/.* I *refs: *//p' counted.* | tr -d , |
		awk '{ sum += $1 } END { if (sum) printf "%.0f", sum }')
	[ "$instructions" ] && return
	echo "FAIL: valgrind: no count in this:"
	cat counted.*
	failed=1
}

# is_linear NAME N COMMAND...: 4 times the input takes at most 5 times the instructions.
is_linear()
{
	name=$1 parts=$2
	shift 2
	make_input "$parts"
	count "$@"
	small=$instructions
	[ "$small" ] || return
	make_input "$((4 * parts))"
	count "$@"
	[ "$instructions" ] || return
	echo "$name: $small instructions, $instructions for 4 times the input"
	[ "$instructions" -gt "$((5 * small))" ] || return
	echo "FAIL: $name: 4 times the input takes $instructions instructions instead of $small"
	failed=1
}

# is_quick NAME LIMIT COMMAND...: COMMAND takes at most LIMIT instructions.
is_quick()
{
	name=$1 limit=$2
	shift 2
	count "$@"
	[ "${instructions:-0}" -gt "$limit" ] || return
	echo "FAIL: $name: takes $instructions instructions, more than $limit"
	failed=1
}

# bytes_of FILE...: print the sum of their sizes
bytes_of()
{
	find "$@" -type f -exec stat -c %s {} + | awk '{ sum += $1 } END { print sum + 0 }'
}

# is_small NAME LIVE TIMES COMMAND...: reading the input takes at most 32 MB, 48 bytes for each
# of LIVE objects, and TIMES the bytes of the input.
is_small()
{
	name=$1 limit=$((32768 + $2 * 48 / 1024 + $3 * $(bytes_of input) / 1024))
	shift 3
	runs env time -q -o used -f %M "$@" || return
	[ -z "$sanitized" ] && [ "$(cat used)" -gt "$limit" ] || return
	echo "FAIL: $name: takes $(cat used) KB, more than $limit KB"
	failed=1
}

# assemble: make the trace in input/ from the lines on the standard input, and remove what was
# exported before.
assemble()
{
	rm -rf input output
	mkdir input
	"$here/kmemtrace-asm" input
}

# lines N FORMAT: print N lines; the number of the line replaces each @ in FORMAT.
lines()
{
	# Many gsub() take mawk a time that grows with the square of their number.
	awk -v n="$1" -v format="$2" 'BEGIN {
		parts = split(format, part, "@")
		for (i = 1; i <= n; i++) {
			printf "%s", part[1]
			for (j = 2; j <= parts; j++)
				printf "%d%s", i, part[j]
			print ""
		}
	}'
}

# quadruple FILE N: multiply the length of FILE by 4, N times
quadruple()
{
	for _ in $(seq "$2"); do
		cat "$1" "$1" "$1" "$1" >four
		mv four "$1"
	done
}
