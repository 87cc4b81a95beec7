// SPDX-License-Identifier: GPL-2.0
/*
 * lists.c - relations that are lists of the library: the trace, its CPUs, findings, time, nodes and
 * the kernel's counters
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/abi.h"
#include "common/unseen.h"
#include "linux/kmemtrace.h"
#include "relations/columns.h"
#include "relations/lists.h"

/* ---- the trace ---- */

/**
 * struct trace_row - the only row
 * @m: the machine
 * @s: the trace as a whole
 * @is_complete: there is no reason why it is incomplete
 * @unexplained: findings that may be errors
 * @own_bytes: bytes of kmemtrace's own buffers
 */
struct trace_row {
	const struct kmemtrace_machine *m;
	const struct kmemtrace_summary *s;
	bool is_complete;
	uint64_t unexplained, own_bytes;
};

static bool is_explained(const struct kmemtrace_relation *r, int class);

static int fill_trace(struct kmemtrace_relation *r)
{
	struct trace_row *row = relation_add(r);
	const struct kmemtrace_finding *f;
	size_t i;

	if (!row)
		return -ENOMEM;
	row->m = kmemtrace_get_machine(r->trace);
	row->s = kmemtrace_get_summary(r->trace);
	row->is_complete = !kmemtrace_doubt(r->trace, 0);
	row->own_bytes = row->s->own_pages * row->m->page_size;
	for (i = 0; (f = kmemtrace_get_finding(r->trace, i)); i++)
		if (!is_explained(r, f->finding_class))
			row->unexplained += f->count;
	return 0;
}

/* The lines of the metadata that are columns. */
static const char * const meta_keys[] = {
	"host", "kernel_release", "boot_id", "machine", "source", "unseen",
};

enum { META_HOST, META_KERNEL, META_BOOT, META_MACHINE, META_SOURCE, META_UNSEEN };

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
	TRACE_HAS_NODES, TRACE_IS_RUNNING,
};

static bool get_trace(const struct kmemtrace_relation *r, const void *trace, unsigned int what,
		      struct kmemtrace_field *value)
{
	const struct trace_row *row = trace;
	const struct kmemtrace_machine *m = row->m;
	const struct kmemtrace_summary *s = row->s;
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
	case TRACE_LAST:	value->signed_number = s->last - s->first; break;
	case TRACE_FROM:	value->number = s->begin; return s->is_late;
	case TRACE_AT:		value->number = s->end; return s->is_cut;
	case TRACE_REORDERED:	value->number = s->reordered; break;
	case TRACE_UNCERTAINTY:	value->number = s->uncertainty; break;
	case TRACE_OWN_PAGES:	value->number = s->own_pages; break;
	case TRACE_HAS_NODES:	value->number = s->has_nodes; break;
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

#define OF_TRACE(n, h, t, u, what, text, ...)					\
	{ .name = n, .heading = h, .type = KMEMTRACE_##t, .unit = KMEMTRACE_##u,	\
	  .get = get_trace, .arg = what, .help = text, __VA_ARGS__ }
#define OF_META(n, h, what, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_TEXT, .get = get_meta, .arg = what,	\
	  .print = write_string, .help = text, MAYBE }

static const struct column trace_columns[] = {
	OF_TRACE("trace", "trace", TEXT, NO_UNIT, TRACE_PATH, "path of the trace",
		 .print = write_string),
	OF_META("host", "host", META_HOST, "name of the traced machine"),
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
	const uint64_t number = r->nr;
	struct text_row *row = relation_add(r);

	if (!row)
		return -ENOMEM;
	*row = (struct text_row) { number, name, text, matched };
	return 0;
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
	const char *key, *value;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && kmemtrace_get_metadata(r->trace, i, &key, &value); i++)
		ret = add_text(r, key, value, false);
	return ret;
}

static const struct column metadata_columns[] = {
	COLUMN("key", "key", TEXT, NO_UNIT, MEMBER(struct text_row, name), "such as page_size", KEY,
	       .print = write_string),
	COLUMN("value", "value", TEXT, NO_UNIT, MEMBER(struct text_row, text),
	       "what kmemtraced stored", .print = write_string),
};

/* ---- addresses ---- */

