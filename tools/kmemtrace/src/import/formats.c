// SPDX-License-Identifier: GPL-2.0
/*
 * formats.c - convert events of tracepoints to records
 *
 * The file says where each field of an event is. Here is which events and which fields make
 * which record, for every kernel from 5.19 on. An event whose format lacks a field that its
 * record needs is left out, as if the kernel did not have it.
 *
 * mm_page_free_batched is no record: the same pages come as mm_page_free, too.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "common/memory.h"
#include "common/unseen.h"
#include "import/callers.h"
#include "import/formats.h"
#include "import/item.h"

/* The address of a page that has none in the linear map, or one that is unknown. */
#define PHYSICAL	(UINT64_C(1) << 63)

/* Larger than that of any kernel; the bytes of such a block are a number of 64 bits. */
#define MAX_ORDER	40

/* kmalloc(0) returns it; kfree() records it, and NULL, before it looks. */
#define ZERO_SIZE_PTR	16

enum field {
	SITE, PTR, REQ, ALLOC, GFP, NODE,
	NR_FIELDS
};

/* The event of ftrace that has the stack of the event before, of the same CPU. */
#define STACK_SYSTEM	"ftrace"
#define STACK_NAME	"kernel_stack"

/* A field that an event may lack. */
#define OPTIONAL	(1U << NODE)

/**
 * struct tracepoint_row - a tracepoint that is a record
 * @system: its group
 * @name: its name
 * @event_id: the record, enum kmemtrace_event_id
 * @type_id: its type, enum kmemtrace_type_id
 * @fields: by enum field, the field of the event; NULL: the record's is 0
 */
static const struct tracepoint_row {
	const char *system, *name;
	uint8_t event_id, type_id;
	const char *fields[NR_FIELDS];
} rows[NR_TRACEPOINTS] = {
#define SLAB_ALLOC	{ "call_site", "ptr", "bytes_req", "bytes_alloc", "gfp_flags", "node" }
#define SLAB_FREE	{ "call_site", "ptr" }
	[TP_KMALLOC] = { "kmem", "kmalloc",
		KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_KMALLOC, SLAB_ALLOC },
	[TP_KMALLOC_NODE] = { "kmem", "kmalloc_node",
		KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_KMALLOC, SLAB_ALLOC },
	[TP_CACHE_ALLOC] = { "kmem", "kmem_cache_alloc",
		KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_CACHE, SLAB_ALLOC },
	[TP_CACHE_ALLOC_NODE] = { "kmem", "kmem_cache_alloc_node",
		KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_CACHE, SLAB_ALLOC },
	[TP_KFREE] = { "kmem", "kfree",
		KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_KMALLOC, SLAB_FREE },
	[TP_CACHE_FREE] = { "kmem", "kmem_cache_free",
		KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_CACHE, SLAB_FREE },
	[TP_PAGE_ALLOC] = { "kmem", "mm_page_alloc",
		KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_PAGES,
		{ NULL, "pfn", "order", "order", "gfp_flags" } },
	[TP_PAGE_FREE] = { "kmem", "mm_page_free",
		KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_PAGES,
		{ NULL, "pfn", NULL, "order" } },
	[TP_PERCPU_ALLOC] = { "percpu", "percpu_alloc_percpu",
		KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_PERCPU,
		{ "call_site", "ptr", "size", "bytes_alloc", "gfp_flags" } },
	[TP_PERCPU_FREE] = { "percpu", "percpu_free_percpu",
		KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_PERCPU,
		{ NULL, "ptr" } },
};

/* What is not seen if none of these tracepoints were. */
static const struct {
	uint32_t unseen;
	unsigned int tracepoints;
} needs[] = {
	{ UNSEEN_BIT(UNSEEN_SLAB), 1U << TP_KMALLOC },
	{ UNSEEN_BIT(UNSEEN_SLAB), 1U << TP_CACHE_ALLOC },
	{ UNSEEN_BIT(UNSEEN_FREES_OF_SLAB), 1U << TP_KFREE },
	{ UNSEEN_BIT(UNSEEN_FREES_OF_SLAB), 1U << TP_CACHE_FREE },
	{ UNSEEN_BIT(UNSEEN_PAGES), 1U << TP_PAGE_ALLOC },
	{ UNSEEN_BIT(UNSEEN_FREES_OF_PAGES), 1U << TP_PAGE_FREE },
	{ UNSEEN_BIT(UNSEEN_PERCPU), 1U << TP_PERCPU_ALLOC },
	{ UNSEEN_BIT(UNSEEN_FREES_OF_PERCPU), 1U << TP_PERCPU_FREE },
};

