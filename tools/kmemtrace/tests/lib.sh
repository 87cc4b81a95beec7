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
		"$here"/kmemtrace-sample "$here"/kmemtrace-zst "$here"/ktrace-asm \
		"$here"/relation-dump
	program_dir=$work/.emulated
	here=$work/.emulated
fi

# from_asm ASM [ORDER]: make the trace that ASM describes in trace/, with the files beside ASM.
from_asm()
{
	rm -rf trace
	"$here/kmemtrace-asm" --order "${2:-little}" trace <"$1" || exit 1
	for file in metadata kallsyms modules slabs tasks; do
		[ ! -e "${1%/*}/$file" ] || cp "${1%/*}/$file" trace/
	done
	[ ! -e trace/metadata ] || set_key byte_order "${2:-little}"
}

# setup NAME [ORDER]: the same for golden/NAME.
setup()
{
	from_asm "$golden/$1/trace.asm" "$2"
}

# set_key KEY VALUE: change a line of the metadata of trace/.
set_key()
{
	sed -i "s/^$1: .*/$1: $2/" trace/metadata
}

# squeeze BYTES: compress the streams of trace/ as kmemtraced -z does, in frames of BYTES.
squeeze()
{
	for stream in trace/cpu*.out; do
		"$here/kmemtrace-zst" "$1" "$stream" || exit 1
	done
}

# compare NAME: the file out must equal golden/NAME.
compare()
{
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

# keep_document FILE: keep JSON of kmemtrace-report for check_documents.
keep_document()
{
	documents=$((documents + 1))
	cp "$1" "document-$documents"
}

# check_documents: what was kept must match the schema.
check_documents()
{
	"$program_dir/kmemtrace-report" --json-schema >schema &&
		"$srcdir/validate.py" schema document-* || failed=1
}

# adds_up WHAT JSON: the parts of a report that has all rows must add up to the whole.
adds_up()
{
	"$srcdir/sums.py" "$2" || fail "$1"
}

# alike NAME: write a trace of cgroups, slab caches, tasks and functions that have the names of
# others, or names that look like those: bytes that are no text, and texts of such bytes
alike()
{
	mkdir "$1"
	"$here/kmemtrace-asm" "$1" <<-'END'
		0 clock    0       56   0   5000               0                  0     0     0     1000
		0 task     0       72   0   0                  0                  0     0     0     1000 "swapper/0"
		0 cgroup   0       64   0   1                  0                  0     0     0     1100 "/"
		0 cgroup   0       64   0   7                  1                  0     0     0     1110 "/\c3\a9"
		0 cgroup   0       64   0   8                  1                  0     0     0     1120 "/\c3\a8"
		0 cgroup   0       64   0   9                  1                  0     0     0     1130 "/\c3\a9"
		0 cgroup   0       64   0   10                 1                  0     0     0     1132 "/\ff"
		0 cgroup   0       64   0   11                 1                  0     0     0     1134 "/\fe"
		0 cgroup   0       64   0   12                 1                  0     0     0     1136 "/\5cxff"
		0 cache    0       96   0   0                  0xffff888000001000 64    64    8     1140 1 "same"
		0 cache    0       96   0   0                  0xffff888000001100 128   128   8     1150 1 "same"
		0 task     0       72   100 100                500                0     0     0     1160 "shell" 0
		0 charge   kmalloc 56   -1  7                  0xffff888000004000 0     0     0     2000
		0 alloc    cache   72   -1  0xffffffff81001010 0xffff888000004000 64    64    0xcc0 2010 0xffff888000001000 0
		0 charge   kmalloc 56   -1  8                  0xffff888000004100 0     0     0     2020
		0 alloc    cache   72   -1  0xffffffff81001010 0xffff888000004100 128   128   0xcc0 2030 0xffff888000001100 0
		0 charge   kmalloc 56   -1  9                  0xffff888000004200 0     0     0     2040
		0 alloc    kmalloc 72   -1  0xffffffff81002010 0xffff888000004200 256   256   0xcc0 2050 0 0
		0 task     0       72   100 100                900                0     0     0     2060 "shell" 0
		0 charge   kmalloc 56   -1  10                 0xffff888000004300 0     0     0     2070
		0 alloc    kmalloc 72   -1  0xffffffff81002010 0xffff888000004300 32    32    0xcc0 2080 0 0
		0 charge   kmalloc 56   -1  11                 0xffff888000004400 0     0     0     2090
		0 alloc    kmalloc 72   -1  0xffffffff81002010 0xffff888000004400 16    16    0xcc0 2100 0 0
		0 charge   kmalloc 56   -1  12                 0xffff888000004500 0     0     0     2110
		0 alloc    kmalloc 72   -1  0xffffffff81002010 0xffff888000004500 8     8     0xcc0 2120 0 0
	END
	printf '%s\n' 'ffffffff81000000 T _stext' 'ffffffff81001000 t init_once' \
		'ffffffff81002000 t init_once' 'ffffffff81003000 T _etext' >"$1/kallsyms"
	printf '%b\n' 'abi_version: 2' 'byte_order: little' 'with: stack,task,cgroup' \
		'kernel_release: b\303\266ard' >"$1/metadata"
}

# make_suspects: make a trace of memory that is kept in several ways, see suspects.awk. The boot lasts
# until the step $boot of it, if that is set. With $owners, it has network namespaces, too.
make_suspects()
{
	rm -rf trace
	awk -v boot="${boot:-0}" -v owners="${owners:-0}" -f "$srcdir/suspects.awk" | "$here/kmemtrace-asm" trace
	cat >trace/metadata <<-END
	abi_version: 2
	kernel_release: 6.12.0-test
	byte_order: little
	page_size: 4096
	total_overruns: 0
	with: stack,task,cgroup
	state: complete
	END
	for symbol in 1000:leak 1100:freed 1200:start 1300:rare 1400:cache 1500:file \
		1600:alloc_vmap_area 1700:burst 1800:young 1900:__alloc_skb \
		2000:free_leak 2100:free_freed 3000:work 3100:load_module 3200:slow \
		3300:show 3400:seq_read_iter 3500:vfs_read 3600:ksys_read 4000:area 4100:once \
		6000:setup_net 6100:copy_net_ns 6200:__x64_sys_unshare 6300:do_syscall_64 \
		$(printf '5%x00:part%d ' 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 \
			12 12 13 13 14 14 15 15); do
		echo "ffffffff8100${symbol%:*} T ${symbol#*:}"
	done >trace/kallsyms
}

# make_ram FOLDER: make a trace of counters, in which what no counter has of RAM grows
make_ram()
{
	mkdir "$1"
	cp "$golden/counters/metadata" "$1"
	awk 'BEGIN {
		print "kmemtrace-counters 1"
		for (n = 0; n < 40; n++) {
			print "reading", n ? "delta" : "full", (n + 1) "000000000", 1764000000 + n
			split("MemTotal 1000000 MemFree " 500000 - 1000 * n - (n == 20 ? 150000 : 0) " MemAvailable " \
			      (n == 20 ? 100000 : 600000) " Cached " (n == 20 ? 350000 : 200000) \
			      " Buffers 10000 Shmem 5000 AnonPages 90000 Slab 60000 PageTables 7000" \
			      " SecPageTables 100 KernelStack 8000 VmallocUsed 30000 SwapCached 1", rows)
			for (i = 1; i in rows; i += 2)
				print n ? "" : "meminfo ", (i - 1) / 2, 1024 * rows[i + 1], n ? "" : rows[i]
			print "end"
		}
	}' | sed 's/  */ /g; s/^ //; s/ $//' >"$1/counters"
	"$here/kmemtrace-zst" 4096 "$1/counters" || exit 1
}

