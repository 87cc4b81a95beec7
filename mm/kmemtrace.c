// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace - record every hand-out and take-back of kernel memory.
 *
 * Probes on the allocators' markers fill one fixed-size record an event, in
 * place, in the buffer of the CPU they run on. Tracing can begin as soon as
 * the allocators are up and goes on until it is switched off; debugfs files
 * follow when debugfs exists. See Documentation/trace/kmemtrace.rst.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/build_bug.h>
#include <linux/debugfs.h>
#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/kstrtox.h>
#include <linux/marker_channel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pfn.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <uapi/linux/kmemtrace.h>
#include "kmemtrace.h"
#include "slab.h"

/* The interface, to the byte. */
static_assert(sizeof(struct kmemtrace_event) == 56);
static_assert(offsetof(struct kmemtrace_event, event_id) == 0);
static_assert(offsetof(struct kmemtrace_event, type_id) == 1);
static_assert(offsetof(struct kmemtrace_event, event_size) == 2);
static_assert(offsetof(struct kmemtrace_event, node) == 4);
static_assert(offsetof(struct kmemtrace_event, call_site) == 8);
static_assert(offsetof(struct kmemtrace_event, ptr) == 16);
static_assert(offsetof(struct kmemtrace_event, bytes_req) == 24);
static_assert(offsetof(struct kmemtrace_event, bytes_alloc) == 32);
static_assert(offsetof(struct kmemtrace_event, gfp_flags) == 40);
static_assert(offsetof(struct kmemtrace_event, timestamp) == 48);

#define KMEMTRACE_SUBBUF_EVENTS	8192
#define KMEMTRACE_SUBBUF_SIZE \
	(KMEMTRACE_SUBBUF_EVENTS * sizeof(struct kmemtrace_event))

/* A page that has no address in the linear map is named by its physical one. */
#define KMEMTRACE_PHYS		BIT_ULL(63)

DEFINE_MARKER(kmalloc);
DEFINE_MARKER(kfree);
DEFINE_MARKER(kmem_cache_alloc);
DEFINE_MARKER(kmem_cache_free);
DEFINE_MARKER(kmem_cache_alloc_bulk);
DEFINE_MARKER(kmem_cache_free_bulk);
DEFINE_MARKER(page_alloc);
DEFINE_MARKER(page_free);

DEFINE_MARKER_CHANNEL(kmemtrace_channel);

/* Held over switching on and off. */
static DEFINE_MUTEX(kmemtrace_mutex);
static bool kmemtrace_enabled;

/* ---- recording: any context, no locks, no allocation ---- */

/*
 * Interrupts stay off so that the order in the buffer is the order in time; raw,
 * so that nobody who traces that allocates from here.
 */
static __always_inline void
kmemtrace_record(u8 event_id, u8 type_id, int node, unsigned long call_site,
		 u64 ptr, size_t bytes_req, size_t bytes_alloc, gfp_t gfp)
{
	struct marker_channel_cpu *end;
	struct kmemtrace_event *event;
	unsigned long flags;

	raw_local_irq_save(flags);
	end = this_cpu_ptr(&kmemtrace_channel_cpu);
	event = marker_channel_begin(end, sizeof(*event));
	if (likely(event)) {
		event->event_id = event_id;
		event->type_id = type_id;
		event->event_size = sizeof(*event);
		event->node = node;
		event->call_site = call_site;
		event->ptr = ptr;
		event->bytes_req = bytes_req;
		event->bytes_alloc = bytes_alloc;
		event->gfp_flags = (__force u32)gfp;
		event->timestamp = local_clock();
		marker_channel_end(end);
	}
	raw_local_irq_restore(flags);
}

static __always_inline void
kmemtrace_slab_alloc(u8 type_id, unsigned long call_site, const void *ptr,
		     size_t bytes_req, size_t bytes_alloc, gfp_t gfp, int node)
{
	/* A failed allocation is no event. */
	if (unlikely(!ptr))
		return;
	kmemtrace_record(KMEMTRACE_EVENT_ALLOC, type_id, node, call_site,
			 (unsigned long)kasan_reset_tag(ptr), bytes_req,
			 bytes_alloc, gfp);
}

