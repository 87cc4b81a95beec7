// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of markers. It knows all markers and all probes by name, and gives
 * each marker the probes of its name. See <linux/marker.h>.
 */
#define pr_fmt(fmt) "marker: " fmt

#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/marker.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "marker_internal.h"

/**
 * struct marker_funcs - the probes of a name at one time
 * @rcu: frees this
 * @nr: number of probes
 * @funcs: the probes, and one more element without a function
 */
struct marker_funcs {
	struct rcu_head		rcu;
	unsigned int		nr;
	struct marker_func	funcs[];
};

/**
 * struct marker_name - a name that has probes, whether or not a marker has it
 * @node: in marker_names
 * @rcu: frees this
 * @funcs: its probes, at least one
 * @name: the name
 * @format: the format that all probes and markers of the name must have
 */
struct marker_name {
	struct rb_node		node;
	struct rcu_head		rcu;
	struct marker_funcs	*funcs;
	const char		*name;
	const char		*format;
};

/* See marker_internal.h. */
DEFINE_MUTEX(marker_mutex);
LIST_HEAD(marker_sections);

static struct marker_section marker_vmlinux = {
	.start	= __start___markers,
	.end	= __stop___markers,
	.name	= "vmlinux",
};

/* All markers by name; those of the same name in the order of their sections. */
static struct rb_root marker_tree = RB_ROOT;
/* All names that have probes. */
static struct rb_root marker_names = RB_ROOT;
/* A marker may be indirect. */
static bool marker_unsettled;

/* ---- lookup by name ---- */

static struct marker *marker_of(const struct rb_node *node)
{
	return rb_entry(node, struct marker, node);
}

static struct marker_name *marker_name_of(const struct rb_node *node)
{
	return rb_entry(node, struct marker_name, node);
}

static bool marker_less(struct rb_node *node, const struct rb_node *other)
{
	return strcmp(marker_of(node)->name, marker_of(other)->name) < 0;
}

static int marker_cmp(const void *name, const struct rb_node *node)
{
	return strcmp(name, marker_of(node)->name);
}

static int marker_name_cmp(const void *name, const struct rb_node *node)
{
	return strcmp(name, marker_name_of(node)->name);
}

static bool marker_name_less(struct rb_node *node, const struct rb_node *other)
{
	return marker_name_cmp(marker_name_of(node)->name, other) < 0;
}

#define for_each_marker_named(_node, _name)				\
	rb_for_each(_node, _name, &marker_tree, marker_cmp)

/* Return the first marker of a name, or NULL. */
static struct marker *marker_find(const char *name)
{
	struct rb_node *node;

	lockdep_assert_held(&marker_mutex);
	node = rb_find_first(name, &marker_tree, marker_cmp);
	return node ? marker_of(node) : NULL;
}

/* Return the probes of a name, or NULL if it has none. */
static struct marker_name *marker_name_find(const char *name)
{
	struct rb_node *node;

	lockdep_assert_held(&marker_mutex);
	node = rb_find(name, &marker_names, marker_name_cmp);
	return node ? marker_name_of(node) : NULL;
}

/* Return the section that holds a marker. */
static struct marker_section *marker_section_of(const struct marker *marker)
{
	struct marker_section *section;

	list_for_each_entry(section, &marker_sections, list)
		if (marker >= section->start && marker < section->end)
			break;
	return section;
}

/* ---- matching markers with probes ---- */

/*
 * Return the format that all markers and probes of the name must have, or NULL if
 * there are none.
 */
static const char *marker_format(const char *name)
{
	struct marker_name *entry = marker_name_find(name);
	struct marker *marker;

	if (entry)
		return entry->format;
	marker = marker_find(name);
	return marker ? marker->format : NULL;
}

/* Return the prototype of a name's typed probes, or NULL if it has none. */
static const char *marker_prototype(const struct marker_name *entry)
{
	const struct marker_func *func;

	if (!entry || !entry->funcs)
		return NULL;
	for (func = entry->funcs->funcs; func->func; func++)
		if (func->prototype)
			return func->prototype;
	return NULL;
}