static int add_address(struct kmemtrace_relation *r, uint64_t address)
{
	uint64_t *row = address == KMEMTRACE_NO_SITE ? NULL : relation_add(r);

	if (row)
		*row = address;
	return row || address == KMEMTRACE_NO_SITE ? 0 : -ENOMEM;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int fill_addresses(struct kmemtrace_relation *r)
{
	const struct ledger *l = &r->trace->t.ledger;
	const struct kmemtrace_call_path *path;
	uint64_t *rows;
	size_t i, j, nr = 0;
	int ret = 0;

	for (i = 0; !ret && i < l->kinds.nr; i++)
		ret = add_address(r, kinds_get(&l->kinds, i)->site);
	for (i = 0; !ret && (path = kmemtrace_get_path(r->trace, i)); i++)
		for (j = 0; !ret && j < path->depth; j++)
			ret = add_address(r, path->frames[j]);
	if (ret || !r->nr)
		return ret;
	rows = (uint64_t *)r->rows;
	qsort(rows, r->nr, sizeof(*rows), compare_addresses);
	for (i = 0; i < r->nr; i++)
		if (!nr || rows[nr - 1] != rows[i])
			rows[nr++] = rows[i];
	r->nr = nr;
	return 0;
}

/* The row is the address. */
static const struct column address_columns[] = {
	{ .name = "site", .heading = "call site", .type = KMEMTRACE_TEXT, .get = column_site,
	  .print = write_site, .help = "function, offset and module of the address" },
	{ .name = "address", .heading = "address", .type = KMEMTRACE_ADDRESS, .get = column_site,
	  .help = "a return address", KEY },
	{ .name = "function", .heading = "function", .type = KMEMTRACE_TEXT, .get = column_site,
	  .print = write_function, .help = "its function and module" },
	{ .name = "module", .heading = "module", .type = KMEMTRACE_TEXT, .get = column_site,
	  .print = write_module, .help = "its module, or kernel" },
	{ .name = "file", .heading = "file", .type = KMEMTRACE_TEXT, .get = column_file,
	  .print = write_string, .help = "its source file, with a vmlinux", MAYBE },
	{ .name = "line", .heading = "line", .type = KMEMTRACE_NUMBER, .get = column_line,
	  .help = "its line in that file", MAYBE },
};

/* ---- CPUs ---- */

/* Define a function that adds a copy of each structure that a getter returns. */
#define FILL(name, type, get)							\
static int name(struct kmemtrace_relation *r)					\
{										\
	const type *from;							\
	size_t i;								\
	type *row;								\
										\
	for (i = 0; (from = get(r->trace, i)); i++) {				\
		row = relation_add(r);						\
		if (!row)							\
			return -ENOMEM;						\
		*row = *from;							\
	}									\
	return 0;								\
}

FILL(fill_cpus, struct kmemtrace_cpu, kmemtrace_get_cpu)
FILL(fill_losses, struct kmemtrace_loss, kmemtrace_get_loss)

static const struct column cpu_columns[] = {
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, MEMBER(struct kmemtrace_cpu, cpu), "its number", KEY),
	COLUMN("is_present", "present", BOOL, NO_UNIT, MEMBER(struct kmemtrace_cpu, is_present),
	       "its stream is there"),
	COLUMN("events", "events", NUMBER, COUNT, MEMBER(struct kmemtrace_cpu, events),
	       "allocations, frees and failures"),
	COLUMN("lost_events", "lost", NUMBER, COUNT, MEMBER(struct kmemtrace_cpu, lost),
	       "events that the kernel lost on it"),
	COLUMN("lost_bytes", "lost bytes", NUMBER, BYTES, MEMBER(struct kmemtrace_cpu, lost_bytes),
	       "bytes that the kernel lost on it"),
	COLUMN("subbufs_before", "before", NUMBER, COUNT,
	       MEMBER(struct kmemtrace_cpu, subbufs_before),
	       "sub-buffers before the first one in the stream"),
	COLUMN("subbufs_missing", "missing", NUMBER, COUNT,
	       MEMBER(struct kmemtrace_cpu, subbufs_missing),
	       "sub-buffers that are missing in the stream"),
};

static const struct column loss_columns[] = {
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, MEMBER(struct kmemtrace_loss, cpu),
	       "CPU that lost the events", KEY),
	COLUMN("until_ns", "until", SIGNED, TIME, TIME_AT(struct kmemtrace_loss, until),
	       "from when on events were recorded again", KEY),
	COLUMN("since_ns", "since", SIGNED, TIME, TIME_IF(struct kmemtrace_loss, since),
	       "time of the first that found no room", MAYBE),
	COLUMN("lost_events", "lost", NUMBER, COUNT, MEMBER(struct kmemtrace_loss, events),
	       "how many"),
	COLUMN("nested", "nested", NUMBER, COUNT, MEMBER(struct kmemtrace_loss, nested),
	       "how many of them came in an NMI"),
};

/**
 * struct pair_row - frees on another CPU than the allocation
 * @space: the allocator
 * @pair: the pair of CPUs
 */
struct pair_row {
	int space;
	struct kmemtrace_cpu_pair pair;
};

static int fill_cpu_pairs(struct kmemtrace_relation *r)
{
	const struct kmemtrace_cpu_pair *pair;
	struct pair_row *row;
	size_t i;
	int space;

	for (space = 0; space < NR_SPACES; space++) {
		for (i = 0; (pair = kmemtrace_get_cpu_pair(r->trace, space, i)); i++) {
			row = relation_add(r);
			if (!row)
				return -ENOMEM;
			*row = (struct pair_row) { space, *pair };
		}
	}
	return 0;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct kmemtrace_cpu_pair *x = &((const struct pair_row *)a)->pair;
	const struct kmemtrace_cpu_pair *y = &((const struct pair_row *)b)->pair;
	const int space = ((const struct pair_row *)a)->space, other = ((const struct pair_row *)b)->space;

	if (space != other)
		return space - other;
	if (x->frees != y->frees)
		return x->frees > y->frees ? -1 : 1;
	if (x->alloc_cpu != y->alloc_cpu)
		return x->alloc_cpu < y->alloc_cpu ? -1 : 1;
	return (x->free_cpu > y->free_cpu) - (x->free_cpu < y->free_cpu);
}

