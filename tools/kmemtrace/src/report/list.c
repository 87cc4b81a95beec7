// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of groups of call sites. In a tree, the groups below a group follow it.
 */
#include "config.h"

#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

/**
 * list_collect - group the call sites of an allocator as --group-by says
 * @list: result, to be freed with list_free()
 * @r: the report
 * @space: the allocator
 * @order: order of the groups
 */
void list_collect(struct list *list, const struct report *r, enum kmemtrace_space space,
		  const struct sort_key *order)
{
	*list = (struct list) { .r = r, .space = space };
	groups_collect(&list->g, r, space, r->group, order->order);
	list->limit = view_limit(r, list->g.nr);
}

/* Leave out the groups whose value is 0. */
void list_end(struct list *list, const struct sort_key *order)
{
	while (list->limit && !sort_value(order, &list->g.list[list->limit - 1]))
		list->limit--;
}

/* Print the name; in a tree, indented and without the name of the group above. */
static void print_name(const struct report *r, const struct kmemtrace_row *group,
		       int depth, FILE *out)
{
	fprintf(out, "  %*s", 2 * depth, "");
	if (!group->name)
		print_site(r, group->key, out);
	else
		fputs(group->name + (depth ? group_above(group->name) : 0), out);
	fputc('\n', out);
}

/* Print the groups below @above; "" for the top. */
static void print_below(const struct list *list, list_counters *counters,
			const char *above, int depth, FILE *out)
{
	const struct groups *g = &list->g;
	size_t i;

	for (i = 0; i < list->limit; i++) {
		if (!groups_have(g, i, above))
			continue;
		counters(list, &g->list[i], !i, out);
		print_name(list->r, &g->list[i], depth, out);
		if (g->key->is_tree)
			print_below(list, counters, g->list[i].name, depth + 1, out);
	}
}

/* Print a list. */
void list_text(const struct list *list, list_counters *counters, FILE *out)
{
	print_below(list, counters, "", 0, out);
}

/* Free what list_collect() allocated. */
void list_free(struct list *list)
{
	groups_free(&list->g);
}
