// SPDX-License-Identifier: GPL-2.0
/* The debugfs files of kmemtrace, except those of its channel. */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/marker_channel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/kmemtrace.h>
#include "clock.h"
#include "core.h"
#include "kinds.h"
#include "probes.h"
#include "record.h"
#include "snapshot.h"
#include "subbuf.h"
#include "who.h"

/**
 * struct kmemtrace_switch - a file that holds one of some words
 * @get: returns the number of the word
 * @set: sets it; returns 0 or -errno
 * @words: so many of kmemtrace_words
 */
struct kmemtrace_switch {
	int	(*get)(void);
	int	(*set)(int value);
	size_t	words;
};

/* By number of enum kmemtrace_state; two of them by value of a bool. */
static const char * const kmemtrace_words[] = { "no", "yes", "overwrite" };

static int kmemtrace_state_get(void)
{
	return kmemtrace_state();
}

static int kmemtrace_state_set(int value)
{
	return kmemtrace_switch(value);
}

static const struct kmemtrace_switch kmemtrace_enable_switch = {
	.get	= kmemtrace_state_get,
	.set	= kmemtrace_state_set,
	.words	= ARRAY_SIZE(kmemtrace_words),
};

static int kmemtrace_baseline_get(void)
{
	return kmemtrace_has_baseline();
}

static int kmemtrace_baseline_set(int value)
{
	return kmemtrace_set_baseline(value);
}

static const struct kmemtrace_switch kmemtrace_baseline_switch = {
	.get	= kmemtrace_baseline_get,
	.set	= kmemtrace_baseline_set,
	.words	= 2,
};

static int kmemtrace_switch_show(struct seq_file *m, void *v)
{
	const struct kmemtrace_switch *sw = m->private;

	seq_printf(m, "%s\n", kmemtrace_words[sw->get()]);
	return 0;
}

static int kmemtrace_switch_open(struct inode *inode, struct file *file)
{
	return single_open(file, kmemtrace_switch_show, inode->i_private);
}

static ssize_t kmemtrace_switch_write(struct file *file,
				      const char __user *from, size_t count,
				      loff_t *ppos)
{
	const struct kmemtrace_switch *sw = file_inode(file)->i_private;
	char word[sizeof("overwrite\n")] = "";
	int value;

	if (count >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, from, count))
		return -EFAULT;
	value = __sysfs_match_string(kmemtrace_words, sw->words, word);
	if (value >= 0)
		value = sw->set(value);
	return value ?: count;
}

static const struct file_operations kmemtrace_switch_fops = {
	.owner		= THIS_MODULE,
	.open		= kmemtrace_switch_open,
	.read		= seq_read,
	.write		= kmemtrace_switch_write,
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
	seq_puts(m, kmemtrace_counts_cycles() ? "cycles\n" : "local_clock\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(clock);

static int total_overruns_show(struct seq_file *m, void *v)
{
	unsigned int cpu;
	u64 total = 0;

	for_each_possible_cpu(cpu)
		total += marker_channel_lost(&kmemtrace_channel, cpu).bytes;
	seq_printf(m, "%llu\n", total);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(total_overruns);

static int cpu_overruns_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct marker_channel_cpu *pcpu =
			per_cpu_ptr(&kmemtrace_channel_cpu, cpu);
		struct marker_channel_loss lost =
			marker_channel_lost(&kmemtrace_channel, cpu);
		struct marker_channel_loss rest = kmemtrace_unreported(cpu, lost);

		seq_printf(m, "cpu%u %llu %llu %llu %llu %llu %llu\n", cpu,
			   lost.bytes, lost.records, rest.bytes, rest.records,
			   READ_ONCE(pcpu->overwritten.bytes),
			   READ_ONCE(pcpu->overwritten.records));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_overruns);

static int cpu_events_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct marker_channel_cpu *pcpu =
			per_cpu_ptr(&kmemtrace_channel_cpu, cpu);

		seq_printf(m, "cpu%u %llu\n", cpu,
			   READ_ONCE(pcpu->events) +
			   READ_ONCE(pcpu->lost_nmi.records));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_events);

static int subbuf_size_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", kmemtrace_channel.subbuf_size);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(subbuf_size);

static int n_subbufs_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", marker_channel_largest(&kmemtrace_channel));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(n_subbufs);

static int cpu_subbufs_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		seq_printf(m, "cpu%u %zu\n", cpu,
			   per_cpu(kmemtrace_channel_cpu, cpu).n_subbufs);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_subbufs);

