// SPDX-License-Identifier: GPL-2.0
/*
 * The table of views.
 */
#include "config.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <string.h>

#include "report/diff.h"
#include "report/document.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/growth.h"
#include "report/relations.h"
#include "report/view.h"
#include "report/views.h"

/* Returns whether the trace has anything for a view. */
typedef bool has_data(const struct report *r);

/**
 * struct part - a relation that a view shows
 * @member: its name in JSON
 * @relation: the relation; NULL ends the parts of a view
 * @is_grouped: --group-by says how
 * @is_ranked: --number says how many rows, --sort their order
 * @where: which rows, or NULL
 * @sort: their order, whatever --sort says; NULL: it doesn't matter
 * @group_by: how they are grouped; NULL: as usual
 */
struct part {
	const char *member, *relation;
	bool is_grouped, is_ranked;
	const char *where, *sort, *group_by;
};

#define MAX_PARTS	4

/**
 * struct view - one view
 * @name: as given to --show
 * @help: one line
 * @text: prints it
 * @has: returns whether the trace has anything for it
 * @parts: the relations that it shows
 */
struct view {
	const char *name;
	const char *help;
	void (*text)(const struct report *r, FILE *out);
	has_data *has;
	struct part parts[MAX_PARTS + 1];
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

#define PART(name, of, ...)	{ .member = name, .relation = of, ##__VA_ARGS__ }
#define GROUPED			.is_grouped = true
#define RANKED			.is_ranked = true

/* In the order of the report. The first one says whether the trace is complete. */
static const struct view views[] = {
	{ "trace", "the traced machine, and whether the trace is complete", trace_text, has_all,
	  { PART("trace", "trace"), PART("reasons", "reasons"), PART("losses", "losses"), PART("filters", "filters") } },
	{ "totals", "the sums over all events", totals_text, has_events,
	  { PART("totals", "totals") } },
	{ "baseline", "memory that was live when tracing began", baseline_text, has_events,
	  { PART("baseline", "baseline") } },
	{ "timeline", "live memory and rate of allocations over time", timeline_text, has_events,
	  { PART("timeline", "timeline") } },
	{ "phases", "phases of the boot, with the live memory of each", phases_text, has_events,
	  { PART("phases", "phases") } },
	{ "peak", "when most memory was live, and its owners then", peak_text, has_events,
	  { PART("peak", "sites", GROUPED, RANKED, .where = "peak_bytes>0", .sort = "peak_bytes") } },
	{ "sites", "call sites that allocated", sites_text, has_events,
	  { PART("sites", "sites", GROUPED, RANKED) } },
	{ "stacks", "call paths that allocated, as a tree", stacks_text, has_stacks,
	  { PART("paths", "paths", RANKED) } },
	{ "tasks", "tasks that allocated", tasks_text, has_tasks,
	  { PART("tasks", "tasks", RANKED) } },
	{ "processes", "processes that allocated", processes_text, has_tasks,
	  { PART("processes", "processes", RANKED) } },
	{ "cgroups", "memory cgroups, and what keeps removed ones", cgroups_text, has_cgroups,
	  { PART("cgroups", "cgroups", RANKED),
	    PART("removed_cgroups", "cgroups", RANKED, .where = "is_removed=true,live_bytes>0", .sort = "live_bytes", .group_by = "cgroup,path") } },
	{ "sizes", "sizes of allocations", sizes_text, has_events,
	  { PART("sizes", "sizes", RANKED) } },
	{ "percentiles", "percentiles of the sizes of allocations", percentiles_text, has_events,
	  { PART("percentiles", "percentiles") } },
	{ "orders", "blocks of pages, by order and migrate type", orders_text, has_events,
	  { PART("orders", "orders") } },
	{ "caches", "slab caches, and the owners of their objects", caches_text, has_events,
	  { PART("caches", "caches"), PART("cache_sites", "cache_sites", RANKED) } },
	{ "fragmentation", "call sites that waste slab memory, and the sizes", fragmentation_text, has_events,
	  { PART("wasters", "sites", RANKED, .where = "allocator=slab,wasted>0", .sort = "wasted"),
	    PART("requests", "requests", RANKED, .where = "wasted>0", .sort = "wasted") } },
	{ "lifetimes", "lifetimes by call site", lifetimes_text, has_events,
	  { PART("lifetime_totals", "lifetime_totals"), PART("lifetimes", "lifetimes", RANKED) } },
	{ "churn", "pairs of call sites that allocate and free at once", churn_text, has_events,
	  { PART("churn", "churn", RANKED, .where = "ended_in_1ms>0", .sort = "ended_in_1ms") } },
	{ "gfp", "gfp flags of allocations", gfp_text, has_events,
	  { PART("gfp", "gfp", RANKED) } },
	{ "nodes", "allocations by NUMA node", nodes_text, has_events,
	  { PART("nodes", "nodes"), PART("node_frees", "node_frees") } },
	{ "cpus", "frees on another CPU than the allocation", cpus_text, has_events,
	  { PART("cpus", "cpus"), PART("cpu_pairs", "cpu_pairs"),
	    PART("remote", "churn", RANKED, .where = "remote_frees>0", .sort = "remote_frees") } },
	{ "failed", "failed allocations", failed_text, has_events,
	  { PART("failures", "failures") } },
	{ "findings", "events that contradict each other", findings_text, has_events,
	  { PART("findings", "findings") } },
	{ "counters", "the kernel's counters over time", counters_text, has_counters,
	  { PART("readings", "readings"), PART("counters", "counters") } },
	{ "growth", "call sites and slab caches that grew over time", growth_text, has_counters,
	  { PART("growing_counters", "counters", RANKED, .where = "is_growing=true", .sort = "per_hour") } },
	{ "allocinfo", "call sites by the kernel's counters", allocinfo_text, has_counters,
	  { PART("allocinfo", "counters", RANKED, .where = "table=allocinfo,is_total=false", .sort = "value") } },
	{ "slabinfo", "slab caches by the kernel's counters", slabinfo_text, has_counters,
	  { PART("slabinfo", "counters", RANKED, .where = "table=slabinfo,is_total=false", .sort = "value") } },
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

static void print_view(const struct report *r, size_t i, FILE *out)
{
	if (views[i].has(r))
		views[i].text(r, out);
	else
		print_lack(r, i, out);
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
		if (is_shown(r, i))
			print_view(r, i, out);
}

/* Return the column of --sort, if the relation has it. */
static const char *sort_column(const struct report *r, const struct part *part)
{
	const struct kmemtrace_column *column;
	size_t i;

	for (i = 0; (column = kmemtrace_get_relation_column(part->relation, i)); i++)
		if (!strcmp(column->name, r->sort->name))
			return column->name;
	return NULL;
}

/* Open the relation of a part. */
static struct kmemtrace_relation *open_part(const struct report *r, const struct part *part)
{
	return relation_of(r, part->relation, .where = part->where,
			   .group_by = part->is_grouped ? r->group->name : part->group_by,
			   .sort = part->sort ? part->sort :
				   part->is_ranked ? sort_column(r, part) : NULL,
			   .limit = part->is_ranked ? r->limit : 0);
}

/* Call a function for each part of the chosen views, by default of those that the trace has. */
static void each_part(const struct report *r, void *arg,
		      void (*each)(void *arg, const struct part *part,
				   struct kmemtrace_relation *relation))
{
	struct kmemtrace_relation *relation;
	const struct part *part;
	size_t i;

	for (i = 0; i < NR_VIEWS; i++) {
		if (i && !(r->views ? is_shown(r, i) : views[i].has(r)))
			continue;
		for (part = views[i].parts; part->relation; part++) {
			relation = open_part(r, part);
			each(arg, part, relation);
			kmemtrace_relation_close(relation);
		}
	}
}

static void print_part_as_json(void *out, const struct part *part,
			       struct kmemtrace_relation *relation)
{
	print_member_name(part->member, out);
	relation_print_json(relation, relation_info(part->relation)->is_single, out);
}

/* Print the chosen views as members of an object, behind document_begin(). */
void report_print_members(const struct report *r, FILE *out)
{
	each_part(r, out, print_part_as_json);
}

/* Print the chosen views as one object. */
void report_print_json(const struct report *r, FILE *out)
{
	document_begin(out);
	report_print_members(r, out);
	document_end(out);
}

/* ---- the JSON schema ---- */

/* Return the schema of report_print_json(). The first view is always there. */
static json_object *views_schema(void)
{
	json_object *schema = schema_of_document();
	const struct part *part;
	size_t i;

	for (i = 0; i < NR_VIEWS; i++)
		for (part = views[i].parts; part->relation; part++)
			schema_add(schema, part->member,
				   schema_of_relation(part->relation,
						      !part->is_grouped && !part->group_by), !i);
	return schema;
}

/* Return the JSON schema of all documents: a report on a trace, on the difference, on growth. */
json_object *report_schema(void)
{
	json_object *schema = json_object_new_object(), *documents = json_object_new_array();

	json_object_array_add(documents, views_schema());
	json_object_array_add(documents, diff_schema());
	json_object_array_add(documents, grown_schema());
	add_str(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
	add_str(schema, "title", "kmemtrace-report --json");
	json_object_object_add(schema, "anyOf", documents);
	return schema;
}
