// SPDX-License-Identifier: GPL-2.0
/*
 * 10,000 markers, ktrace_many_0000 to ktrace_many_9999. A write to ktrace_many/hit in debugfs
 * hits each of them once on each CPU that is online.
 */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/workqueue.h>

/* Do something for each digit, behind those before it. */
#define DIGITS(_do, _before)						\
	_do(_before##0) _do(_before##1) _do(_before##2) _do(_before##3)	\
	_do(_before##4) _do(_before##5) _do(_before##6) _do(_before##7)	\
	_do(_before##8) _do(_before##9)

/* The macros of two levels can't be one: a macro does not expand itself. */
#define DIGITS2(_do, _before)						\
	_do(_before##0) _do(_before##1) _do(_before##2) _do(_before##3)	\
	_do(_before##4) _do(_before##5) _do(_before##6) _do(_before##7)	\
	_do(_before##8) _do(_before##9)
#define DIGITS3(_do, _before)						\
	_do(_before##0) _do(_before##1) _do(_before##2) _do(_before##3)	\
	_do(_before##4) _do(_before##5) _do(_before##6) _do(_before##7)	\
	_do(_before##8) _do(_before##9)

#define MARK(_name)	trace_mark(_name, "hit");
#define MARK_10(_name)	DIGITS(MARK, _name)

/* A function with 100 markers. */
#define FUNCTION(_name)							\
	static noinline void hit_##_name(void)				\
	{								\
		DIGITS2(MARK_10, _name)					\
	}
#define FUNCTION_10(_name)	DIGITS3(FUNCTION, _name)

#define CALL(_name)	hit_##_name();
#define CALL_10(_name)	DIGITS3(CALL, _name)

#define DIGITS4(_do)							\
	_do(ktrace_many_0) _do(ktrace_many_1) _do(ktrace_many_2)	\
	_do(ktrace_many_3) _do(ktrace_many_4) _do(ktrace_many_5)	\
	_do(ktrace_many_6) _do(ktrace_many_7) _do(ktrace_many_8)	\
	_do(ktrace_many_9)

DIGITS4(FUNCTION_10)

static struct dentry *dir;

static long hit_here(void *data)
{
	DIGITS4(CALL_10)
	return 0;
}

static int hit_set(void *data, u64 value)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		work_on_cpu(cpu, hit_here, NULL);
	cpus_read_unlock();
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(hit_fops, NULL, hit_set, "%llu\n");

static int __init ktrace_many_init(void)
{
	dir = debugfs_create_dir("ktrace_many", NULL);
	debugfs_create_file("hit", 0200, dir, NULL, &hit_fops);
	return 0;
}

static void __exit ktrace_many_exit(void)
{
	debugfs_remove(dir);
}

module_init(ktrace_many_init);
module_exit(ktrace_many_exit);
MODULE_DESCRIPTION("10,000 markers for the tests of ktrace");
MODULE_LICENSE("GPL");
