// SPDX-License-Identifier: GPL-2.0
/*
 * references.c - relations of references to counted objects
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/api-who.h"
#include "common/number.h"
#include "common/text.h"
#include "ledger/references.h"
#include "relations/columns.h"

static const struct references *references_of(const struct kmemtrace_relation *r)
{
	return &r->trace->t.ledger.references;
}

static void write_kind(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)
{
	text_print(references_of(r)->kinds.list[identity].bytes, out);
}

/* ---- by call path ---- */

/**
 * struct reference_row - the references that a call path takes or drops
 * @site: its call site
 * @kind: number of the kind
 * @path: index of the call path
 * @gets: references that it took
 * @puts: references that it dropped
 * @objects: objects to which it took some
 * @held: of @gets, those that nothing dropped
 * @held_objects: objects to which these are
 * @since: when the first of them was taken
 * @rank: how many rows of its kind precede it
 */
struct reference_row {
	uint64_t site, kind;
	uint32_t path;
	uint64_t gets, puts, objects, held, held_objects;
	int64_t since;
	uint32_t rank;
};

static int add_held(void *arg, const struct held_references *held)
{
	struct reference_row *row = (struct reference_row *)arg + held->path;

	if (!row->held || held->since < row->since)
		row->since = held->since;
	row->held += held->nr;
	row->held_objects++;
	return 0;
}

/* Return what a row weighs: what is held, by the part of what was taken. */
static double weight_of(const struct reference_row *row)
{
	return row->gets ? (double)row->held * row->held / row->gets : 0;
}

static int by_kind_and_weight(const void *a, const void *b)
{
	const struct reference_row *x = a, *y = b;
	const double wx = weight_of(x), wy = weight_of(y);

	return compare_u64(x->kind, y->kind) ?: (wx < wy) - (wx > wy) ?:
	       compare_u64(y->gets, x->gets) ?: compare_u64(y->puts, x->puts) ?:
	       compare_u64(x->site, y->site) ?: compare_u64(x->path, y->path);
}

static int fill_references(struct kmemtrace_relation *r)
{
	const struct references *refs = references_of(r);
	struct reference_row *rows = calloc(refs->nr_paths + 1, sizeof(*rows));
	uint32_t i;
	int ret;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < refs->nr_paths; i++) {
		const struct reference_path *p = &refs->paths[i];

		rows[i] = (struct reference_row) {
			.site = p->site, .kind = p->kind, .path = p->path,
			.gets = p->gets, .puts = p->puts, .objects = p->objects,
		};
	}
	ret = references_each_held(refs, &r->trace->t.ledger.who, add_held, rows);
	qsort(rows, refs->nr_paths, sizeof(*rows), by_kind_and_weight);
	for (i = 0; !ret && i < refs->nr_paths; i++) {
		if (i && rows[i].kind == rows[i - 1].kind)
			rows[i].rank = rows[i - 1].rank + 1;
		ret = relation_add(r, &rows[i]);
	}
	free(rows);
	return ret;
}

/* The first rows of all kinds come first. */
static int compare_references(const void *a, const void *b)
{
	const struct reference_row *x = a, *y = b;

	return compare_u64(x->rank, y->rank) ?: compare_u64(x->kind, y->kind);
}

#define KIND(type)								\
	COLUMN("kind", "kind", TEXT, NO_UNIT, MEMBER(type, kind),		\
	       "kind of the objects, as given to kmemtraced --with refs=KIND", KEY,	\
	       .print = write_kind)

#define OF_PATH(type)								\
	SITE("", type, site, "that takes or drops them"),			\
	COLUMN("path", "call path", TEXT, NO_UNIT, PATH_AT(type, path),		\
	       "call sites of the call path, the innermost first", MAYBE, .print = write_path),	\
	COLUMN("frames", "frames", TEXT, NO_UNIT, PATH_AT(type, path),		\
	       FRAMES_HELP, MAYBE, .print = write_path_addresses),	\
	COLUMN("path_id", "id", NUMBER, NO_UNIT, MEMBER(type, path),		\
	       "number of the call path in the trace; 0: unknown", KEY)

static const struct column reference_columns[] = {
	KIND(struct reference_row),
	OF_PATH(struct reference_row),
	COLUMN("gets", "taken", NUMBER, COUNT, MEMBER(struct reference_row, gets),
	       "references that the call path took"),
	COLUMN("puts", "dropped", NUMBER, COUNT, MEMBER(struct reference_row, puts),
	       "references that it dropped, of whatever call path"),
	COLUMN("objects", "objects", NUMBER, COUNT, MEMBER(struct reference_row, objects),
	       "objects to which it took references"),
	COLUMN("held", "held", NUMBER, COUNT, MEMBER(struct reference_row, held),
	       "references that it took and nothing dropped, see kmemtrace-report(1)"),
	COLUMN("held_objects", "held objects", NUMBER, COUNT,
	       MEMBER(struct reference_row, held_objects), "objects to which these are"),
	COLUMN("since_ns", "since", SIGNED, TIME, TIME_IF(struct reference_row, since),
	       "when the first of these was taken", MAYBE),
};

