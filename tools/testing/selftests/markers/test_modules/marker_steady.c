// SPDX-License-Identifier: GPL-2.0
/*
 * Probes that stay registered: a typed and a generic one on the typed marker of the
 * tests, and a generic one on the ad-hoc marker, which may come later. The debugfs
 * files marker_steady/<probe> hold the number of their calls.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/string.h>
#include "marker_hits.h"

static atomic64_t typed, generic, adhoc, wrong;
static struct dentry *dir;

static void probe_typed(void *data, unsigned long number, const void *who)
{
	atomic64_inc(&typed);
	if (data != &typed || !number || !who)
		atomic64_inc(&wrong);
}

static void probe_generic(void *data, const struct marker_layout *layout,
			  const void *record)
{
	const char *who = record + layout->fields[1].offset;
	unsigned long number;

	memcpy(&number, record, sizeof(number));
	atomic64_inc(data);
	if (layout->nr_fields != 2 || !number)
		atomic64_inc(&wrong);
	else if (layout->fields[1].conversion == 's' && strcmp(who, "hits") &&
		 strcmp(who, "irq") && strcmp(who, "user"))
		atomic64_inc(&wrong);
}

static int count_get(void *data, u64 *value)
{
	*value = atomic64_read(data);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(count_fops, count_get, NULL, "%llu\n");

static void steady_unregister(void)
{
	unregister_marker_marker_test_typed(probe_typed, &typed);
	marker_generic_unregister("marker_test_typed", probe_generic, &generic);
	marker_generic_unregister("marker_test_adhoc", probe_generic, &adhoc);
}

static int __init steady_init(void)
{
	int ret;

	ret = register_marker_marker_test_typed(probe_typed, &typed) ?:
	      marker_generic_register("marker_test_typed", "number %lu who %p",
				      probe_generic, &generic) ?:
	      marker_generic_register("marker_test_adhoc", MARKER_TEST_ADHOC,
				      probe_generic, &adhoc);
	if (ret) {
		steady_unregister();
		return ret;
	}
	dir = debugfs_create_dir("marker_steady", NULL);
	debugfs_create_file("typed", 0400, dir, &typed, &count_fops);
	debugfs_create_file("generic", 0400, dir, &generic, &count_fops);
	debugfs_create_file("adhoc", 0400, dir, &adhoc, &count_fops);
	debugfs_create_file("wrong", 0400, dir, &wrong, &count_fops);
	return 0;
}
module_init(steady_init);

static void __exit steady_exit(void)
{
	debugfs_remove(dir);
	steady_unregister();
}
module_exit(steady_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Probes that stay, for the tests");
