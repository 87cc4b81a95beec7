// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - what kmemtrace-top shows
 *
 * Once a second the sums of each call site and cache are taken over from the library. Rows
 * are sums of these pairs: another grouping needs nothing else, and the mark serves all.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/hash.h"
#include "common/text.h"
#include "report/groups.h"
#include "top/pairs.h"
#include "top/model.h"

/* Finding the oldest memory visits all live objects: it may take one in so many seconds. */
#define OLDEST_PART	100

/* So many bytes that wait for a late CPU are worth a word. */
#define MANY_WAIT	(1024 * 1024)

/* The groupings by call site have the names and functions of kmemtrace-report. */
const struct top_group top_groups[] = {
	{ "site", "call sites", "call site", .needs_source = false },
	{ "function", "functions", "function", .needs_source = false },
	{ "cache", "slab caches", "cache", .is_of_slab = true },
	{ "module", "modules", "module", .needs_source = false },
	{ "dir", "directories", "directory", .needs_source = true },
	{ "file", "files", "file", .needs_source = true },
	{ "task", "tasks", "task", .with = KMEMTRACE_WITH_TASK },
	{ "cgroup", "memory cgroups", "cgroup", .with = KMEMTRACE_WITH_CGROUP },
};

const unsigned int top_nr_groups = sizeof(top_groups) / sizeof(*top_groups);

static_assert(sizeof(top_groups) / sizeof(*top_groups) <= PAIR_NAMES, "struct pair");

const char * const top_spaces[KMEMTRACE_NR_SPACES] = { "slab", "pages", "percpu", "vmalloc" };

/* ---- orders ---- */

static int by_name(const struct top_row *x, const struct top_row *y)
{
	return strcmp(x->name, y->name);
}

/* Define a comparison: the largest value first, then by name. */
#define COMPARE(member)								\
static int compare_##member(const void *a, const void *b)			\
{										\
	const struct top_row *x = a, *y = b;					\
										\
	if (x->member != y->member)						\
		return x->member < y->member ? 1 : -1;				\
	return by_name(x, y);							\
}

COMPARE(live)
COMPARE(objects)
COMPARE(change)
COMPARE(rate)
COMPARE(allocs)
COMPARE(waste)

/* An unknown age is the smallest. */
static int compare_age(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->age + 1 != y->age + 1)
		return x->age + 1 < y->age + 1 ? 1 : -1;
	return by_name(x, y);
}

static int compare_name(const void *a, const void *b)
{
	return by_name(a, b);
}

const struct top_sort top_sorts[] = {
	{ "live", compare_live },
	{ "objects", compare_objects },
	{ "change", compare_change },
	{ "rate", compare_rate },
	{ "allocs", compare_allocs },
	{ "oldest", compare_age },
	{ "waste", compare_waste },
	{ "name", compare_name },
};

const unsigned int top_nr_sorts = sizeof(top_sorts) / sizeof(*top_sorts);

/* Return the index of a grouping with this name, or -1. */
int top_find_group(const char *name)
{
	unsigned int i;

	for (i = 0; i < top_nr_groups; i++)
		if (!strcmp(top_groups[i].name, name))
			return i;
	return -1;
}

/* Return the index of an order with this name, or -1. */
int top_find_sort(const char *name)
{
	unsigned int i;

	for (i = 0; i < top_nr_sorts; i++)
		if (!strcmp(top_sorts[i].name, name))
			return i;
	return -1;
}

/* ---- names ---- */

/**
 * struct names - the names of one grouping, each once
 * @list: the names
 * @nr: entries of @list
 * @slots: a hash of indices plus one; 0: none
 * @bits: it has 2^bits slots, half of which stay empty
 */
struct names {
	char **list;
	size_t nr;
	uint32_t *slots;
	unsigned int bits;
};

