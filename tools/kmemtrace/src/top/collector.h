/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kmemtraced, started by kmemtrace-top.
 */
#ifndef KMEMTRACE_TOP_COLLECTOR_H
#define KMEMTRACE_TOP_COLLECTOR_H

#include <sys/types.h>

/**
 * struct collector - kmemtraced
 * @pid: its process
 * @out: its stream
 * @err: its messages
 */
struct collector {
	pid_t pid;
	int out, err;
};

int collector_start(struct collector *c);
void collector_stop(struct collector *c);

#endif /* KMEMTRACE_TOP_COLLECTOR_H */
