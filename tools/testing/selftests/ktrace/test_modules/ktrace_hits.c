// SPDX-License-Identifier: GPL-2.0
/*
 * Hits markers of its own. A write of N to ktrace_hits/hit in debugfs hits each marker N
 * times on each CPU that is online, with the numbers 1 to N. A write to ktrace_hits/texts
 * hits a marker with strings at all kinds of addresses. A write of N to ktrace_hits/fence
 * allocates N bytes on each CPU and frees them, with interrupts off.
 */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/marker.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

DECLARE_MARKER(ktrace_hits_typed,
	MARKER_PARAMS(u64 number, int cpu),
	MARKER_ARGS(number, cpu),
	"number %llu cpu %d")
DEFINE_MARKER(ktrace_hits_typed);

static struct dentry *dir;

static long hit_here(void *data)
{
	u64 hits = *(u64 *)data;

	for (u64 i = 1; i <= hits; i++) {
		marker_call(ktrace_hits_typed, i, raw_smp_processor_id());
		trace_mark(ktrace_hits_site, "number %llu text %s", i, "12345");
	}
	return 0;
}

/* Call a function on each CPU that is online. Return 0, or the first error. */
static int on_each(long (*fn)(void *data), u64 value)
{
	unsigned int cpu;
	int ret = 0;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		ret = ret ?: work_on_cpu(cpu, fn, &value);
	cpus_read_unlock();
	return ret;
}

static int hit_set(void *data, u64 value)
{
	return on_each(hit_here, value);
}
DEFINE_DEBUGFS_ATTRIBUTE(hit_fops, NULL, hit_set, "%llu\n");

/*
 * Two recorders see the same events before and behind this allocation: no interrupt comes
 * between the probe of one and that of the other.
 */
static long fence_here(void *data)
{
	unsigned long flags;
	void *memory;

	local_irq_save(flags);
	memory = kmalloc(*(u64 *)data, GFP_ATOMIC);
	kfree(memory);
	local_irq_restore(flags);
	return memory ? 0 : -ENOMEM;
}

static int fence_set(void *data, u64 value)
{
	return on_each(fence_here, value);
}
DEFINE_DEBUGFS_ATTRIBUTE(fence_fops, NULL, fence_set, "%llu\n");

static void hit_text(const char *text)
{
	trace_mark(ktrace_hits_text, "text %s end %d", text, 7);
}

static int texts_set(void *data, u64 value)
{
	static const char long_text[] =
		"1234567890123456789012345678901234567890123456789012345678901234567890";
	static const char last[] = "at-the-end-of-a-page";
	char *page = vmalloc(PAGE_SIZE);
	char text[64] = "short\0SECRET";

	if (!page)
		return -ENOMEM;
	hit_text(text);
	hit_text("");
	hit_text(NULL);
	hit_text(ERR_PTR(-EFAULT));
	hit_text(long_text);
	memcpy(page + PAGE_SIZE - sizeof(last), last, sizeof(last));
	hit_text(page + PAGE_SIZE - sizeof(last));
	/* no NUL before the end of the page, and none behind it */
	memset(page, 'x', PAGE_SIZE);
	hit_text(page + PAGE_SIZE - 5);
	vfree(page);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(texts_fops, NULL, texts_set, "%llu\n");

static int __init ktrace_hits_init(void)
{
	trace_mark(ktrace_hits_init, "loaded");
	dir = debugfs_create_dir("ktrace_hits", NULL);
	debugfs_create_file("hit", 0200, dir, NULL, &hit_fops);
	debugfs_create_file("fence", 0200, dir, NULL, &fence_fops);
	debugfs_create_file("texts", 0200, dir, NULL, &texts_fops);
	return 0;
}

static void __exit ktrace_hits_exit(void)
{
	debugfs_remove(dir);
}

module_init(ktrace_hits_init);
module_exit(ktrace_hits_exit);
MODULE_DESCRIPTION("Markers for the tests of ktrace");
MODULE_LICENSE("GPL");
