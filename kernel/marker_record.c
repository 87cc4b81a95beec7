// SPDX-License-Identifier: GPL-2.0
/*
 * Generic probes: they receive the arguments of a marker as a record. See
 * <linux/marker.h>.
 */
#include <linux/export.h>
#include <linux/marker.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include "marker_internal.h"

/**
 * struct marker_generic - a generic probe
 * @rcu: frees this
 * @probe: the probe
 * @data: the data that it was registered with
 * @event: what is recorded instead of calling @probe, or NULL
 * @layout: layout of its records
 */
struct marker_generic {
	struct rcu_head			rcu;
	marker_generic_probe		*probe;
	void				*data;
	const struct marker_event	*event;
	struct marker_layout		layout;
};

/**
 * marker_deliver - call a generic probe
 * @data: made by marker_generic_create()
 * @slots: the arguments, 64 bits each
 *
 * Context: the context of the site, preemption off.
 */
noinline void marker_deliver(const void *data, const u64 *slots)
{
	const struct marker_generic *generic = data;
	const struct marker_layout *layout = &generic->layout;
	char record[MARKER_MAX_ARGS * MARKER_STRING_SIZE] __aligned(8);

	if (generic->event) {
		marker_event_interpret(generic->event, layout, slots);
		return;
	}
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const struct marker_field *field = &layout->fields[i];
		char *to = record + field->offset;

		if (field->conversion == 's')
			marker_store_string(to, field->size, slots[i]);
		else
			marker_store_number(to, field->size, slots[i]);
	}
	generic->probe(generic->data, layout, record);
}
EXPORT_SYMBOL_GPL(marker_deliver);

/**
 * marker_hit - call the probes of an ad-hoc marker, for trace_mark()
 * @marker: the marker
 * @slots: the arguments, 64 bits each
 */
void marker_hit(const struct marker *marker, const u64 *slots)
{
	const struct marker_func *func;

	preempt_disable_notrace();
	for (func = rcu_dereference_raw(marker->funcs); func && func->func;
	     func++)
		marker_deliver(func->data, slots);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(marker_hit);

/**
 * marker_deliver_event - record a hit of a typed marker by its format
 * @marker: the marker
 * @event: where; not used if it was removed meanwhile
 * @slots: the arguments, 64 bits each
 *
 * Context: the context of the site, preemption off.
 */
void marker_deliver_event(const struct marker *marker,
			  const struct marker_event *event, const u64 *slots)
{
	const struct marker_func *func;

	for (func = rcu_dereference_raw(marker->funcs); func && func->func;
	     func++)
		if (func->event == event)
			marker_deliver(func->data, slots);
}
EXPORT_SYMBOL_GPL(marker_deliver_event);

/* ---- generic probes in the registry ---- */

/* Allocate it, with as many fields as @format has for an event, and all for a probe. */
static struct marker_generic *
marker_generic_alloc(const struct marker_event *event, const char *format)
{
	size_t size = sizeof(struct marker_generic);
	unsigned int nr;

	/* -1 is refused later. No probe gets the layout of an event, so none copies it. */
	if (event) {
		nr = min_t(unsigned int, marker_count_args(format), MARKER_MAX_ARGS);
		size = offsetof(struct marker_generic, layout.fields) +
		       nr * sizeof(struct marker_field);
	}
	return kzalloc(size, GFP_KERNEL);
}

/**
 * marker_generic_create - wrap a generic probe or an event for marker_deliver()
 * @func: a generic probe or an event, with its own data, which is replaced
 * @marker: name of the marker; must stay valid
 * @format: its format; must stay valid
 *
 * Return: 0; -EINVAL if @format does not describe a record; -ENOMEM.
 */
int marker_generic_create(struct marker_func *func, const char *marker,
			  const char *format)
{
	struct marker_generic *generic = marker_generic_alloc(func->event, format);
	int ret;

	if (!generic)
		return -ENOMEM;
	ret = marker_layout_init(&generic->layout, marker, format);
	if (ret) {
		kfree(generic);
		return ret;
	}
	generic->probe = func->func;
	generic->data = func->data;
	generic->event = func->event;
	func->data = generic;
	return 0;
}

/* Return whether the wrapped probe was registered with @data. */
bool marker_generic_has_data(const void *generic, const void *data)
{
	return ((const struct marker_generic *)generic)->data == data;
}

/* Free it once all sites that may use it have finished. */
void marker_generic_destroy(void *data)
{
	struct marker_generic *generic = data;

	kfree_rcu(generic, rcu);
}
