# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by tests after lib.sh: bounds on the work and the memory that an input may
# cause. Work is counted in instructions; where the processor doesn't count them, in
# user time, with more tolerance and several tries.
#
# A test defines make_input N, which writes an input of N parts, a directory named
# input or whatever its command reads; the input of 4 N parts has about 4 times the bytes.

# Sanitizers need shadow memory, and hold back what was freed.
case "$CFLAGS" in
*-fsanitize=thread*|*-fsanitize=address*) memory_factor=12 memory_more=600000 ;;
*) memory_factor=1 memory_more=0 ;;
esac

# cost COMMAND...: sets unit, work and kilobytes; false if the command fails.
cost()
{
	read -r unit work kilobytes <<-END
	$("$here/measure" "$@" 2>err || echo "status $? 0")
	END
	if [ "$unit" = status ] || [ -z "$kilobytes" ]; then
		echo "FAIL: $*: $unit $work"
		cat err
		failed=1
		return 1
	fi
}

# least_cost COMMAND...: the same, the least work of three tries where it is time.
least_cost()
{
	least=
	for _ in 1 2 3; do
		cost "$@" || return
		[ "$unit" = instructions ] && return
		[ "${least:-$work}" -lt "$work" ] || least=$work
	done
	work=$least
}

# is_linear NAME N COMMAND...: 4 times the input is at most about 4 times the work.
is_linear()
{
	name=$1 parts=$2
	shift 2
	for _ in 1 2 3; do
		make_input "$parts"
		least_cost "$@" || return
		small=$work
		make_input "$((4 * parts))"
		least_cost "$@" || return
		ratio=5
		# Caches hold less of a large input, and a short time says little.
		[ "$unit" = instructions ] || ratio=8
		[ "$work" -lt "$((ratio * small + 20000))" ] && return
	done
	echo "FAIL: $name: 4 times the input takes $work $unit instead of $small"
	failed=1
}

# is_quick NAME INSTRUCTIONS COMMAND...: it takes no more; where they are not counted, a
# microsecond stands for 500 of them.
is_quick()
{
	name=$1 limit=$2
	shift 2
	least_cost "$@" || return
	[ "$unit" = instructions ] || limit=$((limit / 500 * memory_factor + 20000))
	[ "$work" -le "$limit" ] && return
	echo "FAIL: $name: takes $work $unit, more than $limit"
	failed=1
}

# bytes_of FILE...: how many they have together
bytes_of()
{
	find "$@" -type f -exec stat -c %s {} + | awk '{ sum += $1 } END { print sum + 0 }'
}

# is_small NAME LIVE TIMES COMMAND...: reading input takes at most 32 MB, 48 bytes for each
# of LIVE objects, and so many TIMES the bytes of the input.
is_small()
{
	name=$1 limit=$((32768 + $2 * 48 / 1024 + $3 * $(bytes_of input) / 1024))
	shift 3
	cost "$@" || return
	limit=$((limit * memory_factor + memory_more))
	[ "$kilobytes" -le "$limit" ] && return
	echo "FAIL: $name: takes $kilobytes KB, more than $limit KB"
	failed=1
}
