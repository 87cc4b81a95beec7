/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The progress on a terminal while a trace is read, and the signals that end the reading.
 */
#ifndef KMEMTRACE_WATCH_H
#define KMEMTRACE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kmemtrace.h"

/* Room for the text of watch_text(). */
#define WATCH_TEXT_LEN	80

const char *watch_text(char *buf, const struct kmemtrace_progress *p, uint64_t ns);

void watch_begin(bool shown);
void watch_signals(bool input);
void watch_output(void);
bool watch_interrupted(void *arg);
int watch_progress(void *arg, const struct kmemtrace_progress *p);
void watch_end(void);
int watch_signal(void);

#endif /* KMEMTRACE_WATCH_H */
