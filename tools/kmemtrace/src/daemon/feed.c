// SPDX-License-Identifier: GPL-2.0
/*
 * feed.c - take what the kernel has completed of a CPU's stream
 *
 * If the kernel lets its buffer be mapped, a sub-buffer stays in the kernel until it is
 * stored, and is not copied. Under lockdown it is read, and the kernel forgets it.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/feed.h"
#include "linux/marker_channel.h"

/**
 * struct feed - a CPU's stream
 * @fd: its file, to be read
 * @map_fd: its file, to be mapped; -1: there is none, or it can't be mapped
 * @map: the buffer; NULL: it isn't mapped now
 * @map_size: bytes of the buffer
 * @subbuf: the sub-buffer in @map that feed_next() returned
 * @copy: receives what is read
 * @copy_size: bytes of @copy
 */
struct feed {
	int				fd;
	int				map_fd;
	const char			*map;
	size_t				map_size;
	struct marker_channel_subbuf	subbuf;
	void				*copy;
	size_t				copy_size;
};

/**
 * feed_open - open the stream of a CPU
 * @feed: result
 * @ctl: the kernel's interface
 * @cpu: number of the CPU
 *
 * Return: 0 or -errno.
 */
int feed_open(struct feed **feed, const struct control *ctl, int cpu)
{
	struct feed *f = calloc(1, sizeof(*f));
	int err = -ENOMEM;

	if (!f)
		return err;
	f->copy_size = ctl->subbuf_size;
	f->map_size = ctl->subbuf_size * ctl->n_subbufs;
	f->copy = malloc(f->copy_size);
	if (!f->copy)
		goto free_feed;
	f->fd = control_open_cpu(ctl, cpu);
	if (f->fd < 0) {
		err = f->fd;
		goto free_copy;
	}
	f->map_fd = control_open_map(ctl, cpu);
	*feed = f;
	return 0;

free_copy:
	free(f->copy);
free_feed:
	free(f);
	return err;
}

/* Return the file to poll: POLLIN where there is a sub-buffer, POLLHUP after the last. */
int feed_fd(const struct feed *f)
{
	return f->fd;
}

/* Return whether the data of feed_next() stays in the kernel until feed_done(). */
bool feed_is_mapped(const struct feed *f)
{
	return f->map_fd >= 0;
}

static void unmap(struct feed *f)
{
	if (f->map)
		munmap((void *)f->map, f->map_size);
	f->map = NULL;
}

/* Read the stream from now on, whatever the reason. */
static void give_up_mapping(struct feed *f)
{
	unmap(f);
	close(f->map_fd);
	f->map_fd = -1;
}

/*
 * Each generation has buffers of its own. Map those that are there now; the caller asks
 * again, to see that they are the buffers of @subbuf.
 */
static int map_buffer(struct feed *f)
{
	void *map;

	unmap(f);
	map = mmap(NULL, f->map_size, PROT_READ, MAP_SHARED, f->map_fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	f->map = map;
	return 0;
}

static ssize_t next_mapped(struct feed *f, const void **data)
{
	uint64_t generation;

	do {
		generation = f->subbuf.generation;
		if (ioctl(f->map_fd, MARKER_CHANNEL_NEXT, &f->subbuf))
			return -errno;
		if (f->map && generation == f->subbuf.generation)
			break;
	} while (!map_buffer(f));
	if (!f->map || f->subbuf.bytes > f->map_size ||
	    f->subbuf.offset > f->map_size - f->subbuf.bytes)
		return -ENODATA;
	*data = f->map + f->subbuf.offset;
	return f->subbuf.bytes;
}

/**
 * feed_next - get the next part of the stream that is complete
 * @f: the stream
 * @data: result, valid until feed_done() or the next call
 *
 * Return: its bytes, at most a sub-buffer; 0: nothing is complete, or call it again;
 * or -errno.
 */
ssize_t feed_next(struct feed *f, const void **data)
{
	ssize_t n;

	if (feed_is_mapped(f)) {
		n = next_mapped(f, data);
		if (n > 0)
			return n;
		if (n != -EAGAIN)
			give_up_mapping(f);
		return 0;
	}
	n = read(f->fd, f->copy, f->copy_size);
	*data = f->copy;
	return n < 0 ? -errno : n;
}

/**
 * feed_done - let the kernel reuse what feed_next() returned last
 * @f: the stream
 *
 * Return: 0 or -errno.
 */
int feed_done(struct feed *f)
{
	if (feed_is_mapped(f) &&
	    ioctl(f->map_fd, MARKER_CHANNEL_CONSUME, &f->subbuf))
		return -errno;
	return 0;
}

/* Undo feed_open(). */
void feed_close(struct feed *f)
{
	if (f->map_fd >= 0)
		give_up_mapping(f);
	close(f->fd);
	free(f->copy);
	free(f);
}
