#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The shared library has what its header declares, and needs no more than it should.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"
library=$here/../lib/libkmemtrace.so.1

# same WHAT: what is in "is" is what is in "expected"; both in any order.
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

# Of the sanitizers, those have more.
readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/\1/p' | grep -v san >is
printf 'libc\nlibzstd\n' >expected
same "the library needs nothing but these"

nm -D --undefined-only "$library" | sed -n 's/.* U \(atexit\|signal\|sigaction\|printf\|puts\|warn\|err\|errx\)@.*/\1/p' >out
if [ -s out ]; then
	echo "FAIL: these are the program's to call:"
	cat out
	failed=1
fi

for standard in c99 c11; do
	${CC:-cc} -std=$standard -pedantic -Wall -Wextra -Werror \
		-fsyntax-only -x c "$header" || failed=1
done
exit $failed
