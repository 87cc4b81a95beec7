// SPDX-License-Identifier: GPL-2.0
/*
 * objects.c - live objects, lives from their begin to their end, and cells
 */
#include "config.h"

#include "api/api-events.h"
#include "api/api-lists.h"
#include "api/api-objects.h"
#include "api/api-who.h"
#include "common/number.h"
#include "relations/columns.h"

/* ---- texts and values ---- */

static const struct who *who_of_object(const struct kmemtrace_relation *r)
{
	return &r->trace->t.ledger.who;
}

/* The numbers of the task at @offset. */
static bool object_pid(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		       struct kmemtrace_field *value)
{
	const uint32_t task = *(const uint32_t *)((const char *)row + offset);

	value->number = who_of_object(r)->tasks[task].pid;
	return api_context_of(task) == IN_TASK;
}

static bool object_tgid(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
			struct kmemtrace_field *value)
{
	const uint32_t task = *(const uint32_t *)((const char *)row + offset);

	value->number = who_of_object(r)->tasks[task].tgid;
	return api_context_of(task) == IN_TASK;
}

/* The number of the cgroup at @offset. */
static bool get_cgroup_id(const struct kmemtrace_relation *r, const void *row,
			  unsigned int offset, struct kmemtrace_field *value)
{
	const uint32_t cgroup = *(const uint32_t *)((const char *)row + offset);

	value->number = who_of_object(r)->cgroups[cgroup].number;
	return value->number;
}

/* A number of 32 bits at @offset; 0 stands for none. */
static bool get_number_if_set(const struct kmemtrace_relation *r, const void *row,
			      unsigned int offset, struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const uint32_t *)((const char *)row + offset);
	return value->number;
}

static bool get_api(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		    struct kmemtrace_field *value)
{
	(void)r;
	value->number = *(const int *)((const char *)row + offset);
	return value->number != KMEMTRACE_API_UNKNOWN;
}

#define API_AT(type, member)		.get = get_api, .arg = offsetof(type, member)
#define NUMBER32_IF(type, member)	.get = get_number_if_set, .arg = offsetof(type, member)

#define WHO_COLUMNS(type, o)							\
	COLUMN("path", "call path", TEXT, NO_UNIT, PATH_AT(type, o path),	\
	       "call sites of the call path, the innermost first", MAYBE, .print = write_path),	\
	COLUMN("task", "task", TEXT, NO_UNIT, NUMBER32_IF(type, o task),		\
	       "name and number of the task, or what isn't a task", MAYBE, .print = write_task),	\
	COLUMN("task_id", "id", NUMBER, NO_UNIT, MEMBER(type, o task), TASK_ID_HELP),	\
	COLUMN("pid", "pid", NUMBER, NO_UNIT, .get = object_pid, "number of the task",	\
	       MAYBE, .arg = offsetof(type, o task)),				\
	COLUMN("tgid", "tgid", NUMBER, NO_UNIT, .get = object_tgid, "number of the process",	\
	       MAYBE, .arg = offsetof(type, o task)),				\
	COLUMN("cgroup", "cgroup", TEXT, NO_UNIT, NUMBER32_IF(type, o cgroup),	\
	       "path of the memory cgroup", MAYBE, .print = write_cgroup),	\
	COLUMN("cgroup_id", "id", NUMBER, NO_UNIT, .get = get_cgroup_id, CGROUP_ID_HELP, MAYBE,	\
	       .arg = offsetof(type, o cgroup))

/* ---- live objects ---- */

/**
 * struct object_row - a live object
 * @space: the allocator
 * @o: the object
 */
struct object_row {
	int space;
	struct kmemtrace_object o;
};

/**
 * struct collecting - the argument of the function below
 * @r: the relation
 * @space: the allocator
 */
struct collecting {
	struct kmemtrace_relation *r;
	int space;
};

static int add_object_row(void *arg, const struct kmemtrace_object *object)
{
	const struct collecting *c = arg;

	return relation_add(c->r, &(struct object_row) { c->space, *object });
}

