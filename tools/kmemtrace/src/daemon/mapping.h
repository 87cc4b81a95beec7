/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_MAPPING_H
#define COLLECTOR_MAPPING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct mapping - the kernel's buffer of a CPU
 * @fd: its file
 * @map: the buffer; NULL: it isn't mapped now
 * @size: bytes of the buffer
 * @generation: identifies the buffer, where the recorder numbers them
 * @position: the part of the stream that was returned last, in the recorder's units
 */
struct mapping {
	int		fd;
	const char	*map;
	size_t		size;
	uint64_t	generation;
	uint64_t	position;
};

int mapping_map(struct mapping *m);
void mapping_unmap(struct mapping *m);
ssize_t mapping_part(const struct mapping *m, uint64_t offset, uint64_t bytes,
		     const void **data);

#endif /* COLLECTOR_MAPPING_H */
