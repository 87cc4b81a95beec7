// SPDX-License-Identifier: GPL-2.0
/*
 * trace.c - relations of the trace as a whole: the machine, why it is incomplete, filters, metadata,
 * the snapshot
 */
#include "config.h"

#include <stdlib.h>
#include <time.h>

#include "api/handle.h"
#include "relations/columns.h"
#include "relations/findings.h"

/* ---- the trace ---- */

/**
 * struct trace_row - the only row
 * @m: the machine
 * @s: the trace as a whole
 * @is_complete: there is no reason why it is incomplete
 * @unexplained: findings that may be errors
 * @hidden: findings that are no rows of the relation findings
 * @own_bytes: bytes of kmemtrace's own buffers
 */
struct trace_row {
	const struct kmemtrace_machine *m;
	const struct kmemtrace_summary *s;
	bool is_complete;
	uint64_t unexplained, hidden, own_bytes;
};

static int fill_trace(struct kmemtrace_relation *r)
{
	struct trace_row row = {
		.m = kmemtrace_get_machine(r->trace),
		.s = kmemtrace_get_summary(r->trace),
		.is_complete = !kmemtrace_doubt(r->trace, 0),
	};
	const struct stats *stats = &r->trace->t.ledger.stats;
	size_t i;

	row.own_bytes = row.s->own_pages * row.m->page_size;
	for (i = 0; i < stats->nr_findings; i++) {
		if (!finding_is_explained(r, stats->findings[i].class))
			row.unexplained += stats->findings[i].count;
		if (stats->findings[i].is_hidden)
			row.hidden += stats->findings[i].count;
	}
	return relation_add(r, &row);
}

/* The lines of the metadata that are columns. */
static const char * const meta_keys[] = {
	"host", "kernel_release", "boot_id", "machine", "source", "unseen", "command",
};

enum {
	META_HOST, META_KERNEL, META_BOOT, META_MACHINE, META_SOURCE, META_UNSEEN, META_COMMAND,
};

static bool get_meta(const struct kmemtrace_relation *r, const void *row, unsigned int which,
		     struct kmemtrace_field *value)
{
	(void)row;
	value->number = (uintptr_t)kmemtrace_metadata(r->trace, meta_keys[which]);
	return value->number;
}

/* What get_trace() returns. */
enum {
	TRACE_PATH, TRACE_BYTE_ORDER, TRACE_WORD_BITS, TRACE_ABI, TRACE_PAGE_SIZE, TRACE_SAMPLE,
	TRACE_WITH, TRACE_OVERWRITES, TRACE_EVENTS, TRACE_LOST, TRACE_LOST_BYTES, TRACE_ORIGIN,
	TRACE_LAST, TRACE_FROM, TRACE_AT, TRACE_REORDERED, TRACE_UNCERTAINTY, TRACE_OWN_PAGES,
	TRACE_REALTIME, TRACE_OFFSET, TRACE_RAM, TRACE_COUNTS_OWN, TRACE_HAS_NODES, TRACE_CACHES, TRACE_IS_RUNNING,
};

/* Set a number of the metadata. Return false if there is none. */
static bool get_meta_number(const struct kmemtrace_relation *r, const char *key,
			    struct kmemtrace_field *value)
{
	return tracedir_meta_u64(&r->trace->t.dir, key, &value->number);
}

/* Return the seconds by which the zone of the traced machine was ahead of UTC. */
static int64_t utc_offset(const struct kmemtrace_relation *r)
{
	const char *text = kmemtrace_metadata(r->trace, "utc_offset");
	const long long seconds = text ? strtoll(text, NULL, 10) : 0;

	return seconds > -86400 && seconds < 86400 ? seconds : 0;
}

static bool get_trace(const struct kmemtrace_relation *r, const void *trace, unsigned int what,
		      struct kmemtrace_field *value)
{
	const struct trace_row *row = trace;
	const struct kmemtrace_machine *m = row->m;
	const struct kmemtrace_summary *s = row->s;
	const uint32_t caches = r->trace->t.ledger.caches.nr;
	const struct kmemtrace_live *live;