/**
 * struct top_pairs - the memory behind the model
 * @spaces: pairs by allocator
 * @names: by grouping; @names of struct pair are indices plus one
 * @known: how many symbols and names of caches the trace had when rows got names
 * @seed: of the hashes
 * @frees: frees of each allocator at the last update
 * @allocs: allocations of each allocator at the last update
 * @marked: live bytes of each allocator at the mark
 * @last: time of the last record at the last update
 * @oldest_at: when to find the oldest memory again
 * @oldest_of: the allocator whose oldest memory was found last; -1: none
 */
struct top_pairs {
	struct pairs spaces[KMEMTRACE_NR_SPACES];
	struct names names[PAIR_NAMES];
	size_t known;
	uint64_t seed;
	uint64_t frees[KMEMTRACE_NR_SPACES], allocs[KMEMTRACE_NR_SPACES];
	uint64_t marked[KMEMTRACE_NR_SPACES];
	int64_t last;
	uint64_t oldest_at;
	int oldest_of;
};

static size_t slot_of(const struct names *n, uint64_t seed, const char *name)
{
	size_t mask = ((size_t)1 << n->bits) - 1;
	size_t slot = hash_text(seed, name, strlen(name)) & mask;

	while (n->slots[slot] && strcmp(n->list[n->slots[slot] - 1], name))
		slot = (slot + 1) & mask;
	return slot;
}

static int grow_slots(struct names *n, uint64_t seed)
{
	unsigned int bits = n->bits ? n->bits + 1 : 8;
	uint32_t *slots = calloc((size_t)1 << bits, sizeof(*slots));
	size_t i;

	if (!slots)
		return -ENOMEM;
	free(n->slots);
	n->slots = slots;
	n->bits = bits;
	for (i = 0; i < n->nr; i++)
		n->slots[slot_of(n, seed, n->list[i])] = i + 1;
	return 0;
}

/* Find or add a name, which it takes. Return its index plus one; 0: no memory. */
static uint32_t keep_name(struct names *n, uint64_t seed, char *name)
{
	char **list;
	size_t slot;

	if (!name || ((!n->bits || n->nr >= (size_t)1 << (n->bits - 1)) && grow_slots(n, seed))) {
		free(name);
		return 0;
	}
	slot = slot_of(n, seed, name);
	if (n->slots[slot]) {
		free(name);
		return n->slots[slot];
	}
	list = reallocarray(n->list, n->nr + 1, sizeof(*list));
	if (!list) {
		free(name);
		return 0;
	}
	n->list = list;
	list[n->nr++] = name;
	n->slots[slot] = n->nr;
	return n->nr;
}

static void free_names(struct names *n)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		free(n->list[i]);
	free(n->list);
	free(n->slots);
	*n = (struct names) { .nr = 0 };
}

/* Return how many symbols and names of caches and cgroups the trace has. */
static size_t count_names(const struct kmemtrace_trace *trace)
{
	size_t i, nr = kmemtrace_get_summary(trace)->symbols;
	const struct kmemtrace_memory_cgroup *cgroup;
	const struct kmemtrace_slab_cache *cache;

	for (i = 0; (cache = kmemtrace_get_cache(trace, i)); i++)
		nr += !!cache->name;
	for (i = 0; (cgroup = kmemtrace_get_cgroup(trace, i)); i++)
		nr += !!cgroup->path;
	return nr;
}

/* Forget all names: the trace has others now. */
static void forget_names(struct top_pairs *c)
{
	size_t i;
	int space;

	for (i = 0; i < PAIR_NAMES; i++)
		free_names(&c->names[i]);
	for (space = 0; space < KMEMTRACE_NR_SPACES; space++)
		for (i = 0; i < c->spaces[space].nr; i++)
			memset(c->spaces[space].list[i].names, 0,
			       sizeof(c->spaces[space].list[i].names));
}

static void print_cache(const struct kmemtrace_trace *trace, uint64_t i, FILE *out)
{
	const struct kmemtrace_slab_cache *cache = kmemtrace_get_cache(trace, i);
	char name[TOP_MAX_TEXT];

	if (cache && cache->name)
		fputs(text_printable(name, sizeof(name), cache->name), out);
	else
		fputs(i ? "(no name)" : "(none)", out);
}