static const struct column cpu_pair_columns[] = {
	ALLOCATOR(struct pair_row),
	COLUMN("alloc_cpu", "allocated on", NUMBER, NO_UNIT, MEMBER(struct pair_row, pair.alloc_cpu),
	       "CPU of the allocations", KEY),
	COLUMN("free_cpu", "freed on", NUMBER, NO_UNIT, MEMBER(struct pair_row, pair.free_cpu),
	       "CPU of the frees", KEY),
	COLUMN("remote_frees", "frees", NUMBER, COUNT, MEMBER(struct pair_row, pair.frees),
	       "how many"),
	COLUMN("freed_bytes", "bytes", NUMBER, BYTES, MEMBER(struct pair_row, pair.bytes),
	       "bytes that they freed"),
};

/* ---- the snapshot ---- */

static int fill_baseline(struct kmemtrace_relation *r)
{
	struct kmemtrace_baseline *row = relation_add(r);

	if (!row)
		return -ENOMEM;
	*row = *kmemtrace_get_baseline(r->trace);
	return 0;
}

#define OF_BASELINE(n, h, u, text)						\
	COLUMN(#n, h, NUMBER, u, MEMBER(struct kmemtrace_baseline, n), text)

static const struct column baseline_columns[] = {
	COLUMN("is_begun", "begun", BOOL, NO_UNIT, MEMBER(struct kmemtrace_baseline, is_begun),
	       "the trace has records of a snapshot"),
	COLUMN("complete", "complete", BOOL, NO_UNIT,
	       MEMBER(struct kmemtrace_baseline, is_complete),
	       "all records of the snapshot are there, and it has all memory"),
	COLUMN("end_ns", "end", SIGNED, TIME, TIME_IF(struct kmemtrace_baseline, end),
	       "time of its last record", MAYBE),
	COLUMN("took_ns", "took", NUMBER, NS, NUMBER_IF(struct kmemtrace_baseline, took_ns),
	       "how long it took", MAYBE),
	COLUMN("stop_ns", "stop", NUMBER, NS, NUMBER_IF(struct kmemtrace_baseline, stop_ns),
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

/* ---- time ---- */

/**
 * struct time_row - an allocator in a step of the timeline, or in a phase of the boot
 * @space: the allocator
 * @phase: enum kmemtrace_phase_id
 * @begin: when the step or the phase begins
 * @length: nanoseconds of a step
 * @most: most bytes that were live
 * @live: bytes that were live at its end
 * @allocs: allocations
 * @bytes: bytes of them
 */
struct time_row {
	int space;
	unsigned int phase;
	int64_t begin;
	uint64_t length, most, live, allocs, bytes;
};

static int fill_timeline(struct kmemtrace_relation *r)
{
	const struct kmemtrace_timeline *t = kmemtrace_get_timeline(r->trace);
	const struct kmemtrace_step *step;
	struct time_row *row;
	size_t i;
	int s;

	for (s = 0; s < NR_SPACES; s++) {
		for (i = 0; i < t->nr_steps; i++) {
			step = kmemtrace_get_step(r->trace, i);
			row = relation_add(r);
			if (!row)
				return -ENOMEM;
			*row = (struct time_row) {
				.space = s,
				.begin = (int64_t)((uint64_t)t->begin + i * t->step_ns),
				.length = t->step_ns,
				.most = step->most[s],
				.live = step->live[s],
				.allocs = step->allocs[s],
				.bytes = step->bytes_alloc[s],
			};
		}
	}
	return 0;
}

static const struct column timeline_columns[] = {
	ALLOCATOR(struct time_row),
	COLUMN("begin_ns", "begin", SIGNED, TIME, TIME_AT(struct time_row, begin),
	       "when the step begins", KEY),
	COLUMN("step_ns", "length", NUMBER, NS, MEMBER(struct time_row, length),
	       "length of the step"),
	COLUMN("most_bytes", "most", NUMBER, BYTES, MEMBER(struct time_row, most),
	       "most bytes that were live in it"),
	COLUMN("live_bytes", "live bytes", NUMBER, BYTES, MEMBER(struct time_row, live),
	       "bytes that were live at its end"),
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct time_row, allocs),
	       "allocations in it"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, MEMBER(struct time_row, bytes),
	       "bytes that the allocations got"),
};

static int fill_phases(struct kmemtrace_relation *r)
{
	const struct kmemtrace_boot_phase *phase;
	struct time_row *row;
	size_t i;
	int s;

	for (s = 0; s < NR_SPACES; s++) {
		for (i = 0; (phase = kmemtrace_get_phase(r->trace, i)); i++) {
			row = relation_add(r);
			if (!row)
				return -ENOMEM;
			*row = (struct time_row) {
				.space = s, .phase = phase->id, .begin = phase->begin,
				.most = phase->most[s], .live = phase->live[s],
			};
		}
	}
	return 0;
}

static void write_phase(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	static const char * const names[] = {
		[KMEMTRACE_PHASE_ARMED] = "armed",
		[KMEMTRACE_PHASE_SMP] = "smp_up",
		[KMEMTRACE_PHASE_INITCALLS] = "initcalls_done",
		[KMEMTRACE_PHASE_FREED] = "init_freed",
		[KMEMTRACE_PHASE_INIT] = "init_started",
	};

	(void)r;
	fputs(names[identity], out);
}

static const struct column phase_columns[] = {
	ALLOCATOR(struct time_row),
	COLUMN("phase", "phase", TEXT, NO_UNIT, MEMBER(struct time_row, phase),
	       "armed, smp_up, initcalls_done, init_freed or init_started", KEY,
	       .print = write_phase),
	COLUMN("begin_ns", "begin", SIGNED, TIME, TIME_AT(struct time_row, begin),
	       "when it begins; it ends where the next one begins"),
	COLUMN("live_bytes", "live bytes", NUMBER, BYTES, MEMBER(struct time_row, live),
	       "bytes that were live at its end"),
	COLUMN("most_bytes", "most", NUMBER, BYTES, MEMBER(struct time_row, most),
	       "most bytes that were live in it"),
};

/* By the time at which they begin. */
static int compare_times(const void *a, const void *b)
{
	const struct time_row *x = a, *y = b;

	return x->space - y->space ?: (x->begin > y->begin) - (x->begin < y->begin) ?:
	       (x->phase > y->phase) - (x->phase < y->phase);
}

/* ---- failures and findings ---- */

FILL(fill_failures, struct kmemtrace_failure, kmemtrace_get_failure)

static int compare_failures(const void *a, const void *b)
{
	const struct kmemtrace_failure *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->call_site != y->call_site)
		return x->call_site < y->call_site ? -1 : 1;
	return (x->api > y->api) - (x->api < y->api);
}

