// SPDX-License-Identifier: GPL-2.0
/*
 * What grew over the traces of a chain. Of each trace, the live memory at its end is added up
 * by call site; the trace is closed before the next one is opened.
 */
#include "config.h"

#include <search.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "kmemtrace-records.h"
#include "report/groups.h"
#include "report/growth.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* ---- rows ---- */

static int by_grown_name(const void *a, const void *b)
{
	const struct growth_row *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_identity(const void *a, const void *b)
{
	const struct growth_row *x = a, *y = b;
	const int order = by_grown_name(x, y);

	return order ? order : (x->function > y->function) - (x->function < y->function);
}

static struct growth_row *add_row(struct growth *g, const struct growth_row *key)
{
	struct growth_row *row = must_calloc(1, sizeof(*row));

	if (g->nr == CARRY_NONE)
		out_of_memory();
	*row = *key;
	row->number = (uint32_t)g->nr;
	g->rows = must_grow_list(g->rows, g->nr, sizeof(*g->rows));
	g->rows[g->nr++] = row;
	if (!tsearch(row, &g->tree, by_identity))
		out_of_memory();
	return row;
}

/* Return the row with a name, of this function if it names one. It takes over @name. */
static struct growth_row *find_row(struct growth *g, int place, char *name,
				   const struct function *function)
{
	const struct growth_row key = { .name = name, .place = place, .function = function };
	struct growth_row **found = tfind(&key, &g->tree, by_identity);

	if (!found)
		return add_row(g, &key);
	free(name);
	return *found;
}

/**
 * struct naming - a name that is being printed
 * @name: the name, after end_name()
 * @size: bytes of it
 */
struct naming {
	char *name;
	size_t size;
};

static FILE *begin_name(struct naming *n)
{
	FILE *out = open_memstream(&n->name, &n->size);

	if (!out)
		out_of_memory();
	return out;
}

static char *end_name(struct naming *n, FILE *out)
{
	if (fclose(out))
		out_of_memory();
	return n->name;
}

/* ---- the live memory of a trace ---- */

/**
 * struct taking - the live memory of a trace is added up
 * @g: what grew
 * @r: the trace
 * @space: the allocator
 * @carry: the call sites of its older memory
 * @rows: row of each kind, or NULL
 * @nr_rows: entries of @rows
 */
struct taking {
	struct growth *g;
	struct report r;
	int space;
	struct carried_sites *carry;
	struct growth_row **rows;
	size_t nr_rows;
};

/* Return whether no call site is known, as of memory that is older than its trace. */
static bool is_nameless(const struct taking *t, const struct kmemtrace_object *o)
{
	return kmemtrace_site_note(t->r.trace, o->call_site);
}

static void print_nameless(const struct taking *t, const struct kmemtrace_object *o, FILE *out)
{
	fprintf(out, "(%s)", kmemtrace_site_note(t->r.trace, o->call_site));
	if (!o->cache)
		return;
	fprintf(out, ", cache ");
	text_print(o->cache, out);
}

/* Return the name of the row of an object, to be freed. */
static char *name_of(const struct taking *t, const struct kmemtrace_object *o)
{
	struct naming n;
	FILE *out;

	if (!is_nameless(t, o) && t->r.group->print)
		return group_name(&t->r, o->call_site);
	out = begin_name(&n);
	if (is_nameless(t, o))
		print_nameless(t, o, out);
	else
		print_site(&t->r, o->call_site, out);
	return end_name(&n, out);
}

static struct growth_row *find_row_of(const struct taking *t, const struct kmemtrace_object *o)
{
	char *name = name_of(t, o), *found;
	struct function *function = NULL;
	struct growth_row *row;

	/* Behind the name of a function is which one it is. That changes from trace to trace. */
	if (!is_nameless(t, o) && t->r.group->names_function)
		function = functions_find(&t->g->functions, t->r.trace, o->call_site);
	found = function && *function->which ? strstr(name, function->which) : NULL;
	if (found)
		memmove(found, found + strlen(function->which),
			strlen(found + strlen(function->which)) + 1);
	row = find_row(t->g, t->space, name, function);
	row->is_nameless = is_nameless(t, o);
	return row;
}

/* Return the row of an object by its kind: objects are many, kinds are few. */
static struct growth_row *row_of(struct taking *t, const struct kmemtrace_object *o)
{
	size_t nr = t->nr_rows;

	if (o->kind >= nr) {
		t->nr_rows = 2 * (size_t)o->kind + 1;
		t->rows = must_realloc(t->rows, t->nr_rows, sizeof(*t->rows));
		memset(t->rows + nr, 0, (t->nr_rows - nr) * sizeof(*t->rows));
	}
	if (!t->rows[o->kind])
		t->rows[o->kind] = find_row_of(t, o);
	return t->rows[o->kind];
}

/* Note that a row has live memory in this trace. */
static void add_live_row(struct growth *g, struct growth_row *row)
{
	if (row->is_live)
		return;
	row->is_live = true;
	g->live = must_grow_list(g->live, g->nr_live, sizeof(*g->live));
	g->live[g->nr_live++] = row;
}

/* Count @bytes of an object or of pages; of a sample, for all objects that it stands for. */
static void count(struct taking *t, struct growth_row *row, const struct kmemtrace_object *o,
		  uint64_t bytes)
{
	add_live_row(t->g, row);
	row->now.bytes += o->weight * bytes;
	row->now.objects += t->carry->page_size ? bytes / t->carry->page_size : o->weight;
}

/* Count memory at the call sites that earlier traces have for it. */
static void take_older(struct taking *t, const struct kmemtrace_object *o)
{
	uint64_t at = o->ptr, left = o->bytes_alloc, bytes;
	uint32_t site;

	for (; left; at += bytes, left -= bytes) {
		bytes = carry_find(t->carry, at, left, &site);
		if (site == CARRY_NONE) {
			row_of(t, o)->has_older = true;
			count(t, row_of(t, o), o, bytes);
			continue;
		}
		count(t, t->g->rows[site], o, bytes);
		carry_keep(t->carry, at, bytes, site);
	}
}

static int take_object(void *arg, const struct kmemtrace_object *o)
{
	struct taking *t = arg;
	struct growth_row *row;

	if (is_nameless(t, o)) {
		take_older(t, o);
		return 0;
	}
	row = row_of(t, o);
	row->has_older |= o->is_older;
	count(t, row, o, o->bytes_alloc);
	carry_keep(t->carry, o->ptr, o->bytes_alloc, row->number);
	return 0;
}

static int take_events(struct growth *g, struct kmemtrace_trace *trace)
{
	struct taking t = { .g = g, .r = *g->how };
	int i, ret = g->open_source ? g->open_source(&t.r.source, trace) : 0;

	if (ret)
		return ret;
	t.r.trace = trace;
	g->carried[KMEMTRACE_SPACE_PAGES].page_size = kmemtrace_get_machine(trace)->page_size;
	for (i = 0; i < NR_SPACES; i++) {
		t.space = i;
		t.carry = &g->carried[i];
		must_succeed(kmemtrace_each_live(trace, i, take_object, &t));
		carry_turn(t.carry);
	}
	free(t.rows);
	source_close(t.r.source);
	return 0;
}

/* ---- the counters of a trace ---- */

static char *name_of_counter(struct kmemtrace_relation *counter)
{
	struct naming n;
	FILE *out = begin_name(&n);

	print_counter_name(counter, " ", out);
	return end_name(&n, out);
}

static void take_counters(struct growth *g, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = "counters", .where = COUNTERS_OF_MEMORY,
	};
	struct kmemtrace_relation *counters = relation_open(trace, &query);
	struct growth_row *row;

	while (kmemtrace_relation_next(counters)) {
		row = find_row(g, has_cell(counters, "object_size") ? GROWTH_SLABINFO :
								      GROWTH_ALLOCINFO,
			       name_of_counter(counters), NULL);
		add_live_row(g, row);
		row->now.bytes += cell_number(counters, "value");
		row->now.objects += cell_number(counters, "count");
	}
	kmemtrace_relation_close(counters);
}

