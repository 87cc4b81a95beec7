// SPDX-License-Identifier: GPL-2.0
/*
 * The names of markers: which are recorded, and the ids of their records.
 *
 * A name may have several formats, at different times or in different modules. Each of them
 * is an event with an id of its own. Markers of one format at a time get records: the
 * registry of markers refuses others.
 */
#define pr_fmt(fmt) "ktrace: " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/glob.h>
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/ktrace.h>
#include "ktrace.h"

DEFINE_MUTEX(ktrace_mutex);

/* The ids are those of records in this channel. */
DEFINE_MARKER_CHANNEL(ktrace_channel, &marker_event_ops);

/* All of this is protected by ktrace_mutex. */
LIST_HEAD(ktrace_events);
static struct rb_root ktrace_names = RB_ROOT;
static unsigned int ktrace_next_id = KTRACE_ID_FIRST;
static bool ktrace_has_vmlinux;
/* Markers are registered, also those that come. */
static bool ktrace_arms;
/* The folder events, once debugfs exists. */
static struct dentry *ktrace_events_dir;
/* Names and globs, separated by commas; allocated. */
static char *ktrace_patterns;

#define KTRACE_MAX_PATTERN	128

/* ---- lookup ---- */

static struct ktrace_name *ktrace_name_of(const struct rb_node *node)
{
	return rb_entry(node, struct ktrace_name, node);
}

static int ktrace_name_cmp(const void *name, const struct rb_node *node)
{
	return strcmp(name, ktrace_name_of(node)->name);
}

static bool ktrace_name_less(struct rb_node *node, const struct rb_node *other)
{
	return ktrace_name_cmp(ktrace_name_of(node)->name, other) < 0;
}

#define for_each_ktrace_name(_node)					\
	for (_node = rb_first(&ktrace_names); _node; _node = rb_next(_node))

/* Return whether one of the patterns matches, none of which is too long. */
static bool ktrace_matches(const char *patterns, const char *name)
{
	char pattern[KTRACE_MAX_PATTERN];

	while (patterns && *patterns) {
		size_t length = strcspn(patterns, ",");

		memcpy(pattern, patterns, length);
		pattern[length] = '\0';
		if (glob_match(pattern, name))
			return true;
		patterns += length + (patterns[length] == ',');
	}
	return false;
}

static struct ktrace_name *ktrace_name_get(const char *text)
{
	struct rb_node *node = rb_find(text, &ktrace_names, ktrace_name_cmp);
	struct ktrace_name *name;

	lockdep_assert_held(&ktrace_mutex);
	if (node)
		return ktrace_name_of(node);
	name = kzalloc(sizeof(*name), GFP_KERNEL);
	if (!name)
		return NULL;
	name->name = kstrdup(text, GFP_KERNEL);
	if (!name->name) {
		kfree(name);
		return NULL;
	}
	INIT_LIST_HEAD(&name->events);
	name->wanted = ktrace_matches(ktrace_patterns, text);
	rb_add(&name->node, &ktrace_names, ktrace_name_less);
	return name;
}

static struct ktrace_event *ktrace_event_get(struct ktrace_name *name,
					     const char *format)
{
	struct ktrace_event *event;

	list_for_each_entry(event, &name->events, same)
		if (!strcmp(event->format, format))
			return event;
	if (ktrace_next_id > U16_MAX) {
		pr_warn_once("%s: no id is left for this marker and later ones\n",
			     name->name);
		return NULL;
	}
	event = kzalloc(sizeof(*event), GFP_KERNEL);
	if (!event)
		return NULL;
	event->format = kstrdup(format, GFP_KERNEL);
	if (!event->format) {
		kfree(event);
		return NULL;
	}
	event->event.cpu = ktrace_channel.cpu;
	event->event.id = ktrace_next_id++;
	event->name = name;
	list_add_tail(&event->list, &ktrace_events);
	list_add_tail(&event->same, &name->events);
	return event;
}

/* ---- arming ---- */