static const struct column failure_columns[] = {
	SITE("", struct kmemtrace_failure, call_site, "of the failed allocations", KEY),
	COLUMN("api", "interface", TEXT, NO_UNIT, MEMBER(struct kmemtrace_failure, api),
	       "kmalloc, cache, pages, percpu or vmalloc", KEY, .print = write_api),
	COLUMN("failed", "times", NUMBER, COUNT, MEMBER(struct kmemtrace_failure, count),
	       "failed allocations"),
	COLUMN("bytes_req", "requested", NUMBER, BYTES, MEMBER(struct kmemtrace_failure, bytes_req),
	       "bytes that all of them requested"),
	COLUMN("gfp_flags", "last gfp_flags", ADDRESS, NO_UNIT,
	       MEMBER(struct kmemtrace_failure, gfp_flags), "flags of the last one"),
	COLUMN("gfp_names", "last gfp_flags", TEXT, NO_UNIT,
	       MEMBER(struct kmemtrace_failure, gfp_flags),
	       "their names in the traced kernel", .print = write_gfp),
};

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
} finding_classes[KMEMTRACE_NR_FINDING_CLASSES] = {
	[KMEMTRACE_ALLOC_TWICE] = { "alloc_twice", "allocated twice" },
	[KMEMTRACE_FREE_TWICE] = { "free_twice", "freed twice" },
	[KMEMTRACE_FREE_UNKNOWN] = { "free_unknown",
		"freed, but allocated before tracing began", false,
		UNSEEN_BIT(UNSEEN_BASELINE) | UNSEEN_BIT(UNSEEN_BASELINE_OBJECTS) },
	[KMEMTRACE_FREE_UNEXPLAINED] = { "free_unexplained",
		"freed, but neither allocated nor live when tracing began" },
	[KMEMTRACE_FREE_IN_USE] = { "free_in_use", "freed with a live object in it" },
	[KMEMTRACE_IN_FREE_PAGES] = { "in_free_pages", "allocated in pages that are free" },
	[KMEMTRACE_CACHE_IN_USE] = { "cache_in_use", "cache destroyed with live objects" },
	[KMEMTRACE_MIXED_API] = { "mixed_api",
		"allocated and freed by different APIs, kmalloc and kmem_cache" },
	[KMEMTRACE_MIXED_LEGAL] = { "mixed_api_legal",
		"allocated and freed by different APIs, as this kernel allows", true },
	[KMEMTRACE_SHORT] = { "short", "fewer bytes allocated than requested" },
	[KMEMTRACE_IMPOSSIBLE] = { "impossible", "impossible records, not counted" },
};

static bool is_explained(const struct kmemtrace_relation *r, int class)
{
	const uint32_t unseen = unseen_bits(kmemtrace_metadata(r->trace, "unseen"));

	return finding_classes[class].is_legal || finding_classes[class].unseen & unseen;
}

