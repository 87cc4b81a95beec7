// SPDX-License-Identifier: GPL-2.0
/*
 * relations.c - the table of relations
 */
#include "config.h"

#include "relations/groups.h"
#include "relations/lists.h"
#include "relations/objects.h"
#include "relations/percentiles.h"
#include "relations/relation.h"
#include "relations/spans.h"

/* Return relation @i, or NULL. */
const struct relation *relation_at(size_t i)
{
	const struct {
		const struct relation *list;
		size_t nr;
	} rooms[] = {
		{ list_relations, nr_list_relations },
		{ group_relations, nr_group_relations },
		{ span_relations, nr_span_relations },
		{ percentile_relations, nr_percentile_relations },
		{ object_relations, nr_object_relations },
	};
	size_t room;

	for (room = 0; room < sizeof(rooms) / sizeof(*rooms); i -= rooms[room++].nr)
		if (i < rooms[room].nr)
			return &rooms[room].list[i];
	return NULL;
}
