/* SPDX-License-Identifier: GPL-2.0 */
/* Who caused an allocation. */
#ifndef _MM_KMEMTRACE_WHO_H
#define _MM_KMEMTRACE_WHO_H

#include <linux/bits.h>
#include <linux/types.h>

struct seq_file;

/* What is recorded with each allocation. */
#define KMEMTRACE_WITH_STACK	BIT(0)
#define KMEMTRACE_WITH_TASK	BIT(1)
#define KMEMTRACE_WITH_CGROUP	BIT(2)
/* References are recorded, too, with call paths. */
#define KMEMTRACE_WITH_REFS	BIT(3)

/* Allocations are recorded as struct kmemtrace_who_event. */
#define KMEMTRACE_WITH_WHO	(KMEMTRACE_WITH_STACK | KMEMTRACE_WITH_TASK)

/* A word for each bit, of references one for each kind; commas are between them. */
#define KMEMTRACE_MAX_WITH	128

extern unsigned int kmemtrace_with;

int kmemtrace_parse_with(const char *words);
void kmemtrace_use_with(const char *words, unsigned int with);
void kmemtrace_show_with(struct seq_file *m);
int kmemtrace_begin_who(bool overwrites);
void kmemtrace_end_who(void);
u64 kmemtrace_who(unsigned long call_site, unsigned long *frame);
bool kmemtrace_is_own(void);

#endif /* _MM_KMEMTRACE_WHO_H */