static int fill_objects(struct kmemtrace_relation *r)
{
	struct collecting c = { .r = r };
	int ret = 0;

	for (c.space = 0; !ret && c.space < NR_SPACES; c.space++)
		ret = kmemtrace_each_live(r->trace, c.space, add_object_row, &c);
	return ret;
}

static int add_object_at(void *arg, const struct kmemtrace_object *object)
{
	const struct collecting *c = arg;

	return api_is_at(c->r->trace, c->space, object->ptr, object->bytes_alloc) ?
	       add_object_row(arg, object) : 0;
}

static int fill_objects_at(struct kmemtrace_relation *r)
{
	struct collecting c = { .r = r };
	int ret = 0;

	for (; r->trace->has_address && !ret && c.space < NR_SPACES; c.space++)
		ret = api_each_live(r->trace, c.space, true, add_object_at, &c);
	return ret;
}

static bool get_born(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		     struct kmemtrace_field *value)
{
	return column_time(r, row, arg, value) && !((const struct object_row *)row)->o.is_older;
}

static bool get_cpu(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		    struct kmemtrace_field *value)
{
	(void)r;
	(void)arg;
	value->number = ((const struct object_row *)row)->o.cpu;
	return !((const struct object_row *)row)->o.is_older;
}

#define OF_OBJECT(member)	MEMBER(struct object_row, o.member)

static const struct column object_columns[] = {
	ALLOCATOR(struct object_row),
	COLUMN("object", "object", ADDRESS, NO_UNIT, OF_OBJECT(ptr), "its address", KEY),
	COLUMN("pages", "pages", NUMBER, COUNT, NUMBER_IF(struct object_row, o.pages),
	       "of pages, how many follow each other", MAYBE),
	SITE("", struct object_row, o.call_site, "of the allocation"),
	COLUMN("api", "interface", TEXT, NO_UNIT, API_AT(struct object_row, o.api),
	       "kmalloc, cache, pages, percpu or vmalloc", MAYBE, .print = write_api),
	COLUMN("cache", "cache", TEXT, NO_UNIT, NUMBER32_IF(struct object_row, o.cache_number),
	       "name of the slab cache", MAYBE, .print = write_cache),
	COLUMN("cache_id", "id", NUMBER, NO_UNIT, OF_OBJECT(cache_number), CACHE_ID_HELP),
	COLUMN("bytes_req", "requested", NUMBER, BYTES, OF_OBJECT(bytes_req), "bytes that it requested"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, OF_OBJECT(bytes_alloc), "bytes that it got"),
	COLUMN("is_older", "older", BOOL, NO_UNIT, OF_OBJECT(is_older),
	       "it was live when tracing began"),
	{ .name = "born_ns", .heading = "allocated at", .type = KMEMTRACE_SIGNED,
	  .unit = KMEMTRACE_TIME, .get = get_born, .arg = offsetof(struct object_row, o.time), MAYBE,
	  .help = "time of the allocation" },
	{ .name = "cpu", .heading = "CPU", .type = KMEMTRACE_NUMBER, .get = get_cpu, MAYBE,
	  .help = "CPU of the allocation" },
	COLUMN("weight", "weight", NUMBER, COUNT, OF_OBJECT(weight),
	       "for how many objects it stands, in a sample"),
	WHO_COLUMNS(struct object_row, o.),
};

/* ---- lives ---- */

static int pass_life(void *r, const struct kmemtrace_life *life)
{
	struct kmemtrace_relation *relation = r;

	return relation->pass(relation, life);
}

static int follow_lives(struct kmemtrace_trace *trace, struct kmemtrace_relation *r)
{
	return api_set_lives(trace, pass_life, r);
}

/* What get_of_life() returns. */
enum { LIFE_BORN, LIFE_CPU, LIFE_DIED, LIFE_FREE_CPU, LIFE_FREE_SITE };

static bool get_of_life(const struct kmemtrace_relation *r, const void *row, unsigned int what,
			struct kmemtrace_field *value)
{
	const struct kmemtrace_life *life = row;