/* Return whether a marker can call typed probes of this prototype. */
static bool marker_has_prototype(const struct marker *marker,
				 const char *prototype)
{
	return marker->type && !strcmp(marker->type->prototype, prototype);
}

/**
 * marker_refused - check whether a marker gets no probes
 * @marker: the marker
 *
 * A marker is refused as long as one of these is true. The probes of its name, or
 * without probes the first marker of its name, have another format. The typed
 * probes of its name have another prototype. The number of conversions in its
 * format is not the number of its arguments.
 *
 * Return: true if the marker is refused.
 */
bool marker_refused(const struct marker *marker)
{
	const char *prototype = marker_prototype(marker_name_find(marker->name));
	int nr_args = marker_count_args(marker->format);

	return strcmp(marker->format, marker_format(marker->name)) ||
	       (prototype && !marker_has_prototype(marker, prototype)) ||
	       (nr_args >= 0 && nr_args != marker->nr_args);
}

/* Return the number of probes that a marker calls. */
unsigned int marker_nr_probes(const struct marker *marker)
{
	struct marker_name *entry = marker_name_find(marker->name);

	return entry && !marker_refused(marker) ? entry->funcs->nr : 0;
}

/* ---- arming markers ---- */

static void marker_set_call(struct marker *marker, void *func)
{
	const struct marker_type *type = marker->type;

	marker->indirect = false;
	/* A site that calls @func must see the data that @func reads. */
	smp_wmb();
	__static_call_update(type->call_key, type->call_tramp, func);
}

/* Return the first probe of a marker that has some. */
static const struct marker_func *marker_only(const struct marker *marker)
{
	return rcu_dereference_protected(marker->funcs,
					 lockdep_is_held(&marker_mutex));
}

/* Return the function that calls the only probe of a marker, and the data that it takes. */
static void *marker_only_func(const struct marker *marker,
			      const struct marker_func *only, void **data)
{
	*data = only->data;
	if (only->prototype)
		return only->func;
	if (!only->event || !marker->generated)
		return marker->type->pack;
	*data = (void *)only->event;
	return marker->type->event;
}

/*
 * Let a typed marker call its only probe, directly if it has the data of the probe
 * already. Else its sites iterate, which uses no data, until marker_settle().
 */
static void marker_call_only(struct marker *marker,
			     const struct marker_func *only)
{
	void *data, *func = marker_only_func(marker, only, &data);

	if (marker->data == data) {
		marker_set_call(marker, func);
		return;
	}
	marker_set_call(marker, marker->type->iterate);
	marker->indirect = true;
	marker_unsettled = true;
}

/*
 * Take all probes from a marker. A site that was preempted after it saw the key true
 * calls the nop.
 */
static void marker_disarm(struct marker *marker)
{
	static_branch_disable(&marker->key);
	if (marker->type)
		marker_set_call(marker, marker->type->nop);
	RCU_INIT_POINTER(marker->funcs, NULL);
	WRITE_ONCE(marker->event, NULL);
}

/* Give a marker the probes of its name, unless it is refused. */
static void marker_arm(struct marker *marker, const struct marker_name *entry)
{
	struct marker_funcs *funcs = entry->funcs;

	lockdep_assert_held(&marker_mutex);
	if (!funcs || marker_refused(marker)) {
		marker_disarm(marker);
		return;
	}
	rcu_assign_pointer(marker->funcs, funcs->funcs);
	if (!marker->type)
		WRITE_ONCE(marker->event, funcs->nr == 1 && marker->generated ?
					  funcs->funcs->event : NULL);
	else if (funcs->nr > 1)
		marker_set_call(marker, marker->type->iterate);
	else
		marker_call_only(marker, funcs->funcs);
	static_branch_enable(&marker->key);
}

/* Replace the probes of a name, and free the old array. */
static void marker_set_funcs(struct marker_name *entry,
			     struct marker_funcs *funcs)
{
	struct marker_funcs *old = entry->funcs;
	struct rb_node *node;

