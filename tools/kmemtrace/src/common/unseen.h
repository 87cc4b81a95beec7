/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the source of a trace can't see. The metadata has it as "unseen": words, separated by
 * spaces.
 */
#ifndef KMEMTRACE_UNSEEN_H
#define KMEMTRACE_UNSEEN_H

#include <stddef.h>
#include <stdint.h>

enum unseen {
	UNSEEN_BASELINE,
	UNSEEN_BASELINE_OBJECTS,
	UNSEEN_BOOT,
	UNSEEN_BULK,
	UNSEEN_CACHES,
	UNSEEN_CALL_SITES,
	UNSEEN_CLOCK,
	UNSEEN_EVENTS,
	UNSEEN_FAILED,
	UNSEEN_FREES_OF_PAGES,
	UNSEEN_FREES_OF_PERCPU,
	UNSEEN_FREES_OF_SLAB,
	UNSEEN_LOSSES,
	UNSEEN_MOVES,
	UNSEEN_PAGE_BULK,
	UNSEEN_PAGE_CALLERS,
	UNSEEN_PAGES,
	UNSEEN_PERCPU,
	UNSEEN_PERCPU_BYTES,
	UNSEEN_PERCPU_CALLERS,
	UNSEEN_SLAB,
	UNSEEN_SOME_PAGE_CALLERS,
	UNSEEN_VMALLOC,
	NR_UNSEEN
};

#define UNSEEN_BIT(unseen)	(UINT32_C(1) << (unseen))

const char *unseen_next(const char **list, size_t *len);
int unseen_find(const char *word, size_t len);
const char *unseen_word(enum unseen unseen);
const char *unseen_text(enum unseen unseen);
uint32_t unseen_bits(const char *list);

#endif /* KMEMTRACE_UNSEEN_H */
