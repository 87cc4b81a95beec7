/* SPDX-License-Identifier: GPL-2.0 */
/* Records of references to counted objects. */
#ifndef _MM_KMEMTRACE_REFS_H
#define _MM_KMEMTRACE_REFS_H

#ifdef CONFIG_KMEMTRACE_REFS
int kmemtrace_register_refs(void);
void kmemtrace_unregister_refs(void);
#else
static inline int kmemtrace_register_refs(void)
{
	return 0;
}

static inline void kmemtrace_unregister_refs(void) { }
#endif

#endif /* _MM_KMEMTRACE_REFS_H */
