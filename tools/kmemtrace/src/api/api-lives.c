// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: lives, one by one. kmemtrace.h describes the functions.
 */
#include "config.h"

#include "api/api-lives.h"

/* Pass on a life that ended while the trace is read. */
static int end_life(void *arg, const struct life *from)
{
	struct kmemtrace_trace *trace = arg;
	const struct ledger *l = &trace->t.ledger;
	const struct kind *kind = kinds_get(&l->kinds, from->kind);
	const bool has_free = from->freed_by != NO_KIND;
	const struct kmemtrace_life life = {
		.size = sizeof(life),
		.space = kind_space(kind),
		.api = from->type,
		.ptr = from->ptr,
		.pages = kind_space(kind) == SPACE_PAGES ? from->bytes >> l->page_shift : 0,
		.bytes_req = from->bytes - from->spare,
		.bytes_alloc = from->bytes,
		.call_site = kind->site,
		.cache = class_cache(kind->class),
		.is_older = kind_is_older(kind),
		.born = from->born,
		.cpu = from->cpu,
		.is_ended = true,
		.died = from->died,
		.has_free = has_free,
		.free_site = has_free ? kinds_get(&l->kinds, from->freed_by)->site : 0,
		.free_cpu = from->freed_cpu,
	};

	return trace->each_life(trace->life_arg, &life);
}

/* Let the reading pass on each life that ends, if the program wants that. */
void api_begin_lives(struct kmemtrace_trace *trace)
{
	if (!trace->each_life)
		return;
	trace->reading.each_life = end_life;
	trace->reading.life_arg = trace;
}

/**
 * struct living - the argument of pass_living()
 * @trace: the trace
 * @space: the allocator
 */
struct living {
	struct kmemtrace_trace *trace;
	enum kmemtrace_space space;
};

/* Pass on an object that is live at the end. */
static int pass_living(void *arg, const struct kmemtrace_object *object)
{
	const struct living *l = arg;
	const struct kmemtrace_life life = {
		.size = sizeof(life),
		.space = l->space,
		.api = object->api,
		.ptr = object->ptr,
		.pages = object->pages,
		.bytes_req = object->bytes_req,
		.bytes_alloc = object->bytes_alloc,
		.call_site = object->call_site,
		.cache = object->cache_number,
		.is_older = object->is_older,
		.born = object->time,
		.cpu = object->cpu,
	};

	return l->trace->each_life(l->trace->life_arg, &life);
}

/* Pass on what is live at the end. Return 0 or -errno. */
int api_end_lives(struct kmemtrace_trace *trace)
{
	int space, ret = 0;

	for (space = 0; trace->each_life && !ret && space < NR_SPACES; space++)
		ret = kmemtrace_each_live(trace, space, pass_living,
					  &(struct living) { trace, space });
	return ret;
}

const char *kmemtrace_cache_name(const struct kmemtrace_trace *trace, uint32_t cache)
{
	const struct caches *caches = &trace->t.ledger.caches;

	return cache != NO_CACHE && cache < caches->nr ? caches->list[cache].name : NULL;
}
