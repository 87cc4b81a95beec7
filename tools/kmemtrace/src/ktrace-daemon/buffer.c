// SPDX-License-Identifier: GPL-2.0
/*
 * buffer.c - take sub-buffers from a mapped buffer of ktrace
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "daemon/mapping.h"
#include "ktrace-daemon/buffer.h"
#include "linux/ktrace.h"

static int get_number(const struct mapping *m, unsigned long request, uint64_t *value)
{
	__u64 number = 0;
	int err = ioctl(m->fd, request, &number) ? -errno : 0;

	*value = number;
	return err;
}

static int map_buffer(struct mapping *m)
{
	uint64_t size;
	int err = get_number(m, KTRACE_BUF_GET_SIZE, &size);

	if (err)
		return err;
	m->size = size;
	return m->size == size && size ? mapping_map(m) : -EINVAL;
}

static int get_positions(struct mapping *m, uint64_t *from, uint64_t *to)
{
	int err = m->map ? 0 : map_buffer(m);

	if (!err)
		err = get_number(m, KTRACE_BUF_GET_CONSUMED, from);
	if (!err)
		err = get_number(m, KTRACE_BUF_GET_PRODUCED, to);
	return err;
}

/*
 * The kernel has replaced the buffer, or freed it: nothing is complete now. Map the new one
 * at the next call. If that is stale as well, stop mapping, because it may stay so.
 */
static ssize_t forget_buffer(struct mapping *m, int err)
{
	mapping_unmap(m);
	return m->generation++ ? err : -EAGAIN;
}

/**
 * buffer_next - find the oldest complete sub-buffer
 * @m: the buffer; its position becomes that behind the sub-buffer
 * @data: result
 *
 * Return: the bytes of the sub-buffer, or of its rest; -EAGAIN: none is complete now; or
 * another -errno.
 */
ssize_t buffer_next(struct mapping *m, const void **data)
{
	uint64_t from = 0, to = 0;
	int err = get_positions(m, &from, &to);

	if (err == -ESTALE)
		return forget_buffer(m, err);
	if (err)
		return err == -ENXIO ? -EAGAIN : err;
	m->generation = 0;
	if (from == to)
		return -EAGAIN;
	m->position = to;
	return mapping_part(m, from % m->size, to - from, data);
}

/**
 * buffer_consume - let the kernel reuse what buffer_next() returned last
 * @m: the buffer
 *
 * Return: 0 or -errno.
 */
int buffer_consume(const struct mapping *m)
{
	const __u64 position = m->position;

	return ioctl(m->fd, KTRACE_BUF_PUT_CONSUMED, &position) ? -errno : 0;
}
