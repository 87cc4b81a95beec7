// SPDX-License-Identifier: GPL-2.0
/* The size of a channel's buffers, from the command line and the memory size. */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/marker_channel.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "marker_channel_internal.h"

#define MARKER_CHANNEL_MAX_SUBBUF	((unsigned long)SZ_16M)

/**
 * marker_channel_parse_subbufs - parse the boot parameter OWNER.subbufs=
 * @asked: its owner and the result
 * @arg: the value, or NULL
 */
void __init marker_channel_parse_subbufs(struct marker_channel_size *asked,
					 const char *arg)
{
	if (arg && !kstrtoul(arg, 10, &asked->n_subbufs))
		asked->given = true;
	else
		pr_warn("%s.subbufs=%s is not a number, using the default\n",
			asked->owner, arg ?: "");
}

/**
 * marker_channel_parse_mode - parse the boot parameter OWNER.mode=
 * @asked: its owner
 * @arg: the value, or NULL
 *
 * Return: true if the newest records shall replace the oldest.
 */
bool __init marker_channel_parse_mode(const struct marker_channel_size *asked,
				      const char *arg)
{
	bool overwrite = arg && !strcmp(arg, "overwrite");

	if (!overwrite && (!arg || strcmp(arg, "discard")))
		pr_warn("%s.mode=%s is neither discard nor overwrite, using discard\n",
			asked->owner, arg ?: "");
	return overwrite;
}

/**
 * marker_channel_parse_subbuf_size - parse the boot parameter OWNER.subbuf_size=
 * @asked: its owner and the result
 * @arg: the value, or NULL
 */
void __init marker_channel_parse_subbuf_size(struct marker_channel_size *asked,
					     const char *arg)
{
	unsigned long long size;
	char *end = (char *)arg;

	size = arg ? memparse(arg, &end) : 0;
	if (end == arg || *end)
		pr_warn("%s.subbuf_size=%s is not a size, using the default\n",
			asked->owner, arg ?: "");
	else
		asked->subbuf_size = min(size, ULONG_MAX);
}

/* Return the size nearest to @asked of which two sub-buffers fit into a CPU's share. */
static unsigned long __init
marker_channel_subbuf_size(const struct marker_channel_size *asked,
			   unsigned long pages, unsigned int cpus)
{
	unsigned long share = pages / 8 / cpus / 2;
	unsigned long most = min(share, MARKER_CHANNEL_MAX_SUBBUF >> PAGE_SHIFT)
			     << PAGE_SHIFT;
	unsigned long size;

	most = max(most, MARKER_CHANNEL_MIN_SUBBUF);
	/* Small machines get the default silently, with at least 2 sub-buffers. */
	if (asked->subbuf_size == MARKER_CHANNEL_SUBBUF)
		return PAGE_ALIGN(asked->subbuf_size);
	size = asked->subbuf_size < most ? PAGE_ALIGN(asked->subbuf_size) : most;
	size = max(size, MARKER_CHANNEL_MIN_SUBBUF);
	if (size != asked->subbuf_size)
		pr_warn("%s.subbuf_size=%lu is not whole pages from 16K to %luK, using %luK\n",
			asked->owner, asked->subbuf_size, most / SZ_1K,
			size / SZ_1K);
	return size;
}

/*
 * Return the pages that buffers may take eight times. Highmem does not count as memory here.
 * Since vmap() maps the buffers, they take no more than half of its addresses, which are few
 * on 32-bit machines.
 */
static unsigned long marker_channel_memory(void)
{
	return min(totalram_pages() - totalhigh_pages(),
		   VMALLOC_TOTAL / 2 / PAGE_SIZE * 8);
}

/* Return how many sub-buffers an 8th of @pages pages holds. */
static unsigned long marker_channel_all(unsigned long pages, unsigned long size)
{
	return pages / 8 / DIV_ROUND_UP(size, PAGE_SIZE);
}

