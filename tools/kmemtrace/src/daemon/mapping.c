// SPDX-License-Identifier: GPL-2.0
/*
 * mapping.c - map the kernel's buffer of a CPU
 */
#include "config.h"

#include <errno.h>
#include <sys/mman.h>

#include "daemon/mapping.h"

/**
 * mapping_map - map the buffer that the CPU has now
 * @m: the mapping; an older one is removed
 *
 * Return: 0 or -errno.
 */
int mapping_map(struct mapping *m)
{
	void *map;

	mapping_unmap(m);
	map = mmap(NULL, m->size, PROT_READ, MAP_SHARED, m->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	m->map = map;
	return 0;
}

/* Undo mapping_map(), if it was called. */
void mapping_unmap(struct mapping *m)
{
	if (m->map)
		munmap((void *)m->map, m->size);
	m->map = NULL;
}

/**
 * mapping_part - find a part of the buffer
 * @m: the mapping
 * @offset: where the part begins, according to the kernel
 * @bytes: its bytes, according to the kernel
 * @data: result
 *
 * Return: @bytes; -ENODATA: they are not all in the mapping.
 */
ssize_t mapping_part(const struct mapping *m, uint64_t offset, uint64_t bytes,
		     const void **data)
{
	if (!m->map || bytes > m->size || offset > m->size - bytes)
		return -ENODATA;
	*data = m->map + offset;
	return bytes;
}
