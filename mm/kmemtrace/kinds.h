/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of counted objects. */
#ifndef _MM_KMEMTRACE_KINDS_H
#define _MM_KMEMTRACE_KINDS_H

#include <linux/kconfig.h>
#include <linux/kmemtrace.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

struct seq_file;

/* The maximum number of kinds that a trace has. */
#define KMEMTRACE_MAX_KINDS	8

/* The name of a kind's marker. */
struct kmemtrace_ref_marker {
	char	name[sizeof(KMEMTRACE_REF_PREFIX) + KMEMTRACE_REF_KIND];
};

#ifdef CONFIG_KMEMTRACE_REFS
extern char kmemtrace_kinds[KMEMTRACE_MAX_KINDS][KMEMTRACE_REF_KIND];

struct kmemtrace_ref_marker kmemtrace_marker_of_kind(const char *kind);
bool kmemtrace_kind_is_known(const char *kind);
void kmemtrace_choose_kind(unsigned int i, const char *kind);
void kmemtrace_show_kinds(struct seq_file *m);

/* Return the name of a kind of the next trace; "": none. */
static inline const char *kmemtrace_chosen_kind(unsigned int i)
{
	return kmemtrace_kinds[i];
}

static inline bool kmemtrace_kind_is_page(const char *kind)
{
	return IS_ENABLED(CONFIG_DEBUG_PAGE_REF) && !strcmp(kind, "page");
}
#else
static inline bool kmemtrace_kind_is_known(const char *kind)
{
	return false;
}

static inline void kmemtrace_choose_kind(unsigned int i, const char *kind) { }

static inline const char *kmemtrace_chosen_kind(unsigned int i)
{
	return "";
}

static inline void kmemtrace_show_kinds(struct seq_file *m) { }
#endif

#endif /* _MM_KMEMTRACE_KINDS_H */
