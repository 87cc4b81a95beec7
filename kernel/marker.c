// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of markers: which probes a name has, and which markers have the
 * name. See <linux/marker.h>.
 */
#define pr_fmt(fmt) "marker: " fmt

#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/marker.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "marker_internal.h"

/**
 * struct marker_funcs - the probes of a name at one time
 * @rcu: to free it
 * @nr: how many there are
 * @funcs: them, and one without function
 */
struct marker_funcs {
	struct rcu_head		rcu;
	unsigned int		nr;
	struct marker_func	funcs[];
};

/**
 * struct marker_name - a name that has probes, whether or not a marker has it
 * @list: in marker_names
 * @rcu: to free it
 * @funcs: its probes, one at least
 * @name: the name
 * @format: what all probes and markers of the name must have
 */
struct marker_name {
	struct list_head	list;
	struct rcu_head		rcu;
	struct marker_funcs	*funcs;
	const char		*name;
	const char		*format;
};

/* See marker_internal.h. */
DEFINE_MUTEX(marker_mutex);

static struct marker_section marker_vmlinux = {
	.list	= LIST_HEAD_INIT(marker_sections),
	.start	= __start___markers,
	.end	= __stop___markers,
	.name	= "vmlinux",
};

struct list_head marker_sections = LIST_HEAD_INIT(marker_vmlinux.list);

static LIST_HEAD(marker_names);

/* All markers, those of vmlinux first. */
#define for_each_marker(_section, _marker)				\
	list_for_each_entry(_section, &marker_sections, list)		\
		for (_marker = (_section)->start;			\
		     _marker < (_section)->end; _marker++)

static struct marker *marker_find(const char *name)
{
	struct marker_section *section;
	struct marker *marker;

	lockdep_assert_held(&marker_mutex);
	for_each_marker(section, marker)
		if (!strcmp(marker->name, name))
			return marker;
	return NULL;
}

static struct marker_name *marker_name_find(const char *name)
{
	struct marker_name *entry;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(entry, &marker_names, list)
		if (!strcmp(entry->name, name))
			return entry;
	return NULL;
}

/* The format that all who use the name must have, NULL when nobody does. */
static const char *marker_format(const char *name)
{
	struct marker_name *entry = marker_name_find(name);
	struct marker *marker;

	if (entry)
		return entry->format;
	marker = marker_find(name);
	return marker ? marker->format : NULL;
}

/* That of a name's typed probes, NULL when it has none. */
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

/* An ad-hoc marker can call no typed probe, a typed one those that fit. */
static bool marker_has_prototype(const struct marker *marker,
				 const char *prototype)
{
	return marker->type && !strcmp(marker->type->prototype, prototype);
}

/**
 * marker_refused - whether a marker doesn't fit what else has its name
 * @marker: the marker
 *
 * Probes of the name, or the first marker of the name, have another format; or
 * the typed probes of the name have another prototype; or its own format is not
 * that of its arguments.
 *
 * Return: true when it is never armed, as long as that is so.
 */
bool marker_refused(const struct marker *marker)
{
	const char *prototype = marker_prototype(marker_name_find(marker->name));
	int nr_args = marker_count_args(marker->format);

	return strcmp(marker->format, marker_format(marker->name)) ||
	       (prototype && !marker_has_prototype(marker, prototype)) ||
	       (nr_args >= 0 && nr_args != marker->nr_args);
}

/* How many probes a marker has now. */
unsigned int marker_nr_probes(const struct marker *marker)
{
	struct marker_name *entry = marker_name_find(marker->name);

	return entry && !marker_refused(marker) ? entry->funcs->nr : 0;
}

/* ---- arming markers ---- */

static void marker_set_call(struct marker *marker, void *func)
{
	const struct marker_type *type = marker->type;

	/* What @func reads comes before it. */
	smp_wmb();
	__static_call_update(type->call_key, type->call_tramp, func);
}

/*
 * A typed marker calls its only probe directly, with its data. Sites reach the
 * nop or the iteration now, which take no data. Where there are no static calls
 * they read the function and the data in any order: let nobody have the old one
 * of either who may get the new one of the other.
 */
static void marker_call_only(struct marker *marker,
			     const struct marker_func *only)
{
	if (marker->data != only->data) {
		synchronize_rcu();
		WRITE_ONCE(marker->data, only->data);
		synchronize_rcu();
	}
	marker_set_call(marker,
			only->prototype ? only->func : marker->type->pack);
}

/*
 * A site that was preempted after it saw the key true reaches the nop from here
 * on.
 */
static void marker_disarm(struct marker *marker)
{
	static_branch_disable(&marker->key);
	if (marker->type)
		marker_set_call(marker, marker->type->nop);
	RCU_INIT_POINTER(marker->funcs, NULL);
}

