// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the hits of all markers with generic probes, while ktrace records. The file
 * ktrace_count/counts in debugfs has a line for each marker: the id by which ktrace
 * records it, and the hits.
 *
 * ktrace's own table of events and its channel are not exported; their addresses are
 * parameters.
 */
#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/marker.h>
#include <linux/marker_channel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

/* The begin of ktrace's structure of an event, see kernel/ktrace/ktrace.h. */
struct ktrace_name {
	struct rb_node	node;
	const char	*name;
};

struct ktrace_event {
	struct marker_event	event;
	struct list_head	list;
	struct list_head	same;
	struct ktrace_name	*name;
	const char		*format;
	unsigned int		markers;
};

struct counter {
	const struct ktrace_event	*event;
	u64 __percpu			*hits;
};

static struct marker_channel *channel;
static struct counter *counters;
static unsigned int nr;
static struct dentry *dir;

static unsigned long channel_address;
module_param_named(channel, channel_address, ulong, 0400);
MODULE_PARM_DESC(channel, "address of ktrace_channel");

static unsigned long events_address;
module_param_named(events, events_address, ulong, 0400);
MODULE_PARM_DESC(events, "address of ktrace_events");

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

static int counts_show(struct seq_file *m, void *v)
{
	for (unsigned int i = 0; i < nr; i++) {
		u64 hits = 0;
		unsigned int cpu;

		for_each_possible_cpu(cpu)
			hits += *per_cpu_ptr(counters[i].hits, cpu);
		seq_printf(m, "%u %llu\n", counters[i].event->event.id, hits);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static void remove_all(void)
{
	for (unsigned int i = 0; i < nr; i++)
		marker_generic_unregister(counters[i].event->name->name,
					  count_hit, &counters[i]);
	for (unsigned int i = 0; i < nr; i++)
		free_percpu(counters[i].hits);
	kvfree(counters);
}

static int add_all(struct list_head *events)
{
	struct ktrace_event *event;
	unsigned int max = 0;
	int ret = 0;

	list_for_each_entry(event, events, list)
		max++;
	counters = kvcalloc(max, sizeof(*counters), GFP_KERNEL);
	if (!counters)
		return -ENOMEM;
	list_for_each_entry(event, events, list) {
		struct counter *counter = &counters[nr];

		/* the markers of modules that have gone may come again */
		counter->event = event;
		counter->hits = alloc_percpu(u64);
		if (!counter->hits)
			return -ENOMEM;
		ret = marker_generic_register(event->name->name, event->format,
					      count_hit, counter);
		if (!ret)
			nr++;
		else
			free_percpu(counter->hits);
		/* the tests of markers have one that can't be recorded */
		if (ret && ret != -EINVAL)
			return ret;
	}
	return 0;
}

static int __init ktrace_count_init(void)
{
	int ret;

	if (!channel_address || !events_address)
		return -EINVAL;
	channel = (void *)channel_address;
	ret = add_all((void *)events_address);
	if (ret) {
		remove_all();
		return ret;
	}
	dir = debugfs_create_dir("ktrace_count", NULL);
	debugfs_create_file("counts", 0400, dir, NULL, &counts_fops);
	return 0;
}

static void __exit ktrace_count_exit(void)
{
	debugfs_remove(dir);
	remove_all();
}

module_init(ktrace_count_init);
module_exit(ktrace_count_exit);
MODULE_DESCRIPTION("Counts hits of markers for the tests of ktrace");
MODULE_LICENSE("GPL");