	switch (what) {
	case TRACE_PATH:	value->number = (uintptr_t)m->name; break;
	case TRACE_BYTE_ORDER:	value->number = (uintptr_t)m->byte_order; break;
	case TRACE_WORD_BITS:	value->number = m->word_bits; return m->word_bits;
	case TRACE_ABI:		value->number = m->abi; return m->abi;
	case TRACE_PAGE_SIZE:	value->number = m->page_size; break;
	case TRACE_SAMPLE:	value->number = m->sample; break;
	case TRACE_WITH:	value->number = kmemtrace_get_with(r->trace); return value->number;
	case TRACE_OVERWRITES:	value->number = trace_overwrites(&r->trace->t); break;
	case TRACE_EVENTS:	value->number = s->events; break;
	case TRACE_LOST:	value->number = s->lost; return s->is_lost_known;
	case TRACE_LOST_BYTES:	value->number = s->lost_bytes; return s->is_lost_known;
	case TRACE_ORIGIN:	value->signed_number = s->first; break;
	case TRACE_LAST:	value->signed_number = after_first(r, s->last); break;
	case TRACE_FROM:	value->number = s->begin; return s->is_late;
	case TRACE_AT:		value->number = s->end; return s->is_cut;
	case TRACE_REORDERED:	value->number = s->reordered; break;
	case TRACE_UNCERTAINTY:	value->number = s->uncertainty; break;
	case TRACE_OWN_PAGES:	value->number = s->own_pages; break;
	case TRACE_REALTIME:	return get_meta_number(r, "realtime_ns", value);
	case TRACE_RAM:		return get_meta_number(r, "ram_bytes", value);
	case TRACE_OFFSET:	value->signed_number = utc_offset(r);
				return kmemtrace_metadata(r->trace, "utc_offset");
	case TRACE_COUNTS_OWN:	value->number = r->trace->t.ledger.counts_own; break;
	case TRACE_HAS_NODES:	value->number = s->has_nodes; break;
	case TRACE_CACHES:	value->number = caches ? caches - 1 : 0; break;
	default:		live = kmemtrace_get_live(r->trace);
				value->number = live && !live->is_over; break;
	}
	return true;
}

static void write_with(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	static const char * const names[] = { "stack", "task", "cgroup" };
	const char *separator = "";
	size_t i;

	(void)r;
	for (i = 0; i < 3; i++) {
		if (!(identity >> i & 1))
			continue;
		fprintf(out, "%s%s", separator, names[i]);
		separator = ",";
	}
}

/* Print the date and the time of day of nanoseconds since 1970, in the zone of the traced machine. */
static void write_date(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	const int64_t offset = utc_offset(r), minutes = (offset < 0 ? -offset : offset) / 60;
	const time_t seconds = (time_t)(identity / 1000000000) + offset;
	char date[32];
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	fprintf(out, "%s %c%02d%02d", date, offset < 0 ? '-' : '+', (int)(minutes / 60),
		(int)(minutes % 60));
}

#define OF_TRACE(n, h, t, u, what, text, ...)					\
	{ .name = n, .heading = h, .type = KMEMTRACE_##t, .unit = KMEMTRACE_##u,	\
	  .get = get_trace, .arg = what, .help = text, __VA_ARGS__ }
#define OF_META(n, h, what, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_TEXT, .get = get_meta, .arg = what,	\
	  .print = write_string, .help = text, MAYBE }