	switch (what) {
	case LIFE_BORN:		value->signed_number = after_first(r, life->born);
				return !life->is_older;
	case LIFE_CPU:		value->number = life->cpu;
				return !life->is_older;
	case LIFE_DIED:		value->signed_number = after_first(r, life->died);
				return life->is_ended;
	case LIFE_FREE_CPU:	value->number = life->free_cpu;
				return life->is_ended;
	default:		value->number = life->free_site;
				return life->has_free;
	}
}

#define LIFE(member)		MEMBER(struct kmemtrace_life, member)
#define OF_LIFE(what)		.get = get_of_life, .arg = what, MAYBE

/* No texts of functions: other functions of their name may follow. */
static const struct column life_columns[] = {
	COLUMN("allocator", "allocator", TEXT, NO_UNIT, LIFE(space),
	       "slab, pages, percpu or vmalloc; never add up bytes of different ones",
	       .print = write_allocator),
	COLUMN("site", "call site", TEXT, NO_UNIT, LIFE(call_site),
	       "function, offset and module of the call site of the allocation",
	       .print = write_site),
	COLUMN("address", "address", ADDRESS, NO_UNIT, LIFE(call_site),
	       "address of that call site, a return address"),
	COLUMN("freed_site", "freed by", TEXT, NO_UNIT, OF_LIFE(LIFE_FREE_SITE),
	       "the same of the free; none, but died_ns: the free is missing in the trace",
	       .print = write_site),
	COLUMN("freed_address", "address", ADDRESS, NO_UNIT, OF_LIFE(LIFE_FREE_SITE),
	       "address of that call site"),
	COLUMN("api", "interface", TEXT, NO_UNIT, API_AT(struct kmemtrace_life, api),
	       "kmalloc, cache, pages, percpu or vmalloc", MAYBE, .print = write_api),
	COLUMN("cache", "cache", TEXT, NO_UNIT, NUMBER32_IF(struct kmemtrace_life, cache),
	       "name of the slab cache", MAYBE, .print = write_cache),
	COLUMN("cache_id", "id", NUMBER, NO_UNIT, LIFE(cache), CACHE_ID_HELP),
	COLUMN("bytes_req", "requested", NUMBER, BYTES, LIFE(bytes_req), "bytes that it requested"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, LIFE(bytes_alloc), "bytes that it got"),
	COLUMN("born_ns", "allocated at", SIGNED, TIME, OF_LIFE(LIFE_BORN),
	       "time of the allocation; none: it was live when tracing began"),
	COLUMN("died_ns", "freed at", SIGNED, TIME, OF_LIFE(LIFE_DIED),
	       "time of the free, or of the event that contradicts that it is live; none: it is live at the end"),
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, OF_LIFE(LIFE_CPU), "CPU of the allocation"),
	COLUMN("freed_cpu", "freed on", NUMBER, NO_UNIT, OF_LIFE(LIFE_FREE_CPU),
	       "CPU of the event that ended it"),
	COLUMN("weight", "weight", NUMBER, COUNT, LIFE(weight),
	       "for how many allocations it stands, in a sample"),
	WHO_COLUMNS(struct kmemtrace_life, ),
};

/* ---- the events of one address ---- */

/**
 * struct event_row - an event
 * @number: its number
 * @e: the event
 */
struct event_row {
	uint64_t number;
	struct event_at e;
};

static int add_event_row(void *relation, const struct event_at *event)
{
	struct kmemtrace_relation *r = relation;

	return relation_add(r, &(struct event_row) { r->nr, *event });
}

static int fill_events_at(struct kmemtrace_relation *r)
{
	if (!r->trace->has_address)
		return 0;
	return api_each_event_at((struct kmemtrace_trace *)r->trace, add_event_row, r);
}

static WRITE_NAMES(write_happening,
	[HAPPENED_ALLOC] = "allocated",
	[HAPPENED_FREE] = "freed",
	[HAPPENED_LIVE] = "was live",
	[HAPPENED_FREE_FRAME] = "was free",
	[HAPPENED_RESERVED] = "reserved",
	[HAPPENED_OWN] = "kmemtrace's",
	[HAPPENED_MOVED_HERE] = "moved here",
	[HAPPENED_MOVED_AWAY] = "moved away",
	[HAPPENED_CHARGE] = "charged",
)

