/* SPDX-License-Identifier: GPL-2.0 */
/* Where the module sees allocations and frees. */
#ifndef _KMEMTRACE_SITES_H
#define _KMEMTRACE_SITES_H

struct seq_file;

int kmemtrace_find_sites(void);
void kmemtrace_show_unseen(struct seq_file *m);
unsigned long kmemtrace_missed(void);
void kmemtrace_forget_sites(void);

#endif /* _KMEMTRACE_SITES_H */
