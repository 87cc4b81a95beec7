/* SPDX-License-Identifier: GPL-2.0 */
/* What the recorder registers, for the module to unregister. */
#ifndef _KMEMTRACE_UNLOAD_H
#define _KMEMTRACE_UNLOAD_H

#include <linux/types.h>

struct hlist_node;
struct notifier_block;

typedef int kmemtrace_notifier_fn(struct notifier_block *nb,
				  unsigned long action, void *data);

int kmemtrace_setup_cpuhp(int state, const char *name,
			  int (*startup)(unsigned int cpu,
					 struct hlist_node *node),
			  int (*teardown)(unsigned int cpu,
					  struct hlist_node *node));
int kmemtrace_add_instance(int state, struct hlist_node *node);
int kmemtrace_notify_memory(kmemtrace_notifier_fn *fn, int priority);
int kmemtrace_notify_pm(kmemtrace_notifier_fn *fn, int priority);
void kmemtrace_unregister_all(void);

#endif /* _KMEMTRACE_UNLOAD_H */
