/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_SENDER_H
#define COLLECTOR_SENDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/signals.h"

/**
 * struct sender - a pipe that receives a trace
 * @fd: the pipe
 * @signals: after one of these, a reader that takes nothing is given up
 * @begun: something was sent
 * @err: why nothing more can be sent, -errno
 * @lock: protects all of these; held while a packet is sent
 */
struct sender {
	int		fd;
	const struct signals *signals;
	bool		begun;
	int		err;
	pthread_mutex_t	lock;
};

void sender_init(struct sender *s, int fd, const struct signals *signals);
int sender_send(struct sender *s, const char *name, const void *data, size_t len);
int sender_send_file(struct sender *s, int dir, const char *name);
int sender_send_rest(struct sender *s, int dir, const char *name, size_t *sent);
int sender_end(struct sender *s);

#endif /* COLLECTOR_SENDER_H */
