/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The structure of a marker, for inline functions of headers that <linux/marker.h> includes: they
 * test its key, and call a function that has the site.
 */
#ifndef _LINUX_MARKER_DEFS_H
#define _LINUX_MARKER_DEFS_H

#include <linux/jump_label.h>
#include <linux/rbtree_types.h>
#include <linux/types.h>

struct marker_event;
struct marker_func;
struct marker_type;

/**
 * struct marker - a typed marker, or a site of an ad-hoc one
 * @name: the name by which probes attach
 * @format: a printf() format of the arguments, for people and generic probes
 * @key: true while a probe is registered
 * @type: the typed part; NULL for an ad-hoc marker
 * @funcs: the registered probes, ended by one without a function; NULL without
 *	probes
 * @data: first argument of a typed marker's only probe
 * @event: of an ad-hoc marker, the only probe if that is an event which its site can
 *	record by itself, else NULL
 * @kinds: of an ad-hoc marker, what @event needs: for each argument, 's' for a string or
 *	the bytes of a number; NULL without CONFIG_MARKER_EVENTS
 * @nr_args: number of arguments
 * @generated: the generated code writes the records that follow from the format
 * @indirect: the sites of a typed marker iterate over its only probe until marker_settle()
 * @node: in the tree of all markers
 *
 * Lies in the section "__markers". Written under the mutex of kernel/marker.c,
 * read with preemption off: @funcs, @data and @event stay valid until all sites
 * that saw @key true have finished.
 */
struct marker {
	const char			*name;
	const char			*format;
	struct static_key_false		key;
	const struct marker_type	*type;
	struct marker_func __rcu	*funcs;
	void				*data;
	const struct marker_event	*event;
	const u8			*kinds;
	unsigned int			nr_args;
	bool				generated;
	bool				indirect;
	struct rb_node			node;
};

#endif /* _LINUX_MARKER_DEFS_H */
