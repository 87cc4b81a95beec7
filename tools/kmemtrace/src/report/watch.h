/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who waits for a report: is shown how far it has come, and may end the reading.
 */
#ifndef KMEMTRACE_WATCH_H
#define KMEMTRACE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "read/streams.h"

/* Room for what watch_text() makes. */
#define WATCH_TEXT_LEN	80

const char *watch_text(char *buf, const struct streams_progress *p, uint64_t ns);

void watch_begin(bool shown);
void watch_signals(bool input);
bool watch_input(uint64_t bytes);
bool watch_streams(void *arg, const struct streams *s);
void watch_end(void);
int watch_signal(void);

#endif /* KMEMTRACE_WATCH_H */