	entry->funcs = funcs;
	for_each_marker_named(node, entry->name)
		marker_arm(marker_of(node), entry);
	kfree_rcu(old, rcu);
}

/* Return the first indirect marker behind @marker, of all if that is NULL, or NULL. */
static struct marker *marker_next_indirect(struct marker *marker)
{
	struct rb_node *node = marker ? rb_next(&marker->node) :
					rb_first(&marker_tree);

	while (node && !marker_of(node)->indirect)
		node = rb_next(node);
	return node ? marker_of(node) : NULL;
}

/*
 * Let all indirect markers call their only probe directly. Without static calls a site
 * loads function and data in any order: the grace periods keep it from combining old data
 * with a new function, or the reverse. They are the same two for all markers.
 */
static void marker_settle_all(void)
{
	struct marker *marker = NULL;
	void *data;

	lockdep_assert_held(&marker_mutex);
	if (!marker_unsettled)
		return;
	marker_unsettled = false;
	synchronize_rcu();
	while ((marker = marker_next_indirect(marker))) {
		marker_only_func(marker, marker_only(marker), &data);
		WRITE_ONCE(marker->data, data);
	}
	synchronize_rcu();
	while ((marker = marker_next_indirect(marker)))
		marker_call_only(marker, marker_only(marker));
}

/* ---- names and their probes ---- */

static struct marker_name *marker_name_create(const char *name,
					      const char *format)
{
	size_t name_size = strlen(name) + 1, format_size = strlen(format) + 1;
	struct marker_name *entry;
	char *text;

	entry = kzalloc(sizeof(*entry) + name_size + format_size, GFP_KERNEL);
	if (!entry)
		return NULL;
	text = (char *)(entry + 1);
	entry->name = memcpy(text, name, name_size);
	entry->format = memcpy(text + name_size, format, format_size);
	rb_add(&entry->node, &marker_names, marker_name_less);
	return entry;
}

static void marker_name_destroy(struct marker_name *entry)
{
	rb_erase(&entry->node, &marker_names);
	/* A generic probe that still runs may read name and format. */
	kfree_rcu(entry, rcu);
}

/* Return the index of a probe, or @nr if it is not registered. */
static unsigned int marker_func_index(const struct marker_funcs *funcs,
				      const struct marker_func *func)
{
	unsigned int i;

	for (i = 0; i < funcs->nr; i++) {
		const struct marker_func *f = &funcs->funcs[i];

		if (f->func == func->func && !f->prototype == !func->prototype &&
		    (f->prototype ? f->data == func->data :
		     marker_generic_has_data(f->data, func->data)))
			break;
	}
	return i;
}

/*
 * Return a copy of @funcs with room for @nr probes, without the one at index @without;
 * NULL without memory.
 */
static struct marker_funcs *marker_funcs_copy(const struct marker_funcs *funcs,
					      unsigned int nr,
					      unsigned int without, gfp_t gfp)
{
	struct marker_funcs *new;

	new = kzalloc(struct_size(new, funcs, nr + 1), GFP_KERNEL | gfp);
	if (!new)
		return NULL;
	for (unsigned int i = 0, to = 0; funcs && i < funcs->nr; i++)
		if (i != without)
			new->funcs[to++] = funcs->funcs[i];
	new->nr = nr;
	return new;
}

/* Enter the markers of a section into the tree. */
static void marker_section_link(struct marker_section *section)
{
	struct marker *marker;

	list_add_tail(&section->list, &marker_sections);
	for (marker = section->start; marker < section->end; marker++) {
		marker->generated = marker_event_generated(marker);
		rb_add(&marker->node, &marker_tree, marker_less);
	}
}

/* The first probe may be registered before any initcall runs. */
static void marker_link_vmlinux(void)
{
	lockdep_assert_held(&marker_mutex);
	if (list_empty(&marker_sections))
		marker_section_link(&marker_vmlinux);
}

