/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the report, each in a file of its own, and what they share.
 */
#ifndef KMEMTRACE_VIEW_H
#define KMEMTRACE_VIEW_H

#include "report/site.h"
#include "report/views.h"

/**
 * struct space_info - how a namespace is shown
 * @name: in lists, and in JSON
 * @title: before a list of its own
 * @unit: what is live in it
 * @note: what to say behind its sums
 */
struct space_info {
	const char *name, *title, *unit, *note;
};

extern const struct space_info space_infos[NR_SPACES];

void print_title(const struct report *r, FILE *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* How many of @nr rows are shown? */
static inline size_t view_limit(const struct report *r, size_t nr)
{
	return nr < r->limit ? nr : r->limit;
}

/* How many of @nr rows does the overview show, where @usual ones are enough? */
static inline size_t brief_limit(const struct report *r, size_t nr, size_t usual)
{
	return r->is_limited || nr < usual ? view_limit(r, nr) : usual;
}

/* Of what others lie in, or nearly all, more is shown. */
static inline size_t brief_rows(enum space space, size_t usual)
{
	return space <= SPACE_PAGES ? usual : usual / 2;
}

/* Is a part of the trace in no figure? */
static inline bool is_filtered(const struct report *r)
{
	return r->trace->ledger.selection;
}

/* Says of a list that it hasn't all. */
static inline const char *which(const struct report *r)
{
	return is_filtered(r) ? " that match" : "";
}

/* Is there anything in a namespace? */
bool space_is_used(const struct report *r, enum space space);

int compare_rows(const struct row *x, const struct row *y,
		 const struct sort_key *key);
const struct row **sorted_rows(const struct table *t,
			       const struct sort_key *key, size_t *nr);
void row_text(const struct row *row, FILE *out);
void brief_text(const struct report *r, const struct row *row,
		const struct row *sum, FILE *out);
void rows_heading(const struct report *r, enum space space, size_t nr,
		  const char *rows, const char *last, FILE *out);
json_object *spaces_json(json_object *obj, const struct report *r,
			 json_object *(*of)(const struct report *r,
					    enum space space));
json_object *row_json(json_object *obj, const struct row *row);
json_object *rows_json(const struct report *r, const struct table *t,
		       json_object *(*key_json)(const struct report *r,
						uint64_t key));

void print_verdict(const struct report *r, FILE *out);
bool has_matches(const struct report *r);
void print_part(const struct report *r, FILE *out);
void print_trace_head(const struct report *r, FILE *out);
void trace_text(const struct report *r, FILE *out);
void trace_brief(const struct report *r, FILE *out);
json_object *trace_json(const struct report *r);
void totals_text(const struct report *r, FILE *out);
void totals_brief(const struct report *r, FILE *out);
json_object *totals_json(const struct report *r);
void baseline_text(const struct report *r, FILE *out);
json_object *baseline_json(const struct report *r);
void peak_text(const struct report *r, FILE *out);
void peak_brief(const struct report *r, FILE *out);
json_object *peak_json(const struct report *r);
void timeline_text(const struct report *r, FILE *out);
void timeline_brief(const struct report *r, FILE *out);
json_object *timeline_json(const struct report *r);
void phases_text(const struct report *r, FILE *out);
void phases_marks(const struct report *r, unsigned int columns, FILE *out);
json_object *phases_json(const struct report *r);
void sites_text(const struct report *r, FILE *out);
void sites_brief(const struct report *r, FILE *out);
json_object *sites_json(const struct report *r);
void sizes_text(const struct report *r, FILE *out);
json_object *sizes_json(const struct report *r);
void caches_text(const struct report *r, FILE *out);
void caches_brief(const struct report *r, FILE *out);
json_object *caches_json(const struct report *r);
void fragmentation_text(const struct report *r, FILE *out);
void fragmentation_brief(const struct report *r, FILE *out);
json_object *fragmentation_json(const struct report *r);
void lifetimes_text(const struct report *r, FILE *out);
json_object *lifetimes_json(const struct report *r);
void churn_text(const struct report *r, FILE *out);
json_object *churn_json(const struct report *r);
void percentiles_text(const struct report *r, FILE *out);
json_object *percentiles_json(const struct report *r);
void orders_text(const struct report *r, FILE *out);
json_object *orders_json(const struct report *r);
void gfp_text(const struct report *r, FILE *out);
json_object *gfp_json(const struct report *r);
void nodes_text(const struct report *r, FILE *out);
json_object *nodes_json(const struct report *r);
void cpus_text(const struct report *r, FILE *out);
json_object *cpus_json(const struct report *r);
void failed_text(const struct report *r, FILE *out);
void failed_brief(const struct report *r, FILE *out);
json_object *failed_json(const struct report *r);
void findings_text(const struct report *r, FILE *out);
void findings_brief(const struct report *r, FILE *out);
json_object *findings_json(const struct report *r);
uint64_t unexplained_findings(const struct stats *s);

#endif /* KMEMTRACE_VIEW_H */
