#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "go tool pprof" reads what kmemtrace-export pprof writes, and speedscope gets the format of
# its schema: each call site has the figures of kmemtrace-report.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

export=$program_dir/kmemtrace-export
report=$program_dir/kmemtrace-report
compare=$(dirname "$golden")/export-profiles.py

command -v go >/dev/null || { echo "skipped: no go"; exit 77; }

# go needs a folder for its cache, even if it doesn't use it.
GOCACHE=$work HOME=$work
export GOCACHE HOME

# same NAME [OPTION...]: the profiles of trace/ must have the figures of the report.
same()
{
	what=$1
	shift
	rm -f profile profile.json raw
	"$report" --csv sites "$@" trace >sites.csv 2>err &&
		"$export" pprof -o profile "$@" trace 2>err &&
		"$export" speedscope -o profile.json "$@" trace 2>err &&
		go tool pprof -raw profile >raw 2>err &&
		"$compare" pprof raw sites.csv >out 2>&1 &&
		"$compare" speedscope profile.json sites.csv >>out 2>&1 && return
	echo "FAIL: $what"
	cat err out
	failed=1
}

for name in findings bare baseline boot losses nodes moves grouped who sample; do
	for order in little big; do
		setup $name $order
		same "$name, $order-endian"
	done
done
setup losses
rm -f profile
"$export" pprof -o profile trace 2>err
go tool pprof -raw profile >raw 2>/dev/null
for text in 'trace: INCOMPLETE' 'cpu1: 12 events lost'; do
	grep -qF "$text" err || { echo "FAIL: no warning '$text'"; failed=1; }
done
grep -q '^Comment: INCOMPLETE' raw || { echo "FAIL: pprof hides that events are lost"; failed=1; }
"$report" --csv totals trace | grep -q _error && fail "a whole trace has standard errors"

# The standard errors of a sample are in comments.
setup sample
rm -f profile
"$export" pprof -o profile trace
go tool pprof -raw profile 2>/dev/null | sed -n 's/^Comment: \(.*\), standard error /\1 /p' >errors
"$report" --csv totals --where allocator=slab \
	--columns live_bytes,live_bytes_error,live,live_error,bytes,bytes_error,allocs,allocs_error \
	trace | tail -n 1 | tr , ' ' | {
	read -r live_bytes e1 live e2 bytes e3 allocs e4
	printf 'slab_live_bytes: %s %s\nslab_live: %s %s\nslab_bytes: %s %s\nslab_allocs: %s %s\n' \
		"$live_bytes" "$e1" "$live" "$e2" "$bytes" "$e3" "$allocs" "$e4"
} | diff -u - errors || fail "the standard errors"

setup baseline
same "a part of it" --between 0.0003,0.0006
same "an allocator" --type cache

rm -rf trace
"$here/kmemtrace-gen" --events 50000 --live 5000 trace >/dev/null || exit 1
same "many events"
same "some functions" --site 'site_*[13579]'

# The default is the live memory of the slab; pprof sorts by it.
go tool pprof -top profile >top 2>/dev/null
grep -qx 'Type: slab_live_bytes' top || {
	echo "FAIL: go tool pprof -top"
	cat top
	failed=1
}

# The number of threads changes nothing, and a stream is as good as a folder.
for threads in 1 2 5; do
	"$export" pprof --threads $threads -o - trace >profile-$threads
	cmp profile-1 profile-$threads || failed=1
done
pack trace | "$export" pprof -o - - | cmp - profile-1 || {
	echo "FAIL: another profile from the standard input"
	failed=1
}
exit $failed