/* Give a marker the probes of its name. */
static void marker_arm(struct marker *marker, const struct marker_name *entry)
{
	struct marker_funcs *funcs = entry->funcs;

	lockdep_assert_held(&marker_mutex);
	if (!funcs || marker_refused(marker)) {
		marker_disarm(marker);
		return;
	}
	rcu_assign_pointer(marker->funcs, funcs->funcs);
	if (marker->type && funcs->nr == 1)
		marker_call_only(marker, funcs->funcs);
	else if (marker->type)
		marker_set_call(marker, marker->type->iterate);
	static_branch_enable(&marker->key);
}

/* Give all markers of a name its probes, and free those that it had. */
static void marker_set_funcs(struct marker_name *entry,
			     struct marker_funcs *funcs)
{
	struct marker_funcs *old = entry->funcs;
	struct marker_section *section;
	struct marker *marker;

	entry->funcs = funcs;
	for_each_marker(section, marker)
		if (!strcmp(marker->name, entry->name))
			marker_arm(marker, entry);
	kfree_rcu(old, rcu);
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
	list_add_tail(&entry->list, &marker_names);
	return entry;
}

static void marker_name_destroy(struct marker_name *entry)
{
	list_del(&entry->list);
	/* A generic probe that still runs may look at the texts. */
	kfree_rcu(entry, rcu);
}

/* Where a probe is among those of a name; @nr: it isn't. */
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

/* The probes of a name with room for one more, or without the one at @without. */
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

/*
 * Waiting for probes would wait for oneself in a probe. Before the scheduler is
 * up there is nobody to wait for, but the registry itself may allocate, and be
 * interrupted by a probe so.
 */
static int marker_lock(void)
{
	bool in_probe;

	if (system_state < SYSTEM_SCHEDULING)
		return mutex_trylock(&marker_mutex) ? 0 : -EWOULDBLOCK;
	in_probe = IS_ENABLED(CONFIG_PREEMPT_COUNT) ?
		   !preemptible() : in_interrupt() || irqs_disabled();
	if (in_probe)
		return -EWOULDBLOCK;
	mutex_lock(&marker_mutex);
	return 0;
}

/* Whether a probe can listen to what has the name already. */
static int marker_check_probe(const char *name, const char *format,
			      const char *prototype)
{
	const char *known = marker_format(name);
	struct marker_section *section;
	struct marker *marker;

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
	for_each_marker(section, marker) {
		if (strcmp(marker->name, name) ||
		    marker_has_prototype(marker, prototype))
			continue;
		pr_err("%s: the probe takes (%s), the marker in %s has %s\n",
		       name, prototype, section->name,
		       marker->type ? marker->type->prototype : "no prototype");
		return -EINVAL;
	}
	return 0;
}

/* Add a probe to a name that may be new. */
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
			   const struct marker_func *func)
{
	int ret = marker_lock();

	if (ret)
		return ret;
	ret = marker_add(name, format, func);
	mutex_unlock(&marker_mutex);
	return ret;
}

/* Take a probe from a name that it has, and the name away with the last one. */
static void marker_drop(struct marker_name *entry, unsigned int index)
{
	struct marker_func func = entry->funcs->funcs[index];
	unsigned int nr = entry->funcs->nr - 1;
	struct marker_funcs *funcs = NULL;

	/* Taking away never fails. */
	if (nr)
		funcs = marker_funcs_copy(entry->funcs, nr, index,
					  __GFP_NOFAIL);
	marker_set_funcs(entry, funcs);
	if (!func.prototype)
		marker_generic_destroy(func.data);
	if (!nr)
		marker_name_destroy(entry);
}

static int marker_remove(const char *name, const struct marker_func *func)
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
	mutex_unlock(&marker_mutex);
	return ret;
}

/**
 * marker_probe_register - have a typed probe called at every site of a marker
 * @name: of a typed marker, which may come later with a module
 * @format: of the marker
 * @prototype: its parameters, as they are declared
 * @probe: a function that takes @data first, then what the marker declares
 * @data: handed to @probe as it is
 *
 * Use register_marker_<name>(), which checks the type of @probe. The probe
 * runs with preemption off, in whatever context the site is in. A marker may
 * have any number of probes, the same function with other data among them; they
 * are called in the order of their registration.
 *
 * Context: task, may sleep; and the boot CPU before the scheduler is up. Not
 * from a probe.
 * Return: 0; -EEXIST when @probe is registered with @data already; -EINVAL when
 * what is known by that name has another format or another prototype or none,
 * which the kernel log explains; -EWOULDBLOCK from a probe, where the kernel can
 * tell (CONFIG_PREEMPT_COUNT, or an interrupt, or early boot); -ENOMEM.
 */
int marker_probe_register(const char *name, const char *format,
			  const char *prototype, void *probe, void *data)
{
	struct marker_func func = {
		.func = probe, .data = data, .prototype = prototype
	};

	return marker_register(name, format, &func);
}
EXPORT_SYMBOL_GPL(marker_probe_register);

