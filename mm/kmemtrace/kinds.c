// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds of counted objects.
 *
 * A kind is a marker, whose name begins with KMEMTRACE_REF_PREFIX. Pages have the tracepoints of
 * CONFIG_DEBUG_PAGE_REF.
 */
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/marker.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "kinds.h"

/* The kinds that are recorded; the others are empty. Written while no probe is registered. */
char kmemtrace_kinds[KMEMTRACE_MAX_KINDS][KMEMTRACE_REF_KIND];

/**
 * kmemtrace_marker_of_kind - return the name of a kind's marker
 * @kind: its name
 *
 * Return: the name.
 */
struct kmemtrace_ref_marker kmemtrace_marker_of_kind(const char *kind)
{
	struct kmemtrace_ref_marker marker;

	snprintf(marker.name, sizeof(marker.name), KMEMTRACE_REF_PREFIX "%s",
		 kind);
	return marker;
}

/**
 * kmemtrace_kind_is_known - return whether references to a kind of objects can be recorded
 * @kind: its name
 *
 * Context: task, or the boot CPU.
 * Return: true if they can.
 */
bool kmemtrace_kind_is_known(const char *kind)
{
	return strlen(kind) < KMEMTRACE_REF_KIND &&
	       (kmemtrace_kind_is_page(kind) ||
		marker_is_known(kmemtrace_marker_of_kind(kind).name));
}

/**
 * kmemtrace_choose_kind - choose a kind for the next trace
 * @i: its place, below KMEMTRACE_MAX_KINDS
 * @kind: its name; "": none
 *
 * Context: no probe is registered.
 */
void kmemtrace_choose_kind(unsigned int i, const char *kind)
{
	strscpy(kmemtrace_kinds[i], kind, sizeof(kmemtrace_kinds[i]));
}

/**
 * kmemtrace_show_kinds - print the kinds that there are
 * @m: where to
 *
 * Context: task.
 */
void kmemtrace_show_kinds(struct seq_file *m)
{
	if (kmemtrace_kind_is_page("page"))
		seq_puts(m, "page\n");
	marker_show_names(m, KMEMTRACE_REF_PREFIX);
}
