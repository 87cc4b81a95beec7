/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of markers. */
#ifndef __KERNEL_MARKER_INTERNAL_H
#define __KERNEL_MARKER_INTERNAL_H

#include <linux/list.h>
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/mutex.h>

/**
 * struct marker_section - the markers of vmlinux or of a module
 * @list: in marker_sections
 * @start: the first marker
 * @end: end of the last marker
 * @name: "vmlinux", or the name of the module
 * @module: the module; NULL for vmlinux
 */
struct marker_section {
	struct list_head	list;
	struct marker		*start;
	struct marker		*end;
	const char		*name;
	struct module		*module;
};

/* Held over each change of a struct marker, of the sections and of the probes. */
extern struct mutex marker_mutex;
/* All sections, vmlinux first. */
extern struct list_head marker_sections;

void marker_section_add(struct marker_section *section);
void marker_section_remove(struct marker_section *section);
struct marker_section *marker_section_find(const struct module *module);
bool marker_refused(const struct marker *marker);
unsigned int marker_nr_probes(const struct marker *marker);

int marker_layout_init(struct marker_layout *layout, const char *marker,
		       const char *format);
int marker_count_args(const char *format);
int marker_generic_create(struct marker_func *func, const char *marker,
			  const char *format);
void marker_generic_destroy(void *generic);
bool marker_generic_has_data(const void *generic, const void *data);
bool marker_kinds_match(const char *format, const u8 *kinds);
void marker_store_number(char *to, unsigned int size, u64 value);
void marker_store_string(char *to, unsigned int size, u64 value);

#ifdef CONFIG_MARKER_EVENTS
bool marker_event_generated(const struct marker *marker);
void marker_event_interpret(const struct marker_event *event,
			    const struct marker_layout *layout,
			    const u64 *slots);
#else
static inline bool marker_event_generated(const struct marker *marker)
{
	return false;
}

static inline void marker_event_interpret(const struct marker_event *event,
					  const struct marker_layout *layout,
					  const u64 *slots) { }
#endif

#endif /* __KERNEL_MARKER_INTERNAL_H */
