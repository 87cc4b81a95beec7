// SPDX-License-Identifier: GPL-2.0
/*
 * findings.c - relations of failed allocations, and of events that contradict each other
 */
#include "config.h"

#include "common/number.h"
#include "common/unseen.h"
#include "relations/columns.h"
#include "relations/findings.h"

/* ---- failures ---- */

static int fill_failures(struct kmemtrace_relation *r)
{
	const struct stats *stats = &r->trace->t.ledger.stats;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < stats->nr_failures; i++)
		ret = relation_add(r, &stats->failures[i]);
	return ret;
}

/* Those that failed most first. */
static int compare_failures(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;

	return compare_u64(y->count, x->count) ?: compare_u64(x->site, y->site) ?:
	       compare_u64(x->type, y->type);
}

static const struct column failure_columns[] = {
	SITE("", struct failure, site, "of the failed allocations", KEY),
	COLUMN("api", "interface", TEXT, NO_UNIT, MEMBER(struct failure, type),
	       "kmalloc, cache, pages, percpu or vmalloc", KEY, .print = write_api),
	COLUMN("failed", "times", NUMBER, COUNT, MEMBER(struct failure, count),
	       "failed allocations"),
	COLUMN("bytes_req", "requested", NUMBER, BYTES, MEMBER(struct failure, bytes),
	       "bytes that all of them requested"),
	COLUMN("gfp_flags", "last gfp_flags", ADDRESS, NO_UNIT,
	       MEMBER(struct failure, gfp), "flags of the last one"),
	COLUMN("gfp_names", "last gfp_flags", TEXT, NO_UNIT,
	       MEMBER(struct failure, gfp),
	       "their names in the traced kernel", .print = write_gfp),
};

/* ---- findings ---- */

/**
 * struct class_info - a class of findings
 * @name: its name
 * @text: description
 * @is_legal: it is no error
 * @unseen: bits of enum unseen; it is no error where the source does not see one of them
 */
static const struct class_info {
	const char *name, *text;
	bool is_legal;
	uint32_t unseen;
} finding_classes[NR_FINDINGS] = {
	[FINDING_ALLOC_TWICE] = { "alloc_twice", "allocated twice" },
	[FINDING_FREE_TWICE] = { "free_twice", "freed twice" },
	[FINDING_FREE_UNKNOWN] = { "free_unknown",
		"freed, but allocated before tracing began", false,
		UNSEEN_BIT(UNSEEN_BASELINE) | UNSEEN_BIT(UNSEEN_BASELINE_OBJECTS) },
	[FINDING_FREE_UNEXPLAINED] = { "free_unexplained",
		"freed, but neither allocated nor live when tracing began" },
	[FINDING_FREE_IN_USE] = { "free_in_use", "freed with a live object in it" },
	[FINDING_IN_FREE_PAGES] = { "in_free_pages", "allocated in pages that are free" },
	[FINDING_CACHE_IN_USE] = { "cache_in_use", "cache destroyed with live objects" },
	[FINDING_MIXED_API] = { "mixed_api",
		"allocated and freed by different APIs, kmalloc and kmem_cache" },
	[FINDING_MIXED_LEGAL] = { "mixed_api_legal",
		"allocated and freed by different APIs, as this kernel allows", true },
	[FINDING_SHORT] = { "short", "fewer bytes allocated than requested" },
	[FINDING_IMPOSSIBLE] = { "impossible", "impossible records, not counted" },
};

/* Return whether a finding is no error, or the source can't see what explains it. */
bool finding_is_explained(const struct kmemtrace_relation *r, int class)
{
	const uint32_t unseen = unseen_bits(kmemtrace_metadata(r->trace, "unseen"));

	return finding_classes[class].is_legal || finding_classes[class].unseen & unseen;
}

static int fill_findings(struct kmemtrace_relation *r)
{
	const struct stats *stats = &r->trace->t.ledger.stats;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < stats->nr_findings; i++)
		if (stats->findings[i].count && !stats->findings[i].is_hidden)
			ret = relation_add(r, &stats->findings[i]);
	return ret;
}

/* By class and allocator, those with most events first. */
static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	return compare_u64(x->class, y->class) ?: compare_u64(x->space, y->space) ?:
	       compare_u64(y->count, x->count) ?: (x->time > y->time) - (x->time < y->time) ?:
	       compare_u64(x->site2, y->site2) ?: compare_u64(x->site, y->site);
}

static void write_class(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	(void)r;
	fputs(finding_classes[identity].name, out);
}

static void write_description(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	(void)r;
	fputs(finding_classes[identity].text, out);
}

static bool get_explained(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			  struct kmemtrace_field *value)
{
	(void)arg;
	value->number = finding_is_explained(r, ((const struct finding *)row)->class);
	return true;
}

static bool has_first(const void *row)
{
	return ((const struct finding *)row)->site != NO_SITE;
}

static bool get_first_time(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			   struct kmemtrace_field *value)
{
	return column_time(r, row, arg, value) && has_first(row);
}

static bool get_first_cpu(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			  struct kmemtrace_field *value)
{
	(void)r;
	(void)arg;
	value->number = ((const struct finding *)row)->cpu_before;
	return has_first(row);
}

static const struct column finding_columns[] = {
	ALLOCATOR(struct finding),
	COLUMN("class", "class", TEXT, NO_UNIT, MEMBER(struct finding, class),
	       "how an event contradicts earlier ones", KEY, .print = write_class),
	COLUMN("description", "finding", TEXT, NO_UNIT, MEMBER(struct finding, class),
	       "the same as a sentence", .print = write_description),
	COLUMN("is_explained", "explained", BOOL, NO_UNIT, .get = get_explained,
	       "it is no error, or the source can't see what explains it"),
	COLUMN("count", "times", NUMBER, COUNT, MEMBER(struct finding, count),
	       "how many"),
	SITE("", struct finding, site2, "of the event that contradicts an earlier one", KEY),
	SITE("first_", struct finding, site, "of the earlier event", KEY, MAYBE),
	COLUMN("object", "object", ADDRESS, NO_UNIT, MEMBER(struct finding, ptr),
	       "address of the memory, as all below of the first such pair"),
	COLUMN("time_ns", "time", SIGNED, TIME, TIME_AT(struct finding, time),
	       "time of the event"),
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, MEMBER(struct finding, cpu),
	       "CPU of the event"),
	{ .name = "first_time_ns", .heading = "first time", .type = KMEMTRACE_SIGNED,
	  .unit = KMEMTRACE_TIME, .get = get_first_time,
	  .arg = offsetof(struct finding, time_before), MAYBE,
	  .help = "time of the earlier event" },
	{ .name = "first_cpu", .heading = "first CPU", .type = KMEMTRACE_NUMBER,
	  .get = get_first_cpu, MAYBE, .help = "CPU of the earlier event" },
};

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(INFO("failures", "Failed allocations by call site."),
	     failure_columns, struct failure, fill_failures, compare_failures),
	LIST(INFO("findings", "Events that contradict each other, by class and call sites."),
	     finding_columns, struct finding, fill_findings, compare_findings),
};

RELATIONS(finding_relations, list);
