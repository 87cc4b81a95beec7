/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How allocations are grouped: the dimensions, and the keys of groups.
 */
#ifndef KMEMTRACE_GROUPING_H
#define KMEMTRACE_GROUPING_H

#include "common/intern.h"
#include "relations/relation.h"

/*
 * The properties of allocations, by which they can be grouped, and their names. A column that several
 * of them can give comes from the first one that a relation is grouped by.
 */
#define DIMS(DIM)									\
	DIM(SITE, "site") DIM(LINE, "line") DIM(FUNCTION, "function") DIM(PATH, "path")	\
	DIM(STACK, "stack") DIM(MODULE, "module") DIM(FILE, "file") DIM(DIR, "dir")	\
	DIM(TASK, "task") DIM(PROCESS, "process") DIM(CGROUP, "cgroup")			\
	DIM(TASK_NAME, "task_name") DIM(REMOVED, "is_removed")				\
	DIM(CACHE, "cache") DIM(SIZE, "size") DIM(REQUEST, "request")			\
	DIM(GFP, "gfp_flags") DIM(ORDER, "order") DIM(MOBILITY, "migratetype")		\
	DIM(OLDER, "is_older")

/**
 * enum dim - a property of allocations
 */
#define DIM_NUMBER(id, name)	DIM_##id,
enum dim {
	DIMS(DIM_NUMBER)
	/* Groups by allocator alone. */
	DIM_NONE,
	NR_DIMS
};

#define DIM_BIT(dim)	(1U << (dim))

/* Those whose values are texts or lists of addresses: the key of a group is the number of these. */
#define INTERNED	(DIM_BIT(DIM_LINE) | DIM_BIT(DIM_FUNCTION) | DIM_BIT(DIM_PATH) | DIM_BIT(DIM_STACK) | \
			 DIM_BIT(DIM_MODULE) | DIM_BIT(DIM_FILE) | DIM_BIT(DIM_DIR) | \
			 DIM_BIT(DIM_TASK_NAME))

/* A group has no more dimensions than this. */
#define MAX_KEYS	8

/**
 * struct example - a call site or a call path of a group
 * @site: the call site
 * @path: the call path
 */
struct example {
	uint64_t site;
	uint32_t path;
};

/**
 * struct grouping - how allocations are grouped
 * @chosen: bits of enum dim
 * @dims: the dimensions
 * @nr: how many
 * @key_of: by enum dim: which of the keys
 * @interned: by enum dim: what makes a group, where that is no number
 * @examples: by enum dim and number of @interned
 * @rows: the keys of the rows, by number of the row, while groups are being made
 * @texts: dimensions with call sites
 * @numbers: what they are in @interned, by number of @texts
 * @wholes: the keys of the groups of a sample, which have all of their parts
 * @members: keys of groups with a task or cgroup of theirs, each of which was counted
 * @group_of: of suspects, by number of the kind, the number of its group
 * @suspicions: what suspects_judge() returned, or NULL
 */
struct grouping {
	unsigned int chosen;
	enum dim dims[MAX_KEYS];
	size_t nr;
	unsigned int key_of[NR_DIMS];
	struct intern interned[NR_DIMS];
	struct example *examples[NR_DIMS];
	struct intern rows, texts, wholes, members;
	uint64_t *numbers;
	uint32_t *group_of;
	struct suspicion *suspicions;
};

/* A step of requested sizes: its largest one, and the logarithm of how many it has. */
#define WIDTH_BITS	6

static inline uint64_t step_of(const struct kmemtrace_kind *kind)
{
	return !kind->min_req ? 0 : kind->max_req << WIDTH_BITS |
	       (unsigned int)__builtin_ctzll(kind->max_req - kind->min_req + 1);
}

static inline uint64_t step_max(uint64_t step)
{
	return step >> WIDTH_BITS;
}

static inline uint64_t step_min(uint64_t step)
{
	return step_max(step) - (UINT64_C(1) << (step & ((1 << WIDTH_BITS) - 1))) + 1;
}

uint64_t grouping_key(struct kmemtrace_relation *r, enum dim dim, const struct kmemtrace_kind *kind);
int grouping_sort(struct kmemtrace_relation *r, enum dim dim, uint32_t **numbers);
struct grouping *grouping_new(struct kmemtrace_relation *r, const char *group_by, char **problem);
void grouping_free(struct grouping *grouping);
bool grouping_has_column(const struct kmemtrace_relation *r, const struct column *column);
bool grouping_is_by(const struct kmemtrace_relation *r, const struct column *column);
bool grouping_is_by_default(const struct relation *relation, const struct column *column);
bool grouping_may_have_column(const struct relation *relation, const struct column *column);

#endif /* KMEMTRACE_GROUPING_H */
