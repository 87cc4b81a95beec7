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
#include "report/parts.h"
#include "report/relations.h"
#include "report/view.h"
#include "report/views.h"

/* Returns whether the trace has anything for a view. */
typedef bool has_data(const struct report *r);

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

static bool has_address(const struct report *r)
{
	return r->address;
}

static bool has_cgroups(const struct report *r)
{
	return has_with(r, KMEMTRACE_WITH_CGROUP);
}

static bool has_references(const struct report *r)
{
	return has_with(r, KMEMTRACE_WITH_REFS);
}

#define PART(name, of, ...)	{ .member = name, .relation = of, ##__VA_ARGS__ }
#define USES(options)		.uses = options
#define ROWS			USES(USES_NUMBER)
#define SORTED			USES(USES_NUMBER | USES_SORT)
#define BY_PLACE		USES(USES_NUMBER | USES_PLACE)
#define WHOLE			.is_whole = true

/* Live memory has an age. */
#define LIVE(options)		USES((options) | USES_AGE)
#define LIVE_SORTED		LIVE(USES_NUMBER | USES_SORT)

/* Counters have one size and one count. */
static const struct sort_column of_counters[] = {
	{ "live_bytes", "value" }, { "peak_bytes", "peak" }, { "allocs", "count" }, { NULL, NULL },
};

/* In the order of the report. The first one says whether the trace is complete. */
static const struct view views[] = {
	{ "trace", "the traced machine, and whether the trace is complete", trace_text, has_all,
	  { PART("trace", "trace"), PART("reasons", "reasons"), PART("losses", "losses"), PART("filters", "filters") } },
	{ "suspects", "live memory that is unlike what was allocated in the same place and freed", suspects_text, has_events,
	  { PART("suspects", "suspects", BY_PLACE, .group_by = "path", .where = SUSPECTED),
	    PART("kept", "suspects", BY_PLACE, .group_by = "path", .where = NOT_SUSPECTED) } },
	{ "references", "who keeps references to counted objects", references_text, has_references,
	  { PART("reference_kinds", "reference_kinds"),
	    PART("references", "references", ROWS, .where = "held>0"),
	    PART("held_references", "held_references", ROWS) } },
	{ "totals", "the sums over all events", totals_text, has_events,
	  { PART("totals", "totals", LIVE(0)), PART("own", "own", LIVE(0)) } },
	{ "baseline", "memory that was live when tracing began", baseline_text, has_events,
	  { PART("baseline", "baseline") } },
	{ "timeline", "live memory and rate of allocations over time", timeline_text, has_events,
	  { PART("timeline", "timeline") } },
	{ "phases", "phases of the boot, with the live memory of each", phases_text, has_events,
	  { PART("phases", "phases") } },
	{ "peak", "when most memory was live, and its owners then", peak_text, has_events,
	  { PART("peak", "sites", USES(USES_NUMBER | USES_PLACE | USES_OWNER), .where = "peak_bytes>0", .sort = "peak_bytes") } },
	{ "sites", "call sites that allocated", sites_text, has_events,
	  { PART("sites", "sites", LIVE(USES_NUMBER | USES_SORT | USES_PLACE | USES_OWNER)) } },
	{ "stacks", "call paths that allocated, as a tree", stacks_text, has_stacks,
	  { PART("paths", "paths", LIVE_SORTED, .text_uses = USES_PLACE | USES_WAY) } },
	{ "tasks", "tasks that allocated", tasks_text, has_tasks,
	  { PART("tasks", "tasks", LIVE_SORTED), PART("task_names", "task_names", LIVE_SORTED) } },
	{ "processes", "processes that allocated", processes_text, has_tasks,
	  { PART("processes", "processes", LIVE_SORTED) } },
	{ "cgroups", "memory cgroups, and what keeps removed ones", cgroups_text, has_cgroups,
	  { PART("cgroups", "cgroups", LIVE_SORTED),
	    PART("removed_cgroups", "cgroups", LIVE(USES_NUMBER), .where = "is_removed=true,live_bytes>0", .sort = "live_bytes", .group_by = "cgroup,path"),
	    PART("keepers", "keepers", LIVE(USES_NUMBER), .where = "is_removed=true,live_bytes>0", .sort = "live_bytes") } },
	{ "sizes", "sizes of allocations", sizes_text, has_events,
	  { PART("sizes", "sizes", LIVE_SORTED) } },
	{ "percentiles", "percentiles of the sizes of allocations", percentiles_text, has_events,
	  { PART("percentiles", "percentiles") } },
	{ "orders", "blocks of pages, by order and migrate type", orders_text, has_events,
	  { PART("orders", "orders", LIVE(USES_SORT)) } },
	{ "caches", "slab caches, and the owners of their objects", caches_text, has_events,
	  { PART("caches", "caches", LIVE_SORTED, WHOLE),
	    PART("cache_sites", "cache_sites", LIVE_SORTED) } },
	{ "fragmentation", "call sites that waste slab memory, and the sizes", fragmentation_text, has_events,
	  { PART("wasters", "sites", LIVE(USES_NUMBER), .where = "allocator=slab,wasted>0", .sort = "wasted"),
	    PART("requests", "requests", LIVE(USES_NUMBER), .where = "wasted>0", .sort = "wasted") } },
	{ "lifetimes", "lifetimes by call site", lifetimes_text, has_events,
	  { PART("lifetime_totals", "lifetime_totals"), PART("lifetimes", "lifetimes", BY_PLACE, .sort = "ended") } },
	{ "churn", "pairs of call sites that allocate and free at once", churn_text, has_events,
	  { PART("churn", "churn", BY_PLACE, .where = "ended_in_1ms>0", .sort = "ended_in_1ms") } },
	{ "gfp", "gfp flags of allocations", gfp_text, has_events,
	  { PART("gfp", "gfp", LIVE_SORTED) } },
	{ "nodes", "allocations by NUMA node", nodes_text, has_events,
	  { PART("nodes", "nodes"), PART("node_frees", "node_frees") } },
	{ "cpus", "frees on another CPU than the allocation", cpus_text, has_events,
	  { PART("cpus", "cpus"), PART("cpu_pairs", "cpu_pairs", ROWS, WHOLE),
	    PART("remote", "churn", BY_PLACE, .where = "remote_frees>0", .sort = "remote_frees") } },
	{ "address", "the memory at --address: what is there, and all events of it", address_text, has_address,
	  { PART("objects_at", "objects_at", USES(USES_ADDRESS)), PART("events_at", "events_at", USES(USES_ADDRESS)) } },
	{ "failed", "failed allocations", failed_text, has_events,
	  { PART("failures", "failures", ROWS, WHOLE) } },
	{ "findings", "events that contradict each other", findings_text, has_events,
	  { PART("findings", "findings", ROWS, WHOLE) } },
	{ "counters", "the kernel's counters over time", counters_text, has_counters,
	  { PART("readings", "readings"), PART("counters", "counters", .text_uses = USES_NUMBER) } },
	{ "memory", "where the memory is: RAM by its use, and the rest that nobody counts", memory_text, has_counters,
	  { PART("memory", "memory") } },
	{ "growth", "call sites and slab caches that grew over time", growth_text, has_watched,
	  { PART("growing_counters", "counters", ROWS, .where = "is_growing=true", .sort = "per_hour") } },
	{ "allocinfo", "call sites by the kernel's counters", allocinfo_text, has_watched,
	  { PART("allocinfo", "counters", SORTED, .sorts = of_counters, .where = "table=allocinfo,is_total=false") } },
	{ "slabinfo", "slab caches by the kernel's counters", slabinfo_text, has_watched,
	  { PART("slabinfo", "counters", SORTED, .sorts = of_counters, .where = "table=slabinfo,is_total=false") } },
};

