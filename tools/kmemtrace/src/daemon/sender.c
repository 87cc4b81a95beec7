// SPDX-License-Identifier: GPL-2.0
/*
 * sender.c - send a trace as packets into a pipe; packet.h has the format
 *
 * The collector waits for a slow reader, while the kernel counts what its buffers can't hold.
 * A reader that takes nothing must not keep the collector from ending: the thread that holds the
 * lock of the sender, or of a stream, looks for signals itself, as the main thread may wait for it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/packet.h"
#include "daemon/sender.h"

/* Time that the collector, after a signal, waits for a reader that takes nothing. */
#define PATIENCE_MS	5000

/**
 * sender_init - prepare a sender, send nothing
 * @s: result
 * @fd: where packets go
 * @signals: after one of these, a reader that takes nothing is given up
 */
void sender_init(struct sender *s, int fd, const struct signals *signals)
{
	*s = (struct sender) { .fd = fd, .signals = signals };
	pthread_mutex_init(&s->lock, NULL);
}

/* Wait until a write of PIPE_BUF bytes will not block, or will fail. */
static int wait_for_room(const struct sender *s)
{
	struct pollfd p[] = {
		{ .fd = s->fd, .events = POLLOUT },
		{ .fd = s->signals->interrupts, .events = POLLIN },
		{ .fd = s->signals->taken, .events = POLLIN },
	};

	if (poll(p, 3, -1) < 0)
		return -errno;
	if (p[0].revents)
		return 0;
	switch (poll(p, 1, PATIENCE_MS)) {
	case 0:
		return -ECANCELED;
	case 1:
		return 0;
	default:
		return -errno;
	}
}

/* A larger write could block, and would not notice a signal. */
static int send_bytes(const struct sender *s, const void *data, size_t len)
{
	const char *p = data;
	size_t n;
	int err;

	for (; len; p += n, len -= n) {
		n = len < PIPE_BUF ? len : PIPE_BUF;
		err = wait_for_room(s);
		if (!err)
			err = file_write_all(s->fd, p, n);
		if (err)
			return err;
	}
	return 0;
}

/* A part of a packet can't be revoked: after an error nothing more is sent. */
static int send_packet(struct sender *s, const char *line, const void *data, size_t len)
{
	if (!s->err && !s->begun)
		s->err = send_bytes(s, PACKET_MAGIC "\n", strlen(PACKET_MAGIC "\n"));
	s->begun = true;
	if (!s->err)
		s->err = send_bytes(s, line, strlen(line));
	if (!s->err)
		s->err = send_bytes(s, data, len);
	return s->err;
}

static int send_locked(struct sender *s, const char *line, const void *data, size_t len)
{
	int err;

	pthread_mutex_lock(&s->lock);
	err = send_packet(s, line, data, len);
	pthread_mutex_unlock(&s->lock);
	return err;
}

/**
 * sender_send - send a packet
 * @s: the sender
 * @name: name of the file that the packet belongs to
 * @data: what is appended to that file
 * @len: its bytes
 *
 * Return: 0 or -errno; -ECANCELED: a signal came, and the reader takes nothing. Nothing can be
 * sent after an error.
 */
int sender_send(struct sender *s, const char *name, const void *data, size_t len)
{
	char line[PACKET_MAX_LINE];

	snprintf(line, sizeof(line), "%s %zu\n", name, len);
	return send_locked(s, line, data, len);
}

/* Send the bytes of a file from @from on; set @sent to its size. */
static int send_fd(struct sender *s, int fd, const char *name, size_t from, size_t *sent)
{
	struct stat st;
	void *data;
	int err;

	if (fstat(fd, &st))
		return -errno;
	*sent = st.st_size;
	if (!st.st_size || *sent < from)
		return sender_send(s, name, NULL, 0);
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	err = sender_send(s, name, (const char *)data + from, *sent - from);
	munmap(data, st.st_size);
	return err;
}

/**
 * sender_send_file - send a file, if it is there
 * @s: the sender
 * @dir: directory of the file
 * @name: its name
 *
 * Return: as sender_send().
 */
int sender_send_file(struct sender *s, int dir, const char *name)
{
	int err, fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	size_t sent;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	err = send_fd(s, fd, name, 0, &sent);
	close(fd);
	return err;
}

/**
 * sender_send_rest - send what was appended to a file since the last call, if it is there
 * @s: the sender
 * @dir: directory of the file
 * @name: its name
 * @sent: its bytes that were sent; 0 before the first call
 *
 * A file without a byte is sent, too: a reader knows then that the kernel has no modules.
 *
 * Return: as sender_send().
 */
int sender_send_rest(struct sender *s, int dir, const char *name, size_t *sent)
{
	int err = 0, fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if ((size_t)st.st_size > *sent || !*sent)
		err = send_fd(s, fd, name, *sent, sent);
	close(fd);
	return err;
}

/* Send the line that ends a trace. Return as sender_send(). */
int sender_end(struct sender *s)
{
	return send_locked(s, PACKET_END "\n", NULL, 0);
}