/* Print the name that a pair has in a grouping. */
static void print_pair(const struct top *top, const struct kmemtrace_trace *trace,
		       const struct pair *pair, unsigned int group, FILE *out)
{
	const struct top_group *g = &top_groups[group];
	const struct report r = { .trace = trace, .source = top->source };
	const struct group_key *key;
	struct site site;

	if (g->is_of_slab) {
		print_cache(trace, pair_cache(pair), out);
		return;
	}
	key = group_key_find(g->name);
	if (g->with) {
		key->print_who(&r, (uint64_t[2]) { g->with == KMEMTRACE_WITH_TASK ?
				   pair_task(pair) : pair_cgroup(pair) }, out);
	} else if (key->print) {
		site = site_find(&r, pair->site);
		key->print(&site, out);
	} else {
		print_site(&r, pair->site, out);
	}
}

/* Return the name of a pair as an index plus one; 0: no memory. */
static uint32_t name_of(struct top *top, const struct kmemtrace_trace *trace,
			struct pair *pair, unsigned int group)
{
	struct top_pairs *c = top->pairs;
	char *name = NULL;
	size_t size;
	FILE *out;

	if (pair->names[group])
		return pair->names[group];
	out = open_memstream(&name, &size);
	if (out)
		print_pair(top, trace, pair, group, out);
	if (!out || fclose(out))
		return 0;
	pair->names[group] = keep_name(&c->names[group], c->seed, name);
	return pair->names[group];
}

/* ---- rows ---- */

bool top_can_group(const struct top *top, unsigned int group)
{
	const struct top_group *g = &top_groups[group];

	return (!g->needs_source || top->source) && (!g->with || top->with & g->with) &&
	       (!g->is_of_slab || top->space == KMEMTRACE_SPACE_SLAB);
}

static double per_second(double change, uint64_t ns)
{
	return ns ? change * 1e9 / (double)ns : 0;
}

static void add_pair(struct top_row *row, const struct pair *pair, int64_t now, uint64_t ns)
{
	uint64_t age = now > pair->oldest ? (uint64_t)now - (uint64_t)pair->oldest : 0;

	row->live += pair->live;
	row->objects += pair->objects;
	row->waste += pair->waste;
	row->change += (int64_t)(pair->live - pair->marked);
	row->rate += per_second((double)(int64_t)(pair->live - pair->live_before), ns);
	row->allocs += per_second((double)(pair->allocs - pair->allocs_before), ns);
	if (pair->oldest != INT64_MAX && (row->age == NO_AGE || age > row->age))
		row->age = age;
}

/* Add up the pairs with the same name. Return 0 or -ENOMEM. */
static int add_up(struct top *top, const struct kmemtrace_trace *trace)
{
	struct top_pairs *c = top->pairs;
	struct pairs *pairs = &c->spaces[top->space];
	struct names *names = &c->names[top->group];
	size_t i, nr;
	uint32_t name;

	for (i = 0; i < pairs->nr; i++)
		if (!name_of(top, trace, &pairs->list[i], top->group))
			return -ENOMEM;
	free(top->rows);
	nr = names->nr;
	top->rows = calloc(nr + 1, sizeof(*top->rows));
	if (!top->rows)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		top->rows[i] = (struct top_row) { .name = NULL, .age = NO_AGE };
	for (i = 0; i < pairs->nr; i++) {
		name = pairs->list[i].names[top->group] - 1;
		top->rows[name].name = names->list[name];
		add_pair(&top->rows[name], &pairs->list[i], c->last, top->head.step);
	}
	top->nr_rows = nr;
	return 0;
}

