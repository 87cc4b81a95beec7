# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests of the readers: the places of programs and golden traces, a
# temporary folder, and checks of output.

# shellcheck disable=SC2034 # the sourcing scripts use it
program_dir=$(readlink -f "${progdir:-../src}")
here=$(readlink -f .)
# Its path is relative to the folder that "make check" runs the tests in.
srcdir=$(readlink -f "${srcdir:-.}")
golden=$srcdir/golden
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
nr_json=0

# fail TEXT...: print TEXT, and let the test fail at its end.
fail()
{
	echo "FAIL: $*"
	failed=1
}

# emulate PROGRAM...: write scripts with the names of these programs, which let $EMULATOR run
# them, into the folder .emulated
emulate()
{
	mkdir -p .emulated
	for program in "$@"; do
		printf '#!/bin/sh\nexec %s %s "$@"\n' "$EMULATOR" "$program" \
			>".emulated/${program##*/}"
		chmod +x ".emulated/${program##*/}"
	done
}
if [ -n "$EMULATOR" ]; then
	emulate "$program_dir"/kmemtrace-check "$program_dir"/kmemtrace-export \
		"$program_dir"/kmemtrace-report "$program_dir"/kmemtrace-top \
		"$program_dir"/kmemtraced "$program_dir"/ktraced "$program_dir"/ktrace-report \
		"$here"/kmemtrace-asm "$here"/kmemtrace-gen "$here"/kmemtrace-records \
		"$here"/kmemtrace-sample "$here"/kmemtrace-zst "$here"/ktrace-asm
	program_dir=$work/.emulated
	here=$work/.emulated
fi

# from_asm ASM [ORDER]: make the trace that ASM describes in trace/, with the files beside ASM.
from_asm()
{
	rm -rf trace
	"$here/kmemtrace-asm" --order "${2:-little}" trace <"$1" || exit 1
	for file in metadata kallsyms modules slabs; do
		[ ! -e "${1%/*}/$file" ] || cp "${1%/*}/$file" trace/
	done
	[ ! -e trace/metadata ] || sed -i "s/^byte_order: .*/byte_order: ${2:-little}/" trace/metadata
}

# setup NAME [ORDER]: the same for golden/NAME.
setup()
{
	from_asm "$golden/$1/trace.asm" "$2"
}

# valid FILE: it must be JSON that matches the schema. validate, at the end of a test, looks at a
# copy: a start of Python takes longer than a file.
valid()
{
	nr_json=$((nr_json + 1))
	cp "$1" "$work/json.$nr_json.copy"
}

# validate: each valid file must match the schema.
validate()
{
	"$srcdir/validate.py" "$srcdir/../src/report/kmemtrace-report.schema.json" \
		"$work"/json.*.copy || failed=1
}

# compare NAME: the file out must equal golden/NAME.
compare()
{
	if grep -qxm 1 '{' out; then
		valid out
	fi
	if [ -n "$update" ]; then
		cp out "$golden/$1"
	elif ! diff -u "$golden/$1" out; then
		echo "FAIL: $1"
		failed=1
	fi
}

# clean TRACE: kmemtrace-check must find nothing.
clean()
{
	"$program_dir/kmemtrace-check" "$1" >out && return
	echo "FAIL: $1 is not clean:"
	cat out
	failed=1
}

# pack DIR: the trace in DIR as kmemtraced -o - sends it.
pack()
{
	echo 'kmemtrace-stream 1'
	for file in "$1"/*; do
		echo "${file##*/} $(stat -c %s "$file")"
		cat "$file"
	done
	echo end
}

# expect STATUS TEXT COMMAND...: COMMAND must exit with STATUS and print TEXT.
expect()
{
	want=$1 text=$2
	shift 2
	"$@" >out 2>&1
	got=$?
	if [ "$got" -ne "$want" ] || ! grep -qF -- "$text" out; then
		echo "FAIL: $*: exit status $got, expected $want and '$text':"
		cat out
		failed=1
	fi
}

