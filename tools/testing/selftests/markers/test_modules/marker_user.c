// SPDX-License-Identifier: GPL-2.0
/*
 * Sites in a module that comes and goes: of another module's typed marker, of an ad-hoc
 * marker that has sites elsewhere, and of two markers of its own. They are hit when
 * the module is loaded, which may then fail, and when it is unloaded.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include "marker_hits.h"

static bool fail;
module_param(fail, bool, 0);
MODULE_PARM_DESC(fail, "refuse to be loaded");

DECLARE_MARKER(marker_test_own,
	MARKER_PARAMS(unsigned long number),
	MARKER_ARGS(number),
	"number %lu")
DEFINE_MARKER(marker_test_own);

static noinline void hit(unsigned long number)
{
	marker_call(marker_test_typed, number, hit);
	trace_mark(marker_test_adhoc, "number %lu who %s", number, "user");
	marker_call(marker_test_own, number);
	trace_mark(marker_test_own_adhoc, "number %lu", number);
}

static int __init user_init(void)
{
	for (int i = 0; i < 10; i++)
		marker_test_hit(hit);
	return fail ? -EINVAL : 0;
}
module_init(user_init);

static void __exit user_exit(void)
{
	for (int i = 0; i < 10; i++)
		marker_test_hit(hit);
}
module_exit(user_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sites that come and go, for the tests");
