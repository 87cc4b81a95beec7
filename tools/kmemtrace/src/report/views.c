// SPDX-License-Identifier: GPL-2.0
/*
 * The table of views.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <string.h>

#include "report/format.h"
#include "report/view.h"
#include "report/views.h"

/**
 * struct view - one view
 * @name: as given to --show, and its key in JSON
 * @help: one line
 * @text: prints it
 * @json: returns it as JSON
 */
struct view {
	const char *name;
	const char *help;
	void (*text)(const struct report *r, FILE *out);
	json_object *(*json)(const struct report *r);
};

/* The first one says whether the trace is complete. */
static const struct view views[] = {
	{ "trace", "the traced machine, and whether the trace is complete",
	  trace_text, trace_json },
	{ "totals", "the sums over all events", totals_text, totals_json },
	{ "baseline", "memory that was live when tracing began",
	  baseline_text, baseline_json },
	{ "timeline", "live memory and rate of allocations over time",
	  timeline_text, timeline_json },
	{ "phases", "phases of the boot, with the live memory of each",
	  phases_text, phases_json },
	{ "peak", "when most memory was live, and its owners then",
	  peak_text, peak_json },
	{ "sites", "call sites that allocated", sites_text, sites_json },
	{ "sizes", "sizes of allocations", sizes_text, sizes_json },
	{ "percentiles", "percentiles of the sizes of allocations",
	  percentiles_text, percentiles_json },
	{ "orders", "blocks of pages, by order and migrate type",
	  orders_text, orders_json },
	{ "caches", "slab caches, and the owners of their objects",
	  caches_text, caches_json },
	{ "fragmentation", "call sites that waste slab memory, and the sizes",
	  fragmentation_text, fragmentation_json },
	{ "lifetimes", "lifetimes by call site",
	  lifetimes_text, lifetimes_json },
	{ "churn", "pairs of call sites that allocate and free at once",
	  churn_text, churn_json },
	{ "gfp", "gfp flags of allocations", gfp_text, gfp_json },
	{ "nodes", "allocations by NUMA node",
	  nodes_text, nodes_json },
	{ "cpus", "frees on another CPU than the allocation",
	  cpus_text, cpus_json },
	{ "failed", "failed allocations",
	  failed_text, failed_json },
	{ "findings", "events that contradict each other",
	  findings_text, findings_json },
};

#define NR_VIEWS	(sizeof(views) / sizeof(*views))
#define ALL_VIEWS	((UINT64_C(1) << NR_VIEWS) - 1)

/* Return the bit of a view, all bits for "all", or 0. The name has @len bytes. */
static uint64_t view_find(const char *name, size_t len)
{
	size_t i;

	if (len == strlen("all") && !memcmp(name, "all", len))
		return ALL_VIEWS;
	for (i = 0; i < NR_VIEWS; i++)
		if (len == strlen(views[i].name) &&
		    !memcmp(name, views[i].name, len))
			return UINT64_C(1) << i;
	return 0;
}

/**
 * views_choose - parse which views to show
 * @chosen: result: bits are added to it
 * @names: names of views, separated by commas
 *
 * Return: 0, or -EINVAL after a message.
 */
int views_choose(uint64_t *chosen, const char *names)
{
	size_t len;
	uint64_t view;

	for (;; names += len + 1) {
		len = strcspn(names, ",");
		view = view_find(names, len);
		if (!view) {
			warnx("'%.*s' is no part of a report; these are:",
			      (int)len, names);
			views_list(stderr);
			return -EINVAL;
		}
		*chosen |= view;
		if (!names[len])
			return 0;
	}
}

/* Print the names of all views. */
void views_list(FILE *out)
{
	size_t i;

	for (i = 0; i < NR_VIEWS; i++)
		fprintf(out, "  %-14s %s\n", views[i].name, views[i].help);
	fprintf(out, "  %-14s %s\n", "all", "all of these");
}

static bool is_shown(const struct report *r, size_t i)
{
	return !r->views || r->views >> i & 1;
}

/* The overview: the most important lines of some views, as many as fit on a screen. */
static void (*const overview[])(const struct report *r, FILE *out) = {
	trace_brief,
	totals_brief,
	timeline_brief,
	peak_brief,
	sites_brief,
	caches_brief,
	fragmentation_brief,
	failed_brief,
	findings_brief,
};

static void print_overview(const struct report *r, FILE *out)
{
	size_t i;

	for (i = 0; i < sizeof(overview) / sizeof(*overview); i++)
		overview[i](r, out);
	fprintf(out, "\nMore: --show list names the parts of a report, --show all prints them\n");
}

/*
 * Print the chosen views, after the verdict and the filters. Without any match, print only
 * these.
 */
void report_text(const struct report *r, FILE *out)
{
	bool nothing = is_filtered(r) && r->sum->is_empty;
	size_t i;

	if (!r->views && !nothing) {
		print_overview(r, out);
		return;
	}
	if (!is_shown(r, 0)) {
		print_verdict(r, out);
		print_part(r, out);
	}
	for (i = 0; i < (nothing ? 1 : NR_VIEWS); i++)
		if (is_shown(r, i))
			views[i].text(r, out);
}

/* Return the chosen views as one object. */
json_object *report_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	size_t i;

	add_u64(obj, "schema_version", JSON_SCHEMA_VERSION);
	for (i = 0; i < NR_VIEWS; i++)
		if (!i || is_shown(r, i))
			json_object_object_add(obj, views[i].name,
					       views[i].json(r));
	return obj;
}