/*
 * Lock the registry; return -EWOULDBLOCK in a probe, which would wait for itself to
 * end. Before the scheduler is up, a probe may still interrupt the registry,
 * which allocates: a trylock finds that out.
 */
static int marker_lock(void)
{
	bool in_probe;

	if (system_state < SYSTEM_SCHEDULING) {
		if (!mutex_trylock(&marker_mutex))
			return -EWOULDBLOCK;
	} else {
		in_probe = IS_ENABLED(CONFIG_PREEMPT_COUNT) ?
			   !preemptible() : in_interrupt() || irqs_disabled();
		if (in_probe)
			return -EWOULDBLOCK;
		mutex_lock(&marker_mutex);
	}
	marker_link_vmlinux();
	return 0;
}

/**
 * marker_is_known - return whether there is a marker of a name
 * @name: the name
 *
 * Context: task, may sleep; or the boot CPU.
 * Return: true if vmlinux or a module has one.
 */
bool marker_is_known(const char *name)
{
	bool is_known;

	if (marker_lock())
		return false;
	is_known = marker_find(name);
	mutex_unlock(&marker_mutex);
	return is_known;
}

/* Return 0 if a probe matches all markers and probes of the name, else -errno. */
static int marker_check_probe(const char *name, const char *format,
			      const char *prototype)
{
	const char *known = marker_format(name);
	struct rb_node *node;

	if (!format && !known)
		return -ENOENT;
	if (format && known && strcmp(format, known)) {
		pr_err("%s: the probe wants \"%s\", the marker has \"%s\"\n",
		       name, format, known);
		return -EINVAL;
	}
	if (!prototype)
		return 0;
	known = marker_prototype(marker_name_find(name));
	if (known && strcmp(known, prototype)) {
		pr_err("%s: the probe takes (%s), other probes take (%s)\n",
		       name, prototype, known);
		return -EINVAL;
	}
	for_each_marker_named(node, name) {
		struct marker *marker = marker_of(node);

		if (marker_has_prototype(marker, prototype))
			continue;
		pr_err("%s: the probe takes (%s), the marker in %s has %s\n",
		       name, prototype, marker_section_of(marker)->name,
		       marker->type ? marker->type->prototype : "no prototype");
		return -EINVAL;
	}
	return 0;
}

/* Add a probe to a name, which may be new. */
static int marker_add(const char *name, const char *format,
		      const struct marker_func *func)
{
	struct marker_name *entry = marker_name_find(name);
	struct marker_name *created = NULL;
	struct marker_funcs *funcs;
	unsigned int nr = 0;
	int ret;

	if (!func->func)
		return -EINVAL;
	ret = marker_check_probe(name, format, func->prototype);
	if (ret)
		return ret;
	if (entry) {
		nr = entry->funcs->nr;
		if (marker_func_index(entry->funcs, func) < nr)
			return -EEXIST;
	} else {
		entry = marker_name_create(name, format ?: marker_format(name));
		if (!entry)
			return -ENOMEM;
		created = entry;
	}

	ret = -ENOMEM;
	funcs = marker_funcs_copy(entry->funcs, nr + 1, nr, 0);
	if (!funcs)
		goto undo;
	funcs->funcs[nr] = *func;
	if (!func->prototype) {
		ret = marker_generic_create(&funcs->funcs[nr], entry->name,
					    entry->format);
		if (ret)
			goto undo;
	}
	marker_set_funcs(entry, funcs);
	return 0;
undo:
	kfree(funcs);
	if (created)
		marker_name_destroy(created);
	return ret;
}

static int marker_register(const char *name, const char *format,
			   const struct marker_func *func, bool settle)
{
	int ret = marker_lock();

	if (ret)
		return ret;
	ret = marker_add(name, format, func);
	if (settle)
		marker_settle_all();
	mutex_unlock(&marker_mutex);
	return ret;
}