static bool get_event_offset(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			     struct kmemtrace_field *value)
{
	(void)arg;
	value->number = r->trace->address - ((const struct event_row *)row)->e.object;
	return true;
}

#define EVENT(member)		MEMBER(struct event_row, e.member)
#define EVENT_IF(member)	NUMBER_IF(struct event_row, e.member)

static const struct column event_columns[] = {
	COLUMN("number", "number", NUMBER, NO_UNIT, MEMBER(struct event_row, number), "from 0", KEY),
	COLUMN("time_ns", "time", SIGNED, TIME, TIME_AT(struct event_row, e.time), "when it happened"),
	COLUMN("event", "event", TEXT, NO_UNIT, EVENT(what),
	       "allocated, freed, moved here, moved away or charged; of the snapshot, what it found: was live, was free, reserved or kmemtrace's",
	       .print = write_happening),
	COLUMN("allocator", "allocator", TEXT, NO_UNIT, EVENT(space),
	       "slab, pages, percpu or vmalloc", .print = write_allocator),
	COLUMN("object", "object", ADDRESS, NO_UNIT, EVENT(object), "where the memory begins"),
	COLUMN("offset", "offset", NUMBER, BYTES, .get = get_event_offset,
	       "bytes from there to the address"),
	COLUMN("other", "other", ADDRESS, NO_UNIT, EVENT_IF(other),
	       "where moved contents came from, or went to", MAYBE),
	COLUMN("site", "call site", TEXT, NO_UNIT, EVENT_IF(call_site),
	       "function, offset and module of the call site", MAYBE, .print = write_site),
	COLUMN("address", "address", ADDRESS, NO_UNIT, EVENT_IF(call_site),
	       "address of that call site, a return address", MAYBE),
	AT_SITE("file", "file", TEXT, column_file, write_string, struct event_row, e.call_site,
		"source file of that call site, with a vmlinux", MAYBE),
	AT_SITE("line", "line", NUMBER, column_line, NULL, struct event_row, e.call_site,
		"line in that file", MAYBE),
	AT_SITE("inlined", "inlined in", TEXT, column_inlined, write_string, struct event_row,
		e.call_site, INLINED_HELP, MAYBE),
	COLUMN("api", "interface", TEXT, NO_UNIT, API_AT(struct event_row, e.api),
	       "kmalloc, cache, pages, percpu or vmalloc", MAYBE, .print = write_api),
	COLUMN("cache", "cache", TEXT, NO_UNIT, NUMBER32_IF(struct event_row, e.cache),
	       "name of the slab cache", MAYBE, .print = write_cache),
	COLUMN("cache_id", "id", NUMBER, NO_UNIT, EVENT(cache), CACHE_ID_HELP),
	COLUMN("bytes_req", "requested", NUMBER, BYTES, EVENT_IF(bytes_req),
	       "bytes that it requested", MAYBE),
	COLUMN("bytes", "bytes", NUMBER, BYTES, EVENT_IF(bytes), "bytes of the memory", MAYBE),
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, EVENT(cpu), "CPU of the event"),
	WHO_COLUMNS(struct event_row, e.),
};

/* ---- cells: lives by the steps of time in which they begin and end ---- */

/**
 * struct cell_row - memory of a call site, allocated in one step and freed in another
 * @space: the allocator
 * @born: the step of the allocations; KMEMTRACE_NEVER: they are older than the trace
 * @died: the step of the frees; KMEMTRACE_NEVER: it is live at the end
 * @site: the call site
 * @nr: objects, or single pages
 * @bytes: bytes that they got
 */
struct cell_row {
	int space;
	uint8_t born, died;
	uint64_t site, nr, bytes;
};