#define NR_VIEWS	(sizeof(views) / sizeof(*views))
#define ALL_VIEWS	((UINT64_C(1) << NR_VIEWS) - 1)

static bool is_aged(const struct report *r)
{
	return r->filters[KMEMTRACE_FILTER_OLDER] || r->filters[KMEMTRACE_FILTER_YOUNGER];
}

/* The first view names the filters. */
static bool has_ages(size_t i)
{
	return !i || views[i].parts->uses & USES_AGE;
}

/* A filter by age leaves out the views that would show other memory, too. */
static bool is_shown(const struct report *r, size_t i)
{
	return (!r->views || r->views >> i & 1) && (has_ages(i) || !is_aged(r));
}

/* Return whether each view that was chosen by its name obeys a filter by age. */
static bool all_have_ages(const struct report *r)
{
	size_t i;

	for (i = 0; r->views != ALL_VIEWS && i < NR_VIEWS; i++)
		if (r->views >> i & 1 && !has_ages(i))
			return false;
	return true;
}

/* ---- which options a view obeys ---- */

/* The options by bit, and their letters. */
static const struct {
	const char *option, *letter;
} uses[NR_USES] = {
	{ "--number", "-n" }, { "--sort", "-s" }, { "--group-by", "-g" }, { "--group-by", NULL },
	{ "--stacks=WAY", NULL }, { "--older or --younger", NULL },
	{ "--address", NULL },
};

static bool view_uses(const struct view *view, unsigned int option, const struct report *r,
		      bool is_text)
{
	const struct part *part;

	for (part = view->parts; part->relation; part++)
		if (part_uses(part, option, r) || (is_text && part->text_uses & option))
			return true;
	return false;
}

static bool is_of_counters(const struct view *view)
{
	return view->has == has_counters || view->has == has_watched;
}

/* Return whether a view is shown. Before the trace is read, it may have something for any view. */
static bool may_be_shown(const struct report *r, size_t i)
{
	if (!is_shown(r, i))
		return false;
	/* A view says itself what was not recorded with the events. */
	return !r->trace || (is_of_counters(&views[i]) ? has_counters(r) : has_events(r));
}