/* A file of its own: lockdown forbids to read files that can be written. */
static int kmemtrace_resize(void *data, u64 value)
{
	if (value > SIZE_MAX)
		return -ERANGE;
	return marker_channel_resize(&kmemtrace_channel, value);
}
DEFINE_DEBUGFS_ATTRIBUTE(resize_fops, NULL, kmemtrace_resize, "%llu\n");

static int kmemtrace_sample_get(void *data, u64 *value)
{
	*value = kmemtrace_get_sample();
	return 0;
}

static int kmemtrace_sample_set(void *data, u64 value)
{
	return kmemtrace_set_sample(value);
}
DEFINE_DEBUGFS_ATTRIBUTE(sample_fops, kmemtrace_sample_get,
			 kmemtrace_sample_set, "%llu\n");

static int with_show(struct seq_file *m, void *v)
{
	kmemtrace_show_with(m);
	return 0;
}

static int with_open(struct inode *inode, struct file *file)
{
	return single_open(file, with_show, inode->i_private);
}

static ssize_t with_write(struct file *file, const char __user *from,
			  size_t count, loff_t *ppos)
{
	char words[KMEMTRACE_MAX_WITH + 1] = "";
	int ret;

	if (count >= sizeof(words))
		return -EINVAL;
	if (copy_from_user(words, from, count))
		return -EFAULT;
	ret = kmemtrace_set_with(strim(words));
	return ret ?: count;
}

static const struct file_operations with_fops = {
	.owner		= THIS_MODULE,
	.open		= with_open,
	.read		= seq_read,
	.write		= with_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int refs_show(struct seq_file *m, void *v)
{
	kmemtrace_show_kinds(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(refs);

static int failures_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%lu\n", kmemtrace_failures());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(failures);

static int source_show(struct seq_file *m, void *v)
{
	kmemtrace_show_source(m, kmemtrace_has_baseline());
	if (kmemtrace_get_sample() > 1)
		seq_printf(m, "sample: %u\n", kmemtrace_get_sample());
	if (READ_ONCE(kmemtrace_with)) {
		seq_puts(m, "with: ");
		kmemtrace_show_with(m);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(source);

struct kmemtrace_file {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
	const void			*data;
};

static const struct kmemtrace_file kmemtrace_files[] __initconst = {
	{ "enable",		0600, &kmemtrace_switch_fops,
	  &kmemtrace_enable_switch },
	{ "baseline",		0600, &kmemtrace_switch_fops,
	  &kmemtrace_baseline_switch },
	{ "sample",		0600, &sample_fops },
	{ "with",		0600, &with_fops },
	{ "refs",		0400, &refs_fops },
	{ "abi_version",	0400, &abi_version_fops },
	{ "clock",		0400, &clock_fops },
	{ "total_overruns",	0400, &total_overruns_fops },
	{ "cpu_overruns",	0400, &cpu_overruns_fops },
	{ "subbuf_size",	0400, &subbuf_size_fops },
	{ "n_subbufs",		0400, &n_subbufs_fops },
	{ "cpu_subbufs",	0400, &cpu_subbufs_fops },
	{ "resize",		0200, &resize_fops },
	{ "failures",		0400, &failures_fops },
	{ "source",		0400, &source_fops },
};

/* Switch tracing off: without these files, no process can read the records. */
static int __init kmemtrace_no_files(const char *why, int error)
{
	pr_err("%s, records can't be read: switched off: %d\n", why, error);
	kmemtrace_give_up();
	return error;
}

static int __init kmemtrace_create_files(void)
{
	struct dentry *dir = debugfs_create_dir("kmemtrace", NULL);
	int ret;

	if (IS_ERR(dir))
		return kmemtrace_no_files("no debugfs", PTR_ERR(dir));
	ret = marker_channel_create_files(&kmemtrace_channel, dir);
	if (ret) {
		debugfs_remove(dir);
		return kmemtrace_no_files("no files for CPUs", ret);
	}
	if (IS_ENABLED(CONFIG_KMEMTRACE_DEBUG))
		debugfs_create_file("cpu_events", 0400, dir, NULL,
				    &cpu_events_fops);
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_files); i++)
		debugfs_create_file(kmemtrace_files[i].name,
				    kmemtrace_files[i].mode, dir,
				    (void *)kmemtrace_files[i].data,
				    kmemtrace_files[i].fops);
	return 0;
}
late_initcall(kmemtrace_create_files);
