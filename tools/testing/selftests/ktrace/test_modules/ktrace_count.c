// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the hits of markers with generic probes, while ktrace records. A write of "ID NAME"
 * to the file ktrace_count/add in debugfs adds a marker. The file ktrace_count/counts has a
 * line for each: the ID and the number of hits.
 *
 * ktrace's channel is not exported; its address is a parameter.
 */
#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/marker.h>
#include <linux/marker_channel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

static unsigned long channel_address;
module_param_named(channel, channel_address, ulong, 0400);
MODULE_PARM_DESC(channel, "address of ktrace_channel");

struct counter {
	struct list_head	list;
	unsigned int		id;
	char			name[64];
	u64 __percpu		*hits;
};

static struct marker_channel *channel;
static LIST_HEAD(counters);
/* protects counters */
static DEFINE_MUTEX(lock);
static struct dentry *dir;

/*
 * The site records with interrupts off, and the channel is switched while all CPUs are
 * stopped. On a kernel without preemption, both happen before this, or neither.
 */
static void count_hit(void *data, const struct marker_layout *layout,
		      const void *record)
{
	struct counter *counter = data;

	if (READ_ONCE(channel->running))
		this_cpu_inc(*counter->hits);
}

static int add_counter(struct counter *counter)
{
	int ret;

	counter->hits = alloc_percpu(u64);
	if (!counter->hits)
		return -ENOMEM;
	ret = marker_generic_register(counter->name, NULL, count_hit, counter);
	if (ret) {
		free_percpu(counter->hits);
		return ret;
	}
	mutex_lock(&lock);
	list_add_tail(&counter->list, &counters);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t add_write(struct file *file, const char __user *from,
			 size_t count, loff_t *ppos)
{
	struct counter *counter;
	char line[80] = "";
	int ret = -EINVAL;

	if (count >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, count))
		return -EFAULT;
	counter = kzalloc(sizeof(*counter), GFP_KERNEL);
	if (!counter)
		return -ENOMEM;
	if (sscanf(line, "%u %63s", &counter->id, counter->name) == 2)
		ret = add_counter(counter);
	if (!ret)
		return count;
	kfree(counter);
	return ret;
}

static const struct file_operations add_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= add_write,
};

static int counts_show(struct seq_file *m, void *v)
{
	struct counter *counter;

	mutex_lock(&lock);
	list_for_each_entry(counter, &counters, list) {
		u64 hits = 0;
		unsigned int cpu;

		for_each_possible_cpu(cpu)
			hits += *per_cpu_ptr(counter->hits, cpu);
		seq_printf(m, "%u %llu\n", counter->id, hits);
	}
	mutex_unlock(&lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static int __init ktrace_count_init(void)
{
	if (!channel_address)
		return -EINVAL;
	channel = (void *)channel_address;
	dir = debugfs_create_dir("ktrace_count", NULL);
	debugfs_create_file("add", 0200, dir, NULL, &add_fops);
	debugfs_create_file("counts", 0400, dir, NULL, &counts_fops);
	return 0;
}

static void __exit ktrace_count_exit(void)
{
	struct counter *counter, *next;

	debugfs_remove(dir);
	list_for_each_entry_safe(counter, next, &counters, list) {
		marker_generic_unregister(counter->name, count_hit, counter);
		free_percpu(counter->hits);
		kfree(counter);
	}
}

module_init(ktrace_count_init);
module_exit(ktrace_count_exit);
MODULE_DESCRIPTION("Counts hits of markers for the tests of ktrace");
MODULE_LICENSE("GPL");
