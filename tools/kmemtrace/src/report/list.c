// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of call sites, as rows of the report. Of a tree, what is in a group follows it.
 */
#include "config.h"

#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

/**
 * list_collect - group the call sites of a namespace, as -g has it
 * @list: result, to be list_free()d
 * @r: of this trace
 * @space: of this namespace
 * @order: largest first by this
 */
void list_collect(struct list *list, const struct report *r, enum space space,
		  const struct sort_key *order)
{
	*list = (struct list) { .r = r, .space = space };
	groups_collect(&list->g, r, space, r->group);
	groups_sort(&list->g, order);
	list->limit = view_limit(r, list->g.nr);
}

/* Show none that have nothing of what they are in order by. */
void list_end(struct list *list, const struct sort_key *order)
{
	while (list->limit && !order->value(&list->g.list[list->limit - 1].row))
		list->limit--;
}

/* One level of a tree is further in than the one above, which has named it. */
static void print_name(const struct report *r, const struct group *group,
		       int depth, FILE *out)
{
	fprintf(out, "  %*s", 2 * depth, "");
	if (!group->name)
		print_site(r, group->row.key, out);
	else
		fputs(group->name + (depth ? group_above(group->name) : 0), out);
	fputc('\n', out);
}

/* Print what is in the group of the name @above, "" for all of a list. */
static void print_below(const struct list *list, list_counters *counters,
			const char *above, int depth, FILE *out)
{
	const struct groups *g = &list->g;
	size_t i;

	for (i = 0; i < list->limit; i++) {
		if (!groups_have(g, i, above))
			continue;
		/* What is above comes before what is as large. */
		counters(list, &g->list[i].row, !i, out);
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

static json_object *json_below(const struct list *list,
			       json_object *(*counters)(json_object *obj,
							const struct row *row),
			       const char *above)
{
	json_object *array = json_object_new_array(), *obj;
	const struct groups *g = &list->g;
	size_t i;

	for (i = 0; i < list->limit; i++) {
		const struct group *group = &g->list[i];

		if (!groups_have(g, i, above))
			continue;
		if (group->name) {
			obj = json_object_new_object();
			add_str(obj, "name", group->name);
		} else {
			obj = site_json(list->r, group->row.key);
		}
		counters(obj, &group->row);
		if (g->key->is_tree)
			json_object_object_add(obj, "children",
				json_below(list, counters, group->name));
		json_object_array_add(array, obj);
	}
	return array;
}

/* The same as an array of objects, with what @counters adds to each. */
json_object *list_json(const struct list *list,
		       json_object *(*counters)(json_object *obj,
						const struct row *row))
{
	return json_below(list, counters, "");
}

/* Give back what list_collect() took. */
void list_free(struct list *list)
{
	groups_free(&list->g);
}