/**
 * marker_probe_remove - marker_probe_unregister() that doesn't wait
 * @name: of the marker
 * @probe: what was registered
 * @data: with what it was registered
 *
 * For several probes at once: marker_synchronize_unregister() waits for all.
 *
 * Context: task, may sleep. Not from a probe.
 * Return: 0, -ENOENT when @probe isn't registered with @data, -EWOULDBLOCK.
 */
int marker_probe_remove(const char *name, void *probe, void *data)
{
	/* Any prototype tells it from a generic probe. */
	struct marker_func func = {
		.func = probe, .data = data, .prototype = ""
	};

	return marker_remove(name, &func);
}
EXPORT_SYMBOL_GPL(marker_probe_remove);

/**
 * marker_probe_unregister - undo marker_probe_register()
 * @name: of the marker
 * @probe: what was registered
 * @data: with what it was registered
 *
 * When this returns 0 the probe is not running and will not be called again.
 *
 * Context: task, may sleep. Not from a probe.
 * Return: 0, -ENOENT when @probe isn't registered with @data, -EWOULDBLOCK.
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
 * marker_generic_register - have a generic probe called at every site
 * @name: of a marker of any kind, which may come later with a module
 * @format: of the marker, or NULL for that of the marker that is there
 * @probe: the probe
 * @data: handed to @probe as it is
 *
 * Context: as marker_probe_register().
 * Return: as marker_probe_register(); and -ENOENT when @format is NULL and
 * nothing has the name, -EINVAL when @format can't be made a record of, which
 * the kernel log explains.
 */
int marker_generic_register(const char *name, const char *format,
			    marker_generic_probe *probe, void *data)
{
	struct marker_func func = { .func = probe, .data = data };

	return marker_register(name, format, &func);
}
EXPORT_SYMBOL_GPL(marker_generic_register);

/**
 * marker_generic_unregister - undo marker_generic_register()
 * @name: of the marker
 * @probe: what was registered
 * @data: with what it was registered
 *
 * When this returns 0 the probe is not running and will not be called again.
 *
 * Context: task, may sleep. Not from a probe.
 * Return: 0, -ENOENT when @probe isn't registered with @data, -EWOULDBLOCK.
 */
int marker_generic_unregister(const char *name, marker_generic_probe *probe,
			      void *data)
{
	struct marker_func func = { .func = probe, .data = data };
	int ret = marker_remove(name, &func);

	if (!ret)
		marker_synchronize_unregister();
	return ret;
}
EXPORT_SYMBOL_GPL(marker_generic_unregister);

/* ---- markers that come and go ---- */

/* Say why a marker gets no probes. */
static void marker_complain(const struct marker *marker)
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

/* A marker is there: arm it, or say why not. */
static void marker_meet(struct marker *marker)
{
	struct marker_name *entry = marker_name_find(marker->name);

	if (marker_refused(marker))
		marker_complain(marker);
	else if (entry)
		marker_arm(marker, entry);
}

/**
 * marker_section_add - markers have come
 * @section: all but its list is set
 */
void marker_section_add(struct marker_section *section)
{
	struct marker *marker;

	mutex_lock(&marker_mutex);
	list_add_tail(&section->list, &marker_sections);
	for (marker = section->start; marker < section->end; marker++)
		marker_meet(marker);
	mutex_unlock(&marker_mutex);
}

/* The section of a module; NULL is vmlinux. */
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

/* Takes the first probe away that is in the module, and says so. */
static bool marker_drop_left(struct marker_section *section)
{
	struct marker_name *entry;

	list_for_each_entry(entry, &marker_names, list) {
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
 * marker_section_remove - markers go
 * @section: was added
 *
 * Their sites can still be patched, and may still be reached, by a write to a
 * parameter of the module for one. Probes that a module leaves behind would be
 * called into nothing: they are taken away.
 */
void marker_section_remove(struct marker_section *section)
{
	struct marker *marker;
	bool left = false;

	mutex_lock(&marker_mutex);
	list_del(&section->list);
	for (marker = section->start; marker < section->end; marker++)
		if (rcu_access_pointer(marker->funcs))
			marker_disarm(marker);
	while (section->module && marker_drop_left(section))
		left = true;
	mutex_unlock(&marker_mutex);
	if (left)
		marker_synchronize_unregister();
}

/* Those of vmlinux were there all the time; what they are is said once. */
static int __init marker_check_vmlinux(void)
{
	struct marker *marker;

	mutex_lock(&marker_mutex);
	for (marker = marker_vmlinux.start; marker < marker_vmlinux.end;
	     marker++)
		if (marker_refused(marker))
			marker_complain(marker);
	mutex_unlock(&marker_mutex);
	return 0;
}
core_initcall(marker_check_vmlinux);
