/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of groups of allocations. Trees add them up, differences compare them.
 */
#ifndef KMEMTRACE_REPORT_FIGURES_H
#define KMEMTRACE_REPORT_FIGURES_H

#include "report/text-table.h"

#define MAX_FIGURES	16

/**
 * struct figures - the figures of a group
 * @values: by number of the figure
 * @errors: their standard errors, in a sample
 */
struct figures {
	uint64_t values[MAX_FIGURES], errors[MAX_FIGURES];
};

/* Lists are in the order of this figure, unless the user wants another one. */
#define USUAL_SORT	"live_bytes"

#define FIGURE_TITLE_LEN	64

/* What completes "call sites by". Valid to the end of the block it is used in. */
#define FIGURE_TITLE(figure)	figure_title((char[FIGURE_TITLE_LEN]) { 0 }, figure)

/* Writes a value into a buffer of FORMAT_LEN bytes. */
typedef const char *figure_format(char *buf, uint64_t n);

const struct kmemtrace_column *figures_list(size_t *nr);
const struct kmemtrace_column *figure_find(const char *name);
const char *figure_title(char buf[FIGURE_TITLE_LEN], const struct kmemtrace_column *figure);
figure_format *figure_format_of(const struct kmemtrace_column *figure);
void figures_read(struct figures *f, struct kmemtrace_relation *relation);
void figures_of_total(struct figures *f, const struct report *r, enum kmemtrace_space space);
void figures_add(struct figures *sum, const struct figures *f);
uint64_t figure_value(const struct figures *f, const char *name);
uint64_t sort_value(const struct kmemtrace_column *figure, const struct figures *f);
void text_figures(struct text_table *t, const struct figures *f, const char *columns);

#endif /* KMEMTRACE_REPORT_FIGURES_H */
