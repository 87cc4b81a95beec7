#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The messages and exit status of ktraced where it can't trace.

program=ktraced config=CONFIG_KTRACE
# shellcheck source=tools/kmemtrace/tests/collector.sh
. "${srcdir:-.}/collector.sh"
check_options
for names in '' ',' 'a,' ',a' 'a,,b' 'a b' "$(printf 'a\nb')"; do
	refuses 2 "--event: '$names' makes no sense" "$run" -e "$names"
done
refuses 2 "--event: 'b c' makes no sense" "$run" -e 'a,*' -e '[ab]?' -e 'b c'
refuses 2 '--help' "$run" -e
refuses 2 '--help' "$run" --overwrite=yes
check_places
