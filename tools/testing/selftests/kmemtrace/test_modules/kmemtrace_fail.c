// SPDX-License-Identifier: GPL-2.0
/* Can't be loaded: asks for more memory than any machine has, and so warns in the kernel log. */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

static int __init kmemtrace_fail(void)
{
	void *memory = vmalloc(LONG_MAX);

	vfree(memory);
	return memory ? 0 : -ENOMEM;
}
module_init(kmemtrace_fail);

MODULE_DESCRIPTION("Let an allocation fail");
MODULE_LICENSE("GPL");
