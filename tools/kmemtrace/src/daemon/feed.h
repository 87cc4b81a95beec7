/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_FEED_H
#define COLLECTOR_FEED_H

#include <stdbool.h>
#include <sys/types.h>

#include "daemon/control.h"

struct feed;

int feed_open(struct feed **feed, const struct control *ctl, int cpu);
int feed_fd(const struct feed *f);
bool feed_is_mapped(const struct feed *f);
ssize_t feed_next(struct feed *f, const void **data);
int feed_done(struct feed *f);
void feed_close(struct feed *f);

#endif /* COLLECTOR_FEED_H */