/* Remove a probe from its name, and the name with its last probe. */
static void marker_drop(struct marker_name *entry, unsigned int index)
{
	struct marker_func func = entry->funcs->funcs[index];
	unsigned int nr = entry->funcs->nr - 1;
	struct marker_funcs *funcs = NULL;

	/* Unregistering must not fail. */
	if (nr)
		funcs = marker_funcs_copy(entry->funcs, nr, index,
					  __GFP_NOFAIL);
	marker_set_funcs(entry, funcs);
	if (!func.prototype)
		marker_generic_destroy(func.data);
	if (!nr)
		marker_name_destroy(entry);
}

static int marker_remove(const char *name, const struct marker_func *func,
			 bool settle)
{
	struct marker_name *entry;
	unsigned int index;
	int ret = marker_lock();

	if (ret)
		return ret;
	ret = -ENOENT;
	entry = marker_name_find(name);
	if (entry) {
		index = marker_func_index(entry->funcs, func);
		if (index < entry->funcs->nr) {
			marker_drop(entry, index);
			ret = 0;
		}
	}
	if (settle)
		marker_settle_all();
	mutex_unlock(&marker_mutex);
	return ret;
}

/**
 * marker_probe_register - register a typed probe on all sites of a marker
 * @name: name of a typed marker, which a module may bring later
 * @format: format of the marker
 * @prototype: parameters of the marker, as they are declared
 * @probe: a function that takes @data, followed by the marker's parameters
 * @data: first argument of @probe
 *
 * Use register_marker_<name>(), which checks the type of @probe. The probe
 * runs in the context of the site, with preemption off. A marker may have any
 * number of probes, also the same function with different data; they are called
 * in the order of their registration.
 *
 * Context: task, may sleep; and the boot CPU before the scheduler is up. Not
 * from a probe.
 * Return: 0; -EEXIST if @probe is already registered with @data; -EINVAL if
 * a marker or probe of that name has another format, or another prototype or
 * none, which the kernel log explains; -EWOULDBLOCK from a probe, if the kernel
 * can tell (CONFIG_PREEMPT_COUNT, or an interrupt, or early boot); -ENOMEM.
 */
int marker_probe_register(const char *name, const char *format,
			  const char *prototype, void *probe, void *data)
{
	struct marker_func func = {
		.func = probe, .data = data, .prototype = prototype
	};

	return marker_register(name, format, &func, true);
}
EXPORT_SYMBOL_GPL(marker_probe_register);

/**
 * marker_probe_remove - unregister a typed probe without waiting
 * @name: name of the marker
 * @probe: the probe
 * @data: the data that it was registered with
 *
 * The probe may still run. A caller that removes several probes calls
 * marker_synchronize_unregister() once, after the last one.
 *
 * Context: task, may sleep. Not from a probe.
 * Return: 0, -ENOENT if @probe is not registered with @data, -EWOULDBLOCK.
 */
int marker_probe_remove(const char *name, void *probe, void *data)
{
	/* Any prototype: a generic probe has none. */
	struct marker_func func = {
		.func = probe, .data = data, .prototype = ""
	};

	return marker_remove(name, &func, true);
}
EXPORT_SYMBOL_GPL(marker_probe_remove);

/**
 * marker_probe_unregister - undo marker_probe_register()
 * @name: name of the marker
 * @probe: the probe
 * @data: the data that it was registered with
 *
 * When this returns 0, the probe does not run and will not be called again.
 *
 * Context: task, may sleep. Not from a probe.
 * Return: 0, -ENOENT if @probe is not registered with @data, -EWOULDBLOCK.
 */
int marker_probe_unregister(const char *name, void *probe, void *data)
{
	int ret = marker_probe_remove(name, probe, data);

	if (!ret)
		marker_synchronize_unregister();
	return ret;
}
EXPORT_SYMBOL_GPL(marker_probe_unregister);

/**
 * marker_generic_register - register a generic probe on all sites of a marker
 * @name: name of a marker of any kind, which a module may bring later
 * @format: format of the marker; NULL for the format of the existing marker
 * @probe: the probe
 * @data: first argument of @probe
 *
 * Context: as marker_probe_register().
 * Return: as marker_probe_register(); and -ENOENT if @format is NULL and no
 * marker or probe has the name; -EINVAL if @format does not describe a record,
 * which the kernel log explains.
 */
