#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Each write of each program goes wrong in turn: see faults.py.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

setup who
mv trace who
setup baseline
mv trace baseline
pack who >stream
"$here/kmemtrace-gen" --abi 2 --events 2000 --before 500 --live 900 big >/dev/null || exit 1
for n in 0 1 2; do
	"$srcdir/growth-chain.py" $n 0 | "$here/kmemtrace-asm" grown$n || exit 1
	cp baseline/metadata grown$n
done
base64 -d "$srcdir/import/6.12.dat.xz.b64" | xz -d >file.dat || exit 1
base64 -d "$srcdir/import/6.12.perf.xz.b64" | xz -d >file.perf || exit 1
printf 'ffffffff81000000 T _stext\nffffffffc0000000 t init_module\t[m]\n' >symbols
if [ -x "$program_dir/ktrace-report" ]; then
	# shellcheck source=tools/kmemtrace/tests/ktrace-lib.sh
	. "$srcdir/ktrace-lib.sh"
	setup plain
	mv trace ktrace
fi
PATH=$program_dir:$PATH
kmemtrace-report --html old baseline || exit 1

{
	cat <<-END
	page.html kmemtrace-report --html page.html ../../who
	replaces:page.html kmemtrace-report --html page.html ../../who
	page.html kmemtrace-report --html page.html - < stream
	page.html kmemtrace-report --diff --html page.html ../../who ../../baseline
	stdout kmemtrace-report ../../who
	stdout kmemtrace-report --json ../../who
	stdout kmemtrace-report --csv objects ../../who
	stdout kmemtrace-report --diff ../../who ../../baseline
	stdout kmemtrace-report --growth --json ../../grown0 ../../grown1 ../../grown2
	stdout kmemtrace-report --folded - < stream
	stdout kmemtrace-report --csv list
	stdout kmemtrace-report --csv sites --columns list
	stdout kmemtrace-report --help
	stdout kmemtrace-check ../../who ../../baseline
	stdout kmemtrace-check - < stream
	books kmemtrace-export books -o books ../../who
	books kmemtrace-export books -o books ../../big
	ctf kmemtrace-export ctf -o ctf ../../who
	parquet kmemtrace-export parquet -o parquet ../../who
	profile kmemtrace-export pprof -o profile ../../who
	stdout kmemtrace-export pprof -o - ../../who
	stdout kmemtrace-export pprof -o - - < stream
	profile.json kmemtrace-export speedscope -o profile.json ../../who
	stdout kmemtrace-top --batch 1 - < stream
	END
	[ ! -x "$program_dir/kmemtrace-import" ] || cat <<-END
	trace kmemtrace-import -k ../../symbols ../../file.dat trace
	trace kmemtrace-import ../../file.perf trace
	END
	[ ! -d ktrace ] || cat <<-END
	ctf ktrace-report --ctf ctf ../../ktrace
	stdout ktrace-report --json ../../ktrace
	stdout ktrace-report --list ../../ktrace
	END
} >cases
python3 "$srcdir/faults.py" "$here/faulty" <cases || failed=1
exit $failed