/* Names are shared by the allocators: leave out those of others, then those that don't match. */
static void filter(struct top *top)
{
	size_t i, nr = 0;

	top->nr_all = 0;
	for (i = 0; i < top->nr_rows; i++) {
		if (!top->rows[i].name)
			continue;
		top->nr_all++;
		if (!*top->filter || strcasestr(top->rows[i].name, top->filter))
			top->rows[nr++] = top->rows[i];
	}
	top->nr_rows = nr;
}

/**
 * top_arrange - make the rows anew, after another choice of the user
 * @top: the model, after top_take()
 * @trace: the trace as it was then
 *
 * Return: 0 or -errno.
 */
int top_arrange(struct top *top, const struct kmemtrace_trace *trace)
{
	int ret;

	if (!top_can_group(top, top->group))
		top->group = 0;
	ret = add_up(top, trace);
	if (ret)
		return ret;
	filter(top);
	qsort(top->rows, top->nr_rows, sizeof(*top->rows), top_sorts[top->sort].compare);
	return 0;
}

/* ---- the trace as a whole ---- */

static void take_fill(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const char *size = kmemtrace_metadata(trace, "subbuf_size");
	const char *nr = kmemtrace_metadata(trace, "n_subbufs");
	double all = size && nr ? strtod(size, NULL) * strtod(nr, NULL) : 0;
	const struct kmemtrace_cpu *cpu;
	const char *unread;
	char key[32];
	size_t i;

	head->has_fill = false;
	head->fill = 0;
	for (i = 0; all > 0 && (cpu = kmemtrace_get_cpu(trace, i)); i++) {
		snprintf(key, sizeof(key), "unread.cpu%u", cpu->cpu);
		unread = kmemtrace_metadata(trace, key);
		if (!unread)
			continue;
		if (!head->has_fill || strtod(unread, NULL) / all > head->fill) {
			head->fill = strtod(unread, NULL) / all;
			head->fullest = cpu->cpu;
		}
		head->has_fill = true;
	}
}

static void take_doubts(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const char *doubt = kmemtrace_doubt(trace, 0);

	text_printable(head->doubt, sizeof(head->doubt), doubt ? doubt : "");
	for (head->nr_doubts = 0; kmemtrace_doubt(trace, head->nr_doubts); )
		head->nr_doubts++;
}

static void take_kernel(struct top_head *head, const struct kmemtrace_trace *trace)
{
	const char *release = kmemtrace_metadata(trace, "kernel_release");
	const char *machine = kmemtrace_metadata(trace, "machine");
	char text[TOP_MAX_TEXT];

	snprintf(text, sizeof(text), "%s %s", release ? release : "unknown kernel",
		 machine ? machine : "");
	text_printable(head->kernel, sizeof(head->kernel), text);
}

static void take_head(struct top *top, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_summary *sum = kmemtrace_get_summary(trace);
	const struct kmemtrace_live *live = kmemtrace_get_live(trace);
	struct top_head *head = &top->head;

	head->step = top->pairs->last && sum->last > top->pairs->last ?
		     (uint64_t)sum->last - (uint64_t)top->pairs->last : 0;
	head->rate = per_second((double)(sum->events - head->events), head->step);
	head->events = sum->events;
	head->lost = sum->lost;
	head->time = (uint64_t)sum->last - (uint64_t)sum->first;
	head->state = TOP_RUNS;
	if (live && live->is_over)
		head->state = live->is_cut ? TOP_CUT : TOP_ENDED;
	head->waits_for = live && live->waiting > MANY_WAIT ? live->waits_for : -1;
	head->sample = kmemtrace_get_machine(trace)->sample;
	head->page_size = kmemtrace_get_machine(trace)->page_size;
	top->with = kmemtrace_get_with(trace);
	take_kernel(head, trace);
	take_doubts(head, trace);
	take_fill(head, trace);
	top->pairs->last = sum->last;
}