static bool has_effect(const struct report *r, unsigned int option, bool is_text)
{
	size_t i;

	if (option == USES_AGE)
		return all_have_ages(r);
	for (i = 0; i < NR_VIEWS; i++)
		if (may_be_shown(r, i) && view_uses(&views[i], option, r, is_text))
			return true;
	return false;
}

static void print_complaint(const struct report *r, size_t use, bool is_text, FILE *out)
{
	const unsigned int option = 1 << use;
	const char *separator = "; it has one on: ";
	size_t i;

	fprintf(out, "%s", uses[use].option);
	if (option == USES_SORT)
		fprintf(out, " %s", r->sort->name);
	if (option & (USES_PLACE | USES_OWNER))
		fprintf(out, " %s", r->group->name);
	fprintf(out, " has no effect on what is shown%s", is_text ? "" : " as JSON");
	for (i = 0; i < NR_VIEWS; i++) {
		if (!view_uses(&views[i], option, r, is_text))
			continue;
		fprintf(out, "%s%s", separator, views[i].name);
		separator = ", ";
	}
}

/**
 * views_complaint - return why options make no sense with the views that are shown
 * @r: the report; before the trace is opened, its trace is NULL
 * @given: the options that were given, bits of USES_*
 * @is_text: the report is text, not JSON
 *
 * Return: a message to be freed; NULL: each option has an effect on at least one view.
 */
char *views_complaint(const struct report *r, unsigned int given, bool is_text)
{
	char *text = NULL;
	size_t size, i;
	FILE *out;

	for (i = 0; i < NR_USES; i++)
		if (given >> i & 1 && !has_effect(r, 1 << i, is_text))
			break;
	if (i == NR_USES)
		return NULL;
	out = open_memstream(&text, &size);
	if (out)
		print_complaint(r, i, is_text, out);
	if (!out || fclose(out))
		out_of_memory();
	return text;
}

/* Print the name of a view, what it shows, and the letters of the options that it obeys. */
static void print_in_list(const struct view *view, const struct report *r, FILE *out)
{
	size_t i;

	fprintf(out, "  %-14s %s", view->name, view->help);
	for (i = 0; i < NR_USES; i++)
		if (uses[i].letter && view_uses(view, 1 << i, r, true))
			fprintf(out, " %s", uses[i].letter);
	putc('\n', out);
}

/* ---- names of views ---- */

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
	const struct report usual = { .sort = figure_find(USUAL_SORT) };
	size_t i;

	for (i = 0; i < NR_VIEWS; i++)
		print_in_list(&views[i], &usual, out);
	fprintf(out, "  %-14s %s\n", "all", "all of these");
}

/* ---- text ---- */

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
		{ has_references, KMEMTRACE_WITH_REFS },
	};
	const char *name = views[i].name;
	size_t j;

	if (!has_events(r) || r->views == ALL_VIEWS)
		return;
	if (views[i].has == has_address)
		print_title(r, out, "Address: --address chooses it");
	for (j = 0; j < sizeof(needs) / sizeof(*needs); j++)
		if (views[i].has == needs[j].has)
			print_title(r, out, "%c%s: %s", toupper(*name), name + 1,
				    lack_text(needs[j].with));
}

/* The overview: the most important lines of some views, as many as fit on a screen. */
typedef void print_brief(const struct report *r, FILE *out);

static print_brief * const events[] = {
	errors_brief,
	suspects_brief,
	references_brief,
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

/* The same with a filter by age. */
static print_brief * const events_aged[] = {
	totals_brief,
	sites_brief,
	caches_brief,
	fragmentation_brief,
};

/* The same of a trace that has counters only. */
static print_brief * const counters[] = {
	counters_brief,
	memory_text,
	growth_brief,
	allocinfo_brief,
	slabinfo_brief,
};

static void print_briefs(const struct report *r, print_brief * const *briefs, size_t nr, FILE *out)
{
	size_t i;

	for (i = 0; i < nr; i++)
		briefs[i](r, out);
}

#define PRINT_BRIEFS(r, list, out)	print_briefs(r, list, sizeof(list) / sizeof(*(list)), out)

static void print_overview(const struct report *r, FILE *out)
{
	trace_brief(r, out);
	if (!has_events(r))
		PRINT_BRIEFS(r, counters, out);
	else if (is_aged(r))
		PRINT_BRIEFS(r, events_aged, out);
	else
		PRINT_BRIEFS(r, events, out);
	fprintf(out, "\nMore: --show list names the parts of a report, --show all prints them\n");
}

static void print_one_view(const struct report *r, size_t i, FILE *out)
{
	struct report of_view = *r;

	of_view.parts = views[i].parts;
	if (views[i].has(r))
		views[i].text(&of_view, out);
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
			print_one_view(r, i, out);
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
		if (i && (!is_shown(r, i) || (!r->views && !views[i].has(r))))
			continue;
		for (part = views[i].parts; part->relation; part++) {
			relation = part_open(r, part, NULL, part->is_whole && !r->is_limited ?
					     0 : r->limit);
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
						      !(part->uses & USES_PLACE) &&
						      !part->group_by), !i);
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
