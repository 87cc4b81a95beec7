// SPDX-License-Identifier: GPL-2.0
/*
 * relations.c - the table of relations
 */
#include "config.h"

#include "relations/relation.h"

static const struct relation_list * const files[] = {
	&trace_relations, &address_relations, &cpu_relations, &time_relations, &finding_relations,
	&counter_relations, &ram_relations, &group_relations, &span_relations, &percentile_relations,
	&object_relations, &reference_relations,
};

/* Return relation @i, or NULL. */
const struct relation *relation_at(size_t i)
{
	size_t file;

	for (file = 0; file < sizeof(files) / sizeof(*files); i -= files[file++]->nr)
		if (i < files[file]->nr)
			return &files[file]->list[i];
	return NULL;
}