static __always_inline void
kmemtrace_slab_free(u8 type_id, unsigned long call_site, const void *ptr)
{
	if (unlikely(ZERO_OR_NULL_PTR(ptr)))
		return;
	kmemtrace_record(KMEMTRACE_EVENT_FREE, type_id, NUMA_NO_NODE, call_site,
			 (unsigned long)kasan_reset_tag(ptr), 0, 0, 0);
}

static void probe_kmalloc(void *data, unsigned long call_site, const void *ptr,
			  size_t bytes_req, size_t bytes_alloc, gfp_t gfp,
			  int node)
{
	kmemtrace_slab_alloc(KMEMTRACE_TYPE_KMALLOC, call_site, ptr, bytes_req,
			     bytes_alloc, gfp, node);
}

static void probe_kfree(void *data, unsigned long call_site, const void *ptr)
{
	kmemtrace_slab_free(KMEMTRACE_TYPE_KMALLOC, call_site, ptr);
}

static void probe_kmem_cache_alloc(void *data, unsigned long call_site,
				   const void *ptr, struct kmem_cache *cache,
				   gfp_t gfp, int node)
{
	kmemtrace_slab_alloc(KMEMTRACE_TYPE_CACHE, call_site, ptr,
			     cache->object_size, cache->size, gfp, node);
}

static void probe_kmem_cache_free(void *data, unsigned long call_site,
				  const void *ptr)
{
	kmemtrace_slab_free(KMEMTRACE_TYPE_CACHE, call_site, ptr);
}

static void probe_kmem_cache_alloc_bulk(void *data, unsigned long call_site,
					struct kmem_cache *cache, gfp_t gfp,
					size_t count, void **ptrs)
{
	for (size_t i = 0; i < count; i++)
		kmemtrace_slab_alloc(KMEMTRACE_TYPE_CACHE, call_site, ptrs[i],
				     cache->object_size, cache->size, gfp,
				     NUMA_NO_NODE);
}

static void probe_kmem_cache_free_bulk(void *data, unsigned long call_site,
				       struct kmem_cache *cache, size_t count,
				       void **ptrs)
{
	u8 type_id = cache ? KMEMTRACE_TYPE_CACHE : KMEMTRACE_TYPE_KMALLOC;

	for (size_t i = 0; i < count; i++)
		kmemtrace_slab_free(type_id, call_site, ptrs[i]);
}

static __always_inline u64 kmemtrace_page_ptr(struct page *page)
{
	if (PageHighMem(page))
		return KMEMTRACE_PHYS | PFN_PHYS(page_to_pfn(page));
	return (unsigned long)kasan_reset_tag(page_address(page));
}

static void probe_page_alloc(void *data, struct page *page, unsigned int order,
			     gfp_t gfp)
{
	size_t bytes = PAGE_SIZE << order;

	kmemtrace_record(KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_PAGES,
			 NUMA_NO_NODE, kmemtrace_callsite(),
			 kmemtrace_page_ptr(page), bytes, bytes, gfp);
}

static void probe_page_free(void *data, struct page *page, unsigned int order)
{
	kmemtrace_record(KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_PAGES,
			 NUMA_NO_NODE, kmemtrace_callsite(),
			 kmemtrace_page_ptr(page), 0, PAGE_SIZE << order, 0);
}

/* ---- switching on and off ---- */

static void kmemtrace_unregister_probes(void)
{
	remove_marker_kmalloc(probe_kmalloc, NULL);
	remove_marker_kfree(probe_kfree, NULL);
	remove_marker_kmem_cache_alloc(probe_kmem_cache_alloc, NULL);
	remove_marker_kmem_cache_free(probe_kmem_cache_free, NULL);
	remove_marker_kmem_cache_alloc_bulk(probe_kmem_cache_alloc_bulk, NULL);
	remove_marker_kmem_cache_free_bulk(probe_kmem_cache_free_bulk, NULL);
	remove_marker_page_alloc(probe_page_alloc, NULL);
	remove_marker_page_free(probe_page_free, NULL);
	marker_synchronize_unregister();
}

