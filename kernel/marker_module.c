// SPDX-License-Identifier: GPL-2.0
/*
 * Markers in modules: armed when a module is loaded, removed when it is unloaded.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include "marker_internal.h"

static int marker_module_coming(struct module *module)
{
	struct marker_section *section;

	section = kzalloc(sizeof(*section), GFP_KERNEL);
	if (!section)
		return -ENOMEM;
	section->module = module;
	section->name = module->name;
	section->start = module->markers;
	section->end = module->markers + module->num_markers;
	marker_section_add(section);
	return 0;
}

static void marker_module_going(struct module *module)
{
	struct marker_section *section;

	section = marker_section_find(module);
	if (!section)
		return;
	marker_section_remove(section);
	kfree(section);
}

/*
 * Runs after the notifiers of jump labels (1) and static calls (0), which prepare
 * the sites of the module. A module without markers gets a section as well: it
 * may have sites of other markers, and probes.
 */
static int marker_notify_coming(struct notifier_block *nb, unsigned long state,
				void *data)
{
	int ret = 0;

	if (state == MODULE_STATE_COMING)
		ret = marker_module_coming(data);
	return notifier_from_errno(ret);
}

static struct notifier_block marker_coming_nb = {
	.notifier_call	= marker_notify_coming,
	.priority	= -1,
};

/*
 * Runs before jump labels and static calls forget the sites of the module, also when
 * its init function or another notifier has failed.
 */
static int marker_notify_going(struct notifier_block *nb, unsigned long state,
			       void *data)
{
	if (state == MODULE_STATE_GOING)
		marker_module_going(data);
	return NOTIFY_OK;
}

static struct notifier_block marker_going_nb = {
	.notifier_call	= marker_notify_going,
	.priority	= 2,
};

static int __init marker_module_init(void)
{
	return register_module_notifier(&marker_coming_nb) ?:
	       register_module_notifier(&marker_going_nb);
}
core_initcall(marker_module_init);