# spools PID: succeed if the process has written to a temporary file in $TMPDIR.
spools()
{
	for file in /proc/"$1"/fd/*; do
		case $(readlink "$file") in
		"$TMPDIR"/*)
			[ -s "$file" ] && return 0
		esac
	done
	return 1
}

# adds_up WHAT JSON [LIST]: the rows of LIST, by default the call sites or their groups,
# must add up to the totals of each allocator. The report must have all rows.
adds_up()
{
	awk -F'[":,]+' -v what="$1" -v list="${3:-sites}" '
	/^  "/ { part = $2 }
	/^    "/ { space = $2 }
	/^    "/ && part == list { listed[space] = 1 }
	part == "totals" &&
	/^      "(allocs|frees|(live_)?bytes_(req|alloc)|live|remote_frees)"/ {
		total[space " " $2] = $3
	}
	part == "peak" && /^      "bytes"/ { total[space " peak_bytes_alloc"] = $3 }
	# Deeper rows are parts of these.
	part == list && /^        "/ { sum[space " " $2] += $3 }
	END {
		for (key in total) {
			split(key, name, " ")
			if (!listed[name[1]])
				continue
			nr++
			if (sum[key] == total[key])
				continue
			print "FAIL: " what ": " key ": " sum[key] + 0 \
				", expected " total[key]
			bad = 1
		}
		exit bad || !nr
	}' "$2" || failed=1
}

# all_have_a_size WHAT JSON: the percentiles must cover all allocations.
all_have_a_size()
{
	awk -F'[":,]+' -v what="$1" '
	/^  "/ { part = $2 }
	/^    "/ { space = $2 }
	part == "totals" && /^      "allocs"/ { total[space] = $3 }
	part == "percentiles" && /"allocs"/ && $3 == total[space] { nr++ }
	END {
		if (nr != 8)
			print "FAIL: " what ": " nr " of 8 percentiles are of all"
		exit nr != 8
	}' "$2" || failed=1
}

# parts_add_up WHAT LIST JSON: the parts of each row of LIST must add up to the row, and
# all rows to the total of slab. The report must have all call sites.
parts_add_up()
{
	awk -F'[":,]+' -v what="$1" -v list="$2" '
	function compare(key, sum, whole) {
		if (sum + 0 == whole + 0)
			return
		print "FAIL: " what ": " key ": " sum + 0 ", expected " whole
		bad = 1
	}
	/^  "/ { part = $2 }
	/^    "/ { space = $2 }
	!/"(allocs|frees|live|remote_frees|(live_|peak_)?bytes_[a-z]+)"/ { $2 = "" }
	part == "totals" && space == "slab" && /^      [^ ]/ && $2 { total[$2] = $3 }
	part == list && /^      [^ ]/ && $2 {
		row[$2] = $3
		all[$2] += $3
	}
	part == list && /^          [^ ]/ && $2 { sum[$2] += $3 }
	part == list && /^    }/ {
		nr++
		for (key in row)
			compare("row " nr ": " key, sum[key], row[key])
		split("", row)
		split("", sum)
	}
	END {
		for (key in total)
			if (key in all && key != "frees")
				compare(key, all[key], total[key])
		exit bad || !nr
	}' "$3" || failed=1
}

# lives_add_up WHAT JSON: the number of ended lives must be the same by allocator, call
# site, pair of call sites and step, and equal the frees of memory that isn't older than
# the trace. Lives that ended on another CPU must be the same by pair of call sites and by
# allocator. The report must have all call sites.
lives_add_up()
{
	awk -F'[":,]+' -v what="$1" '
	function compare(space, whole, parts) {
		if (sum[whole " " space] + 0 == sum[parts " " space] + 0)
			return
		print "FAIL: " what ": " space ": " whole ": " \
			sum[whole " " space] + 0 ", but " parts ": " \
			sum[parts " " space] + 0
		bad = 1
	}
	/^  "/ { part = $2 }
	/^    "/ { space = $2 }
	part == "sites" && /"(note|name)":"[(]?before tracing/ { older = 1 }
	part == "sites" && /"frees"/ {
		sum["sites " space] += older ? 0 : $3
		older = 0
	}
	/"ended"/ {
		deep = match($0, /[^ ]/) > 7 && part == "lifetimes"
		sum[part (deep ? " by site " : " ") space] += $3
	}
	part == "cpus" && /^      "/ { space = $2 }
	/"remote_frees"/ { sum["remote " part " " space] += $3 }
	/"steps"/ { deep = match($0, /[^ ]/) > 7; in_steps = part ~ /lifetimes|churn/; next }
	/]/ { in_steps = 0 }
	in_steps { sum[part (deep ? " by deep step " : " by step ") space] += $1 }
	END {
		split("slab pages percpu vmalloc", spaces, " ")
		split("lifetimes by site,lifetimes by step,lifetimes by deep step," \
		      "churn,churn by deep step,sites", of, ",")
		for (i in spaces) {
			compare(spaces[i], "remote totals", "remote cpus")
			for (j in of)
				compare(spaces[i], "lifetimes", of[j])
			nr += sum["lifetimes " spaces[i]]
		}
		exit bad || !nr
	}' "$2" || failed=1
}