static const struct column trace_columns[] = {
	OF_TRACE("trace", "trace", TEXT, NO_UNIT, TRACE_PATH, "path of the trace",
		 .print = write_string),
	OF_TRACE("recorded", "recorded", TEXT, NO_UNIT, TRACE_REALTIME,
		 "when recording began: date, time of day and zone of the traced machine", MAYBE,
		 .print = write_date),
	OF_TRACE("realtime_ns", "since 1970", NUMBER, NO_UNIT, TRACE_REALTIME,
		 "the same in nanoseconds since 1970, UTC", MAYBE),
	OF_TRACE("utc_offset", "zone", SIGNED, NO_UNIT, TRACE_OFFSET,
		 "seconds by which that zone is ahead of UTC", MAYBE),
	OF_META("command", "command", META_COMMAND, "the command that was traced"),
	OF_META("host", "host", META_HOST, "name of the traced machine"),
	OF_TRACE("ram_bytes", "RAM", NUMBER, BYTES, TRACE_RAM,
		 "memory of the traced machine that its kernel could allocate", MAYBE),
	OF_META("kernel", "kernel", META_KERNEL, "release of its kernel"),
	OF_META("boot_id", "boot", META_BOOT, "identity of its boot"),
	OF_META("architecture", "machine", META_MACHINE, "its architecture, such as x86_64"),
	OF_TRACE("byte_order", "byte order", TEXT, NO_UNIT, TRACE_BYTE_ORDER,
		 "little, big or unknown", .print = write_string),
	OF_TRACE("word_bits", "bits", NUMBER, NO_UNIT, TRACE_WORD_BITS, "32 or 64", MAYBE),
	OF_TRACE("abi", "ABI", NUMBER, NO_UNIT, TRACE_ABI, "version of the format of the streams",
		 MAYBE),
	OF_TRACE("page_size", "pages of", NUMBER, BYTES, TRACE_PAGE_SIZE, "bytes of a page"),
	OF_TRACE("sample", "sample", NUMBER, NO_UNIT, TRACE_SAMPLE,
		 "it has one of so many slab objects below the size of a page; 1: all of them"),
	OF_TRACE("with", "with", TEXT, NO_UNIT, TRACE_WITH,
		 "what was recorded with each event: stack, task, cgroup", MAYBE,
		 .print = write_with),
	OF_META("source", "source", META_SOURCE, "what recorded it, where that was not the patched kernel"),
	OF_META("unseen", "not seen", META_UNSEEN, "what that source can't see"),
	OF_TRACE("overwrites", "overwrites", BOOL, NO_UNIT, TRACE_OVERWRITES,
		 "the newest events replaced the oldest ones"),
	OF_TRACE("is_running", "running", BOOL, NO_UNIT, TRACE_IS_RUNNING,
		 "it is still being recorded"),
	COLUMN("complete", "complete", BOOL, NO_UNIT, MEMBER(struct trace_row, is_complete),
	       "there is no reason why it is incomplete"),
	OF_TRACE("events", "events", NUMBER, COUNT, TRACE_EVENTS,
		 "allocations, frees and failures"),
	OF_TRACE("lost_events", "lost", NUMBER, COUNT, TRACE_LOST,
		 "events that are missing; none: unknown", MAYBE),
	OF_TRACE("lost_bytes", "lost bytes", NUMBER, BYTES, TRACE_LOST_BYTES,
		 "bytes of the records that are missing", MAYBE),
	COLUMN("unexplained", "unexplained", NUMBER, COUNT, MEMBER(struct trace_row, unexplained),
	       "findings that may be errors"),
	COLUMN("hidden_findings", "hidden", NUMBER, COUNT, MEMBER(struct trace_row, hidden),
	       "findings that no filter matches, which the relation findings leaves out"),
	OF_TRACE("caches", "caches", NUMBER, COUNT, TRACE_CACHES, "slab caches"),
	OF_TRACE("origin_ns", "origin", SIGNED, CLOCK, TRACE_ORIGIN,
		 "time of the first record; all other times are relative to it"),
	OF_TRACE("last_ns", "last", SIGNED, TIME, TRACE_LAST, "time of the last record"),
	OF_TRACE("from_ns", "from", NUMBER, TIME, TRACE_FROM,
		 "earlier allocations are not counted", MAYBE),
	OF_TRACE("at_ns", "at", NUMBER, TIME, TRACE_AT, "later events are not counted", MAYBE),
	OF_TRACE("reordered", "reordered", NUMBER, COUNT, TRACE_REORDERED,
		 "events that were moved behind a later one of another CPU"),
	OF_TRACE("uncertainty_ns", "uncertainty", NUMBER, NS, TRACE_UNCERTAINTY,
		 "by how much times of two CPUs may be wrong"),
	OF_TRACE("has_nodes", "nodes", BOOL, NO_UNIT, TRACE_HAS_NODES,
		 "the machine has more than one NUMA node"),
	OF_TRACE("own_pages", "own pages", NUMBER, COUNT, TRACE_OWN_PAGES,
		 "live pages of kmemtrace's own buffers, which are in no sum"),
	COLUMN("own_bytes", "own bytes", NUMBER, BYTES, MEMBER(struct trace_row, own_bytes),
	       "their bytes"),
	OF_TRACE("counts_own", "counts own", BOOL, NO_UNIT, TRACE_COUNTS_OWN,
		 "sums have what kmemtrace itself allocated, see the relation own"),
};