/* Return how many sub-buffers @cpus CPUs may have each, in an 8th of @pages pages. */
static unsigned long marker_channel_most(unsigned long pages, unsigned int cpus,
					 unsigned long size)
{
	/* relay holds the size of a buffer in an unsigned int. */
	return clamp(marker_channel_all(pages, size) / cpus, 2UL, UINT_MAX / size);
}

/**
 * marker_channel_resize - set the number of sub-buffers of the next generation
 * @channel: a channel that neither is prepared nor runs
 * @n_subbufs: sub-buffers of each CPU, at least 2
 *
 * Context: task, may sleep.
 * Return: 0; -EBUSY in other states, or while sub-buffers of the last generation are unread;
 * -ERANGE if the buffers would take more than an 8th of the memory.
 */
int marker_channel_resize(struct marker_channel *channel, size_t n_subbufs)
{
	if (n_subbufs < 2 ||
	    n_subbufs > marker_channel_most(marker_channel_memory(),
					    num_possible_cpus(),
					    channel->subbuf_size))
		return -ERANGE;
	return marker_channel_set_subbufs(channel, n_subbufs);
}

/*
 * Where an 8th of the memory holds less than the default of each CPU, the boot CPU may have
 * up to a quarter of it: most of the boot runs there, before user space can read. Return the
 * number of sub-buffers of the others.
 */
static unsigned long __init
marker_channel_default(const struct marker_channel_size *asked,
		       unsigned long pages, unsigned int cpus,
		       unsigned long size, unsigned long *boot)
{
	unsigned long all = marker_channel_all(pages, size);
	unsigned long wanted = max(asked->default_bytes / size, 2UL);
	unsigned long n = min(wanted, marker_channel_most(pages, cpus, size));

	*boot = clamp(all / 4, n, wanted);
	if (*boot > n)
		n = max((all - *boot) / (cpus - 1), 2UL);
	return n;
}

/* Return the number of sub-buffers of each CPU but the boot CPU, which has @boot. */
static unsigned long __init
marker_channel_n_subbufs(const struct marker_channel_size *asked,
			 unsigned long pages, unsigned int cpus,
			 unsigned long size, unsigned long *boot)
{
	unsigned long most = marker_channel_most(pages, cpus, size), n;

	if (!asked->given)
		return marker_channel_default(asked, pages, cpus, size, boot);

	n = clamp(asked->n_subbufs, 2UL, most);
	*boot = n;
	if (n != asked->n_subbufs)
		pr_warn("%s.subbufs=%lu is out of range 2..%lu (an 8th of the memory), using %lu\n",
			asked->owner, asked->n_subbufs, most, n);
	return n;
}

/*
 * Return for how many CPUs an 8th of the memory holds the buffers: for the boot CPU at least,
 * with @boot sub-buffers. The others have @n.
 */
static unsigned int __init marker_channel_early(unsigned long pages,
						unsigned long size,
						unsigned long n,
						unsigned long boot)
{
	unsigned long all = marker_channel_all(pages, size);

	return 1 + (all > boot ? (all - boot) / n : 0);
}

/**
 * marker_channel_init_size - set up a channel with buffers of the size that is asked for
 * @channel: the channel
 * @asked: the size
 *
 * Context: as marker_channel_init().
 */
void __init marker_channel_init_size(struct marker_channel *channel,
				     const struct marker_channel_size *asked)
{
	unsigned long pages = marker_channel_memory(), boot;
	unsigned int cpus = num_possible_cpus();
	unsigned long size = marker_channel_subbuf_size(asked, pages, cpus);
	unsigned long n = marker_channel_n_subbufs(asked, pages, cpus, size,
						   &boot);

	marker_channel_init(channel, size, n);
	channel->n_boot = boot;
	channel->grows = asked->grows;
	channel->n_early = marker_channel_early(pages, size, n, boot);
}

#ifdef CONFIG_MARKER_CHANNEL_KUNIT_TEST
#include "marker_channel_size_test.c"
#endif