# all_kinds: make traces of all kinds, whose names are in $kinds: a whole trace, who allocated, its
# own, references, a sample, what another source recorded, losses, CPUs that are missing, one that
# was overwritten, contradictions, nodes, a boot, a machine with other bytes, a generated trace,
# counters only, names that look alike, and what kmemtrace-import makes of a file of perf
all_kinds()
{
	kinds='baseline who own references sample stock losses partial overwritten findings nodes boot'
	for kind in $kinds; do
		setup "$kind"
		mv trace "$kind"
	done
	setup who big
	mv trace big
	"$here/kmemtrace-gen" --abi 2 --events 400 --before 60 --live 100 --with task,cgroup \
		some >/dev/null || exit 1
	mkdir counters
	cp "$golden/counters/metadata" counters
	awk -f "$golden/counters/counters.awk" | awk '/^reading/ { n++ } n < 33' >counters/counters
	"$here/kmemtrace-zst" 4096 counters/counters || exit 1
	make_ram ram
	alike alike
	make_suspects
	mv trace suspects
	kinds="$kinds big some counters ram alike suspects"
	[ -x "$program_dir/kmemtrace-import" ] || return 0
	base64 -d "$golden/../import/6.12-lost.perf.xz.b64" | xz -d >file.perf
	"$program_dir/kmemtrace-import" file.perf imported 2>err || fail "import: $(cat err)"
	kinds="$kinds imported"
}
