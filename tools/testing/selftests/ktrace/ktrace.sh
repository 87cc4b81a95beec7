#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The files of ktrace: what is recorded, by name and by pattern, of modules that come and
# go; full buffers in both modes; forgetting; positions.

# shellcheck source=tools/testing/selftests/ktrace/ktrace-lib.sh
. "$(dirname "$0")/ktrace-lib.sh"
cpus=$(nproc)
# events of 24 bytes in a buffer
capacity=$(($(cat $ktrace/subbuf_size) * $(cat $ktrace/n_subbufs) / 24))

load() {
	insmod "$modules/ktrace_hits.ko"
}

# An event that is switched on is recorded at each hit, others are not.
by_name() {
	load &&
		echo 1 >$ktrace/events/ktrace_hits_site && [ "$(state ktrace_hits_site)" = 1 ] &&
		hit 10 && echo 1 >$ktrace/enabled && hit 1000 && echo 0 >$ktrace/enabled &&
		hit 10 && read_all ktrace_hits_site ktrace_hits_typed &&
		[ "$(counted ktrace_hits_site)" -eq $((1000 * cpus)) ] &&
		[ "$(counted ktrace_hits_typed)" -eq 0 ] && [ "$(missing)" -eq 0 ]
}

# The numbers are those of the hits: 1 to N on each CPU.
arguments() {
	load && echo 'ktrace_hits_*' >$ktrace/select && echo 1 >$ktrace/enabled && hit 500 &&
		echo 0 >$ktrace/enabled && read_all ktrace_hits_typed ktrace_hits_site &&
		for name in ktrace_hits_typed ktrace_hits_site; do
			awk -v id="$(id $name)" -v sum=$((cpus * 500 * 501 / 2)) '
				$1 == id { found = $3 == sum }
				END { exit !found }' figures || return 1
		done
}

# A pattern decides for markers that come later, before the module's init function runs,
# and a module that is loaded again has the same ids.
modules() {
	echo 'nothing,ktrace_hits_[it]*' >$ktrace/select && echo 1 >$ktrace/enabled &&
		! [ -e $ktrace/events/ktrace_hits_init ] && load &&
		[ "$(cat $ktrace/events/ktrace_hits_init)" = 1 ] &&
		[ "$(cat $ktrace/events/ktrace_hits_site)" = 0 ] &&
		first=$(id ktrace_hits_init) && rmmod ktrace_hits &&
		! [ -e $ktrace/events/ktrace_hits_init ] && [ "$(state ktrace_hits_init)" = - ] &&
		load && [ "$(id ktrace_hits_init)" = "$first" ] &&
		echo 0 >$ktrace/enabled && read_all ktrace_hits_init &&
		[ "$(counted ktrace_hits_init)" -eq 2 ]
}

# Each event is either in the buffers or counted as lost, to the byte.
overflow() {
	hits=$((capacity + 5000))
	load && echo ktrace_hits_site >$ktrace/select && echo 1 >$ktrace/enabled && hit $hits &&
		echo 0 >$ktrace/enabled && cat $ktrace/overflow >overflow &&
		lost=$(awk '{ lost += $3 } END { print lost }' overflow) && [ "$lost" -gt 0 ] &&
		read_all ktrace_hits_site &&
		[ $(($(counted ktrace_hits_site) + lost)) -eq $((hits * cpus)) ]
}

# The newest events are there to the last one; the older ones are counted as lost.
overwrite() {
	hits=$((capacity * 3))
	load && echo ktrace_hits_site >$ktrace/select && echo overwrite >$ktrace/enabled &&
		[ "$(cat $ktrace/enabled)" = overwrite ] && hit $hits &&
		echo 0 >$ktrace/enabled &&
		lost=$(awk '{ lost += $3 } END { print lost }' $ktrace/overflow) &&
		[ "$lost" -gt 0 ] && read_all ktrace_hits_site &&
		cat figures >>log && echo "hits $hits lost $lost" >>log &&
		kept=$(counted ktrace_hits_site) && [ $((kept + lost)) -eq $((hits * cpus)) ] &&
		[ "$(missing)" -eq "$lost" ] &&
		awk -v id="$(id ktrace_hits_site)" -v hits=$hits -v cpus="$cpus" '
			# the kept ones are the last ones of each CPU, which has the same number
			$1 == id { n = $2 / cpus; found = $3 == cpus * n * (2 * hits - n + 1) / 2 }
			END { exit !found }' figures
}

# Whole sub-buffers are read while the newest events replace others.
overwrite_read() {
	load && echo ktrace_hits_site >$ktrace/select && echo overwrite >$ktrace/enabled &&
		{ hit 3000000 & } && sleep 0.2 &&
		for _ in 1 2 3 4 5 6; do
			cat $ktrace/buffers/cpu0 >>stream0
			sleep 0.1
		done && wait && echo 0 >$ktrace/enabled &&
		[ "$(stat -c %s stream0)" -gt 0 ] && read_all ktrace_hits_site
}

# A few records don't fill a sub-buffer, so only the flush can publish them.
flush() {
	load && echo ktrace_hits_site >$ktrace/select && echo 1 >$ktrace/enabled && hit 1 &&
		[ "$(head -c 1 $ktrace/buffers/cpu0 | wc -c)" -eq 0 ] &&
		echo 1 >$ktrace/buffers/flush &&
		[ "$(head -c 1 $ktrace/buffers/cpu0 | wc -c)" -eq 1 ] &&
		echo 0 >$ktrace/enabled && echo 1 >$ktrace/reset
}

# What is forgotten is neither read nor counted; recording goes on.
reset() {
	load && echo ktrace_hits_site >$ktrace/select && echo 1 >$ktrace/enabled && hit 1000 &&
		echo 1 >$ktrace/reset && [ "$(cat $ktrace/enabled)" = 1 ] && hit 10 &&
		echo 0 >$ktrace/enabled && read_all ktrace_hits_site &&
		[ "$(counted ktrace_hits_site)" -eq $((10 * cpus)) ] && [ "$(missing)" -eq 0 ]
}

# New buffers only after the old ones are read.
busy() {
	load && echo ktrace_hits_site >$ktrace/select && echo 1 >$ktrace/enabled && hit 1 &&
		! echo overwrite >$ktrace/enabled 2>>log && echo 0 >$ktrace/enabled &&
		! echo 1 >$ktrace/enabled 2>>log && read_all ktrace_hits_site &&
		echo 1 >$ktrace/enabled
}

# Strings at the ends of pages, NULL and bad pointers are in the module's list.
strings() {
	load && echo ktrace_hits_text >$ktrace/select && echo 1 >$ktrace/enabled &&
		echo 1 >/sys/kernel/debug/ktrace_hits/texts && echo 0 >$ktrace/enabled &&
		cat $ktrace/buffers/cpu* >stream &&
		for text in short '(null)' '(fault)' at-the-end-of-a-page \
				123456789012345678901234567890123456789012345678901234567890123; do
			tr '\0' '\n' <stream | grep -qaF -- "$text" && continue
			echo "no $text" >>log
			return 1
		done && ! grep -qa SECRET stream
}

begin 10
by_name
result "an event that is switched on is recorded at each hit"
arguments
result "the arguments of typed and ad-hoc markers"
modules
result "modules that come and go keep their ids"
overflow
result "events that find no room are counted"
overwrite
result "the newest events replace the oldest ones"
overwrite_read
result "sub-buffers are read while others are overwritten"
flush
result "a flush publishes a few records"
reset
result "what was recorded is forgotten"
busy
result "unread records are not thrown away"
strings
result "strings at the end of a page, NULL and bad pointers"
ktap_finished