/* ---- reasons, filters and metadata ---- */

/**
 * struct text_row - texts
 * @number: from 0
 * @name: a name
 * @text: a text
 * @is_matched: an event matches the filter
 */
struct text_row {
	uint64_t number;
	const char *name, *text;
	bool is_matched;
};

static int add_text(struct kmemtrace_relation *r, const char *name, const char *text, bool matched)
{
	return relation_add(r, &(struct text_row) { r->nr, name, text, matched });
}

static int fill_reasons(struct kmemtrace_relation *r)
{
	const char *reason;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && (reason = kmemtrace_doubt(r->trace, i)); i++)
		ret = add_text(r, NULL, reason, false);
	return ret;
}

static const struct column reason_columns[] = {
	COLUMN("number", "number", NUMBER, NO_UNIT, MEMBER(struct text_row, number), "from 0", KEY),
	COLUMN("reason", "because", TEXT, NO_UNIT, MEMBER(struct text_row, text), "a sentence",
	       .print = write_string),
};

static int fill_filters(struct kmemtrace_relation *r)
{
	static const char * const names[NR_FILTERS] = {
		[KMEMTRACE_FILTER_SITE] = "site", [KMEMTRACE_FILTER_MODULE] = "module",
		[KMEMTRACE_FILTER_CACHE] = "cache", [KMEMTRACE_FILTER_TYPE] = "type",
		[KMEMTRACE_FILTER_CPU] = "cpu", [KMEMTRACE_FILTER_SIZE] = "size",
		[KMEMTRACE_FILTER_TASK] = "task", [KMEMTRACE_FILTER_CGROUP] = "cgroup",
		[KMEMTRACE_FILTER_STACK] = "stack",
		[KMEMTRACE_FILTER_OLDER] = "older", [KMEMTRACE_FILTER_YOUNGER] = "younger",
	};
	int i, ret = 0;

	for (i = 0; !ret && i < NR_FILTERS; i++)
		if (r->trace->filters[i])
			ret = add_text(r, names[i], r->trace->filters[i],
				       !(r->trace->summary.unmatched >> i & 1));
	return ret;
}

static const struct column filter_columns[] = {
	COLUMN("filter", "filter", TEXT, NO_UNIT, MEMBER(struct text_row, name),
	       "name of the option", KEY, .print = write_string),
	COLUMN("pattern", "pattern", TEXT, NO_UNIT, MEMBER(struct text_row, text),
	       "what allocations must match", .print = write_string),
	COLUMN("is_matched", "matches", BOOL, NO_UNIT, MEMBER(struct text_row, is_matched),
	       "an event matches it"),
};