/* Return the event of the markers of a name, the oldest one if there are several. */
static struct ktrace_event *ktrace_present(const struct ktrace_name *name)
{
	struct ktrace_event *event;

	lockdep_assert_held(&ktrace_mutex);
	list_for_each_entry(event, &name->events, same)
		if (event->markers)
			return event;
	return NULL;
}

/**
 * ktrace_is_present - check whether a name has markers
 * @name: the name
 *
 * Return: true if it has.
 */
bool ktrace_is_present(const struct ktrace_name *name)
{
	return ktrace_present(name);
}

/*
 * Register with the markers of a name what shall be recorded, for marker_settle() to
 * complete. Return 0 or -errno.
 */
static int ktrace_arm(struct ktrace_name *name)
{
	struct ktrace_event *event = NULL;
	int ret = 0;

	if (ktrace_arms && name->wanted)
		event = ktrace_present(name);
	if (event == name->armed)
		return 0;
	if (name->armed)
		marker_event_remove(name->name, &name->armed->event);
	name->armed = NULL;
	if (event)
		ret = marker_event_add(name->name, event->format,
				       &event->event);
	if (ret)
		pr_err("%s: can't be recorded: %d\n", name->name, ret);
	else
		name->armed = event;
	return ret;
}

/**
 * ktrace_arm_all - register with all markers that are wanted, and with those that come
 *
 * The kernel log names markers that can't be recorded.
 */
void ktrace_arm_all(void)
{
	struct rb_node *node;

	ktrace_arms = true;
	for_each_ktrace_name(node)
		ktrace_arm(ktrace_name_of(node));
	marker_settle();
}

/**
 * ktrace_disarm_all - leave all markers
 *
 * Context: task, may sleep. No hit is being recorded when this returns.
 */
void ktrace_disarm_all(void)
{
	struct rb_node *node;

	ktrace_arms = false;
	for_each_ktrace_name(node)
		ktrace_arm(ktrace_name_of(node));
	marker_settle();
	marker_synchronize_unregister();
}

/**
 * ktrace_want - record the markers of a name, or don't
 * @name: the name
 * @wanted: record them
 *
 * Return: 0 or -errno.
 */
int ktrace_want(struct ktrace_name *name, bool wanted)
{
	int ret;

	WRITE_ONCE(name->wanted, wanted);
	ret = ktrace_arm(name);
	if (ret)
		WRITE_ONCE(name->wanted, false);
	marker_settle();
	if (!wanted)
		marker_synchronize_unregister();
	return ret;
}

/* ---- the selection ---- */

/**
 * ktrace_selection - return the patterns of the last ktrace_select()
 *
 * Return: the patterns, separated by commas.
 */
const char *ktrace_selection(void)
{
	return ktrace_patterns ?: "";
}

/**
 * ktrace_select - record the markers that match, and no others
 * @patterns: names and globs, separated by commas
 *
 * The kernel log names markers that match and can't be recorded.
 *
 * Return: 0; -ENAMETOOLONG if a pattern is too long; -ENOMEM.
 */
int ktrace_select(const char *patterns)
{
	struct rb_node *node;
	const char *p;
	char *copy;

	lockdep_assert_held(&ktrace_mutex);
	for (p = patterns; *p; p += strspn(p, ",")) {
		size_t length = strcspn(p, ",");

		if (length >= KTRACE_MAX_PATTERN)
			return -ENAMETOOLONG;
		p += length;
	}
	copy = kstrdup(patterns, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	kfree(ktrace_patterns);
	ktrace_patterns = copy;
	for_each_ktrace_name(node) {
		struct ktrace_name *name = ktrace_name_of(node);

		WRITE_ONCE(name->wanted, ktrace_matches(copy, name->name));
		ktrace_arm(name);
	}
	marker_settle();
	marker_synchronize_unregister();
	return 0;
}

/* ---- events/<name> ---- */

static ssize_t ktrace_event_read(struct file *file, char __user *to,
				 size_t count, loff_t *ppos)
{
	const struct ktrace_name *name = file->private_data;
	const char *text = READ_ONCE(name->wanted) ? "1\n" : "0\n";

	return simple_read_from_buffer(to, count, ppos, text, 2);
}

static ssize_t ktrace_event_write(struct file *file, const char __user *from,
				  size_t count, loff_t *ppos)
{
	bool wanted;
	int ret = kstrtobool_from_user(from, count, &wanted);

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&ktrace_mutex))
		return -EINTR;
	ret = ktrace_want(file->private_data, wanted);
	mutex_unlock(&ktrace_mutex);
	return ret ?: count;
}

