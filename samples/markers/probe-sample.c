// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with probes on the markers of marker-sample, which may be loaded before or
 * after it: a typed probe, and a generic probe that prints any record.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/printk.h>
#include <linux/string.h>
#include "marker-sample.h"

static void probe_count(void *data, unsigned long count, const char *who)
{
	pr_info("typed: %lu from %s\n", count, who);
}

/* Return the value of a number, extended according to its field. */
static s64 number(const struct marker_field *field, const void *at)
{
	s8 b;
	s16 w;
	s32 l;
	s64 q;

	switch (field->size) {
	case sizeof(b):
		memcpy(&b, at, sizeof(b));
		return field->is_signed ? b : (u8)b;
	case sizeof(w):
		memcpy(&w, at, sizeof(w));
		return field->is_signed ? w : (u16)w;
	case sizeof(l):
		memcpy(&l, at, sizeof(l));
		return field->is_signed ? l : (u32)l;
	default:
		memcpy(&q, at, sizeof(q));
		return q;
	}
}

static void probe_any(void *data, const struct marker_layout *layout,
		      const void *record)
{
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const struct marker_field *field = &layout->fields[i];
		const void *at = record + field->offset;

		if (field->conversion == 's')
			pr_info("%s: %s=%s\n", layout->marker, field->name,
				(const char *)at);
		else
			pr_info("%s: %s=%lld\n", layout->marker, field->name,
				number(field, at));
	}
}

static int __init probe_init(void)
{
	int ret;

	ret = register_marker_sample_count(probe_count, NULL);
	if (ret)
		return ret;
	ret = marker_generic_register("sample_even", "count %llu even %d",
				      probe_any, NULL);
	if (ret)
		unregister_marker_sample_count(probe_count, NULL);
	return ret;
}
module_init(probe_init);

static void __exit probe_exit(void)
{
	marker_generic_unregister("sample_even", probe_any, NULL);
	unregister_marker_sample_count(probe_count, NULL);
}
module_exit(probe_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sample module with probes on the markers of marker-sample");
