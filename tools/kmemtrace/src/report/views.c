// SPDX-License-Identifier: GPL-2.0
/*
 * The table of views.
 */
#include "config.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <string.h>

#include "report/format.h"
#include "report/view.h"
#include "report/views.h"

/* Returns whether the trace has anything for a view. */
typedef bool has_data(const struct report *r);

/**
 * struct view - one view
 * @name: as given to --show, and its key in JSON
 * @help: one line
 * @text: prints it
 * @json: returns it as JSON
 * @has: returns whether the trace has anything for it
 */
struct view {
	const char *name;
	const char *help;
	void (*text)(const struct report *r, FILE *out);
	json_object *(*json)(const struct report *r);
	has_data *has;
};

static bool has_all(const struct report *r)
{
	(void)r;
	return true;
}

static bool has_stacks(const struct report *r)
{
	return has_with(r, KMEMTRACE_WITH_STACK);
}

static bool has_tasks(const struct report *r)
{
	return has_with(r, KMEMTRACE_WITH_TASK);
}

static bool has_cgroups(const struct report *r)
{
	return has_with(r, KMEMTRACE_WITH_CGROUP);
}

/* The first one says whether the trace is complete. */
static const struct view views[] = {
	{ "trace", "the traced machine, and whether the trace is complete",
	  trace_text, trace_json, has_all },
	{ "totals", "the sums over all events", totals_text, totals_json, has_events },
	{ "baseline", "memory that was live when tracing began",
	  baseline_text, baseline_json, has_events },
	{ "timeline", "live memory and rate of allocations over time",
	  timeline_text, timeline_json, has_events },
	{ "phases", "phases of the boot, with the live memory of each",
	  phases_text, phases_json, has_events },
	{ "peak", "when most memory was live, and its owners then",
	  peak_text, peak_json, has_events },
	{ "sites", "call sites that allocated", sites_text, sites_json, has_events },
	{ "stacks", "call paths that allocated, as a tree", stacks_text, stacks_json, has_stacks },
	{ "tasks", "tasks that allocated", tasks_text, tasks_json, has_tasks },
	{ "processes", "processes that allocated", processes_text, processes_json, has_tasks },
	{ "cgroups", "memory cgroups, and what keeps removed ones", cgroups_text, cgroups_json,
	  has_cgroups },
	{ "sizes", "sizes of allocations", sizes_text, sizes_json, has_events },
	{ "percentiles", "percentiles of the sizes of allocations",
	  percentiles_text, percentiles_json, has_events },
	{ "orders", "blocks of pages, by order and migrate type",
	  orders_text, orders_json, has_events },
	{ "caches", "slab caches, and the owners of their objects",
	  caches_text, caches_json, has_events },
	{ "fragmentation", "call sites that waste slab memory, and the sizes",
	  fragmentation_text, fragmentation_json, has_events },
	{ "lifetimes", "lifetimes by call site",
	  lifetimes_text, lifetimes_json, has_events },
	{ "churn", "pairs of call sites that allocate and free at once",
	  churn_text, churn_json, has_events },
	{ "gfp", "gfp flags of allocations", gfp_text, gfp_json, has_events },
	{ "nodes", "allocations by NUMA node",
	  nodes_text, nodes_json, has_events },
	{ "cpus", "frees on another CPU than the allocation",
	  cpus_text, cpus_json, has_events },
	{ "failed", "failed allocations",
	  failed_text, failed_json, has_events },
	{ "findings", "events that contradict each other",
	  findings_text, findings_json, has_events },
	{ "counters", "the kernel's counters over time",
	  counters_text, counters_json, has_counters },
	{ "growth", "call sites and slab caches that grew over time",
	  growth_text, growth_json, has_counters },
	{ "allocinfo", "call sites by the kernel's counters",
	  allocinfo_text, allocinfo_json, has_counters },
	{ "slabinfo", "slab caches by the kernel's counters",
	  slabinfo_text, slabinfo_json, has_counters },
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

/* Say that the trace has nothing for a view that the user chose by its name. */
static void print_lack(const struct report *r, size_t i, FILE *out)
{
	static const struct {
		has_data *has;
		enum kmemtrace_with with;
	} needs[] = {
		{ has_stacks, KMEMTRACE_WITH_STACK },
		{ has_tasks, KMEMTRACE_WITH_TASK },
		{ has_cgroups, KMEMTRACE_WITH_CGROUP },
	};
	const char *name = views[i].name;
	size_t j;

	if (!has_events(r) || r->views == ALL_VIEWS)
		return;
	for (j = 0; j < sizeof(needs) / sizeof(*needs); j++)
		if (views[i].has == needs[j].has)
			print_title(r, out, "%c%s: %s", toupper(*name), name + 1,
				    lack_text(needs[j].with));
}

static bool is_shown(const struct report *r, size_t i)
{
	return !r->views || r->views >> i & 1;
}

/* The overview: the most important lines of some views, as many as fit on a screen. */
static void (*const events[])(const struct report *r, FILE *out) = {
	totals_brief,
	timeline_brief,
	peak_brief,
	sites_brief,
	caches_brief,
	fragmentation_brief,
	failed_brief,
	findings_brief,
	counters_brief,
};

/* The same of a trace that has counters only. */
static void (*const counters[])(const struct report *r, FILE *out) = {
	counters_brief,
	growth_brief,
	allocinfo_brief,
	slabinfo_brief,
};

static void print_overview(const struct report *r, FILE *out)
{
	size_t i;

	trace_brief(r, out);
	for (i = 0; has_events(r) && i < sizeof(events) / sizeof(*events); i++)
		events[i](r, out);
	for (i = 0; !has_events(r) && i < sizeof(counters) / sizeof(*counters); i++)
		counters[i](r, out);
	fprintf(out, "\nMore: --show list names the parts of a report, --show all prints them\n");
}

/*
 * Print the chosen views, after the verdict and the filters. Without any match, print only
 * these.
 */
void report_text(const struct report *r, FILE *out)
{
	bool nothing = is_filtered(r) && r->sum->is_empty && has_events(r);
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
		if (!is_shown(r, i))
			continue;
		else if (views[i].has(r))
			views[i].text(r, out);
		else
			print_lack(r, i, out);
}

/* Return the chosen views as one object, by default those that the trace has something for. */
json_object *report_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	size_t i;

	add_u64(obj, "schema_version", JSON_SCHEMA_VERSION);
	for (i = 0; i < NR_VIEWS; i++)
		if (!i || (r->views ? is_shown(r, i) : views[i].has(r)))
			json_object_object_add(obj, views[i].name,
					       views[i].json(r));
	return obj;
}