/* ---- by object ---- */

/**
 * struct held_row - references to an object that a call path took, and nothing dropped
 * @ptr: the object
 * @site: the call site
 * @kind: number of the kind
 * @path: index of the call path
 * @nr: how many
 * @since: when the first one was taken
 */
struct held_row {
	uint64_t ptr, site, kind;
	uint32_t path;
	uint64_t nr;
	int64_t since;
};

static int add_held_row(void *arg, const struct held_references *held)
{
	struct kmemtrace_relation *r = arg;
	const struct reference_path *p = &references_of(r)->paths[held->path];

	return relation_add(r, &(struct held_row) {
		.ptr = held->object->ptr, .site = p->site, .kind = p->kind, .path = p->path,
		.nr = held->nr, .since = held->since,
	});
}

static int fill_held(struct kmemtrace_relation *r)
{
	return references_each_held(references_of(r), &r->trace->t.ledger.who, add_held_row, r);
}

/* The oldest first. */
static int compare_held(const void *a, const void *b)
{
	const struct held_row *x = a, *y = b;

	return (x->since > y->since) - (x->since < y->since) ?: compare_u64(x->kind, y->kind) ?:
	       compare_u64(x->ptr, y->ptr) ?: compare_u64(x->site, y->site) ?:
	       compare_u64(x->path, y->path);
}

static const struct column held_columns[] = {
	KIND(struct held_row),
	COLUMN("object", "object", ADDRESS, NO_UNIT, MEMBER(struct held_row, ptr), "its address",
	       KEY),
	OF_PATH(struct held_row),
	COLUMN("held", "held", NUMBER, COUNT, MEMBER(struct held_row, nr),
	       "references that the call path took and nothing dropped"),
	COLUMN("since_ns", "since", SIGNED, TIME, TIME_AT(struct held_row, since),
	       "when the first of them was taken"),
};

/* ---- by kind ---- */

/**
 * struct kind_row - the references to objects of a kind
 * @kind: number of the kind
 * @gets: references that were taken
 * @puts: references that were dropped
 * @held: those that nothing dropped
 */
struct kind_row {
	uint64_t kind, gets, puts, held;
};

static int add_kind_held(void *arg, const struct held_references *held)
{
	((struct kind_row *)arg)[held->object->kind].held += held->nr;
	return 0;
}

static int fill_kinds(struct kmemtrace_relation *r)
{
	const struct references *refs = references_of(r);
	struct kind_row *rows = calloc(refs->kinds.nr + 1, sizeof(*rows));
	uint32_t i;
	int ret;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < refs->nr_paths; i++) {
		rows[refs->paths[i].kind].gets += refs->paths[i].gets;
		rows[refs->paths[i].kind].puts += refs->paths[i].puts;
	}
	ret = references_each_held(refs, &r->trace->t.ledger.who, add_kind_held, rows);
	for (i = 0; !ret && i < refs->kinds.nr; i++) {
		rows[i].kind = i;
		ret = relation_add(r, &rows[i]);
	}
	free(rows);
	return ret;
}

static int compare_kinds(const void *a, const void *b)
{
	return compare_u64(((const struct kind_row *)a)->kind, ((const struct kind_row *)b)->kind);
}

static const struct column kind_columns[] = {
	KIND(struct kind_row),
	COLUMN("gets", "taken", NUMBER, COUNT, MEMBER(struct kind_row, gets),
	       "references that were taken"),
	COLUMN("puts", "dropped", NUMBER, COUNT, MEMBER(struct kind_row, puts),
	       "references that were dropped"),
	COLUMN("held", "held", NUMBER, COUNT, MEMBER(struct kind_row, held),
	       "references that were taken and not dropped"),
};

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(INFO("reference_kinds", "References to counted objects by kind."),
	     kind_columns, struct kind_row, fill_kinds, compare_kinds),
	LIST(INFO("references", "References to counted objects by call path."),
	     reference_columns, struct reference_row, fill_references, compare_references),
	LIST(INFO("held_references", "References that are held at the end, by object and call path."),
	     held_columns, struct held_row, fill_held, compare_held),
};

RELATIONS(reference_relations, list);