int marker_generic_register(const char *name, const char *format,
			    marker_generic_probe *probe, void *data)
{
	struct marker_func func = { .func = probe, .data = data };

	return marker_register(name, format, &func, true);
}
EXPORT_SYMBOL_GPL(marker_generic_register);

/**
 * marker_generic_unregister - undo marker_generic_register()
 * @name: name of the marker
 * @probe: the probe
 * @data: the data that it was registered with
 *
 * When this returns 0, the probe does not run and will not be called again.
 *
 * Context: task, may sleep. Not from a probe.
 * Return: 0, -ENOENT if @probe is not registered with @data, -EWOULDBLOCK.
 */
int marker_generic_unregister(const char *name, marker_generic_probe *probe,
			      void *data)
{
	struct marker_func func = { .func = probe, .data = data };
	int ret = marker_remove(name, &func, true);

	if (!ret)
		marker_synchronize_unregister();
	return ret;
}
EXPORT_SYMBOL_GPL(marker_generic_unregister);

#ifdef CONFIG_MARKER_EVENTS
/* In the array of probes, an event takes the place of its own probe. */
static struct marker_func marker_event_func(const struct marker_event *event)
{
	return (struct marker_func) {
		.func = (void *)event, .event = event
	};
}

/**
 * marker_event_register - record each hit of a marker
 * @name: name of the marker, which a module may bring later
 * @format: its format
 * @event: where and how; must stay valid until it is removed and
 *	marker_synchronize_unregister() has returned
 *
 * Context: as marker_probe_register().
 * Return: as marker_generic_register().
 */
int marker_event_register(const char *name, const char *format,
			  const struct marker_event *event)
{
	struct marker_func func = marker_event_func(event);

	return marker_register(name, format, &func, true);
}
EXPORT_SYMBOL_GPL(marker_event_register);

/**
 * marker_event_add - marker_event_register() for one of many events
 * @name: name of the marker
 * @format: its format
 * @event: where and how
 *
 * Hits are recorded from now on, but the sites iterate over the probes. Call
 * marker_settle() after the last of the events: sites call a single probe directly then.
 *
 * Context: as marker_probe_register().
 * Return: as marker_generic_register().
 */
int marker_event_add(const char *name, const char *format,
		     const struct marker_event *event)
{
	struct marker_func func = marker_event_func(event);

	return marker_register(name, format, &func, false);
}
EXPORT_SYMBOL_GPL(marker_event_add);

/**
 * marker_settle - complete marker_event_add() and marker_event_remove()
 *
 * Waits for two grace periods, if there is a marker that needs them.
 *
 * Context: task, may sleep; and the boot CPU before the scheduler is up. Not from a probe.
 */
void marker_settle(void)
{
	mutex_lock(&marker_mutex);
	marker_settle_all();
	mutex_unlock(&marker_mutex);
}
EXPORT_SYMBOL_GPL(marker_settle);

/**
 * marker_event_remove - undo marker_event_register() for one of many events
 * @name: name of the marker
 * @event: the event
 *
 * Does not wait. After the last of the events, call marker_settle(), and
 * marker_synchronize_unregister() before one of them is freed.
 *
 * Return: 0, -ENOENT if it is not registered, -EWOULDBLOCK.
 */
int marker_event_remove(const char *name, const struct marker_event *event)
{
	struct marker_func func = marker_event_func(event);

	return marker_remove(name, &func, false);
}
EXPORT_SYMBOL_GPL(marker_event_remove);

/**
 * marker_event_unregister - undo marker_event_register()
 * @name: name of the marker
 * @event: the event
 *
 * When this returns 0, no hit is being recorded.
 *
 * Return: as marker_event_remove().
 */
int marker_event_unregister(const char *name, const struct marker_event *event)
{
	struct marker_func func = marker_event_func(event);
	int ret = marker_remove(name, &func, true);

	if (!ret)
		marker_synchronize_unregister();
	return ret;
}
EXPORT_SYMBOL_GPL(marker_event_unregister);
#endif

