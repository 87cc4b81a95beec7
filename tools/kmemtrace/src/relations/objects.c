// SPDX-License-Identifier: GPL-2.0
/*
 * objects.c - live objects, lives from their begin to their end, and cells
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "api/api-who.h"
#include "relations/columns.h"
#include "relations/objects.h"

/* ---- texts and values ---- */

static void write_path(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	print_frames(r, kmemtrace_get_path(r->trace, identity), 0, write_site, out);
}

/* A number of 32 bits at @offset; 0 stands for none. */
static bool get_number_if_set(const struct kmemtrace_relation *r, const void *row,
			      unsigned int offset, struct kmemtrace_value *value)
{
	(void)r;
	value->number = *(const uint32_t *)((const char *)row + offset);
	return value->number;
}

static bool get_api(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		    struct kmemtrace_value *value)
{
	(void)r;
	value->number = *(const int *)((const char *)row + offset);
	return value->number != KMEMTRACE_API_UNKNOWN;
}

#define API_AT(type, member)		.get = get_api, .arg = offsetof(type, member)
#define NUMBER32_IF(type, member)	.get = get_number_if_set, .arg = offsetof(type, member)

#define WHO_COLUMNS(type)							\
	COLUMN("path", "call path", TEXT, NO_UNIT, NUMBER32_IF(type, o.path),	\
	       "call sites of the call path, the innermost first", MAYBE, .print = write_path),	\
	COLUMN("task", "task", TEXT, NO_UNIT, NUMBER32_IF(type, o.task),		\
	       "name and number of the task, or what isn't a task", MAYBE, .print = write_task),	\
	COLUMN("cgroup", "cgroup", TEXT, NO_UNIT, NUMBER32_IF(type, o.cgroup),	\
	       "path of the memory cgroup", MAYBE, .print = write_cgroup)

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

static int add_object(void *arg, const struct kmemtrace_object *object)
{
	const struct collecting *c = arg;
	struct object_row *row = relation_add(c->r);

	if (!row)
		return -ENOMEM;
	*row = (struct object_row) { c->space, *object };
	return 0;
}

static int fill_objects(struct kmemtrace_relation *r)
{
	struct collecting c = { .r = r };
	int ret = 0;

	for (c.space = 0; !ret && c.space < NR_SPACES; c.space++)
		ret = kmemtrace_each_live(r->trace, c.space, add_object, &c);
	return ret;
}

static bool get_born(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		     struct kmemtrace_value *value)
{
	return column_time(r, row, arg, value) && !((const struct object_row *)row)->o.is_older;
}

static bool get_cpu(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		    struct kmemtrace_value *value)
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
	WHO_COLUMNS(struct object_row),
};

const struct relation object_relations[] = {
	LIST(INFO("objects", "Objects and pages that are live at the end."),
	     object_columns, struct object_row, fill_objects, NULL),
};

const size_t nr_object_relations = sizeof(object_relations) / sizeof(*object_relations);
