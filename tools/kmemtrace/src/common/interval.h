/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of a trace, as a user gives it: in seconds after the first event.
 */
#ifndef KMEMTRACE_INTERVAL_H
#define KMEMTRACE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct interval - a part of a trace; zeroed memory is all of it
 * @begin: nanoseconds after the first event
 * @end: nanoseconds after the first event, which belong to it
 * @has_begin: @begin is valid
 * @has_end: @end is valid
 */
struct interval {
	uint64_t begin, end;
	bool has_begin, has_end;
};

/* What interval_parse() takes. */
#define INTERVAL_EXPECTED \
	"seconds after the first event: A,B with A not after B, or A, or ,B"

int interval_parse_time(const char *text, uint64_t *ns);
int interval_parse_end(struct interval *i, const char *text);
int interval_parse(struct interval *i, const char *text);

#endif /* KMEMTRACE_INTERVAL_H */