static int add_cell_row(void *relation, const struct kmemtrace_cell *cell)
{
	struct kmemtrace_relation *r = relation;
	const struct kmemtrace_kind kind = api_kind(&r->trace->t.ledger, cell->kind);

	return !cell->nr ? 0 : relation_add(r, &(struct cell_row) {
		.space = kind.space,
		.born = kind.is_older ? KMEMTRACE_NEVER : cell->born,
		.died = cell->ended,
		.site = kind.call_site,
		.nr = cell->nr,
		.bytes = cell->bytes_alloc,
	});
}

static int compare_cells(const void *a, const void *b)
{
	const struct cell_row *x = a, *y = b;

	return x->space - y->space ?: compare_u64(x->site, y->site) ?:
	       x->born - y->born ?: x->died - y->died;
}

static void add_up(void *sum, const void *row)
{
	struct cell_row *to = sum;
	const struct cell_row *from = row;

	to->nr += from->nr;
	to->bytes += from->bytes;
}

static int fill_cells(struct kmemtrace_relation *r)
{
	const int ret = kmemtrace_each_cell(r->trace, add_cell_row, r);

	/* Cells may differ in other properties of their kinds. */
	relation_merge(r, compare_cells, add_up);
	return ret;
}

/* The begin of a step, whose number is at @offset. */
static bool get_step_begin(const struct kmemtrace_relation *r, const void *row,
			   unsigned int offset, struct kmemtrace_field *value)
{
	const uint8_t step = *((const uint8_t *)row + offset);
	const struct kmemtrace_cells *cells = kmemtrace_get_cells(r->trace);

	value->signed_number = (int64_t)((uint64_t)cells->begin + step * cells->step_ns -
					 (uint64_t)r->trace->t.first);
	return step != KMEMTRACE_NEVER;
}

static bool get_step_length(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
			    struct kmemtrace_field *value)
{
	(void)row;
	(void)arg;
	value->number = kmemtrace_get_cells(r->trace)->step_ns;
	return true;
}

#define STEP_AT(member)		.get = get_step_begin, .arg = offsetof(struct cell_row, member)
#define CELL(member)		MEMBER(struct cell_row, member)

static const struct column cell_columns[] = {
	ALLOCATOR(struct cell_row),
	AT_SITE("site", "call site", TEXT, column_site, write_site, struct cell_row, site,
		"function, offset and module of the call site of the allocations", KEY),
	AT_SITE("address", "address", ADDRESS, column_site, NULL, struct cell_row, site,
		"address of that call site, a return address", KEY),
	COLUMN("born_ns", "allocated at", SIGNED, TIME, STEP_AT(born),
	       "begin of the step of the allocations; none: they were live when tracing began", KEY,
	       MAYBE),
	COLUMN("died_ns", "freed at", SIGNED, TIME, STEP_AT(died),
	       "begin of the step of the frees; none: the memory is live at the end", KEY, MAYBE),
	COLUMN("step_ns", "length", NUMBER, NS, .get = get_step_length,
	       "length of each step; there are at most 128"),
	COLUMN("objects", "objects", NUMBER, COUNT, CELL(nr), "objects, or single pages"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, CELL(bytes), "bytes that they got"),
};

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(INFO("objects", "Objects and pages that are live at the end.", .is_aged = true),
	     object_columns, struct object_row, fill_objects, NULL),
	LIST(INFO("objects_at", "Objects and pages that are live at the end at the address of --address."),
	     object_columns, struct object_row, fill_objects_at, NULL),
	LIST(INFO("events_at", "Events of the memory at the address of --address, in their order."),
	     event_columns, struct event_row, fill_events_at, NULL),
	{ INFO("lives", "Allocations, each with its end.", .is_followed = true),
	  COLUMNS(life_columns), .row_size = sizeof(struct kmemtrace_life),
	  .follow = follow_lives, .space = NR_SPACES },
	LIST(INFO("cells", "Lives by call site and by the steps of time in which they begin and end.",
		  .needs_cells = true),
	     cell_columns, struct cell_row, fill_cells, NULL),
};

RELATIONS(object_relations, list);
