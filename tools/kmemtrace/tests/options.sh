#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Each option of kmemtrace-report changes what a view shows, as text and as JSON, or it is refused.
# --show list says which view obeys which option.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report
refusal='has no effect on what is shown'

# Traces that have several rows for each list: of events, of contradictions, of counters.
"$here/kmemtrace-gen" --abi 2 --events 6000 --before 200 --live 300 --pages 20 --cpus 3 \
	--with stack,task,cgroup events >/dev/null
for name in findings baseline references; do
	setup $name
	mv trace $name
done
make_suspects
mv trace suspects
mkdir counters
cp "$golden/counters/metadata" counters
# Those that are most often there are not the largest.
awk -f "$golden/counters/counters.awk" |
	sed 's/7777 7 /7777 7000 /; s/500 512 64 8/9000 9000 8 8/' >counters/counters
"$here/kmemtrace-zst" 4096 counters/counters

# trace_for VIEW: print the trace that must have rows for a view.
trace_for()
{
	case $1 in
	findings)	echo findings ;;
	failed)		echo baseline ;;
	suspects)	echo suspects ;;
	references)	echo references ;;
	counters | growth | allocinfo | slabinfo)	echo counters ;;
	*)		echo events ;;
	esac
}

# has_effect VIEW OPTION...: whether the options change the view as $format; other failures are its.
has_effect()
{
	view=$1
	trace=$(trace_for "$view")
	shift
	# shellcheck disable=SC2086 # no word for text
	"$report" $format --show "$view" "$trace" >plain || fail "$format --show $view"
	# shellcheck disable=SC2086
	"$report" $format --show "$view" "$@" "$trace" >changed 2>message
	status=$?
	case $status in
	0)	! cmp -s plain changed ;;
	2)	grep -q "$refusal" message || fail "$format --show $view $*: $(cat message)"
		return 1 ;;
	*)	fail "$format --show $view $*: exit status $status" ;;
	esac
}

# obeys VIEW OPTION...: the options must change the view.
obeys()
{
	has_effect "$@" || fail "$format --show $*: no effect"
}

# refuses VIEW OPTION...: the options must be refused.
refuses()
{
	has_effect "$@"
	[ $status = 2 ] || fail "$format --show $*: is accepted"
}

# letter VIEW LETTER OPTION...: VIEW obeys the options if the list says so, or else refuses them
letter()
{
	one=$1 which=$2
	shift 2
	if "$report" --show list | grep -q "^  $one .* $which\( \|\$\)"; then
		obeys "$one" "$@"
	else
		refuses "$one" "$@"
	fi
}

# A list has the column that it is sorted by, and a figure that it doesn't have is refused.
for key in $("$report" --csv modules --columns list |
	sed -n 's/^  \([a-z_]*\) *number, \(count\|bytes\): .*/\1/p'); do
	"$report" --csv sites --columns list >columns
	title=$(sed -n "s/^  $key  *[^:]*: \([^:]*\).*/\1/p" columns)
	heading=$("$report" -s "$key" events | sed -n 's/^Sites *\([a-z ]*[a-z]\)  *share .*/\1/p')
	case $key in
	live)	heading='objects\|pages' ;;
	esac
	for view in sites stacks tasks processes cgroups sizes orders caches gfp; do
		"$report" --show $view -s "$key" events >out || fail "--show $view -s $key"
		grep -q "^Slab.*, by $title\|^Caches.*, by $title\|^Pages.*, by $title" out ||
			fail "--show $view -s $key: $(head -5 out)"
		# Orders are a matrix of one figure.
		[ $view = orders ] || grep -q "^ \(.* \)*\($heading\) " out ||
			fail "--show $view -s $key: no column $heading: $(head -5 out)"
	done
done
for view in allocinfo slabinfo; do
	for key in live_bytes peak_bytes; do
		expect 0 ', by bytes live' "$report" --show $view -s $key counters
	done
	expect 2 "--sort wasted $refusal" "$report" --show $view -s wasted counters
done

# The differences of two traces, and trees of directories.
"$report" --diff -s frees events findings >out
grep -q '^ .* remote  *frees  ' out || fail "--diff -s frees: $(cat out)"
grep -q ', by change of frees' out || fail "--diff -s frees: $(cat out)"

