/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings and their numbers.
 */
#ifndef KMEMTRACE_STRINGS_H
#define KMEMTRACE_STRINGS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct strings - different strings; zeroed memory has none
 * @nr: how many
 */
struct strings {
	uint64_t nr;

	/* private: of tsearch() */
	void *root;
};

uint64_t strings_number(struct strings *s, const char *text, bool *is_new);
void strings_free(struct strings *s);

#endif /* KMEMTRACE_STRINGS_H */
