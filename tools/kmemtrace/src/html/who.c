// SPDX-License-Identifier: GPL-2.0
/*
 * who.c - places, and the names of what they consist of: call sites, call paths, tasks and memory
 * cgroups
 *
 * A list that another one refers to is in the order of numbers. Names are for people alone. A name
 * that many call sites have is in the page once.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/context.h"
#include "common/intern.h"
#include "common/memory.h"
#include "common/text.h"
#include "html/who.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/site.h"
#include "report/view.h"

/* Return the number that identifies what the row has in a column. */
static uint64_t identity_of(struct kmemtrace_relation *relation, const char *column)
{
	struct kmemtrace_field value;

	kmemtrace_relation_value(relation, kmemtrace_relation_find(relation, column), &value);
	return value.number;
}

/* Return the present row as JSON, to be freed. */
static char *row_text(struct kmemtrace_relation *rows)
{
	json_object *row = relation_row_json(rows);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		out_of_memory();
	if (kmemtrace_relation_find(rows, "process") >= 0)
		add_u64(row, "process_number", identity_of(rows, "process"));
	print_json_line(row, out);
	if (fclose(out))
		out_of_memory();
	return text;
}

/**
 * print_by_number - print the rows of a relation by the numbers of what they are about
 * @r: the report
 * @relation: the relation, and the name of the member
 * @key: column whose values have these numbers
 * @columns: those that rows have
 * @out: where to
 *
 * An array; null: no row has the number.
 */
void print_by_number(const struct report *r, const char *relation, const char *key,
		     const char *columns, FILE *out)
{
	struct kmemtrace_relation *rows = relation_of(r, relation, .columns = columns);
	char **list = NULL;
	size_t nr = 0, i;
	uint64_t number;

	while (kmemtrace_relation_next(rows)) {
		number = identity_of(rows, key);
		while (nr <= number) {
			list = must_grow_list(list, nr, sizeof(*list));
			list[nr++] = NULL;
		}
		/* Tasks have a row for each allocator. */
		free(list[number]);
		list[number] = row_text(rows);
	}
	kmemtrace_relation_close(rows);
	print_member_name(relation, out);
	putc('[', out);
	for (i = 0; i < nr; i++) {
		fprintf(out, "%s%s", i ? ",\n" : "\n", list[i] ? list[i] : "null");
		free(list[i]);
	}
	putc(']', out);
	free(list);
}

/* ---- addresses ---- */

/**
 * struct addresses - all addresses of the trace
 * @list: sorted
 * @nr: entries of @list
 */
struct addresses {
	uint64_t *list;
	size_t nr;
};

