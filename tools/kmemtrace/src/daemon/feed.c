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
#include <unistd.h>

#include "daemon/feed.h"
#include "daemon/mapping.h"
#include "daemon/recorder.h"

/**
 * struct feed - a CPU's stream
 * @recorder: the recorder
 * @fd: its file, to be read
 * @mapping: its buffer; no file: there is none, or it can't be mapped
 * @copy: receives what is read
 * @copy_size: bytes of @copy
 */
struct feed {
	const struct recorder	*recorder;
	int			fd;
	struct mapping		mapping;
	void			*copy;
	size_t			copy_size;
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
	f->recorder = ctl->recorder;
	f->copy_size = ctl->subbuf_size;
	f->mapping.size = ctl->subbuf_size * ctl->n_subbufs;
	f->copy = malloc(f->copy_size);
	if (!f->copy)
		goto free_feed;
	f->fd = control_open_cpu(ctl, cpu);
	if (f->fd < 0) {
		err = f->fd;
		goto free_copy;
	}
	f->mapping.fd = control_open_map(ctl, cpu);
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
	return f->mapping.fd >= 0;
}

/* Read the stream from now on, whatever the reason. */
static void give_up_mapping(struct feed *f)
{
	mapping_unmap(&f->mapping);
	close(f->mapping.fd);
	f->mapping.fd = -1;
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
		n = f->recorder->next(&f->mapping, data);
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
	return feed_is_mapped(f) ? f->recorder->consume(&f->mapping) : 0;
}

/* Undo feed_open(). */
void feed_close(struct feed *f)
{
	if (feed_is_mapped(f))
		give_up_mapping(f);
	close(f->fd);
	free(f->copy);
	free(f);
}