# What chooses events has no effect on counters alone.
for options in "--at 1" "--between 0,1" "--site x" "--csv counters --cpu 0"; do
	# shellcheck disable=SC2086
	expect 2 'counters: has counters, but no event' "$report" $options counters
done

# Options of text, of the list of columns, and columns and values that make no sense.
for format in --json "--csv sites" --folded "--html page"; do
	# shellcheck disable=SC2086
	expect 2 '--color always is for text' "$report" --color always $format events
	# shellcheck disable=SC2086
	[ "$format" = "--html page" ] || expect 0 '' "$report" --color never $format events
done
for options in "-g nonsense" "-g module" "-s allocs" "-n 1" "--where live=1" "--cpu 0" nodir; do
	# shellcheck disable=SC2086
	expect 2 'only --csv can be combined with it' "$report" --csv sites --columns list $options
done
expect 2 "column 'site' twice" "$report" --csv sites --columns site,live,site events
expect 2 "there is no allocator 'foo'; there are: slab, pages, percpu, vmalloc" \
	"$report" --csv sites --where allocator=foo events
expect 0 allocator "$report" --csv sites --where 'allocator~foo' events
expect 0 slab "$report" --csv sites --where 'allocator!=pages' events
expect 2 '--folded --group-by module: the trace has no call paths' "$report" --folded -g module baseline

# Of several views, one must obey. What no view of the trace obeys is refused after the reading.
expect 0 Lifetimes "$report" --show lifetimes,sites -s wasted events
expect 2 "--sort wasted $refusal" "$report" --show lifetimes,churn -s wasted events
expect 2 "--group-by task $refusal as JSON; it has one on: peak, sites" \
	"$report" -j --show stacks,tasks -g task events
for options in "--show all -g function" "-g module" "-s wasted" "--json -g function" \
	"--stacks=top-down" "--show sites,phases -n 1"; do
	# shellcheck disable=SC2086
	expect 2 "$refusal" "$report" $options counters
done

# Each format says that nothing matches, and which option no event matches: text in its head, the
# others on the standard error. A time after the end of the trace is named with that.
rm -f page
for format in "" "--show sites" "--show churn" -j "--csv sites" "--csv lives" -F "--html page" "-d events" \
	"-d -j events" "-d --csv totals events"; do
	for options in "--site nosuch" "--site nosuch --cpu 0-2"; do
		# shellcheck disable=SC2086
		expect 0 '; nothing matches: no event matches --site nosuch' "$report" $format $options events
	done
	end='after the end of the trace at 0.00[0-9]* s'
	for options in "--between 7," "--at 7" "--between ,7"; do
		# shellcheck disable=SC2086
		"$report" $format $options events >out 2>err || fail "$format $options: exit status $?"
		cat out err | grep -q "^  \(from\|at\)  *7.000000000 s, $end" ||
			fail "$format $options: $(head -9 out err)"
	done
	# shellcheck disable=SC2086
	expect 0 '; nothing matches' "$report" $format --between 7, events
done
"$report" --csv sites --at 7 events 2>/dev/null >out
"$report" --csv sites events | cmp - out || fail "--at after the end changes the report"
"$report" --csv sites --at 0.001 events 2>err >out
[ ! -s err ] || fail "--at: $(cat err)"
rm page

# Sizes have the units of other tools.
"$report" --csv sizes --size 1024-4096 events >expected
for size in 1K-4K 1k-4k 1KiB-4KiB; do
	"$report" --csv sizes --size $size events | cmp - expected || fail "--size $size"
done
for size in 1KB 1Ki 1KIB 1T; do
	expect 2 "--size: '$size', expected SIZES: " "$report" --size $size events
done

# By age: relations.sh compares the sums with the objects.
expect 0 'only     --older 0.0001 --younger 0.0033; all sums' \
	"$report" --older 0.0001 --younger 0.0033 events
expect 0 'nothing matches' "$report" --older 4 events
expect 2 "--older or --younger $refusal; it has one on: totals, sites, stacks" \
	"$report" --show sites,lifetimes --younger 1 events
expect 2 'can each be given once only' "$report" --older 1 --older 2 events
expect 2 '--older 5 and --younger 3 leave nothing: expected less for --older than for --younger' \
	"$report" --older 5 --younger 3 events
