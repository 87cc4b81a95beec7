/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reasons why a trace is incomplete.
 */
#ifndef KMEMTRACE_REASONS_H
#define KMEMTRACE_REASONS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct reasons - a list of reasons; zeroed memory has none
 * @list: one sentence each
 * @nr: entries of @list; 0: the trace is complete
 * @is_full: there was no memory for a reason
 */
struct reasons {
	char **list;
	size_t nr;
	bool is_full;
};

void because(struct reasons *reasons, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void reasons_free(struct reasons *reasons);

#endif /* KMEMTRACE_REASONS_H */
