#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The shared library exports what its headers declare, and needs only listed libraries.

top=$(readlink -f "${srcdir:-.}/..")
headers="$top/include/kmemtrace.h $top/include/kmemtrace-records.h"
manual=$top/man/libkmemtrace.3
example=$(readlink -f "${kernel_tree:-$top/../..}")/Documentation/trace/kmemtrace-library
# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
library=$here/../lib/libkmemtrace.so.2

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

nm -D "$library" | sed -n 's/.* T \(.*\)@@LIBKMEMTRACE_2\.[0-9]*$/\1/p' >is
# shellcheck disable=SC2086 # names
sed -n 's/^[a-z].*[ *]\(kmemtrace_[a-z_]*\)(.*/\1/p; s/^\(kmemtrace_[a-z_]*\)(.*/\1/p' \
	$headers >expected
same "the public symbols are those of the headers"
grep '^\.B' "$manual" | grep -o 'kmemtrace_[a-z_]*' >is
same "the manual page has all functions"

# Sanitizers add symbols of their own. The loader is there anyway; it has the memory of threads.
readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/\1/p' | grep -v 'san\|^ld' >is
printf 'libc\nlibm\nlibzstd\n' >expected
same "the library needs these libraries only"

nm -D --undefined-only "$library" | sed -n 's/.* U \(exit\|_exit\|abort\|atexit\|signal\|sigaction\|printf\|puts\|warn\|err\|errx\)@.*/\1/p' >out
if [ -s out ]; then
	echo "FAIL: the library must not call these:"
	cat out
	failed=1
fi

for standard in c99 c11; do
	# shellcheck disable=SC2086 # names
	${CC:-cc} -std=$standard -pedantic -Wall -Wextra -Werror \
		-fsyntax-only -x c $headers || failed=1
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

# A sanitizer must be loaded before a library that needs it.
sanitizer=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(libasan.*\)\]/\1/p')
python_example()
{
	LD_PRELOAD=${sanitizer:+$(${CC:-cc} -print-file-name="$sanitizer")} "$example.py" "$@"
}

# The examples of the documentation, one of them built as by a user, print the report's figures.
install
# shellcheck disable=SC2046,SC2086 # words
${CC:-cc} $CFLAGS -Wall -Wextra -Werror -o example \
	"$example.c" \
	$(pkg-config --cflags --libs libkmemtrace) || exit 1
LD_LIBRARY_PATH=$(dirname "$(find "$root" -name libkmemtrace.so.2)")
export LD_LIBRARY_PATH
"$here/kmemtrace-gen" trace >/dev/null || exit 1
./example trace >is 2>&1 || failed=1
"$program_dir/kmemtrace-report" --csv sites --where allocator=slab --sort live_bytes -n 3 \
	--columns live_bytes,live,site trace |
	sed '1d; s/,/ bytes in /; s/,/ objects: /' >expected
[ "$(wc -l <expected)" -eq 3 ] || failed=1
same "the example says what the report does"

python_example trace sites where=allocator=pages,live\>1 sort=allocs limit=3 \
	columns=allocs,address,file,waste_ratio,function >is 2>&1 || failed=1
"$program_dir/kmemtrace-report" --csv sites --where 'allocator=pages,live>1' --sort allocs -n 3 \
	--columns allocs,address,waste_ratio,function trace |
	awk -F, 'NR > 1 { printf "allocs=%s address=%s waste_ratio=%.1f function=%s\n", $1, $2, $3, $4 }' >expected
[ "$(wc -l <expected)" -eq 3 ] || failed=1
same "the example in Python says what the report does"
for relation in trace findings timeline; do
	python_example trace $relation >is || failed=1
	"$program_dir/kmemtrace-report" --csv $relation trace | sed 1d >expected
	[ "$(wc -l <is)" -eq "$(wc -l <expected)" ] || fail "rows of $relation"
done
python_example trace sites sort=nonsense >out 2>&1
grep -q "sites has no column 'nonsense'" out || fail "a wrong query: $(cat out)"
expect 1 'cells has rows only after kmemtrace_set_cells() and kmemtrace_read()' python_example trace cells
for arguments in '' trace 'trace sites sort' 'trace sites limit=x' 'trace sites nonsense=1'; do
	# shellcheck disable=SC2086 # words
	expect 1 'kmemtrace-library.py DIR RELATION [MEMBER=VALUE]' python_example $arguments
	! grep Traceback out || fail "the arguments '$arguments'"
done
exit $failed
