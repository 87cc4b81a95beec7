/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the report, each in a file of its own, and what they share.
 */
#ifndef KMEMTRACE_VIEW_H
#define KMEMTRACE_VIEW_H

#include "views.h"

extern const char * const space_names[NR_SPACES];

/* How many of @nr rows are shown? */
static inline size_t view_limit(const struct report *r, size_t nr)
{
	return nr < r->limit ? nr : r->limit;
}

/* What was given beyond what was asked for. */
static inline uint64_t wasted(uint64_t req, uint64_t alloc)
{
	return alloc > req ? alloc - req : 0;
}

void print_site(const struct report *r, uint64_t addr, FILE *out);
json_object *site_json(const struct report *r, uint64_t addr);

void trace_text(const struct report *r, FILE *out);
json_object *trace_json(const struct report *r);
void totals_text(const struct report *r, FILE *out);
json_object *totals_json(const struct report *r);
void sites_text(const struct report *r, FILE *out);
json_object *sites_json(const struct report *r);
void sizes_text(const struct report *r, FILE *out);
json_object *sizes_json(const struct report *r);
void cpus_text(const struct report *r, FILE *out);
json_object *cpus_json(const struct report *r);
void findings_text(const struct report *r, FILE *out);
json_object *findings_json(const struct report *r);

#endif /* KMEMTRACE_VIEW_H */
