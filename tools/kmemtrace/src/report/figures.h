/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of groups of allocations. Trees add them up, differences compare them.
 */
#ifndef KMEMTRACE_REPORT_FIGURES_H
#define KMEMTRACE_REPORT_FIGURES_H

#include "report/report.h"

#define MAX_FIGURES	16

/**
 * struct figures - the figures of a group
 * @values: by number of the figure
 * @errors: their standard errors, in a sample
 */
struct figures {
	uint64_t values[MAX_FIGURES], errors[MAX_FIGURES];
};

const struct kmemtrace_column *figures_list(size_t *nr);
void figures_read(struct figures *f, struct kmemtrace_relation *relation);
void figures_of_total(struct figures *f, const struct report *r, enum kmemtrace_space space);
void figures_add(struct figures *sum, const struct figures *f);
uint64_t figure_value(const struct figures *f, const char *name);
uint64_t sort_value(const struct sort_key *key, const struct figures *f);
void figure_text(const struct report *r, const struct figures *f, const char *name, int width,
		 FILE *out);

#endif /* KMEMTRACE_REPORT_FIGURES_H */
