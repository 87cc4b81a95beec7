/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The views of the report, and their helpers. Each view has a file of its own.
 */
#ifndef KMEMTRACE_VIEW_H
#define KMEMTRACE_VIEW_H

#include <json-c/json.h>

#include "report/report.h"
#include "report/site.h"

/**
 * struct space_info - how to show an allocator
 * @name: in lists, and in JSON
 * @title: before a list of its own
 * @unit: unit of its live memory
 * @note: follows its sums
 */
struct space_info {
	const char *name, *title, *unit, *note;
};

extern const struct space_info space_infos[NR_SPACES];

/* The names of options and of JSON for each filter. */
extern const char * const filter_names[NR_FILTERS];

void print_title_begin(const struct report *r, FILE *out);
void print_title_end(const struct report *r, FILE *out);
void print_title(const struct report *r, FILE *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Return how many of @nr rows to show. */
static inline size_t view_limit(const struct report *r, size_t nr)
{
	return nr < r->limit ? nr : r->limit;
}

/* Return how many of @nr rows the overview shows; @usual is its default. */
static inline size_t brief_limit(const struct report *r, size_t nr, size_t usual)
{
	return r->is_limited || nr < usual ? view_limit(r, nr) : usual;
}

/*
 * Return the rows of an allocator in the overview: half for percpu and vmalloc. The rest takes the
 * place of one, so that the overview fits on a screen.
 */
static inline size_t brief_rows(enum kmemtrace_space space, size_t usual, bool has_rest)
{
	const size_t nr = space <= KMEMTRACE_SPACE_PAGES ? usual : usual / 2;

	return nr > 1 ? nr - has_rest : nr;
}

/* Return the rows of each allocator in a relation that has the same rows of all of them. */
static inline size_t rows_of_each(const struct kmemtrace_relation *relation)
{
	return kmemtrace_relation_rows(relation) / NR_SPACES;
}

/* Return whether options exclude events from all figures. */
static inline bool is_filtered(const struct report *r)
{
	return r->sum->is_filtered;
}

/* Return whether the trace is a sample, so that figures of slab objects are estimates. */
static inline bool is_sample(const struct report *r)
{
	return kmemtrace_get_machine(r->trace)->sample > 1;
}

/* Return the words that mark the title of a filtered list. */
static inline const char *title_suffix(const struct report *r)
{
	return is_filtered(r) ? " that match" : "";
}

/* Return bytes that were allocated beyond the requested ones. */
static inline uint64_t wasted(uint64_t req, uint64_t alloc)
{
	return alloc > req ? alloc - req : 0;
}

/* Return nanoseconds from the first record to @time. */
static inline uint64_t since(const struct report *r, int64_t time)
{
	return (uint64_t)time - (uint64_t)r->sum->first;
}

bool has_counters(const struct report *r);
bool has_watched(const struct report *r);
bool has_events(const struct report *r);
bool overwrites(const struct report *r);
bool has_with(const struct report *r, enum kmemtrace_with with);
const char *lack_text(enum kmemtrace_with with);
void must_succeed(int ret);

void print_verdict(const struct report *r, FILE *out);
void print_part(const struct report *r, FILE *out);
void print_doubtful_part(const struct report *r, FILE *out);
void print_trace_head(const struct report *r, FILE *out);
void trace_text(const struct report *r, FILE *out);
void trace_brief(const struct report *r, FILE *out);
/* Which rows of the relation "suspects" are shown: suspects, and what is kept, too, but is none. */
#define KEPT		"weight>=0.25"
#define SUSPECTED	"is_suspect=true"
#define NOT_SUSPECTED	"is_suspect=false," KEPT

void references_text(const struct report *r, FILE *out);
void references_brief(const struct report *r, FILE *out);
void suspects_text(const struct report *r, FILE *out);
void suspects_brief(const struct report *r, FILE *out);
void totals_text(const struct report *r, FILE *out);
void totals_brief(const struct report *r, FILE *out);
void baseline_text(const struct report *r, FILE *out);
void peak_text(const struct report *r, FILE *out);
void peak_brief(const struct report *r, FILE *out);
void timeline_text(const struct report *r, FILE *out);
void timeline_brief(const struct report *r, FILE *out);
void phases_text(const struct report *r, FILE *out);
void phases_marks(struct kmemtrace_relation *phases, struct kmemtrace_relation *steps,
		  unsigned int columns, FILE *out);
void phases_legend(struct kmemtrace_relation *phases, FILE *out);
json_object *phase_titles_json(void);
void sites_text(const struct report *r, FILE *out);
void sites_tree_text(const struct report *r, FILE *out);
bool sites_tree_brief(const struct report *r, size_t usual, const char *heading, FILE *out);
void peak_tree_text(const struct report *r, enum kmemtrace_space space, FILE *out);
void sites_brief(const struct report *r, FILE *out);
void stacks_text(const struct report *r, FILE *out);
void tasks_text(const struct report *r, FILE *out);
void processes_text(const struct report *r, FILE *out);
void cgroups_text(const struct report *r, FILE *out);
void sizes_text(const struct report *r, FILE *out);
void caches_text(const struct report *r, FILE *out);
void caches_brief(const struct report *r, FILE *out);
void fragmentation_text(const struct report *r, FILE *out);
void fragmentation_brief(const struct report *r, FILE *out);
void lifetimes_text(const struct report *r, FILE *out);
void memory_text(const struct report *r, FILE *out);
void churn_text(const struct report *r, FILE *out);
void percentiles_text(const struct report *r, FILE *out);
void orders_text(const struct report *r, FILE *out);
void gfp_text(const struct report *r, FILE *out);
void nodes_text(const struct report *r, FILE *out);
void cpus_text(const struct report *r, FILE *out);
void address_text(const struct report *r, FILE *out);
void failed_text(const struct report *r, FILE *out);
void failed_brief(const struct report *r, FILE *out);
void findings_text(const struct report *r, FILE *out);
void errors_brief(const struct report *r, FILE *out);
void findings_brief(const struct report *r, FILE *out);

/* The rows of the relation counters that count memory: call sites and slab caches, not their sums. */
#define COUNTERS_OF_MEMORY	"is_total=false,count>=0"

void print_counter_name(struct kmemtrace_relation *counter, const char *before_place, FILE *out);
void print_readings(const struct report *r, FILE *out);
void counters_text(const struct report *r, FILE *out);
void counters_brief(const struct report *r, FILE *out);
void growth_text(const struct report *r, FILE *out);
void growth_brief(const struct report *r, FILE *out);
void allocinfo_text(const struct report *r, FILE *out);
void allocinfo_brief(const struct report *r, FILE *out);
void slabinfo_text(const struct report *r, FILE *out);
void slabinfo_brief(const struct report *r, FILE *out);
void report_folded(const struct report *r, FILE *out);

#endif /* KMEMTRACE_VIEW_H */