/* ---- markers of modules, and of vmlinux ---- */

/* Log why a marker gets no probes. */
static void marker_report_refusal(const struct marker *marker)
{
	const char *format = marker_format(marker->name);
	const char *prototype = marker_prototype(marker_name_find(marker->name));

	if (strcmp(marker->format, format))
		pr_err("%s: has \"%s\" in one place, \"%s\" in another, which gets no probes\n",
		       marker->name, format, marker->format);
	else if (prototype && !marker_has_prototype(marker, prototype))
		pr_err("%s: its probes take (%s), a marker has %s and gets no probes\n",
		       marker->name, prototype,
		       marker->type ? marker->type->prototype : "no prototype");
	else
		pr_err("%s: has %u arguments for \"%s\", and gets no probes\n",
		       marker->name, marker->nr_args, format);
}

/* Arm a new marker if its name has probes, or log why it gets none. */
static void marker_admit(struct marker *marker)
{
	struct marker_name *entry = marker_name_find(marker->name);

	if (marker_refused(marker))
		marker_report_refusal(marker);
	else if (entry)
		marker_arm(marker, entry);
}

/**
 * marker_section_add - add the markers of a module
 * @section: the markers; all but @section->list is set
 */
void marker_section_add(struct marker_section *section)
{
	struct marker *marker;

	mutex_lock(&marker_mutex);
	marker_section_link(section);
	for (marker = section->start; marker < section->end; marker++)
		marker_admit(marker);
	marker_settle_all();
	mutex_unlock(&marker_mutex);
}

/* Return the section of a module, or NULL. */
struct marker_section *marker_section_find(const struct module *module)
{
	struct marker_section *section, *found = NULL;

	mutex_lock(&marker_mutex);
	list_for_each_entry(section, &marker_sections, list)
		if (section->module == module)
			found = section;
	mutex_unlock(&marker_mutex);
	return found;
}

/* Remove the first probe that lies in the module and log it; return false if none does. */
static bool marker_remove_leftover(struct marker_section *section)
{
	struct rb_node *node;

	for (node = rb_first(&marker_names); node; node = rb_next(node)) {
		struct marker_name *entry = marker_name_of(node);

		for (unsigned int i = 0; i < entry->funcs->nr; i++) {
			unsigned long func =
				(unsigned long)entry->funcs->funcs[i].func;

			if (!within_module(func, section->module))
				continue;
			pr_err("%s: module %s left its probe %ps behind\n",
			       entry->name, section->name, (void *)func);
			marker_drop(entry, i);
			return true;
		}
	}
	return false;
}

/**
 * marker_section_remove - remove the markers of a module
 * @section: was added
 *
 * A site can still be patched, and can still be reached, for example through a
 * parameter of the module. A probe that the module leaves behind is removed:
 * after the module's memory is freed, a call of it would crash.
 */
void marker_section_remove(struct marker_section *section)
{
	struct marker *marker;
	bool left = false;

	mutex_lock(&marker_mutex);
	list_del(&section->list);
	for (marker = section->start; marker < section->end; marker++) {
		rb_erase(&marker->node, &marker_tree);
		if (rcu_access_pointer(marker->funcs))
			marker_disarm(marker);
	}
	while (section->module && marker_remove_leftover(section))
		left = true;
	marker_settle_all();
	mutex_unlock(&marker_mutex);
	if (left)
		marker_synchronize_unregister();
}

/* Log once which markers of vmlinux get no probes. */
static int __init marker_check_vmlinux(void)
{
	struct marker *marker;

	mutex_lock(&marker_mutex);
	marker_link_vmlinux();
	for (marker = marker_vmlinux.start; marker < marker_vmlinux.end;
	     marker++)
		if (marker_refused(marker))
			marker_report_refusal(marker);
	mutex_unlock(&marker_mutex);
	return 0;
}
core_initcall(marker_check_vmlinux);
