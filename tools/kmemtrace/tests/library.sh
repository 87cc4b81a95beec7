#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The shared library exports what its header declares, and needs only listed libraries.

top=$(readlink -f "${srcdir:-.}/..")
header=$top/include/kmemtrace.h
manual=$top/man/libkmemtrace.3
example=$(readlink -f "${kernel_tree:-$top/../..}")/Documentation/trace/kmemtrace-library.c
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
library=$here/../lib/libkmemtrace.so.1

# same WHAT: the files "is" and "expected" must have the same lines, in any order.
same()
{
	for file in is expected; do
		sort -u $file >$file.sorted
	done
	if ! [ -s is ] || ! diff -u expected.sorted is.sorted; then
		echo "FAIL: $1"
		failed=1
	fi
}

nm -D "$library" | sed -n 's/.* T \(.*\)@@LIBKMEMTRACE_1\.0$/\1/p' >is
sed -n 's/^[a-z].*[ *]\(kmemtrace_[a-z_]*\)(.*/\1/p; s/^\(kmemtrace_[a-z_]*\)(.*/\1/p' \
	"$header" >expected
same "the public symbols are those of the header"
grep '^\.B' "$manual" | grep -o 'kmemtrace_[a-z_]*' >is
same "the manual page has all functions"

# Sanitizers add symbols of their own.
readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/\1/p' | grep -v san >is
printf 'libc\nlibzstd\n' >expected
same "the library needs these libraries only"

nm -D --undefined-only "$library" | sed -n 's/.* U \(exit\|_exit\|abort\|atexit\|signal\|sigaction\|printf\|puts\|warn\|err\|errx\)@.*/\1/p' >out
if [ -s out ]; then
	echo "FAIL: the library must not call these:"
	cat out
	failed=1
fi

for standard in c99 c11; do
	${CC:-cc} -std=$standard -pedantic -Wall -Wextra -Werror \
		-fsyntax-only -x c "$header" || failed=1
done
# Install below root/.
install()
{
	root=$PWD/root
	make -s -C "$here/../src" install DESTDIR="$root" >log 2>&1 || {
		cat log
		exit 1
	}
	PKG_CONFIG_PATH=$(dirname "$(find "$root" -name libkmemtrace.pc)")
	PKG_CONFIG_SYSROOT_DIR=$root
	PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
	PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR \
		PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
}

# The example of the documentation, built as by a user, prints the report's figures.
install
# shellcheck disable=SC2046,SC2086 # words
${CC:-cc} $CFLAGS -Wall -Wextra -Werror -o example \
	"$example" \
	$(pkg-config --cflags --libs libkmemtrace) || exit 1
"$here/kmemtrace-gen" trace >/dev/null || exit 1
LD_LIBRARY_PATH=$(dirname "$(find "$root" -name libkmemtrace.so.1)") \
	./example trace >is 2>&1 || failed=1
"$program_dir/kmemtrace-report" --json -n 3 --group-by function trace |
	awk -F'[":,]+' '
	/^  "/ { part = $2 }
	/^    "/ { space = $2 }
	part != "sites" || space != "slab" { next }
	$2 == "name" { name = $3 }
	$2 == "live_bytes_alloc" { print "live: " $3 " bytes, " name }' >expected
[ "$(wc -l <expected)" -eq 3 ] || failed=1
"$program_dir/kmemtrace-report" --json -n 100000 trace | awk -F'[":,]+' '
	$2 == "size" && $3 > largest { largest = $3 }
	END { print "largest: " largest " bytes" }' >>expected
same "the example says what the report does"
exit $failed
