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
#include "record.h"
#include "snapshot.h"
#include "subbuf.h"

/* A file that holds yes or no. */
struct kmemtrace_switch {
	bool	(*get)(void);
	int	(*set)(bool value);
};

static const struct kmemtrace_switch kmemtrace_enable_switch = {
	.get	= kmemtrace_is_enabled,
	.set	= kmemtrace_enable,
};

static const struct kmemtrace_switch kmemtrace_baseline_switch = {
	.get	= kmemtrace_has_baseline,
	.set	= kmemtrace_set_baseline,
};

static int kmemtrace_switch_show(struct seq_file *m, void *v)
{
	const struct kmemtrace_switch *sw = m->private;

	seq_puts(m, sw->get() ? "yes\n" : "no\n");
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
	char word[sizeof("yes\n")] = "";
	int ret = -EINVAL;

	if (count >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, from, count))
		return -EFAULT;
	if (sysfs_streq(word, "yes"))
		ret = sw->set(true);
	else if (sysfs_streq(word, "no"))
		ret = sw->set(false);
	return ret ?: count;
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
		struct marker_channel_loss lost =
			marker_channel_lost(&kmemtrace_channel, cpu);
		struct marker_channel_loss rest = kmemtrace_unreported(cpu, lost);

		seq_printf(m, "cpu%u %llu %llu %llu %llu\n", cpu, lost.bytes,
			   lost.records, rest.bytes, rest.records);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpu_overruns);

static int cpu_events_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		seq_printf(m, "cpu%u %llu\n", cpu,
			   READ_ONCE(per_cpu(kmemtrace_events, cpu)) +
			   READ_ONCE(per_cpu(kmemtrace_channel_cpu,
					     cpu).lost_nmi.records));
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

static int source_show(struct seq_file *m, void *v)
{
	kmemtrace_show_source(m, kmemtrace_has_baseline());
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
	{ "abi_version",	0400, &abi_version_fops },
	{ "clock",		0400, &clock_fops },
	{ "total_overruns",	0400, &total_overruns_fops },
	{ "cpu_overruns",	0400, &cpu_overruns_fops },
	{ "subbuf_size",	0400, &subbuf_size_fops },
	{ "n_subbufs",		0400, &n_subbufs_fops },
	{ "cpu_subbufs",	0400, &cpu_subbufs_fops },
	{ "resize",		0200, &resize_fops },
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
