// SPDX-License-Identifier: GPL-2.0
/*
 * Lists the pages that CONFIG_MEM_ALLOC_PROFILING has charged, with the charged code.
 * /proc/allocinfo has only sums.
 *
 * The debugfs file kmemtrace_tags has a line for neighbouring pages of one state:
 *
 *	charged ADDRESS BYTES FILE FUNCTION
 *	free ADDRESS BYTES - -
 *
 * Only the first page of a block has a tag. The size of a block that is not a compound
 * page is unknown; it counts as one page. The module takes no locks, so lines about
 * pages that are allocated or freed meanwhile may be wrong.
 *
 * The parameter page_ext_get is the address of that function, which the kernel does not
 * export.
 */
#include <linux/debugfs.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/pgalloc_tag.h>
#include <linux/seq_file.h>

static unsigned long get_page_ext;
module_param_named(page_ext_get, get_page_ext, ulong, 0);

/* Page frames of one state, charged to @tag unless @free. */
struct run {
	unsigned long pfn, nr;
	const struct codetag *tag;
	bool free;
};

static const struct codetag *tag_of(struct page *page)
{
	struct page_ext *(*get)(const struct page *page) = (void *)get_page_ext;
	struct page_ext *ext = get(page);
	union codetag_ref *charged, ref;

	if (!ext)
		return NULL;
	charged = page_ext_data(ext, &page_alloc_tagging_ops);
	ref.ct = READ_ONCE(charged->ct);
	/* as page_ext_put() does */
	rcu_read_unlock();
	return is_codetag_empty(&ref) ? NULL : ref.ct;
}

/* Return the state of the block at @pfn. */
static struct run look_at(unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);
	struct run run = { .pfn = pfn, .nr = 1 };
	unsigned int order;

	if (!page || PageTail(page))
		return run;
	if (PageBuddy(page)) {
		order = READ_ONCE(page->private);
		run.free = true;
	} else {
		order = compound_order(page);
		run.tag = tag_of(page);
	}
	if (order <= MAX_PAGE_ORDER || !run.free)
		run.nr = 1UL << order;
	return run;
}

/* Find the next free or charged frames at or after @pfn. Return false if none. */
static bool find_run(struct run *run, unsigned long pfn, unsigned long end)
{
	struct run next;

	do {
		*run = look_at(pfn);
		pfn += run->nr;
	} while (!run->tag && !run->free && pfn < end);
	while (pfn < end) {
		next = look_at(pfn);
		if (next.tag != run->tag || next.free != run->free)
			break;
		run->nr += next.nr;
		pfn += next.nr;
	}
	return run->tag || run->free;
}

static unsigned long end_of_memory(void)
{
	unsigned long end = 0;
	int node;

	for_each_online_node(node)
		end = max(end, pgdat_end_pfn(NODE_DATA(node)));
	return end;
}

static void *tags_start(struct seq_file *m, loff_t *pos)
{
	unsigned long end = end_of_memory();

	return *pos < end && find_run(m->private, *pos, end) ? m->private : NULL;
}

static void *tags_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct run *run = v;

	*pos = run->pfn + run->nr;
	cond_resched();
	return tags_start(m, pos);
}

static void tags_stop(struct seq_file *m, void *v)
{
}

/* Return the address of a page in the linear map, as if that had high memory too. */
static u64 address_of(unsigned long pfn)
{
	if (PageHighMem(pfn_to_page(pfn)))
		return (unsigned long)__va(0) + (u64)PFN_PHYS(pfn);
	return (unsigned long)page_address(pfn_to_page(pfn));
}

static int tags_show(struct seq_file *m, void *v)
{
	const struct run *run = v;

	seq_printf(m, "%s %#llx %lu %s %s\n", run->free ? "free" : "charged",
		   address_of(run->pfn),
		   run->nr << PAGE_SHIFT, run->free ? "-" : run->tag->filename,
		   run->free ? "-" : run->tag->function);
	return 0;
}

static const struct seq_operations tags_sops = {
	.start	= tags_start,
	.next	= tags_next,
	.stop	= tags_stop,
	.show	= tags_show,
};

static int tags_open(struct inode *inode, struct file *file)
{
	return seq_open_private(file, &tags_sops, sizeof(struct run));
}

static const struct file_operations tags_fops = {
	.owner		= THIS_MODULE,
	.open		= tags_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release_private,
};

static struct dentry *tags_file;

static int __init tags_init(void)
{
	if (!get_page_ext)
		return -EINVAL;
	tags_file = debugfs_create_file("kmemtrace_tags", 0400, NULL, NULL,
					&tags_fops);
	return 0;
}
module_init(tags_init);

static void __exit tags_exit(void)
{
	debugfs_remove(tags_file);
}
module_exit(tags_exit);

MODULE_DESCRIPTION("kmemtrace test: pages charged by memory allocation profiling");
MODULE_LICENSE("GPL");