static int kmemtrace_register_probes(void)
{
	int ret;

	ret = register_marker_kmalloc(probe_kmalloc, NULL) ?:
	      register_marker_kfree(probe_kfree, NULL) ?:
	      register_marker_kmem_cache_alloc(probe_kmem_cache_alloc, NULL) ?:
	      register_marker_kmem_cache_free(probe_kmem_cache_free, NULL) ?:
	      register_marker_kmem_cache_alloc_bulk(probe_kmem_cache_alloc_bulk,
						    NULL) ?:
	      register_marker_kmem_cache_free_bulk(probe_kmem_cache_free_bulk,
						   NULL) ?:
	      register_marker_page_alloc(probe_page_alloc, NULL) ?:
	      register_marker_page_free(probe_page_free, NULL);
	if (ret)
		kmemtrace_unregister_probes();
	return ret;
}

/*
 * Probes come before the channel starts and go after it stopped, so that one
 * moment begins and one ends the trace for all kinds of event.
 */
static int kmemtrace_switch_on(void)
{
	int ret;

	lockdep_assert_held(&kmemtrace_mutex);
	if (kmemtrace_enabled)
		return 0;
	ret = marker_channel_prepare(&kmemtrace_channel);
	if (ret)
		return ret;
	kmemtrace_callsite_init();
	ret = kmemtrace_register_probes();
	if (ret) {
		/* Gives the buffers back. */
		marker_channel_stop(&kmemtrace_channel);
		return ret;
	}
	marker_channel_start(&kmemtrace_channel);
	kmemtrace_enabled = true;
	return 0;
}

static void kmemtrace_switch_off(void)
{
	lockdep_assert_held(&kmemtrace_mutex);
	if (!kmemtrace_enabled)
		return;
	marker_channel_stop(&kmemtrace_channel);
	kmemtrace_unregister_probes();
	kmemtrace_enabled = false;
}

/* ---- debugfs ---- */

static int kmemtrace_enable_show(struct seq_file *m, void *v)
{
	mutex_lock(&kmemtrace_mutex);
	seq_puts(m, kmemtrace_enabled ? "yes\n" : "no\n");
	mutex_unlock(&kmemtrace_mutex);
	return 0;
}

static int kmemtrace_enable_open(struct inode *inode, struct file *file)
{
	return single_open(file, kmemtrace_enable_show, NULL);
}

static ssize_t kmemtrace_enable_write(struct file *file,
				      const char __user *from, size_t count,
				      loff_t *ppos)
{
	char word[sizeof("yes\n")] = "";
	int ret = 0;

	if (count >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, from, count))
		return -EFAULT;
	mutex_lock(&kmemtrace_mutex);
	if (sysfs_streq(word, "yes"))
		ret = kmemtrace_switch_on();
	else if (sysfs_streq(word, "no"))
		kmemtrace_switch_off();
	else
		ret = -EINVAL;
	mutex_unlock(&kmemtrace_mutex);
	return ret ?: count;
}

