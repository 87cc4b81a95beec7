// SPDX-License-Identifier: GPL-2.0
/*
 * Which memory CONFIG_MEM_ALLOC_PROFILING has charged, and to whom: a reader of
 * /proc/allocinfo is told sums only.
 *
 * A read of kmemtrace_tags in debugfs looks at all memory at one moment, and tells
 *
 *	page|object ADDRESS BYTES FILE FUNCTION
 *
 * of slab objects, and of neighbouring pages that have the same tag. Only the first
 * page of a block has a tag; where the block is not a compound page, nobody knows
 * how large it is, and it counts as one page.
 *
 * The parameter page_ext_get is the address of that function, which the kernel
 * keeps to itself.
 */
#include <linux/debugfs.h>
#include <linux/memcontrol.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/pgalloc_tag.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/stop_machine.h>
#include <linux/vmalloc.h>
#include "slab.h"

#define MAX_RUNS	SZ_1M

static unsigned long get_page_ext;
module_param_named(page_ext_get, get_page_ext, ulong, 0);

/* Memory that has one tag. */
struct run {
	unsigned long ptr, bytes;
	const struct codetag *tag;
	bool object;
};

struct runs {
	size_t nr, left_out;
	struct run run[];
};

static void add(struct runs *runs, const struct run *new)
{
	struct run *last = runs->nr ? &runs->run[runs->nr - 1] : NULL;

	if (!new->tag)
		return;
	if (last && !last->object && !new->object && last->tag == new->tag &&
	    last->ptr + last->bytes == new->ptr)
		last->bytes += new->bytes;
	else if (runs->nr < MAX_RUNS)
		runs->run[runs->nr++] = *new;
	else
		runs->left_out++;
}

static void add_page(struct runs *runs, struct page *page)
{
	struct page_ext *(*get)(const struct page *page) = (void *)get_page_ext;
	struct page_ext *ext = get(page);

	if (!ext)
		return;
	add(runs, &(struct run) {
		.ptr = (unsigned long)page_address(page),
		.bytes = page_size(page),
		.tag = codetag_ref_from_page_ext(ext)->ct,
	});
	/* as page_ext_put() does */
	rcu_read_unlock();
}

static void add_slab(struct runs *runs, struct slab *slab)
{
	const struct kmem_cache *cache = slab->slab_cache;
	struct slabobj_ext *exts = slab_obj_exts(slab);
	unsigned long ptr = (unsigned long)slab_address(slab);

	if (cache->flags & SLAB_RED_ZONE)
		ptr += cache->red_left_pad;
	for (unsigned int i = 0; exts && i < slab->objects; i++)
		add(runs, &(struct run) {
			.ptr = ptr + i * cache->size,
			.bytes = cache->size,
			.tag = exts[i].ref.ct,
			.object = true,
		});
}

/* Returns the next frame to look at. */
static unsigned long add_frame(struct runs *runs, unsigned long pfn, int node)
{
	struct page *page = pfn_to_online_page(pfn);

	if (!page || page_to_nid(page) != node)
		return pfn + 1;
	if (PageBuddy(page))
		return pfn + (1UL << page_private(page));
	if (!PageTail(page))
		add_page(runs, page);
	if (!PageTail(page) && PageSlab(page) &&
	    !is_kfence_address(page_address(page)))
		add_slab(runs, page_slab(page));
	return pfn + 1;
}

/* Runs on one CPU while the others do nothing. */
static int add_all(void *data)
{
	int node;

	for_each_online_node(node) {
		unsigned long pfn = NODE_DATA(node)->node_start_pfn;

		while (pfn < pgdat_end_pfn(NODE_DATA(node)))
			pfn = add_frame(data, pfn, node);
	}
	return 0;
}

static void *tags_start(struct seq_file *m, loff_t *pos)
{
	const struct runs *runs = m->private;

	return *pos < runs->nr ? (void *)&runs->run[*pos] : NULL;
}

static void *tags_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return tags_start(m, pos);
}

static void tags_stop(struct seq_file *m, void *v)
{
}

static int tags_show(struct seq_file *m, void *v)
{
	const struct run *run = v;

	seq_printf(m, "%s %#lx %lu %s %s\n", run->object ? "object" : "page",
		   run->ptr, run->bytes, run->tag->filename,
		   run->tag->function);
	return 0;
}

static const struct seq_operations tags_ops = {
	.start	= tags_start,
	.next	= tags_next,
	.stop	= tags_stop,
	.show	= tags_show,
};

static int tags_open(struct inode *inode, struct file *file)
{
	struct runs *runs = vzalloc(struct_size(runs, run, MAX_RUNS));
	int ret = runs ? stop_machine(add_all, runs, NULL) : -ENOMEM;

	if (!ret && runs->left_out)
		ret = -EOVERFLOW;
	ret = ret ?: seq_open(file, &tags_ops);
	if (ret)
		vfree(runs);
	else
		((struct seq_file *)file->private_data)->private = runs;
	return ret;
}

static int tags_release(struct inode *inode, struct file *file)
{
	vfree(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static const struct file_operations tags_fops = {
	.owner		= THIS_MODULE,
	.open		= tags_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= tags_release,
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

MODULE_DESCRIPTION("kmemtrace test: what memory allocation profiling has charged");
MODULE_LICENSE("GPL");