static void take_total(struct top *top, const struct kmemtrace_trace *trace, int space)
{
	const struct kmemtrace_space_info *info = kmemtrace_get_space(trace, space);
	const struct kmemtrace_row *row = kmemtrace_total(trace, space);
	struct top_total *t = &top->totals[space];
	struct top_pairs *c = top->pairs;
	uint64_t ns = top->head.step;

	t->rate = per_second((double)(int64_t)(row->live_bytes_alloc - t->live), ns);
	t->allocs = per_second((double)(row->allocs - c->allocs[space]), ns);
	t->frees = per_second((double)(info->free_calls - c->frees[space]), ns);
	t->is_used = info->is_used;
	t->live = row->live_bytes_alloc;
	t->objects = row->live;
	t->change = (int64_t)(t->live - c->marked[space]);
	t->waste = row->live_bytes_alloc > row->live_bytes_req ?
		   row->live_bytes_alloc - row->live_bytes_req : 0;
	t->failed = info->failed;
	c->allocs[space] = row->allocs;
	c->frees[space] = info->free_calls;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Find the oldest memory of the allocator that is shown, if there is time for it. */
static int find_oldest(struct top *top, const struct kmemtrace_trace *trace)
{
	struct top_pairs *c = top->pairs;
	uint64_t begin = now_ns(), end;
	int ret;

	if (c->oldest_of == (int)top->space && begin < c->oldest_at)
		return 0;
	ret = pairs_find_oldest(&c->spaces[top->space], trace, top->space);
	end = now_ns();
	c->oldest_of = top->space;
	c->oldest_at = end + OLDEST_PART * (end - begin);
	return ret;
}

/* ---- public interface ---- */

/* Make an empty model. Return 0 or -ENOMEM; top_close() it also after an error. */
int top_open(struct top *top)
{
	*top = (struct top) { .head.waits_for = -1 };
	top->pairs = calloc(1, sizeof(*top->pairs));
	if (!top->pairs)
		return -ENOMEM;
	top->pairs->seed = hash_seed();
	top->pairs->oldest_of = -1;
	return 0;
}

/* Return whether a second of the trace is over since the last top_take(), or there was none. */
bool top_is_second(const struct top *top, const struct kmemtrace_trace *trace)
{
	return top->head.state == TOP_EMPTY ||
	       kmemtrace_get_summary(trace)->last - top->pairs->last >= 1000000000;
}

/**
 * top_take - take over the state of a trace
 * @top: the model
 * @trace: the trace, after kmemtrace_update() returned 1
 *
 * The first state is the first mark, but not that of a trace which has ended: then changes count
 * from the beginning.
 *
 * Return: 0 or -errno.
 */
int top_take(struct top *top, const struct kmemtrace_trace *trace)
{
	struct top_pairs *c = top->pairs;
	bool is_first = top->head.state == TOP_EMPTY;
	int space, ret = 0;

	take_head(top, trace);
	if (count_names(trace) != c->known)
		forget_names(c);
	c->known = count_names(trace);
	for (space = 0; !ret && space < KMEMTRACE_NR_SPACES; space++) {
		ret = pairs_update(&c->spaces[space], trace, space);
		take_total(top, trace, space);
	}
	if (is_first && top->head.state == TOP_RUNS)
		top_mark(top);
	if (!ret)
		ret = find_oldest(top, trace);
	return ret ? ret : top_arrange(top, trace);
}

/* Let changes count from now on; top_arrange() shows them. */
void top_mark(struct top *top)
{
	int space;

	top->head.marked = top->head.time;
	for (space = 0; space < KMEMTRACE_NR_SPACES; space++) {
		pairs_mark(&top->pairs->spaces[space]);
		top->pairs->marked[space] = top->totals[space].live;
		top->totals[space].change = 0;
	}
}

void top_close(struct top *top)
{
	int i;

	free(top->rows);
	if (!top->pairs)
		return;
	for (i = 0; i < KMEMTRACE_NR_SPACES; i++)
		pairs_free(&top->pairs->spaces[i]);
	for (i = 0; i < PAIR_NAMES; i++)
		free_names(&top->pairs->names[i]);
	free(top->pairs);
}