static const struct file_operations kmemtrace_enable_fops = {
	.owner		= THIS_MODULE,
	.open		= kmemtrace_enable_open,
	.read		= seq_read,
	.write		= kmemtrace_enable_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int abi_version_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%d\n", KMEMTRACE_ABI_VERSION);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(abi_version);

static int clock_show(struct seq_file *m, void *v)
{
	seq_puts(m, "local_clock\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(clock);

static int total_overruns_show(struct seq_file *m, void *v)
{
	unsigned int cpu;
	u64 total = 0;

	for_each_possible_cpu(cpu)
		total += marker_channel_lost(&kmemtrace_channel, cpu);
	seq_printf(m, "%llu\n", total);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(total_overruns);

static int cpu_overruns_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		seq_printf(m, "cpu%u %llu\n", cpu,
			   marker_channel_lost(&kmemtrace_channel, cpu));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_overruns);

static int subbuf_size_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", kmemtrace_channel.subbuf_size);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(subbuf_size);

static int n_subbufs_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", kmemtrace_channel.n_subbufs);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(n_subbufs);

struct kmemtrace_file {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
};

static const struct kmemtrace_file kmemtrace_files[] __initconst = {
	{ "enable",		0600, &kmemtrace_enable_fops },
	{ "abi_version",	0400, &abi_version_fops },
	{ "clock",		0400, &clock_fops },
	{ "total_overruns",	0400, &total_overruns_fops },
	{ "cpu_overruns",	0400, &cpu_overruns_fops },
	{ "subbuf_size",	0400, &subbuf_size_fops },
	{ "n_subbufs",		0400, &n_subbufs_fops },
};

/* What nobody can read is not recorded. */
static int __init kmemtrace_give_up(const char *why, int error)
{
	pr_err("%s, nobody can read: switched off: %d\n", why, error);
	mutex_lock(&kmemtrace_mutex);
	kmemtrace_switch_off();
	marker_channel_discard(&kmemtrace_channel);
	mutex_unlock(&kmemtrace_mutex);
	return error;
}

static int __init kmemtrace_create_files(void)
{
	struct dentry *dir = debugfs_create_dir("kmemtrace", NULL);
	int ret;

	if (IS_ERR(dir))
		return kmemtrace_give_up("no debugfs", PTR_ERR(dir));
	ret = marker_channel_create_files(&kmemtrace_channel, dir);
	if (ret) {
		debugfs_remove(dir);
		return kmemtrace_give_up("no files for CPUs", ret);
	}
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_files); i++)
		debugfs_create_file(kmemtrace_files[i].name,
				    kmemtrace_files[i].mode, dir, NULL,
				    kmemtrace_files[i].fops);
	return 0;
}
late_initcall(kmemtrace_create_files);

/* ---- boot ---- */

static bool kmemtrace_enable_param __initdata =
	IS_ENABLED(CONFIG_KMEMTRACE_DEFAULT_ENABLED);
static unsigned long kmemtrace_subbufs_param __initdata;
static bool kmemtrace_subbufs_given __initdata;

static int __init kmemtrace_parse_enable(char *arg)
{
	if (arg && !strcmp(arg, "yes"))
		kmemtrace_enable_param = true;
	else if (arg && !strcmp(arg, "no"))
		kmemtrace_enable_param = false;
	else
		pr_warn("kmemtrace.enable=%s is neither yes nor no, staying %s\n",
			arg ?: "", kmemtrace_enable_param ? "yes" : "no");
	return 0;
}
early_param("kmemtrace.enable", kmemtrace_parse_enable);

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

/*
 * A boot makes hundreds of thousands of events before anyone can read, most of
 * them on one CPU: 328,000 and 537,000 were seen on small virtual machines. So
 * the default is an 8th of the memory, which is also the most that is allowed,
 * but no more than two million events a CPU. Memory is what buffers can be made
 * of: mapped with vmap(), and not highmem.
 */
#define KMEMTRACE_DEFAULT_SUBBUFS	256

static unsigned long __init kmemtrace_n_subbufs(unsigned long pages,
						unsigned int cpus, bool given,
						unsigned long asked)
{
	unsigned long subbuf_pages = DIV_ROUND_UP(KMEMTRACE_SUBBUF_SIZE,
						  PAGE_SIZE);
	unsigned long most = pages / 8 / cpus / subbuf_pages;
	unsigned long n;

	/* Relay counts a buffer's bytes in an unsigned int. */
	most = clamp(most, 2UL, UINT_MAX / KMEMTRACE_SUBBUF_SIZE);
	if (!given)
		return min(most, KMEMTRACE_DEFAULT_SUBBUFS);

	n = clamp(asked, 2UL, most);
	if (n != asked)
		pr_warn("kmemtrace.subbufs=%lu is out of range 2..%lu (an 8th of the memory), using %lu\n",
			asked, most, n);
	return n;
}

/**
 * kmemtrace_init - start tracing, if the command line or the configuration says
 *
 * Context: boot CPU, directly after mm_core_init(): relay needs the page and
 * slab allocators, percpu memory and vmap().
 */
void __init kmemtrace_init(void)
{
	unsigned long pages = min(totalram_pages() - totalhigh_pages(),
				  VMALLOC_TOTAL >> PAGE_SHIFT);
	int ret;

	marker_channel_init(&kmemtrace_channel, KMEMTRACE_SUBBUF_SIZE,
			    kmemtrace_n_subbufs(pages, num_possible_cpus(),
						kmemtrace_subbufs_given,
						kmemtrace_subbufs_param));
	if (!kmemtrace_enable_param)
		return;

	mutex_lock(&kmemtrace_mutex);
	ret = kmemtrace_switch_on();
	mutex_unlock(&kmemtrace_mutex);
	if (ret)
		pr_err("not enabled: %d\n", ret);
	else
		pr_info("enabled, %zu sub-buffers of %zu KiB a CPU\n",
			kmemtrace_channel.n_subbufs,
			kmemtrace_channel.subbuf_size / 1024);
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "kmemtrace_test.c"
#endif
