/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys of bytes, and their numbers.
 */
#ifndef KMEMTRACE_INTERN_H
#define KMEMTRACE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "common/lookup.h"

#define INTERN_NO_MEMORY	UINT64_MAX
#define INTERN_NONE		UINT64_MAX

/**
 * struct intern - different keys; zeroed memory has none
 * @list: the keys, by number
 * @nr: how many
 */
struct intern {
	struct interned {
		size_t len;
		void *bytes;
	} *list;
	size_t nr;

	/* private: */
	struct lookup lookup;
};

uint64_t intern(struct intern *in, const void *bytes, size_t len);
uint64_t intern_find(struct intern *in, const void *bytes, size_t len);
void intern_free(struct intern *in);

#endif /* KMEMTRACE_INTERN_H */
