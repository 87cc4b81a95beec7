/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_SIGNALS_H
#define COLLECTOR_SIGNALS_H

#include <stdbool.h>

/**
 * struct signals - the signals that a collector waits for
 * @all: signalfd
 * @interrupts: signalfd without SIGCHLD; it is polled, never read: a signal is pending
 * @taken: eventfd, polled by all threads: signals_take() has taken a signal, not SIGCHLD
 */
struct signals {
	int	all;
	int	interrupts;
	int	taken;
};

int signals_open(struct signals *s);
bool signals_take(const struct signals *s);

#endif /* COLLECTOR_SIGNALS_H */
