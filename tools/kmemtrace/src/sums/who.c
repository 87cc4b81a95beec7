// SPDX-License-Identifier: GPL-2.0
/*
 * who.c - call paths, tasks and memory cgroups, from their records
 *
 * The record of a call path or of a cgroup may come after the first event with its number,
 * or be lost. Such an event adds an entry without a name.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"
#include "sums/who.h"

static_assert(sizeof(struct task) == 40 && sizeof(struct party) == 8, "no padding: they are keys");

/**
 * struct path_key - what tells call paths apart
 * @number: as in struct path
 * @generation: as in struct path
 */
struct path_key {
	uint32_t number, generation;
};

/*
 * Make room for entry @nr of a list, and add it to @lookup. Return the list, which may have
 * moved; NULL without memory.
 */
static void *add_to_list(struct who *w, void *list, uint32_t nr, size_t size, struct lookup *lookup,
			 const struct lookup_place *place)
{
	void *new = context_grow_list(w->ctx, list, nr, size);

	/* A list that moved is the caller's before anything else fails. */
	if (new && !lookup_add(lookup, place, nr))
		context_fail(w->ctx, -ENOMEM);
	return new;
}

/* ---- call paths ---- */

static uint32_t find_path(struct who *w, const struct path_key *key)
{
	struct lookup_place place = lookup_begin(&w->path_numbers, key, sizeof(*key));
	struct path *list;
	uint32_t i;

	while ((i = lookup_next(&w->path_numbers, &place)) != LOOKUP_NONE)
		if (w->paths[i].number == key->number &&
		    w->paths[i].generation == key->generation)
			return i;
	list = add_to_list(w, w->paths, w->nr_paths, sizeof(*list), &w->path_numbers, &place);
	if (!list)
		return 0;
	w->paths = list;
	list[w->nr_paths] = (struct path) {
		.number = key->number, .generation = key->generation,
	};
	return w->nr_paths++;
}

/* Return the index of the call path with a number; 0 stands for an unknown one. */
uint32_t who_path_of(struct who *w, uint32_t number, uint32_t generation)
{
	return number ? find_path(w, &(struct path_key) { number, generation }) : 0;
}

/* The same of the number as it is now. */
uint32_t who_path(struct who *w, uint32_t number)
{
	return who_path_of(w, number, w->generation);
}

/**
 * who_module_site - find the call site whose module an allocation is counted for
 * @w: the call paths
 * @symbols: of the trace
 * @path: index of the call path
 * @site: the call site of the allocation
 *
 * A module often calls a function of the kernel that allocates.
 *
 * Return: the innermost call site of the path that is in a module; @site: there is none.
 */
uint64_t who_module_site(const struct who *w, const struct symbols *symbols, uint32_t path,
			 uint64_t site)
{
	const struct path *p = &w->paths[path];
	struct symbol_ref ref;
	unsigned int i;

	for (i = 0; i < p->depth; i++) {
		symbols_find(symbols, p->frames[i], &ref);
		if (ref.module)
			return p->frames[i];
	}
	return site;
}

/* Keep the frames of a call path, unless it has some. */
static bool take_call_path(struct who *w, const struct record *rec, unsigned int cpu)
{
	const struct kmemtrace_stack *stack = (const void *)rec->ev;
	struct path *path;
	uint64_t *frames;
	uint32_t i;
	int frame;

	(void)cpu;
	if (stack->depth < 1 || stack->depth > KMEMTRACE_MAX_FRAMES || !stack->stack ||
	    stack->stack > KMEMTRACE_WHO_STACK ||
	    (size_t)stack->depth > rec->tail_size / sizeof(*frames))
		return false;
	i = who_path(w, stack->stack);
	path = &w->paths[i];
	if (!i || path->is_named)
		return true;
	frames = context_calloc(w->ctx, stack->depth, sizeof(*frames));
	if (!frames)
		return true;
	for (frame = 0; frame < stack->depth; frame++)
		frames[frame] = record_word(rec, frame);
	path->is_named = true;
	path->is_cut = stack->is_cut;
	path->depth = stack->depth;
	path->frames = frames;
	return true;
}

/* ---- tasks ---- */