/* What no tracepoint reports. */
#define NEVER_SEEN \
	(UNSEEN_BIT(UNSEEN_BASELINE) | UNSEEN_BIT(UNSEEN_BULK) | UNSEEN_BIT(UNSEEN_CACHES) | \
	 UNSEEN_BIT(UNSEEN_MOVES) | UNSEEN_BIT(UNSEEN_PAGE_BULK) | \
	 UNSEEN_BIT(UNSEEN_PERCPU_BYTES) | UNSEEN_BIT(UNSEEN_PERCPU_CALLERS) | \
	 UNSEEN_BIT(UNSEEN_VMALLOC))

/* Words that another one includes: it, and what they are about. */
static const struct {
	uint32_t all, parts;
} includes[] = {
	{ UNSEEN_BIT(UNSEEN_PAGES), UNSEEN_BIT(UNSEEN_FREES_OF_PAGES) |
		UNSEEN_BIT(UNSEEN_MOVES) | UNSEEN_BIT(UNSEEN_PAGE_BULK) },
	{ UNSEEN_BIT(UNSEEN_PERCPU), UNSEEN_BIT(UNSEEN_FREES_OF_PERCPU) |
		UNSEEN_BIT(UNSEEN_PERCPU_BYTES) | UNSEEN_BIT(UNSEEN_PERCPU_CALLERS) },
	{ UNSEEN_BIT(UNSEEN_FREES_OF_PERCPU),
		UNSEEN_BIT(UNSEEN_PERCPU_BYTES) | UNSEEN_BIT(UNSEEN_PERCPU_CALLERS) },
};

/**
 * struct plan - where the fields of a record are in an event
 * @row: the tracepoint
 * @fields: by enum field, the place in the event; a size of 0: nowhere
 */
struct plan {
	enum tracepoint row;
	struct field_place {
		uint32_t offset, size;
	} fields[NR_FIELDS];
};

/**
 * formats_unseen - find what a file does not have
 * @seen: bits of enum tracepoint: the events that were recorded
 *
 * Return: bits of enum unseen.
 */
uint32_t formats_unseen(uint32_t seen)
{
	uint32_t unseen = NEVER_SEEN;
	size_t i;

	/* Kernels that have the tracepoints of nodes record one of the two. */
	if (seen & 1U << TP_KMALLOC_NODE)
		seen |= 1U << TP_KMALLOC;
	if (seen & 1U << TP_CACHE_ALLOC_NODE)
		seen |= 1U << TP_CACHE_ALLOC;
	for (i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!(seen & needs[i].tracepoints))
			unseen |= needs[i].unseen;
	for (i = 0; i < sizeof(includes) / sizeof(*includes); i++)
		if (unseen & includes[i].all)
			unseen &= ~includes[i].parts;
	return unseen;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && !memcmp(name, text, len);
}

/**
 * formats_wants - find a tracepoint that is used
 * @system: its group
 * @name: its name, of @len bytes
 *
 * Return: its name; NULL: it is not used.
 */
const char *formats_wants(const char *system, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < NR_TRACEPOINTS; i++)
		if (!strcmp(rows[i].system, system) && is_name(rows[i].name, name, len))
			return rows[i].name;
	return !strcmp(system, STACK_SYSTEM) && is_name(STACK_NAME, name, len) ? STACK_NAME : NULL;
}

static bool has_number(const struct tep_format_field *field)
{
	return field->offset >= 0 && (field->size == 1 || field->size == 2 ||
				      field->size == 4 || field->size == 8);
}