static int fill_findings(struct kmemtrace_relation *r)
{
	const struct kmemtrace_finding *finding;
	struct kmemtrace_finding *row;
	size_t i;

	for (i = 0; (finding = kmemtrace_get_finding(r->trace, i)); i++) {
		if (finding->is_hidden)
			continue;
		row = relation_add(r);
		if (!row)
			return -ENOMEM;
		*row = *finding;
	}
	return 0;
}

static int compare_findings(const void *a, const void *b)
{
	const struct kmemtrace_finding *x = a, *y = b;

	if (x->finding_class != y->finding_class)
		return x->finding_class < y->finding_class ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return (x->first_site > y->first_site) - (x->first_site < y->first_site);
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
	value->number = is_explained(r, ((const struct kmemtrace_finding *)row)->finding_class);
	return true;
}

static bool has_first(const void *row)
{
	return ((const struct kmemtrace_finding *)row)->first_site != KMEMTRACE_NO_SITE;
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
	value->number = ((const struct kmemtrace_finding *)row)->first_cpu;
	return has_first(row);
}

static const struct column finding_columns[] = {
	ALLOCATOR(struct kmemtrace_finding),
	COLUMN("class", "class", TEXT, NO_UNIT, MEMBER(struct kmemtrace_finding, finding_class),
	       "how an event contradicts earlier ones", KEY, .print = write_class),
	COLUMN("description", "finding", TEXT, NO_UNIT,
	       MEMBER(struct kmemtrace_finding, finding_class), "the same as a sentence",
	       .print = write_description),
	COLUMN("is_explained", "explained", BOOL, NO_UNIT, .get = get_explained,
	       "it is no error, or the source can't see what explains it"),
	COLUMN("count", "times", NUMBER, COUNT, MEMBER(struct kmemtrace_finding, count),
	       "how many"),
	SITE("", struct kmemtrace_finding, site, "of the event that contradicts an earlier one", KEY),
	SITE("first_", struct kmemtrace_finding, first_site, "of the earlier event", KEY, MAYBE),
	COLUMN("object", "object", ADDRESS, NO_UNIT, MEMBER(struct kmemtrace_finding, ptr),
	       "address of the memory, as all below of the first such pair"),
	COLUMN("time_ns", "time", SIGNED, TIME, TIME_AT(struct kmemtrace_finding, time),
	       "time of the event"),
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, MEMBER(struct kmemtrace_finding, cpu),
	       "CPU of the event"),
	{ .name = "first_time_ns", .heading = "first time", .type = KMEMTRACE_SIGNED,
	  .unit = KMEMTRACE_TIME, .get = get_first_time,
	  .arg = offsetof(struct kmemtrace_finding, first_time), MAYBE,
	  .help = "time of the earlier event" },
	{ .name = "first_cpu", .heading = "first CPU", .type = KMEMTRACE_NUMBER,
	  .get = get_first_cpu, MAYBE, .help = "CPU of the earlier event" },
};

/* ---- NUMA nodes ---- */

/**
 * struct flow_row - allocations with the same nodes
 * @space: the allocator
 * @requested: requested node, -1 for none
 * @cpu_node: node of the CPU, -1: unknown
 * @node: node of the memory, -1: unknown
 * @allocs: how many
 * @bytes: bytes that they got
 */
struct flow_row {
	int space;
	int requested, cpu_node, node;
	uint64_t allocs, bytes;
};

/* Return the node of a CPU, or -1. */
static int node_of_cpu(const struct kmemtrace_trace *trace, unsigned int cpu)
{
	const char *value;
	char key[32], *end;
	unsigned long node;

	snprintf(key, sizeof(key), "node.cpu%u", cpu);
	value = kmemtrace_metadata(trace, key);
	if (!value || !isdigit((unsigned char)*value))
		return -1;
	node = strtoul(value, &end, 10);
	return *end || node >= MAX_NODES ? -1 : (int)node;
}

static int compare_flows(const void *a, const void *b)
{
	const struct flow_row *x = a, *y = b;

	return x->space - y->space ?: x->requested - y->requested ?:
	       x->cpu_node - y->cpu_node ?: x->node - y->node;
}

static void merge_flows(struct kmemtrace_relation *r)
{
	struct flow_row *rows = (struct flow_row *)r->rows;
	size_t i, nr = 0;

	if (r->nr)
		qsort(rows, r->nr, sizeof(*rows), compare_flows);
	for (i = 0; i < r->nr; i++) {
		if (nr && !compare_flows(&rows[nr - 1], &rows[i])) {
			rows[nr - 1].allocs += rows[i].allocs;
			rows[nr - 1].bytes += rows[i].bytes;
		} else {
			rows[nr++] = rows[i];
		}
	}
	r->nr = nr;
}