/* Return the index of a task, whose name is filled up by zeros. */
uint32_t who_task(struct who *w, const struct task *task)
{
	struct lookup_place place = lookup_begin(&w->task_keys, task, sizeof(*task));
	struct task *list;
	uint32_t i;

	while ((i = lookup_next(&w->task_keys, &place)) != LOOKUP_NONE)
		if (!memcmp(&w->tasks[i], task, sizeof(*task)))
			return i;
	list = add_to_list(w, w->tasks, w->nr_tasks, sizeof(*list), &w->task_keys, &place);
	if (!list)
		return TASK_UNKNOWN;
	w->tasks = list;
	list[w->nr_tasks] = *task;
	return w->nr_tasks++;
}

/* Return what is known of a CPU; NULL without memory. */
static struct who_cpu *cpu_of_who(struct who *w, unsigned int cpu)
{
	uint32_t nr = w->nr_cpus, new = cpu < 2 * nr ? 2 * nr : cpu + 1;
	struct who_cpu *list;

	if (cpu < nr)
		return &w->cpus[cpu];
	if (cpu > MAX_CPU)
		return NULL;
	list = context_realloc(w->ctx, w->cpus, new, sizeof(*list));
	if (!list)
		return NULL;
	memset(list + nr, 0, (new - nr) * sizeof(*list));
	w->cpus = list;
	w->nr_cpus = new;
	return &list[cpu];
}

static bool take_task_record(struct who *w, const struct record *rec, unsigned int cpu)
{
	const struct kmemtrace_task *from = (const void *)rec->ev;
	struct task task = { .tgid = from->tgid, .start = from->start, .pid = from->pid };
	struct who_cpu *current;

	if (rec->tail_size < sizeof(task.comm) || from->pid < 0 || from->tgid > INT32_MAX)
		return false;
	memcpy(task.comm, rec->tail, strnlen((const char *)rec->tail, sizeof(task.comm) - 1));
	current = cpu_of_who(w, cpu);
	if (current)
		current->task = who_task(w, &task);
	return true;
}

/**
 * who_clock - take the begin of a sub-buffer
 * @w: who allocates
 * @clock: its clock
 * @cpu: CPU of the stream
 *
 * The numbers of call paths mean something else once tracing is switched on again.
 */
void who_clock(struct who *w, const struct kmemtrace_clock *clock, unsigned int cpu)
{
	struct who_cpu *c = cpu_of_who(w, cpu);

	if (!c)
		return;
	if (!clock->sequence && c->has_clock && ++c->restarts > w->generation)
		w->generation = c->restarts;
	c->has_clock = true;
}

/* ---- cgroups ---- */

/* Return the index of the cgroup with a number; 0 stands for none. */
uint32_t who_cgroup(struct who *w, uint64_t number)
{
	struct lookup_place place;
	struct cgroup *list;
	uint32_t i;

	if (!number)
		return NO_CGROUP;
	place = lookup_begin(&w->cgroup_numbers, &number, sizeof(number));
	while ((i = lookup_next(&w->cgroup_numbers, &place)) != LOOKUP_NONE)
		if (w->cgroups[i].number == number)
			return i;
	list = add_to_list(w, w->cgroups, w->nr_cgroups, sizeof(*list), &w->cgroup_numbers, &place);
	if (!list)
		return NO_CGROUP;
	w->cgroups = list;
	list[w->nr_cgroups] = (struct cgroup) { .number = number, .removed = INT64_MIN };
	return w->nr_cgroups++;
}

/* Keep the path of a cgroup. A cgroup that is renamed has its last name. */
static void set_path(struct who *w, struct cgroup *cgroup, const struct record *rec)
{
	char *path;

	if (!rec->tail_size || !*rec->tail)
		return;
	path = strndup((const char *)rec->tail, rec->tail_size);
	if (!path) {
		context_fail(w->ctx, -ENOMEM);
		return;
	}
	context_cut(w->ctx, path, MAX_KERNEL_NAME);
	free(cgroup->path);
	cgroup->path = path;
}