/* Find the fields of a record. Return false if one is missing. */
static bool find_fields(struct plan *plan, struct tep_event *event)
{
	const char * const *names = rows[plan->row].fields;
	const struct tep_format_field *field;
	size_t i;

	for (i = 0; i < NR_FIELDS; i++) {
		field = names[i] ? tep_find_field(event, names[i]) : NULL;
		if (field && has_number(field))
			plan->fields[i] = (struct field_place) { field->offset, field->size };
		else if (names[i] && !(OPTIONAL & 1U << i))
			return false;
	}
	return true;
}

static void plan_row(struct formats *f, enum tracepoint row)
{
	struct tep_event *event;
	struct plan *plan;

	event = tep_find_event_by_name(f->tep, rows[row].system, rows[row].name);
	if (!event || event->id < 0 || event->id > FORMATS_MAX_ID || f->plans[event->id])
		return;
	plan = must_calloc(1, sizeof(*plan));
	plan->row = row;
	if (find_fields(plan, event))
		f->plans[event->id] = plan;
	else
		free(plan);
}

/**
 * formats_plan - find the tracepoints of the table among the formats
 * @f: the formats; @f->tep has those of the file. formats_free() it
 */
void formats_plan(struct formats *f)
{
	const struct tep_event *stack;
	int row;

	stack = tep_find_event_by_name(f->tep, STACK_SYSTEM, STACK_NAME);
	f->stack_id = stack ? stack->id : -1;
	for (row = 0; row < NR_TRACEPOINTS; row++)
		plan_row(f, row);
}

/* Release the plans. */
void formats_free(struct formats *f)
{
	size_t i;

	for (i = 0; i <= FORMATS_MAX_ID; i++)
		free(f->plans[i]);
}

/**
 * formats_see - note that events of a tracepoint are in the file
 * @f: the formats
 * @id: common_type of the tracepoint; it need not be in the table
 */
void formats_see(struct formats *f, uint64_t id)
{
	const struct plan *plan = id <= FORMATS_MAX_ID ? f->plans[id] : NULL;

	if (!plan || f->seen & 1U << plan->row)
		return;
	f->seen |= 1U << plan->row;
	item_value(f->to, ITEM_SEEN, plan->row);
}

/* ---- events ---- */

/* Return a field; all its bits are set if they are in the event. False: it is too short. */
static bool read_field(const struct formats *f, const struct raw *raw, struct field_place place,
		       uint64_t *value)
{
	*value = 0;
	if (!place.size)
		return true;
	if (place.offset > raw->size || place.size > raw->size - place.offset)
		return false;
	*value = tep_read_number(f->tep, (const char *)raw->data + place.offset, place.size);
	return true;
}

static bool is_minus_one(uint64_t value, unsigned int size)
{
	return value == UINT64_MAX >> (64 - 8 * size);
}

/* The order of pages is their bytes; the number of a page is its address. */
static bool convert_pages(const struct formats *f, const struct plan *plan,
			  struct kmemtrace_event *ev)
{
	bool failed = is_minus_one(ev->ptr, plan->fields[PTR].size);

	if (ev->bytes_alloc > MAX_ORDER || (!failed && ev->ptr >= PHYSICAL / f->page_size))
		return false;
	ev->bytes_alloc = f->page_size << ev->bytes_alloc;
	if (ev->event_id == KMEMTRACE_EVENT_ALLOC)
		ev->bytes_req = ev->bytes_alloc;
	ev->ptr = failed ? 0 : PHYSICAL | ev->ptr * f->page_size;
	return true;
}

/*
 * Records have the bytes of all CPUs together. The kernel adds what the accounting of a
 * memory cgroup takes, which is no part of the area.
 */
static bool convert_percpu(const struct formats *f, const struct plan *plan,
			   struct kmemtrace_event *ev)
{
	uint64_t all;

	(void)plan;
	if (ev->event_id != KMEMTRACE_EVENT_ALLOC)
		return true;
	if (__builtin_mul_overflow(ev->bytes_req, f->cpus, &all))
		return false;
	if (all && all <= ev->bytes_alloc)
		ev->bytes_alloc = all;
	ev->bytes_req = ev->bytes_alloc;
	return true;
}