static int by_call_site(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void list_addresses(const struct report *r, struct addresses *all)
{
	struct kmemtrace_relation *rows = relation_of(r, "addresses", .columns = "address");

	*all = (struct addresses) { .nr = 0 };
	while (kmemtrace_relation_next(rows)) {
		all->list = must_grow_list(all->list, all->nr, sizeof(*all->list));
		all->list[all->nr++] = identity_of(rows, "address");
	}
	kmemtrace_relation_close(rows);
}

/* ---- names ---- */

/* Print the number of a text, which is in the list of names once. */
static void print_name(struct intern *names, const char *text, size_t len, FILE *out)
{
	const uint64_t number = intern(names, text, len);

	if (number == INTERN_NO_MEMORY)
		out_of_memory();
	fprintf(out, ",%" PRIu64, number);
}

/* Print the numbers of the parts of a text: the name of the symbol, the offset, the module. */
static void print_site_names(const struct report *r, struct intern *names, uint64_t address,
			     const char *text, FILE *out)
{
	const struct site site = site_find(r, address);
	char name[MAX_KERNEL_NAME + 1] = "";
	size_t len;

	if (site.ref.name)
		text_printable(name, sizeof(name), site.ref.name);
	len = strlen(name);
	print_name(names, text, len, out);
	text += len;
	len = strcspn(text, " ");
	print_name(names, text, len, out);
	text += len;
	print_name(names, text, strlen(text), out);
}

static void print_address(const struct report *r, struct kmemtrace_relation *rows,
			  struct intern *names, FILE *out)
{
	const uint64_t address = identity_of(rows, "address");
	struct kmemtrace_field value;
	size_t i;

	fprintf(out, "[\"%#" PRIx64 "\"", address);
	for (i = 1; kmemtrace_relation_column(rows, i); i++) {
		if (!kmemtrace_relation_value(rows, i, &value))
			break;
		if (kmemtrace_relation_column(rows, i)->type != KMEMTRACE_TEXT)
			fprintf(out, ",%" PRIu64, value.number);
		else if (!value.text)
			out_of_memory();
		else if (i == 1)
			print_site_names(r, names, address, value.text, out);
		else
			print_name(names, value.text, strlen(value.text), out);
	}
	putc(']', out);
}

/*
 * Print the addresses by number: the address, and the numbers of its names; the file and its line
 * are missing where they are unknown. Then print the names.
 */
static void print_addresses(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *rows =
		relation_of(r, "addresses", .columns = "address,site,function,module,file,line");
	struct intern names = { .nr = 0 };
	const char *separator = "[\n";
	size_t i;

	print_member_name("sites", out);
	for (; kmemtrace_relation_next(rows); separator = ",\n") {
		fputs(separator, out);
		print_address(r, rows, &names, out);
	}
	fputs(*separator == ',' ? "]" : "[]", out);
	kmemtrace_relation_close(rows);
	print_member_name("names", out);
	putc('[', out);
	for (i = 0; i < names.nr; i++) {
		fputs(i ? ",\n" : "\n", out);
		print_json_line(text_json(names.list[i].bytes), out);
	}
	putc(']', out);
	intern_free(&names);
}

/* Return the number of an address in the list. */
static uint64_t number_of_row(const struct addresses *all, uint64_t address)
{
	const uint64_t *found = bsearch(&address, all->list, all->nr, sizeof(*found), by_call_site);

	return found - all->list;
}

/* ---- call paths and places ---- */

/* Print the numbers of the frames of a path, the call site first; -1: frames are missing. */
static void print_path_numbers(const struct addresses *all, const struct kmemtrace_call_path *path,
		       FILE *out)
{
	size_t i;

	putc('[', out);
	for (i = 0; i < path->depth; i++)
		fprintf(out, "%s%" PRIu64, i ? "," : "", number_of_row(all, path->frames[i]));
	if (path->is_cut || (!path->depth && path->number))
		fputs(i ? ",-1" : "-1", out);
	putc(']', out);
}

/* Print the call paths by number; null: no row has it. */
static void print_path_list(const struct report *r, const struct rows *rows,
			const struct addresses *all, FILE *out)
{
	const struct kmemtrace_call_path *path;
	bool *is_used;
	size_t i, nr = 0;

	while (kmemtrace_get_path(r->trace, nr))
		nr++;
	is_used = must_calloc(nr + 1, sizeof(*is_used));
	for (i = 0; i < rows->nr_places; i++)
		is_used[rows->places[i].path] = true;
	print_member_name("paths", out);
	putc('[', out);
	for (i = 0; i < nr; i++) {
		path = kmemtrace_get_path(r->trace, i);
		fputs(i ? ",\n" : "\n", out);
		if (is_used[i])
			print_path_numbers(all, path, out);
		else
			fputs("null", out);
	}
	putc(']', out);
	free(is_used);
}

/* Print the places by number: call site, call path, task, cgroup. */
static void print_places(const struct rows *rows, const struct addresses *all, FILE *out)
{
	const struct place *place;
	size_t i;

	putc('[', out);
	for (i = 0; i < rows->nr_places; i++) {
		place = &rows->places[i];
		fprintf(out, "%s\n[%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", i ? "," : "",
			number_of_row(all, place->site), place->path, place->task, place->cgroup);
	}
	putc(']', out);
}

/* Print where memory comes from, and who has it. */
void print_who(const struct report *r, const struct rows *rows, FILE *out)
{
	const unsigned int with = kmemtrace_get_with(r->trace);
	struct addresses all;

	list_addresses(r, &all);
	print_addresses(r, out);
	print_member_name("places", out);
	print_places(rows, &all, out);
	if (with & KMEMTRACE_WITH_STACK)
		print_path_list(r, rows, &all, out);
	if (with & KMEMTRACE_WITH_TASK)
		print_by_number(r, "tasks", "task", "task,process,pid,tgid", out);
	if (with & KMEMTRACE_WITH_CGROUP)
		print_by_number(r, "cgroups", "cgroup", "cgroup,cgroup_id,is_removed", out);
	free(all.list);
}