expect 2 'leave nothing' "$report" --younger 0.50 --older .5 events
expect 2 'have no effect on the table' "$report" --csv lifetimes --older 1 events
# A page replaces an empty file or a page, and no other file: none of the trace, which is not read.
echo before >page.new
: >page
for trace in findings events; do
	"$report" --html page $trace || fail "--html page $trace"
done
"$report" --html other events || fail "--html other"
cmp page other || fail "--html: the page is as before"
[ "$(cat page.new)" = before ] || fail "--html: $(ls)"
cp -r events inputs
for file in page.new inputs/cpu0.out inputs/metadata; do
	cp $file before
	expect 2 "$file: File exists, and is no page of this program; remove it" \
		"$report" --html $file inputs
	expect 2 "$file: File exists" "$report" --html $file nodir
	expect 2 "$file: File exists" "$report" --diff --html $file inputs events
	cmp before $file || fail "--html $file"
done
expect 2 'inputs: Is a directory' "$report" --html inputs inputs
"$report" --html /dev/stdout events | cmp - page || fail "--html /dev/stdout"
rm page page.new other before
expect 2 "can't be combined with --older" "$report" --html page --older 1 events
expect 2 'options that choose a part' "$report" --growth --older 1 events events
for age in "" x -1 1s; do
	expect 2 older "$report" --older "$age" events
done
for format in "" --json; do
	# shellcheck disable=SC2086
	"$report" $format --show all --older 1 events >out
	! grep -q '^Peak\|^Lifetimes\|^"churn' out || fail "$format --show all --older has all memory"
done

# The address of an object: inside of it, from a stream, as tables, and what makes no sense.
address=$("$report" --csv objects --columns object --where allocator=slab,is_older=false,bytes\>64 events |
	grep -m 1 '0$')
expect 0 "Live at $address at the end" "$report" --address "$address" events
[ "$("$report" --address "$address" --csv objects_at --columns object --where allocator=slab events)" = \
	"object
$address" ] || fail "--csv objects_at has not $address"
inside=${address%?}8
"$report" --address "$inside" --csv events_at --columns event,allocator,object events >out
tail -n 1 out | grep -qx "\(allocated\|charged\),slab,$address" || fail "--address $inside: $(cat out)"
for begin in 0,9 0.003,9; do
	"$report" --address "$inside" --csv events_at --columns event,allocator,object \
		--between $begin events | cmp - out || fail "--between $begin leaves out events"
done
"$here/kmemtrace-gen" --abi 2 --events 6000 --before 200 --live 300 --pages 20 --cpus 3 \
	--with stack,task,cgroup - 2>/dev/null >stream
"$report" --address "$inside" --csv events_at --columns event,allocator,object - <stream |
	cmp - out || fail "--address of a stream"
expect 0 'Events of this memory: none' "$report" --address 1 events
for options in "-d events" "--growth events" --folded "--html page" "--csv sites" "--site x" \
	"--older 1" "--csv sites --where live=1"; do
	# shellcheck disable=SC2086
	expect 2 address "$report" --address 1 $options events
done
for bad in "" 0xg -1 "1 "; do
	expect 2 address "$report" --address "$bad" events
done

views=$("$report" --show list | sed 's/^ *\([a-z]*\) .*/\1/; /^all$/d')
for view in $views; do
	for format in "" --json; do
		case "$view$format" in
		counters--json)	refuses "$view" -n 1 ;;
		*)		letter "$view" -n -n 1 ;;
		esac
		letter "$view" -s -s allocs
		# JSON has call paths by address.
		case "$view$format" in
		stacks--json)	refuses "$view" -g function ;;
		*)		letter "$view" -g -g function ;;
		esac
		case $view in
		peak | sites)	obeys "$view" -g task ;;
		*)		refuses "$view" -g task ;;
		esac
		case $view in
		trace | totals | sites | stacks | tasks | processes | cgroups | sizes | orders | \
			caches | fragmentation | gfp)	obeys "$view" --older 0.003 ;;
		*)					refuses "$view" --older 0.003 ;;
		esac
		case $view in
		address)	obeys "$view" --address "$address" ;;
		*)		refuses "$view" --address "$address" ;;
		esac
		case "$view$format" in
		stacks)		obeys "$view" --stacks=bottom-up ;;
		stacks--json)	refuses "$view" --stacks=bottom-up ;;
		esac
	done
done
exit $failed