/* ---- the series ---- */

/*
 * Return the part of the time in which a trace begins: the first trace has the first part for
 * itself, the others have parts of the same length.
 */
static size_t slot_of(const struct growth *g, const struct link *link)
{
	const struct link *links = g->chain.links;
	double at = (double)((uint64_t)link->begin - (uint64_t)links[0].begin);
	double slot = 1 + at / ((double)g->length + 1) * (TREND_MAX - 1);

	return slot < TREND_MAX ? (size_t)slot : TREND_MAX - 1;
}

/* Add the time of a trace. Of too many traces, the last one of each part of the time stays. */
static void add_time_of(struct growth *g, const struct link *link)
{
	size_t slot = g->nr_times;

	if (g->nr_times && g->nr_links > TREND_MAX)
		slot = slot_of(g, link);
	if (!g->nr_times || slot > g->slot)
		g->nr_times++;
	g->slot = slot;
	g->times[g->nr_times - 1] = link->end;
}

static void end_row(const struct growth *g, struct growth_row *row)
{
	if (!g->nr_read)
		row->first = row->now;
	row->falls += row->now.bytes < row->last.bytes;
	row->last = row->now;
	row->bytes[g->nr_times - 1] = row->now.bytes;
	row->now = (struct growth_live) { 0 };
}

/*
 * End the rows that have live memory in this trace, or had in the one before. The other rows
 * have none: a chain may have many traces, each with rows of its own.
 */