static int fill_nodes(struct kmemtrace_relation *r)
{
	const struct kmemtrace_node_flow *flow;
	struct flow_row *row;
	size_t i;
	int s;

	for (s = 0; s < NR_SPACES; s++) {
		for (i = 0; (flow = kmemtrace_get_node_flow(r->trace, s, i)); i++) {
			row = relation_add(r);
			if (!row)
				return -ENOMEM;
			*row = (struct flow_row) {
				.space = s,
				.requested = flow->asked_node,
				.cpu_node = node_of_cpu(r->trace, flow->cpu),
				.node = flow->node,
				.allocs = flow->allocs,
				.bytes = flow->bytes_alloc,
			};
		}
	}
	merge_flows(r);
	return 0;
}

static bool get_node(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_field *value)
{
	(void)r;
	value->signed_number = *(const int *)((const char *)row + offset);
	return value->signed_number >= 0;
}

/* The page allocator records no requested node. */
static bool get_requested(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
			  struct kmemtrace_field *value)
{
	return get_node(r, row, offset, value) &&
	       ((const struct flow_row *)row)->space != KMEMTRACE_SPACE_PAGES;
}

#define NODE_AT(member)	.get = get_node, .arg = offsetof(struct flow_row, member)

static const struct column node_columns[] = {
	ALLOCATOR(struct flow_row),
	{ .name = "requested_node", .heading = "requested", .type = KMEMTRACE_SIGNED,
	  .get = get_requested, .arg = offsetof(struct flow_row, requested), KEY, MAYBE,
	  .help = "node that the allocations requested; none: any, or unknown" },
	COLUMN("cpu_node", "cpu on", SIGNED, NO_UNIT, NODE_AT(cpu_node),
	       "node of the CPU", KEY, MAYBE),
	COLUMN("node", "node", SIGNED, NO_UNIT, NODE_AT(node),
	       "node of the memory", KEY, MAYBE),
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct flow_row, allocs),
	       "allocations since the record of a second node"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, MEMBER(struct flow_row, bytes),
	       "bytes that they got"),
};

/**
 * struct node_frees_row - frees of an allocator by node
 * @space: the allocator
 * @before: allocations before the trace reported more than one node
 * @frees: frees of known memory
 * @remote: those of them by a CPU of another node
 */
struct node_frees_row {
	int space;
	uint64_t before, frees, remote;
};

static int fill_node_frees(struct kmemtrace_relation *r)
{
	const struct kmemtrace_node_flow *flow;
	const struct kmemtrace_cpu_pair *pair;
	struct node_frees_row *row;
	size_t i;
	int s;

	for (s = 0; r->trace->summary.has_nodes && s < NR_SPACES; s++) {
		row = relation_add(r);
		if (!row)
			return -ENOMEM;
		row->space = s;
		row->before = kmemtrace_total(r->trace, s)->allocs;
		row->frees = kmemtrace_total(r->trace, s)->frees;
		for (i = 0; (flow = kmemtrace_get_node_flow(r->trace, s, i)); i++)
			row->before -= flow->allocs;
		for (i = 0; (pair = kmemtrace_get_cpu_pair(r->trace, s, i)); i++)
			if (node_of_cpu(r->trace, pair->alloc_cpu) !=
			    node_of_cpu(r->trace, pair->free_cpu))
				row->remote += pair->frees;
	}
	return 0;
}

static const struct column node_frees_columns[] = {
	ALLOCATOR(struct node_frees_row),
	COLUMN("allocs_before", "before", NUMBER, COUNT, MEMBER(struct node_frees_row, before),
	       "allocations before the trace reported more than one node"),
	COLUMN("frees", "frees", NUMBER, COUNT, MEMBER(struct node_frees_row, frees),
	       "frees of known memory"),
	COLUMN("frees_by_other_nodes", "remote", NUMBER, COUNT,
	       MEMBER(struct node_frees_row, remote), "those by a CPU of another node"),
};

/* ---- the kernel's counters ---- */

FILL(fill_counters, struct kmemtrace_counter, kmemtrace_get_counter)

static int64_t counter_origin(const struct kmemtrace_relation *r)
{
	return kmemtrace_get_counters(r->trace)->begin;
}

static bool get_peak_time(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			  struct kmemtrace_field *value)
{
	(void)arg;
	value->signed_number = ((const struct kmemtrace_counter *)row)->peak_time -
			       counter_origin(r);
	return true;
}

static bool has_count(const struct kmemtrace_counter *c)
{
	return c->table == KMEMTRACE_COUNTER_SITE || c->table == KMEMTRACE_COUNTER_CACHE;
}

static bool get_count(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		      struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return has_count(row);
}

static bool get_of_cache(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
			 struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint64_t *)((const char *)row + offset);
	return ((const struct kmemtrace_counter *)row)->table == KMEMTRACE_COUNTER_CACHE;
}

static bool get_per_hour(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			 struct kmemtrace_field *value)
{
	const struct kmemtrace_counter *c = row;

	(void)r;
	(void)arg;
	value->number = c->per_hour < 1e18 ? (uint64_t)(c->per_hour + 0.5) : UINT64_MAX;
	return c->is_growing;
}

