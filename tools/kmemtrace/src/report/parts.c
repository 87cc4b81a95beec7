// SPDX-License-Identifier: GPL-2.0
/*
 * parts.c - the relations of views
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "report/groups.h"
#include "report/parts.h"
#include "report/relations.h"

/* Conditions of a part are short. */
#define MAX_WHERE	128

/* Return the column that --sort stands for; NULL: the part has none. */
static const char *sort_column(const struct part *part, const char *figure)
{
	const struct sort_column *s;

	if (!(part->uses & USES_SORT))
		return NULL;
	for (s = part->sorts; s && s->figure; s++)
		if (!strcmp(s->figure, figure))
			return s->column;
	return s ? NULL : figure;
}

/* Return whether an option, with its value in the report, chooses rows of a part. */
bool part_uses(const struct part *part, unsigned int option, const struct report *r)
{
	return part->uses & option && (option != USES_SORT || sort_column(part, r->sort->name));
}

/* Return a part of the view that is being printed. */
const struct part *part_of(const struct report *r, const char *member)
{
	const struct part *part = r->parts;

	while (strcmp(part->member, member))
		part++;
	return part;
}

static const char *group_of(const struct report *r, const struct part *part)
{
	if (part->group_by && !r->is_grouped)
		return part->group_by;
	return part_uses(part, r->group->with ? USES_OWNER : USES_PLACE, r) ? r->group->name :
									       part->group_by;
}

/**
 * part_open - open the relation of a part, as the options want it
 * @r: the report
 * @part: the part
 * @where: which rows, beside those that the part leaves out, or NULL
 * @limit: how many rows, if --number says how many; 0: all
 *
 * Return: the relation.
 */
struct kmemtrace_relation *part_open(const struct report *r, const struct part *part,
				     const char *where, size_t limit)
{
	const char *sort = part->sort ?: sort_column(part, r->sort->name) ?:
			   sort_column(part, USUAL_SORT);
	char rows[MAX_WHERE];

	snprintf(rows, sizeof(rows), "%s%s%s", where ? where : "", where && part->where ? "," : "",
		 part->where ? part->where : "");
	return relation_of(r, part->relation, .where = rows, .group_by = group_of(r, part),
			   .sort = sort, .limit = part->uses & USES_NUMBER ? limit : 0);
}
