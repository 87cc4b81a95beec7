// SPDX-License-Identifier: GPL-2.0
/* The debugfs files of ktrace, except those of its buffers. */
#define pr_fmt(fmt) "ktrace: " fmt

#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/marker_clock.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/ktrace.h>
#include "ktrace.h"

/* ---- enabled ---- */

static const char * const ktrace_states[] = {
	[KTRACE_OFF]		= "0",
	[KTRACE_ON]		= "1",
	[KTRACE_OVERWRITE]	= "overwrite",
};

static int ktrace_enabled_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%s\n", ktrace_states[ktrace_state()]);
	return 0;
}

static int ktrace_enabled_open(struct inode *inode, struct file *file)
{
	return single_open(file, ktrace_enabled_show, NULL);
}

static ssize_t ktrace_enabled_write(struct file *file, const char __user *from,
				    size_t count, loff_t *ppos)
{
	char word[sizeof("overwrite\n")] = "";
	int state, ret;

	if (count >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, from, count))
		return -EFAULT;
	state = __sysfs_match_string(ktrace_states, ARRAY_SIZE(ktrace_states),
				     word);
	if (state < 0)
		return state;
	if (mutex_lock_interruptible(&ktrace_mutex))
		return -EINTR;
	ret = ktrace_switch(state);
	mutex_unlock(&ktrace_mutex);
	return ret ?: count;
}

static const struct file_operations ktrace_enabled_fops = {
	.owner		= THIS_MODULE,
	.open		= ktrace_enabled_open,
	.read		= seq_read,
	.write		= ktrace_enabled_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* ---- select ---- */

static int ktrace_select_show(struct seq_file *m, void *v)
{
	mutex_lock(&ktrace_mutex);
	seq_printf(m, "%s\n", ktrace_selection());
	mutex_unlock(&ktrace_mutex);
	return 0;
}

static int ktrace_select_open(struct inode *inode, struct file *file)
{
	return single_open(file, ktrace_select_show, NULL);
}

static ssize_t ktrace_select_write(struct file *file, const char __user *from,
				   size_t count, loff_t *ppos)
{
	char *text;
	int ret;

	if (count > SZ_64K)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = mutex_lock_interruptible(&ktrace_mutex);
	if (!ret) {
		ret = ktrace_select(strim(text));
		mutex_unlock(&ktrace_mutex);
	}
	kfree(text);
	return ret ?: count;
}

static const struct file_operations ktrace_select_fops = {
	.owner		= THIS_MODULE,
	.open		= ktrace_select_open,
	.read		= seq_read,
	.write		= ktrace_select_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* ---- info ---- */

static void *ktrace_info_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&ktrace_mutex);
	return seq_list_start_head(&ktrace_events, *pos);
}

static void *ktrace_info_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &ktrace_events, pos);
}

static void ktrace_info_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&ktrace_mutex);
}

static void ktrace_show_quoted(struct seq_file *m, const char *text)
{
	for (; *text; text++)
		if (*text == '"' || *text == '\\' || (u8)*text < ' ')
			seq_printf(m, "\\%03o", (u8)*text);
		else
			seq_putc(m, *text);
}

static int ktrace_info_show(struct seq_file *m, void *v)
{
	struct ktrace_event *event = list_entry(v, struct ktrace_event, list);
	char state = '-';

	if (v == &ktrace_events) {
		seq_printf(m, "version %d\n", KTRACE_ABI_VERSION);
		return 0;
	}
	if (event->markers)
		state = event->name->wanted ? '1' : '0';
	seq_printf(m, "%u %c %s \"", event->event.id, state, event->name->name);
	ktrace_show_quoted(m, event->format);
	seq_puts(m, "\"\n");
	return 0;
}

static const struct seq_operations ktrace_info_sops = {
	.start	= ktrace_info_start,
	.next	= ktrace_info_next,
	.stop	= ktrace_info_stop,
	.show	= ktrace_info_show,
};
DEFINE_SEQ_ATTRIBUTE(ktrace_info);

/* ---- the others ---- */

static int overflow_show(struct seq_file *m, void *v)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct marker_channel_cpu *part = per_cpu_ptr(ktrace_channel.cpu,
							      cpu);
		struct marker_channel_loss lost =
			marker_channel_lost(&ktrace_channel, cpu);

		seq_printf(m, "cpu%u %llu %llu %llu\n", cpu,
			   READ_ONCE(part->events) +
			   READ_ONCE(part->lost_nmi.records),
			   lost.records + READ_ONCE(part->overwritten.records),
			   lost.bytes + READ_ONCE(part->overwritten.bytes));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(overflow);

static int ktrace_reset_set(void *data, u64 value)
{
	int ret;

	if (mutex_lock_interruptible(&ktrace_mutex))
		return -EINTR;
	ret = ktrace_reset();
	mutex_unlock(&ktrace_mutex);
	return ret;
}
DEFINE_DEBUGFS_ATTRIBUTE(ktrace_reset_fops, NULL, ktrace_reset_set, "%llu\n");

static int clock_show(struct seq_file *m, void *v)
{
	seq_puts(m, READ_ONCE(ktrace_channel.cycles) && !arch_marker_unstable() ?
		    "cycles\n" : "local_clock\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(clock);

static int subbuf_size_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", ktrace_channel.subbuf_size);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(subbuf_size);

static int n_subbufs_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%zu\n", ktrace_channel.n_subbufs);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(n_subbufs);

struct ktrace_file {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
};

static const struct ktrace_file ktrace_files[] __initconst = {
	{ "enabled",		0600, &ktrace_enabled_fops },
	{ "select",		0600, &ktrace_select_fops },
	{ "info",		0400, &ktrace_info_fops },
	{ "overflow",		0400, &overflow_fops },
	{ "clock",		0400, &clock_fops },
	{ "subbuf_size",	0400, &subbuf_size_fops },
	{ "n_subbufs",		0400, &n_subbufs_fops },
};

/* Switch recording off: without these files, no process can read the records. */
static int __init ktrace_no_files(const char *why, int error)
{
	pr_err("%s, records can't be read: switched off: %d\n", why, error);
	ktrace_give_up();
	return error;
}

static int __init ktrace_create_files(void)
{
	struct dentry *dir = debugfs_create_dir("ktrace", NULL);
	struct dentry *buffers;
	int ret;

	if (IS_ERR(dir))
		return ktrace_no_files("no debugfs", PTR_ERR(dir));
	buffers = debugfs_create_dir("buffers", dir);
	ret = PTR_ERR_OR_ZERO(buffers) ?:
	      marker_channel_create_own_files(&ktrace_channel, buffers,
					      &ktrace_buffer_fops);
	if (ret) {
		debugfs_remove(dir);
		return ktrace_no_files("no files for CPUs", ret);
	}
	for (int i = 0; i < ARRAY_SIZE(ktrace_files); i++)
		debugfs_create_file(ktrace_files[i].name, ktrace_files[i].mode,
				    dir, NULL, ktrace_files[i].fops);
	debugfs_create_file_unsafe("reset", 0200, dir, NULL, &ktrace_reset_fops);
	mutex_lock(&ktrace_mutex);
	ktrace_add_vmlinux();
	ktrace_show_files(debugfs_create_dir("events", dir));
	mutex_unlock(&ktrace_mutex);
	return 0;
}
late_initcall(ktrace_create_files);
