/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values as bytes, to be stored and restored: one function for each structure does both.
 *
 * The bytes are for the program that wrote them. They may be damaged: what is read from them is
 * checked before it is used.
 */
#ifndef KMEMTRACE_ARCHIVE_H
#define KMEMTRACE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"

/**
 * struct archive - values that are written or read
 * @ctx: the context that receives an error
 * @reads: values are read from @bytes; else they are appended to them
 * @is_damaged: a value is not possible, or missing; those that follow are zero
 * @bytes: the values
 * @size: bytes of all values
 * @at: where in @bytes the next value is that is read
 */
struct archive {
	struct context *ctx;
	bool reads, is_damaged;
	unsigned char *bytes;
	size_t size, at;

	/* private: */
	size_t room;
};

void archive_bytes(struct archive *a, void *value, size_t size);
void archive_rows(struct archive *a, void *rows, size_t nr, size_t size);
void archive_bool(struct archive *a, bool *value);
void archive_text(struct archive *a, char **text);
uint64_t archive_number(struct archive *a, uint64_t number, uint64_t max);
size_t archive_count(struct archive *a, size_t nr, size_t size);
void *archive_list(struct archive *a, void *list, size_t nr, size_t size);
void archive_expect(struct archive *a, bool is_possible);
void archive_free(struct archive *a);

/* Write or read a value without pointers, truth values and padding. */
#define archive_value(a, value) archive_bytes(a, value, sizeof(*(value)))

/* Return whether values are read, and all of them were possible so far. */
static inline bool archive_goes_on(const struct archive *a)
{
	return a->reads && !a->is_damaged;
}

#endif /* KMEMTRACE_ARCHIVE_H */
