// SPDX-License-Identifier: GPL-2.0
/* Markers in noinstr code, where they are forbidden: objtool must report them. */
#include <linux/compiler.h>
#include <linux/marker.h>
#include <linux/module.h>

DECLARE_MARKER(noinstr_typed,
	MARKER_PARAMS(int number),
	MARKER_ARGS(number),
	"%d")
DEFINE_MARKER(noinstr_typed);

void typed_in_noinstr(void);
noinstr void typed_in_noinstr(void)
{
	marker_call(noinstr_typed, 1);
}

void adhoc_in_noinstr(void);
noinstr void adhoc_in_noinstr(void)
{
	trace_mark(noinstr_adhoc, "%d", 1);
}

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Markers where they must not stand");
