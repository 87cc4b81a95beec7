#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ktrace-fuzz-seeds.sh DIR: write the first inputs of fuzz-ktrace into DIR: the known traces of
# each byte order and word size, compressed ones, and one with all of the above wrong.

mkdir -p "$1" || exit 1
seeds=$(readlink -f "$1")

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
. "$(dirname "$golden")/ktrace-lib.sh"

for name in plain losses overwrite; do
	for machine in little-64 big-64 little-32 big-32; do
		setup $name ${machine%-*} ${machine#*-}
		pack trace >"$seeds/$name-$machine"
		squeeze 264
		pack trace >"$seeds/$name-$machine-compressed"
	done
	setup $name
	rm trace/metadata trace/info
	pack trace >"$seeds/$name-bare"
done
generated 50
pack trace >"$seeds/generated"
assembled <<'END'
0 clock 0 0 18446744073709551615 18446744073709551615 frequency:1 clock:1
0 event 19 4294967295
0 clock 1 1 0 9223372036854775807 frequency:18446744073709551615 clock:1
0 event 19 4294967295
1 clock 0 0 9223372036854775807 9223372036854775808 error:4294967295 uncertainty:4294967295
1 event 19 4294967295
1 clock 18446744073709551615 18446744073709551615 1 1
1 event 19 0
END
pack trace >"$seeds/times"
assembled <<'END'
0 clock 0 0 1000 1000
0 event 16 0 "%n%n%n" i:-1 i:-1
0 event 17 0 q:0x4141414141414141
0 event 18 1 w:0xffffffffffffffff w:0 i:0 size:65528
END
printf '22 1 many "%%255.255d %%-255s %%#0255llx %%+.0d %%%% %%c%%c%%c%%p%%pSS%%ps"\n' >>trace/info
pack trace >"$seeds/wrong"
