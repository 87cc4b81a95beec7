// SPDX-License-Identifier: GPL-2.0
/*
 * A faulty module: its marker has a name with another format, and it leaves a probe
 * behind.
 */
#include <linux/module.h>
#include "marker_hits.h"

static void probe(void *data, const struct marker_layout *layout,
		  const void *record)
{
}

static int __init rude_init(void)
{
	trace_mark(marker_test_adhoc, "%d", 1);
	return marker_generic_register("marker_test_adhoc", MARKER_TEST_ADHOC,
				       probe, NULL);
}
module_init(rude_init);

static void __exit rude_exit(void)
{
	/* A site in init code is not listed. */
	trace_mark(marker_test_adhoc, "%d", 2);
}
module_exit(rude_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A module that breaks the rules, for the tests");