static int fill_metadata(struct kmemtrace_relation *r)
{
	const struct tracedir *dir = &r->trace->t.dir;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < dir->nr_meta; i++)
		ret = add_text(r, dir->meta[i].key, dir->meta[i].value, false);
	return ret;
}

static const struct column metadata_columns[] = {
	COLUMN("key", "key", TEXT, NO_UNIT, MEMBER(struct text_row, name), "such as page_size", KEY,
	       .print = write_string),
	COLUMN("value", "value", TEXT, NO_UNIT, MEMBER(struct text_row, text),
	       "what kmemtraced stored", .print = write_string),
};

/* ---- the snapshot ---- */

/**
 * struct baseline_row - the only row
 * @b: the snapshot
 * @is_complete: all of its records are there, and it has all memory
 */
struct baseline_row {
	struct baseline b;
	bool is_complete;
};

static int fill_baseline(struct kmemtrace_relation *r)
{
	struct baseline_row row = { .b = r->trace->t.ledger.stats.baseline };
	int space;

	row.is_complete = row.b.complete;
	for (space = 0; space < NR_SPACES; space++)
		row.is_complete = row.is_complete && !row.b.without[space];
	return relation_add(r, &row);
}

#define OF_BASELINE(n, h, u, text)						\
	COLUMN(#n, h, NUMBER, u, MEMBER(struct baseline_row, b.n), text)

static const struct column baseline_columns[] = {
	COLUMN("is_begun", "begun", BOOL, NO_UNIT, MEMBER(struct baseline_row, b.begun),
	       "the trace has records of a snapshot"),
	COLUMN("complete", "complete", BOOL, NO_UNIT,
	       MEMBER(struct baseline_row, is_complete),
	       "all records of the snapshot are there, and it has all memory"),
	COLUMN("end_ns", "end", SIGNED, TIME, TIME_IF(struct baseline_row, b.end),
	       "time of its last record", MAYBE),
	COLUMN("took_ns", "took", NUMBER, NS, NUMBER_IF(struct baseline_row, b.took_ns),
	       "how long it took", MAYBE),
	COLUMN("stop_ns", "stop", NUMBER, NS, NUMBER_IF(struct baseline_row, b.stop_ns),
	       "the longest time for which all CPUs stood still", MAYBE),
	OF_BASELINE(in_transit, "in transit", COUNT,
		    "allocations of objects that the snapshot already had"),
	OF_BASELINE(unsure, "unsure", COUNT, "slabs whose objects are not in the snapshot"),
	OF_BASELINE(unsure_freed, "unsure freed", COUNT, "frees of objects in such slabs"),
	OF_BASELINE(unlisted, "unlisted", COUNT,
		    "slabs whose objects the allocator, SLOB, can't list"),
	OF_BASELINE(large_kmalloc, "large kmalloc", COUNT,
		    "frees of pages that kmalloc() had taken before tracing began"),
	OF_BASELINE(reserved, "reserved", COUNT,
		    "page frames that never belonged to the page allocator"),
	OF_BASELINE(reserved_freed, "reserved freed", COUNT,
		    "page frames that the page allocator got later"),
};

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(SINGLE("trace", "The traced machine, and the trace as a whole."),
	     trace_columns, struct trace_row, fill_trace, NULL),
	LIST(INFO("reasons", "Why the trace is incomplete."),
	     reason_columns, struct text_row, fill_reasons, NULL),
	LIST(INFO("filters", "Filters: sums count only the allocations that match all of them."),
	     filter_columns, struct text_row, fill_filters, NULL),
	LIST(INFO("metadata", "What kmemtraced stored of the traced machine."),
	     metadata_columns, struct text_row, fill_metadata, NULL),
	LIST(SINGLE("baseline", "The snapshot of what was live when tracing began."),
	     baseline_columns, struct baseline_row, fill_baseline, NULL),
};

RELATIONS(trace_relations, list);