static const struct file_operations ktrace_event_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.read	= ktrace_event_read,
	.write	= ktrace_event_write,
	.llseek	= default_llseek,
};

/*
 * Create or remove the file. It is not protected against its removal, which would wait
 * for writers that wait for ktrace_mutex. Its operations need nothing that could go.
 */
static void ktrace_update_file(struct ktrace_name *name)
{
	if (!ktrace_events_dir)
		return;
	if (ktrace_present(name)) {
		if (!name->file)
			name->file = debugfs_create_file_unsafe(name->name, 0600,
								ktrace_events_dir,
								name,
								&ktrace_event_fops);
	} else {
		debugfs_remove(name->file);
		name->file = NULL;
	}
}

/* ---- markers that come and go ---- */

static void ktrace_add_marker(const struct marker *marker)
{
	struct ktrace_name *name = ktrace_name_get(marker->name);
	struct ktrace_event *event;

	if (!name) {
		pr_err("%s: no memory, it can't be recorded\n", marker->name);
		return;
	}
	event = ktrace_event_get(name, marker->format);
	if (!event)
		return;
	event->markers++;
	ktrace_arm(name);
	ktrace_update_file(name);
}

/**
 * ktrace_add_vmlinux - add the markers of the kernel itself, once
 */
void ktrace_add_vmlinux(void)
{
	struct marker *marker;

	lockdep_assert_held(&ktrace_mutex);
	if (ktrace_has_vmlinux)
		return;
	ktrace_has_vmlinux = true;
	for (marker = __start___markers; marker < __stop___markers; marker++)
		ktrace_add_marker(marker);
	marker_settle();
}

/**
 * ktrace_show_files - create the files of all names, and of those that come
 * @dir: the folder for them
 */
void ktrace_show_files(struct dentry *dir)
{
	struct rb_node *node;

	lockdep_assert_held(&ktrace_mutex);
	ktrace_events_dir = dir;
	for_each_ktrace_name(node)
		ktrace_update_file(ktrace_name_of(node));
}

#ifdef CONFIG_MODULES
static void ktrace_drop_marker(const struct marker *marker)
{
	struct rb_node *node = rb_find(marker->name, &ktrace_names,
				       ktrace_name_cmp);
	struct ktrace_event *event;

	if (!node)
		return;
	list_for_each_entry(event, &ktrace_name_of(node)->events, same)
		if (!strcmp(event->format, marker->format) && event->markers) {
			event->markers--;
			break;
		}
	ktrace_arm(ktrace_name_of(node));
	ktrace_update_file(ktrace_name_of(node));
}

/*
 * Runs after the notifiers of markers, in both directions, and before the init function of
 * the module: its markers are in the registry, and can be armed, or are gone from it.
 */
static int ktrace_module_notify(struct notifier_block *nb, unsigned long state,
				void *data)
{
	struct module *module = data;

	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&ktrace_mutex);
	for (unsigned int i = 0; i < module->num_markers; i++)
		if (state == MODULE_STATE_COMING)
			ktrace_add_marker(&module->markers[i]);
		else
			ktrace_drop_marker(&module->markers[i]);
	marker_settle();
	mutex_unlock(&ktrace_mutex);
	return NOTIFY_OK;
}

static struct notifier_block ktrace_module_nb = {
	.notifier_call	= ktrace_module_notify,
	.priority	= -2,
};

static int __init ktrace_watch_modules(void)
{
	return register_module_notifier(&ktrace_module_nb);
}
core_initcall(ktrace_watch_modules);
#endif