static void end_live_rows(struct growth *g)
{
	size_t i, nr = 0;

	for (i = 0; i < g->nr_live; i++) {
		struct growth_row *row = g->live[i];

		end_row(g, row);
		row->is_live = row->last.bytes || row->last.objects;
		if (row->is_live)
			g->live[nr++] = row;
	}
	g->nr_live = nr;
}

/* The trace that was taken is the first one that knows older memory. */
static void set_base(struct growth *g)
{
	size_t i;

	g->has_base = true;
	g->base = g->nr_times - 1;
	for (i = 0; i < g->nr; i++) {
		g->rows[i]->base = g->rows[i]->last;
		g->rows[i]->base_falls = g->rows[i]->falls;
	}
}

static int take_trace(void *arg, const struct link *link, struct kmemtrace_trace *trace)
{
	struct growth *g = arg;
	int ret = 0;

	functions_next_trace(&g->functions);
	if (g->chain.has_events)
		ret = take_events(g, trace);
	else
		take_counters(g, trace);
	add_time_of(g, link);
	end_live_rows(g);
	if (link->knows_older && !g->has_base)
		set_base(g);
	g->nr_read++;
	return ret;
}

/* ---- the list ---- */

/* Let the values of a row begin with the first trace that has all of its memory. */
static void start(const struct growth *g, struct growth_row *row)
{
	if (!g->has_base || !row->has_older)
		return;
	row->start = g->base;
	row->first = row->base;
	row->falls -= row->base_falls;
}

static void fit_trend(const struct growth *g, struct growth_row *row)
{
	double hours[TREND_MAX];
	size_t i;

	for (i = 0; i < g->nr_times; i++)
		hours[i] = (double)((uint64_t)g->times[i] - (uint64_t)g->times[0]) / 3600e9;
	row->trend = trend_fit(hours + row->start, row->bytes + row->start,
			       g->nr_times - row->start);
	row->weight = row->trend.slope * (1 - row->trend.chance);
}

static int by_weight(const void *a, const void *b)
{
	const struct growth_row *x = *(struct growth_row *const *)a;
	const struct growth_row *y = *(struct growth_row *const *)b;
	uint64_t i = x->last.bytes - x->first.bytes, j = y->last.bytes - y->first.bytes;

	if (x->is_nameless != y->is_nameless)
		return x->is_nameless - y->is_nameless;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (i != j)
		return i > j ? -1 : 1;
	return by_grown_name(x, y);
}

/* Let the name of a row say which function it is of, as in the last trace that has it. */
static void name_function(struct growth_row *row)
{
	char *name;

	if (!row->function)
		return;
	if (asprintf(&name, "%s%s%s", row->name, row->function->which,
		     row->function->is_guess ? " (moved)" : "") < 0)
		out_of_memory();
	free(row->name);
	row->name = name;
}

static void list_rows(struct growth *g)
{
	size_t i;

	g->list = must_calloc(g->nr + 1, sizeof(struct growth_row *));
	for (i = 0; i < g->nr; i++) {
		struct growth_row *row = g->rows[i];
		bool is_larger;

		start(g, row);
		name_function(row);
		is_larger = row->last.bytes > row->first.bytes;
		g->shrank += row->falls > 0;
		g->grew += is_larger && !row->falls;
		if (!is_larger || (row->falls && !g->has_all))
			continue;
		fit_trend(g, row);
		g->list[g->nr_listed++] = row;
	}
	if (g->nr_listed)
		qsort(g->list, g->nr_listed, sizeof(struct growth_row *), by_weight);
}

/**
 * growth_read - read the traces of a chain
 * @g: result, to be freed with growth_free() also after an error
 * @how: how to group call sites, and how to show the result; must stay valid
 * @paths: directories of the traces; NULL is the last one
 * @has_all: list also what shrank at times
 * @open_source: opens the debug information of a trace; NULL: there is none
 *
 * Return: 0, or -errno after a message.
 */
int growth_read(struct growth *g, const struct report *how, char **paths, bool has_all,
		growth_source *open_source)
{
	struct chain *c = &g->chain;
	int ret;

	*g = (struct growth) { .how = how, .has_all = has_all, .open_source = open_source };
	ret = chain_open(c, paths);
	if (ret)
		return ret;
	g->nr_links = c->nr;
	g->length = (uint64_t)c->links[c->nr - 1].begin - (uint64_t)c->links[0].begin;
	ret = chain_read(c, take_trace, g);
	if (!ret)
		list_rows(g);
	return ret;
}

static void ignore_row(void *row)
{
	(void)row;
}

/* Free what growth_read() allocated. */
void growth_free(struct growth *g)
{
	size_t i;

	tdestroy(g->tree, ignore_row);
	functions_free(&g->functions);
	for (i = 0; i < NR_SPACES; i++)
		carry_free(&g->carried[i]);
	for (i = 0; i < g->nr; i++) {
		free(g->rows[i]->name);
		free(g->rows[i]);
	}
	free(g->rows);
	free(g->live);
	free(g->list);
	chain_close(&g->chain);
}