/* kfree(NULL) frees nothing. */
static bool convert_slab(const struct formats *f, const struct plan *plan,
			 struct kmemtrace_event *ev)
{
	(void)f;
	(void)plan;
	return ev->event_id != KMEMTRACE_EVENT_FREE || ev->ptr > ZERO_SIZE_PTR;
}

/* Change the fields of an event to those of a record. Return false if it is none. */
static bool (* const convert[])(const struct formats *f, const struct plan *plan,
				struct kmemtrace_event *ev) = {
	[KMEMTRACE_TYPE_KMALLOC] = convert_slab,
	[KMEMTRACE_TYPE_CACHE] = convert_slab,
	[KMEMTRACE_TYPE_PAGES] = convert_pages,
	[KMEMTRACE_TYPE_PERCPU] = convert_percpu,
};

/* Read the fields of a record. Return false if the event is too short. */
static bool read_fields(const struct formats *f, const struct raw *raw,
			const struct plan *plan, struct kmemtrace_event *ev)
{
	const struct tracepoint_row *row = &rows[plan->row];
	uint64_t v[NR_FIELDS];
	size_t i;

	for (i = 0; i < NR_FIELDS; i++)
		if (!read_field(f, raw, plan->fields[i], &v[i]))
			return false;
	*ev = (struct kmemtrace_event) {
		.event_id = row->event_id,
		.type_id = row->type_id,
		.node = plan->fields[NODE].size ? (int32_t)v[NODE] : -1,
		.call_site = v[SITE],
		.ptr = v[PTR],
		.bytes_req = v[REQ],
		.bytes_alloc = v[ALLOC],
		.gfp_flags = v[GFP],
		.timestamp = raw->time,
	};
	return true;
}

/* Write the event that waits for its stack. */
void formats_flush(struct formats *f)
{
	if (f->is_waiting)
		item_event(f->to, f->waiting_cpu, &f->waiting);
	f->is_waiting = false;
}

/* { common fields; int size; unsigned long caller[]; }: the stack of the event that waits */
static void read_stack(struct formats *f, const struct raw *raw)
{
	uint32_t word = tep_get_long_size(f->tep) == 4 ? 4 : 8;
	struct field_place place = { 2 * sizeof(uint64_t), word };
	uint64_t stack[CALLERS_MAX];
	size_t nr = 0;

	if (word == 4)
		place.offset = 12;
	while (nr < CALLERS_MAX && read_field(f, raw, place, &stack[nr])) {
		place.offset += word;
		nr++;
	}
	if (f->is_waiting && f->waiting_cpu == raw->cpu)
		f->waiting.call_site = callers_find(f->tep, stack, nr);
}

/* Write an event, those of pages when it is known whether a stack follows. */
static void hold_event(struct formats *f, const struct raw *raw,
		       const struct kmemtrace_event *ev)
{
	formats_flush(f);
	f->is_waiting = true;
	f->waiting_cpu = raw->cpu;
	f->waiting = *ev;
	if (ev->type_id != KMEMTRACE_TYPE_PAGES)
		formats_flush(f);
	else if (raw->stack)
		f->waiting.call_site = callers_find(f->tep, raw->stack, raw->nr_stack);
}

/* An allocation without an address failed. */
static void mark_failure(struct kmemtrace_event *ev)
{
	if (ev->event_id != KMEMTRACE_EVENT_ALLOC || ev->ptr)
		return;
	ev->event_id = KMEMTRACE_EVENT_FAILED;
	ev->bytes_alloc = 0;
}

/**
 * formats_event - write an event as an item
 * @f: the formats; formats_flush() them after the last event
 * @raw: the event, of any tracepoint; only those of the table become items
 */
void formats_event(struct formats *f, const struct raw *raw)
{
	const struct plan *plan;
	struct kmemtrace_event ev;
	uint64_t id;

	/* common_type comes first in each event of each kernel. */
	if (!read_field(f, raw, (struct field_place) { 0, 2 }, &id))
		return;
	if ((int)id == f->stack_id)
		read_stack(f, raw);
	plan = f->plans[id];
	if (!plan)
		return;
	formats_see(f, id);
	if (!read_fields(f, raw, plan, &ev) || !convert[ev.type_id](f, plan, &ev))
		return;
	mark_failure(&ev);
	hold_event(f, raw, &ev);
}
