// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with a typed marker, which it exports, and an ad-hoc marker. Writing a
 * number to /sys/kernel/debug/marker_sample hits both that many times.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/sched.h>
#include "marker-sample.h"

DEFINE_MARKER(sample_count);
EXPORT_MARKER_SYMBOL_GPL(sample_count);

static struct dentry *sample_file;

static int sample_hit(void *data, u64 times)
{
	for (u64 i = 1; i <= times; i++) {
		marker_call(sample_count, i, current->comm);
		trace_mark(sample_even, "count %llu even %d", i, i % 2 == 0);
	}
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sample_fops, NULL, sample_hit, "%llu\n");

static int __init sample_init(void)
{
	sample_file = debugfs_create_file("marker_sample", 0200, NULL, NULL,
					  &sample_fops);
	return 0;
}
module_init(sample_init);

static void __exit sample_exit(void)
{
	debugfs_remove(sample_file);
}
module_exit(sample_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sample module with markers");
