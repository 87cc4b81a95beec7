// SPDX-License-Identifier: GPL-2.0
/* The size of kmemtrace's buffers, from the command line and the memory size. */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/cpumask.h>
#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "size.h"

/* A multiple of every page size, and the size of 8192 events. */
#define KMEMTRACE_SUBBUF_SIZE	(448 * SZ_1K)
#define KMEMTRACE_MAX_SUBBUF	((unsigned long)SZ_16M)

static unsigned long kmemtrace_subbufs_param __initdata;
static bool kmemtrace_subbufs_given __initdata;
static unsigned long kmemtrace_subbuf_param __initdata = KMEMTRACE_SUBBUF_SIZE;

static int __init kmemtrace_parse_subbufs(char *arg)
{
	if (arg && !kstrtoul(arg, 10, &kmemtrace_subbufs_param))
		kmemtrace_subbufs_given = true;
	else
		pr_warn("kmemtrace.subbufs=%s is not a number, using the default\n",
			arg ?: "");
	return 0;
}
early_param("kmemtrace.subbufs", kmemtrace_parse_subbufs);

static int __init kmemtrace_parse_subbuf_size(char *arg)
{
	unsigned long long asked;
	char *end = arg;

	asked = arg ? memparse(arg, &end) : 0;
	if (end == arg || *end)
		pr_warn("kmemtrace.subbuf_size=%s is not a size, using the default\n",
			arg ?: "");
	else
		kmemtrace_subbuf_param = min(asked, ULONG_MAX);
	return 0;
}
early_param("kmemtrace.subbuf_size", kmemtrace_parse_subbuf_size);

/* Return the size nearest to @asked of which two sub-buffers fit into a CPU's share. */
static unsigned long __init kmemtrace_subbuf_size(unsigned long pages,
						  unsigned int cpus,
						  unsigned long asked)
{
	unsigned long share = pages / 8 / cpus / 2;
	unsigned long most = min(share, KMEMTRACE_MAX_SUBBUF >> PAGE_SHIFT)
			     << PAGE_SHIFT;
	unsigned long size;

	most = max(most, KMEMTRACE_MIN_SUBBUF);
	/* Small machines get the default silently, with at least 2 sub-buffers. */
	if (asked == KMEMTRACE_SUBBUF_SIZE)
		return PAGE_ALIGN(asked);
	size = asked < most ? PAGE_ALIGN(asked) : most;
	size = max(size, KMEMTRACE_MIN_SUBBUF);
	if (size != asked)
		pr_warn("kmemtrace.subbuf_size=%lu is not whole pages from 16K to %luK, using %luK\n",
			asked, most / SZ_1K, size / SZ_1K);
	return size;
}

/*
 * A boot has hundreds of thousands of events before user space can read, most of them
 * on one CPU: 328,000 and 537,000 on two small virtual machines. So the default is an
 * 8th of the memory, but no more than two million events per CPU. An 8th is the limit
 * of kmemtrace.subbufs=, too. Highmem does not count as memory here. Since vmap() maps the
 * buffers, they take no more than half of its addresses, which are few on 32-bit machines.
 */
#define KMEMTRACE_DEFAULT_BYTES		(256UL * KMEMTRACE_SUBBUF_SIZE)

static unsigned long __init kmemtrace_n_subbufs(unsigned long pages,
						unsigned int cpus,
						unsigned long size, bool given,
						unsigned long asked)
{
	unsigned long subbuf_pages = DIV_ROUND_UP(size, PAGE_SIZE);
	unsigned long most = pages / 8 / cpus / subbuf_pages;
	unsigned long n;

	/* relay holds the size of a buffer in an unsigned int. */
	most = clamp(most, 2UL, UINT_MAX / size);
	if (!given)
		return clamp(KMEMTRACE_DEFAULT_BYTES / size, 2UL, most);

	n = clamp(asked, 2UL, most);
	if (n != asked)
		pr_warn("kmemtrace.subbufs=%lu is out of range 2..%lu (an 8th of the memory), using %lu\n",
			asked, most, n);
	return n;
}

/**
 * kmemtrace_size_buffers - compute the size of the buffers
 * @subbuf_size: result, bytes of a sub-buffer
 * @n_subbufs: result, sub-buffers of a CPU
 */
void __init kmemtrace_size_buffers(size_t *subbuf_size, size_t *n_subbufs)
{
	unsigned long pages = min(totalram_pages() - totalhigh_pages(),
				  VMALLOC_TOTAL / 2 / PAGE_SIZE * 8);
	unsigned int cpus = num_possible_cpus();

	*subbuf_size = kmemtrace_subbuf_size(pages, cpus,
					     kmemtrace_subbuf_param);
	*n_subbufs = kmemtrace_n_subbufs(pages, cpus, *subbuf_size,
					 kmemtrace_subbufs_given,
					 kmemtrace_subbufs_param);
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "size_test.c"
#endif