#define COUNTER(member)		MEMBER(struct kmemtrace_counter, member)
#define COUNTER_IF(g, member)	.get = g, .arg = offsetof(struct kmemtrace_counter, member)

static const struct column counter_columns[] = {
	COLUMN("table", "table", TEXT, NO_UNIT, COUNTER(table),
	       "allocinfo, slabinfo, vmstat or meminfo", KEY, .print = write_counter_table),
	COLUMN("is_total", "total", BOOL, NO_UNIT, COUNTER(is_total), "it is the sum of its table",
	       KEY),
	COLUMN("name", "name", TEXT, NO_UNIT, COUNTER(name),
	       "of a call site its function, else the name that the kernel gives it", KEY, MAYBE,
	       .print = write_string),
	COLUMN("place", "place", TEXT, NO_UNIT, COUNTER(place), "file and line of a call site", KEY,
	       MAYBE, .print = write_string),
	COLUMN("module", "module", TEXT, NO_UNIT, COUNTER(module), "module of a call site", KEY,
	       MAYBE, .print = write_string),
	COLUMN("value", "value", NUMBER, NO_UNIT, COUNTER(value),
	       "bytes of a call site or of the live objects of a cache, else the value"),
	COLUMN("first", "first", NUMBER, NO_UNIT, COUNTER(first), "the same in the first reading"),
	COLUMN("peak", "peak", NUMBER, NO_UNIT, COUNTER(peak), "the largest of all readings"),
	{ .name = "peak_ns", .heading = "peak at", .type = KMEMTRACE_SIGNED, .unit = KMEMTRACE_NS,
	  .get = get_peak_time, .help = "when that was read first, after the first reading" },
	COLUMN("count", "count", NUMBER, COUNT, COUNTER_IF(get_count, count),
	       "live allocations of a call site, live objects of a cache", MAYBE),
	COLUMN("first_count", "first count", NUMBER, COUNT, COUNTER_IF(get_count, first_count),
	       "the same in the first reading", MAYBE),
	COLUMN("object_size", "object", NUMBER, BYTES, COUNTER_IF(get_of_cache, object_size),
	       "bytes of an object of a cache", MAYBE),
	COLUMN("pages", "pages", NUMBER, COUNT, COUNTER_IF(get_of_cache, pages),
	       "pages of a cache", MAYBE),
	COLUMN("first_pages", "first pages", NUMBER, COUNT, COUNTER_IF(get_of_cache, first_pages),
	       "the same in the first reading", MAYBE),
	COLUMN("rises", "rises", NUMBER, COUNT, COUNTER(rises),
	       "readings in which the value was larger than in the one before"),
	COLUMN("falls", "falls", NUMBER, COUNT, COUNTER(falls),
	       "readings in which it was smaller"),
	COLUMN("is_growing", "grows", BOOL, NO_UNIT, COUNTER(is_growing),
	       "it grew in each eighth of the time"),
	{ .name = "per_hour", .heading = "per hour", .type = KMEMTRACE_NUMBER,
	  .get = get_per_hour, MAYBE, .help = "by how much it grows in an hour, if it does" },
};

static int fill_readings(struct kmemtrace_relation *r)
{
	const struct kmemtrace_counters *counters = kmemtrace_get_counters(r->trace);
	struct kmemtrace_counters *row;

	if (!counters)
		return 0;
	row = relation_add(r);
	if (!row)
		return -ENOMEM;
	*row = *counters;
	return 0;
}

static bool get_last_reading(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			     struct kmemtrace_field *value)
{
	const struct kmemtrace_counters *c = row;

	(void)r;
	(void)arg;
	value->signed_number = c->end - c->begin;
	return true;
}

#define READING(member)	MEMBER(struct kmemtrace_counters, member)

static const struct column reading_columns[] = {
	COLUMN("readings", "readings", NUMBER, COUNT, READING(readings), "whole readings"),
	COLUMN("seconds", "seconds", SIGNED, NO_UNIT, READING(seconds),
	       "time of the first one in seconds since 1970, UTC"),
	COLUMN("origin_ns", "origin", SIGNED, CLOCK, READING(begin), "time of the first one"),
	{ .name = "last_ns", .heading = "last", .type = KMEMTRACE_SIGNED, .unit = KMEMTRACE_NS,
	  .get = get_last_reading, .help = "time of the last one after the first one" },
	COLUMN("step_ns", "step", NUMBER, NS, READING(step_ns),
	       "length of a step of counter_steps; 0: all readings have one time"),
	COLUMN("left_out", "left out", NUMBER, COUNT, READING(left_out),
	       "rows that are not listed, since there are too many"),
	COLUMN("problem", "problem", TEXT, NO_UNIT, READING(problem),
	       "why the file could not be read to its end, or empty", .print = write_string),
};

/**
 * struct counter_step_row - a counter in a step of time
 * @table: enum kmemtrace_counter_table
 * @name: as in counters
 * @place: as in counters
 * @begin: when the step begins, after the first reading
 * @least: the smallest value
 * @most: the largest value
 */
