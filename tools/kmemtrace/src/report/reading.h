/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options that choose a part of a trace, and the reading of that part: the same for all
 * programs that show or export a trace.
 */
#ifndef KMEMTRACE_READING_H
#define KMEMTRACE_READING_H

#include <stdbool.h>

#include "common/options.h"
#include "kmemtrace.h"
#include "report/report.h"

#define DEFAULT_DIR	"kmemtrace.data"

extern const struct opt reading_opts[];

/* Filters that were given on the command line, or NULL, by enum kmemtrace_filter. */
extern const char *reading_filters[NR_FILTERS];

int reading_set_filter(enum kmemtrace_filter filter, const char *value);
const char *reading_complaint(void);
bool reading_is_filtered(void);
bool reading_is_part(void);
bool reading_is_aged(void);
void reading_keep_records(void);
const char *reading_default(void);
int reading_open(struct kmemtrace_trace **trace, const char *path);
int reading_read(struct kmemtrace_trace *trace);
void reading_show(struct report *r, const struct kmemtrace_trace *trace);
int reading_expect_events(const struct kmemtrace_trace *trace);
int reading_status(const struct kmemtrace_trace *trace, int error);
bool reading_is_terminal(int fd);
long reading_number(const char *value, long max);

#endif /* KMEMTRACE_READING_H */
