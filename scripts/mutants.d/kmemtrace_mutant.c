// SPDX-License-Identifier: GPL-2.0
/*
 * Gives a hook of kmemtrace a defect. The debugfs file kmemtrace_mutant lists the
 * hooks, and accepts "INDEX MUTATION". At most one hook has a defect.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/kmemtrace.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

extern struct kmemtrace_mutant __start___kmemtrace_mutants[];
extern struct kmemtrace_mutant __stop___kmemtrace_mutants[];

DEFINE_PER_CPU(u8, kmemtrace_retype);

static const char * const mutations[] = {
	[KMEMTRACE_RIGHT] = "right",
	[KMEMTRACE_REMOVED] = "removed",
	[KMEMTRACE_DOUBLED] = "doubled",
	[KMEMTRACE_RETYPED] = "retyped",
};

static int mutants_show(struct seq_file *m, void *v)
{
	struct kmemtrace_mutant *mutant;

	for (mutant = __start___kmemtrace_mutants;
	     mutant < __stop___kmemtrace_mutants; mutant++)
		seq_printf(m, "%td %s %s %s %u %s %lld\n",
			   mutant - __start___kmemtrace_mutants, mutant->hook,
			   mutant->file, mutant->function, mutant->line,
			   mutations[mutant->mutation],
			   atomic64_read(&mutant->hits));
	return 0;
}

static int mutants_open(struct inode *inode, struct file *file)
{
	return single_open(file, mutants_show, NULL);
}

static void mutate(long index, int mutation)
{
	struct kmemtrace_mutant *mutant;

	for (mutant = __start___kmemtrace_mutants;
	     mutant < __stop___kmemtrace_mutants; mutant++) {
		atomic64_set(&mutant->hits, 0);
		WRITE_ONCE(mutant->mutation,
			   mutant - __start___kmemtrace_mutants == index ?
			   mutation : KMEMTRACE_RIGHT);
	}
}

static ssize_t mutants_write(struct file *file, const char __user *from,
			     size_t count, loff_t *ppos)
{
	char text[32], word[16];
	int mutation;
	long index;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%ld %15s", &index, word) != 2)
		return -EINVAL;
	mutation = match_string(mutations, ARRAY_SIZE(mutations), word);
	if (mutation < 0)
		return mutation;
	mutate(index, mutation);
	return count;
}

static const struct file_operations mutants_fops = {
	.open		= mutants_open,
	.read		= seq_read,
	.write		= mutants_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int __init mutants_init(void)
{
	debugfs_create_file("kmemtrace_mutant", 0600, NULL, NULL,
			    &mutants_fops);
	return 0;
}
late_initcall(mutants_init);