struct counter_step_row {
	int table;
	const char *name, *place;
	int64_t begin;
	uint64_t least, most;
};

static int fill_counter_steps(struct kmemtrace_relation *r)
{
	const struct kmemtrace_counters *c = kmemtrace_get_counters(r->trace);
	const struct kmemtrace_counter *counter;
	struct counter_step_row *row;
	uint64_t least, most;
	size_t i, step;

	for (i = 0; c && (counter = kmemtrace_get_counter(r->trace, i)); i++) {
		for (step = 0; kmemtrace_counter_step(r->trace, i, step, &least, &most); step++) {
			row = relation_add(r);
			if (!row)
				return -ENOMEM;
			*row = (struct counter_step_row) {
				.table = counter->table,
				.name = counter->name,
				.place = counter->place,
				.begin = (int64_t)((uint64_t)c->step_begin +
						   step * c->step_ns - (uint64_t)c->begin),
				.least = least,
				.most = most,
			};
		}
	}
	return 0;
}

#define COUNTER_STEP(member)	MEMBER(struct counter_step_row, member)

static const struct column counter_step_columns[] = {
	COLUMN("table", "table", TEXT, NO_UNIT, COUNTER_STEP(table),
	       "allocinfo, slabinfo, vmstat or meminfo", KEY, .print = write_counter_table),
	COLUMN("name", "name", TEXT, NO_UNIT, COUNTER_STEP(name), "as in counters", KEY, MAYBE,
	       .print = write_string),
	COLUMN("place", "place", TEXT, NO_UNIT, COUNTER_STEP(place), "as in counters", KEY, MAYBE,
	       .print = write_string),
	COLUMN("begin_ns", "begin", SIGNED, NS, COUNTER_STEP(begin),
	       "when the step begins, after the first reading", KEY),
	COLUMN("least", "least", NUMBER, NO_UNIT, COUNTER_STEP(least), "the smallest value in it"),
	COLUMN("most", "most", NUMBER, NO_UNIT, COUNTER_STEP(most), "the largest value in it"),
};

/* ---- the relations ---- */

const struct relation list_relations[] = {
	LIST(SINGLE("trace", "The traced machine, and the trace as a whole."),
	     trace_columns, struct trace_row, fill_trace, NULL),
	LIST(INFO("reasons", "Why the trace is incomplete."),
	     reason_columns, struct text_row, fill_reasons, NULL),
	LIST(INFO("filters", "Filters: sums count only the allocations that match all of them."),
	     filter_columns, struct text_row, fill_filters, NULL),
	LIST(INFO("metadata", "What kmemtraced stored of the traced machine."),
	     metadata_columns, struct text_row, fill_metadata, NULL),
	LIST(INFO("addresses", "Call sites and their callers, by address."),
	     address_columns, uint64_t, fill_addresses, compare_addresses),
	LIST(INFO("cpus", "CPUs: their events and losses."),
	     cpu_columns, struct kmemtrace_cpu, fill_cpus, NULL),
	LIST(INFO("losses", "The first losses: when events were lost."),
	     loss_columns, struct kmemtrace_loss, fill_losses, NULL),
	LIST(SINGLE("baseline", "The snapshot of what was live when tracing began."),
	     baseline_columns, struct kmemtrace_baseline, fill_baseline, NULL),
	LIST(INFO("timeline", "Live memory and allocations by step of time."),
	     timeline_columns, struct time_row, fill_timeline, compare_times),
	LIST(INFO("phases", "Live memory by phase of the boot."),
	     phase_columns, struct time_row, fill_phases, compare_times),
	LIST(INFO("failures", "Failed allocations by call site."),
	     failure_columns, struct kmemtrace_failure, fill_failures, compare_failures),
	LIST(INFO("findings", "Events that contradict each other, by class and call sites."),
	     finding_columns, struct kmemtrace_finding, fill_findings, compare_findings),
	LIST(INFO("cpu_pairs", "Frees on another CPU than the allocation, by both CPUs."),
	     cpu_pair_columns, struct pair_row, fill_cpu_pairs, compare_pairs),
	LIST(INFO("nodes", "Allocations by NUMA nodes of the memory, of the CPU and requested."),
	     node_columns, struct flow_row, fill_nodes, compare_flows),
	LIST(INFO("node_frees", "Frees by a CPU of another NUMA node."),
	     node_frees_columns, struct node_frees_row, fill_node_frees, NULL),
	LIST(SINGLE("readings", "The readings of the kernel's own counters."),
	     reading_columns, struct kmemtrace_counters, fill_readings, NULL),
	LIST(INFO("counters", "The kernel's own counters, in the order of the kernel."),
	     counter_columns, struct kmemtrace_counter, fill_counters, NULL),
	LIST(INFO("counter_steps", "The kernel's own counters by step of time."),
	     counter_step_columns, struct counter_step_row, fill_counter_steps, NULL),
};

const size_t nr_list_relations = sizeof(list_relations) / sizeof(*list_relations);
