/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The readers of foreign files. Each writes items, and runs in a process with limits.
 */
#ifndef IMPORT_READER_H
#define IMPORT_READER_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "read/event.h"

/**
 * struct foreign - a file of another tracer
 * @fd: it, open for reading
 * @size: where it ends
 * @bytes: bytes that are there: those in holes are not
 * @changed: when it was last changed
 * @symbols: a copy of /proc/kallsyms, open for reading; -1: there is none
 */
struct foreign {
	int fd;
	uint64_t size;
	uint64_t bytes;
	struct timespec changed;
	int symbols;
};

/**
 * struct foreign_reader - how to read a kind of files
 * @name: what the metadata calls the source
 * @magic: the first bytes of such a file
 * @magic_size: how many
 * @library: what reads it, for messages
 * @read: writes all items to @to; returns 0, or -errno after an ITEM_ERROR
 */
struct foreign_reader {
	const char *name;
	const void *magic;
	unsigned int magic_size;
	const char *library;
	int (*read)(const struct foreign *file, FILE *to);
};

extern const struct foreign_reader reader_tracedat;
extern const struct foreign_reader reader_perfdata_little;
extern const struct foreign_reader reader_perfdata_big;

int perfdata_read(const void *data, uint64_t size, enum byte_order order, int symbols,
		  FILE *to);

#endif /* IMPORT_READER_H */