static bool take_cgroup(struct who *w, const struct record *rec, unsigned int cpu)
{
	const struct kmemtrace_cgroup *from = (const void *)rec->ev;
	struct cgroup *cgroup;
	uint32_t i;

	(void)cpu;
	if (!from->cgroup || from->op > KMEMTRACE_CGROUP_RELEASED)
		return false;
	i = who_cgroup(w, from->cgroup);
	if (i == NO_CGROUP)
		return true;
	cgroup = &w->cgroups[i];
	cgroup->parent = from->parent;
	cgroup->is_removed |= from->is_removed || from->op >= KMEMTRACE_CGROUP_REMOVED;
	cgroup->is_released |= from->op == KMEMTRACE_CGROUP_RELEASED;
	if (from->op == KMEMTRACE_CGROUP_REMOVED)
		cgroup->removed = rec->time;
	set_path(w, cgroup, rec);
	return true;
}

/* ---- all of them ---- */

/* Return the index of a party. */
uint32_t who_party(struct who *w, uint32_t task, uint32_t cgroup)
{
	const struct party party = { task, cgroup };
	struct lookup_place place;
	struct party *list;
	uint32_t i;

	if (!task && !cgroup)
		return 0;
	place = lookup_begin(&w->party_keys, &party, sizeof(party));
	while ((i = lookup_next(&w->party_keys, &place)) != LOOKUP_NONE)
		if (w->parties[i].task == task && w->parties[i].cgroup == cgroup)
			return i;
	list = add_to_list(w, w->parties, w->nr_parties, sizeof(*list), &w->party_keys, &place);
	if (!list)
		return 0;
	w->parties = list;
	list[w->nr_parties] = party;
	return w->nr_parties++;
}

/* Return whether a task is one of kmemtrace itself, by its index. */
bool who_task_is_own(const struct who *w, uint32_t task)
{
	return task == TASK_OWN ||
	       (task >= NR_NO_TASKS && kmemtrace_is_own_name(w->tasks[task].comm));
}

/* Return whether a task of kmemtrace itself allocated memory, by its who_key(). */
bool who_is_own(const struct who *w, uint64_t key)
{
	return who_task_is_own(w, w->parties[who_key_party(key)].task);
}

static bool (* const takers[])(struct who *w, const struct record *rec, unsigned int cpu) = {
	[KMEMTRACE_EVENT_STACK] = take_call_path,
	[KMEMTRACE_EVENT_TASK] = take_task_record,
	[KMEMTRACE_EVENT_CGROUP] = take_cgroup,
};

/**
 * who_record - take a record
 * @w: who allocates
 * @rec: the record, for which who_takes() is true
 * @cpu: CPU of its stream
 *
 * Return: false if no kernel could have written it.
 */
bool who_record(struct who *w, const struct record *rec, unsigned int cpu)
{
	return takers[rec->ev->event_id](w, rec, cpu);
}

/* Begin with the entries that stand for nothing. Return 0 or -errno; then who_free() it, too. */
int who_init(struct who *w, struct context *ctx)
{
	*w = (struct who) {
		.ctx = ctx,
	};
	w->paths = context_calloc(ctx, 1, sizeof(*w->paths));
	/* The lists grow when the number of their entries is a power of two. */
	w->tasks = context_calloc(ctx, NR_NO_TASKS + 1, sizeof(*w->tasks));
	w->cgroups = context_calloc(ctx, 1, sizeof(*w->cgroups));
	w->parties = context_calloc(ctx, 1, sizeof(*w->parties));
	w->nr_paths = 1;
	w->nr_tasks = NR_NO_TASKS;
	w->nr_cgroups = 1;
	w->nr_parties = 1;
	return context_error(ctx);
}

/* Free all memory. */
void who_free(struct who *w)
{
	uint32_t i;

	for (i = 0; w->paths && i < w->nr_paths; i++)
		free(w->paths[i].frames);
	for (i = 0; w->cgroups && i < w->nr_cgroups; i++)
		free(w->cgroups[i].path);
	lookup_free(&w->path_numbers);
	lookup_free(&w->task_keys);
	lookup_free(&w->cgroup_numbers);
	lookup_free(&w->party_keys);
	free(w->paths);
	free(w->tasks);
	free(w->cgroups);
	free(w->parties);
	free(w->cpus);
	*w = (struct who) { .ctx = w->ctx };
}
