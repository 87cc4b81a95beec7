/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Columns of numbers as a text that a browser unpacks fast.
 */
#ifndef KMEMTRACE_COLUMNS_H
#define KMEMTRACE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct columns - bytes that grow; zeroed memory has none
 */
struct columns {
	/* private: */
	unsigned char *bytes;
	size_t nr, room;
};

void columns_add(struct columns *c, uint64_t number);
void columns_add_signed(struct columns *c, int64_t number);
char *columns_text(struct columns *list, size_t nr);

#endif /* KMEMTRACE_COLUMNS_H */
