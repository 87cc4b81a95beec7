// SPDX-License-Identifier: GPL-2.0
/*
 * query.c - open, filter, sort and limit a relation, and read its rows. kmemtrace.h describes the
 * functions.
 */
#include "config.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "relations/grouping.h"
#include "relations/relation.h"
#include "relations/texts.h"

/* ---- rows ---- */

static void *row_at(const struct kmemtrace_relation *r, size_t i)
{
	return r->rows + i * r->relation->row_size;
}

/* Set @value to what the row has in a column. Return whether it has a value. */
static bool relation_get(const struct kmemtrace_relation *r, const struct column *column,
			 const void *row, struct kmemtrace_field *value)
{
	*value = (struct kmemtrace_field) { .number = 0 };
	if (column->get(r, row, column->arg, value))
		return true;
	*value = (struct kmemtrace_field) { .number = 0 };
	return false;
}

/* Return the text of an identity in a column, to be freed; NULL: no memory. */
static char *text_in_column(const struct kmemtrace_relation *r, const struct column *column,
			    uint64_t identity)
{
	size_t size;

	return text_of(r, column->type == KMEMTRACE_ADDRESS ? write_address : column->print,
		       identity, &size);
}

/* ---- columns ---- */

static const struct relation *find_relation(const char *name)
{
	size_t i;

	for (i = 0; relation_at(i); i++)
		if (!strcmp(relation_at(i)->info.name, name))
			return relation_at(i);
	return NULL;
}

const struct kmemtrace_relation_info *kmemtrace_get_relation_info(size_t i)
{
	return relation_at(i) ? &relation_at(i)->info : NULL;
}

static struct kmemtrace_column interface_of(const struct column *c, bool is_key)
{
	return (struct kmemtrace_column) {
		.size = sizeof(struct kmemtrace_column),
		.name = c->name,
		.heading = c->heading,
		.help = c->help,
		.type = c->type,
		.unit = c->unit,
		.is_key = is_key,
		.is_optional = c->is_optional,
		.error = c->error,
	};
}

const struct kmemtrace_column *kmemtrace_get_relation_column(const char *relation, size_t i)
{
	static _Thread_local struct kmemtrace_column column;
	const struct relation *r = find_relation(relation);
	size_t j;

	for (j = 0; r && j < r->nr_columns; j++) {
		if (r->group_by && !grouping_may_have_column(r, &r->columns[j]))
			continue;
		if (i--)
			continue;
		column = interface_of(&r->columns[j], r->columns[j].is_key ||
				      grouping_is_by_default(r, &r->columns[j]));
		return &column;
	}
	return NULL;
}

/* Return the number of the column with a name of @len bytes, or -1. */
static int find_column(const struct kmemtrace_relation *r, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < r->nr_columns; i++)
		if (strlen(r->columns[i]->name) == len && !strncmp(r->columns[i]->name, name, len))
			return i;
	return -1;
}

/* List the columns of an open relation. Return 0 or -ENOMEM. */
static int list_columns(struct kmemtrace_relation *r)
{
	const struct relation *of = r->relation;
	size_t i;

	r->columns = calloc(of->nr_columns + 1, sizeof(*r->columns));
	r->interface = calloc(of->nr_columns + 1, sizeof(*r->interface));
	r->texts = calloc(of->nr_columns + 1, sizeof(*r->texts));
	if (!r->columns || !r->interface || !r->texts)
		return -ENOMEM;
	for (i = 0; i < of->nr_columns; i++) {
		const struct column *c = &of->columns[i];

		if (r->grouping && !grouping_has_column(r, c))
			continue;
		/* Several properties may have a column: the first one is that of its key. */
		if (find_column(r, c->name, strlen(c->name)) >= 0)
			continue;
		r->columns[r->nr_columns] = c;
		r->interface[r->nr_columns++] =
			interface_of(c, c->is_key || (r->grouping && grouping_is_by(r, c)));
	}
	return 0;
}

const struct kmemtrace_column *
kmemtrace_relation_column(const struct kmemtrace_relation *relation, size_t i)
{
	return i < relation->nr_columns ? &relation->interface[i] : NULL;
}

int kmemtrace_relation_find(const struct kmemtrace_relation *relation, const char *name)
{
	return find_column(relation, name, strlen(name));
}

/* ---- what is wrong with a query ---- */

/* Write what is wrong, if the program asked for it. Return -EINVAL. */
static int complain(char **problem, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int complain(char **problem, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (problem && !*problem && vasprintf(problem, fmt, ap) < 0)
		*problem = NULL;
	va_end(ap);
	return -EINVAL;
}

static int complain_about_column(const struct kmemtrace_relation *r, const char *name, size_t len,
				 char **problem)
{
	char *list = NULL;
	size_t size, i;
	FILE *out = open_memstream(&list, &size);

	for (i = 0; out && i < r->nr_columns; i++)
		fprintf(out, "%s%s", i ? ", " : "", r->columns[i]->name);
	if (out && !fclose(out))
		complain(problem, "%s has no column '%.*s'; it has: %s", r->relation->info.name,
			 (int)len, name, list);
	free(list);
	return -EINVAL;
}

/* ---- conditions ---- */

/**
 * struct condition - a condition that rows meet
 * @column: the column
 * @op: "=", "!=", "~", "<", "<=", ">" or ">="
 * @text: what it is compared with
 * @number: the same as a number; no double has all addresses
 * @has_last: the members below are set: rows with one identity of a text meet it or don't
 * @last: the last identity
 * @is_met: rows with @last meet it
 */
struct condition {
	const struct column *column;
	const char *op;
	char *text;
	long double number;
	bool has_last, is_met;
	uint64_t last;
};

/* Return whether a difference, or the result of a comparison, is what the operator demands. */
static bool is_met_by(const char *op, int order)
{
	switch (*op) {
	case '=':	return !order;
	case '!':	return order;
	case '<':	return order < 0 || (op[1] && !order);
	default:	return order > 0 || (op[1] && !order);
	}
}

static long double as_number(const struct column *column, const struct kmemtrace_field *value)
{
	switch (column->type) {
	case KMEMTRACE_SIGNED:	return (long double)value->signed_number;
	case KMEMTRACE_REAL:	return value->real;
	default:		return (long double)value->number;
	}
}

/* Return 1, 0: the row does not meet the condition, or -ENOMEM. */
static int meets(const struct kmemtrace_relation *r, const void *row, struct condition *c)
{
	struct kmemtrace_field value;
	long double number;
	char *text;

	if (!relation_get(r, c->column, row, &value))
		return *c->op == '!';
	if (c->column->type != KMEMTRACE_TEXT) {
		number = as_number(c->column, &value);
		return is_met_by(c->op, (number > c->number) - (number < c->number));
	}
	if (c->has_last && c->last == value.number)
		return c->is_met;
	text = text_in_column(r, c->column, value.number);
	if (!text)
		return -ENOMEM;
	text_parse(text);
	c->is_met = *c->op == '~' ? !fnmatch(c->text, text, FNM_NOESCAPE) :
				    is_met_by(c->op, strcmp(text, c->text));
	c->last = value.number;
	/* While the trace is read, names may come later than rows. */
	c->has_last = !r->each;
	free(text);
	return c->is_met;
}

/* Return whether a text begins with a comma that is a part of it. */
static bool is_escaped_comma(const char *text)
{
	return text[0] == '\\' && text[1] == ',';
}

/* Let commas be without backslashes, and bytes be what their escape sequences stand for. */
static void parse_text(char *text)
{
	char *from, *to = text;

	for (from = text; *from; from++) {
		from += is_escaped_comma(from);
		*to++ = *from;
	}
	*to = '\0';
	text_parse(text);
}

/* Parse what a number is compared with. Return whether it is a number. */
static bool parse_number(const struct column *column, const char *text, long double *number)
{
	char *end;

	if (column->type == KMEMTRACE_BOOL && (!strcmp(text, "true") || !strcmp(text, "false"))) {
		*number = *text == 't';
		return true;
	}
	*number = strtold(text, &end);
	return end != text && !*end && !isnan(*number);
}

/* Return 0, -ENOMEM, or -EINVAL: no allocator has this name. */
static int check_allocator(const struct kmemtrace_relation *r, const struct column *column,
			   const char *name, char **problem)
{
	char list[128] = "", *text;
	bool found = false;
	size_t i, len = 0;

	for (i = 0; i < NR_SPACES; i++) {
		text = text_in_column(r, column, i);
		if (!text)
			return -ENOMEM;
		found |= !strcmp(text, name);
		len += snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", text);
		free(text);
	}
	return found ? 0 : complain(problem, "there is no allocator '%s'; there are: %s", name, list);
}

/* Parse the condition of @len bytes. Return 0, -ENOMEM or -EINVAL. */
static int parse_condition(const struct kmemtrace_relation *r, const char *text, size_t len,
			   struct condition *c, char **problem)
{
	static const char * const ops[] = { "!=", "<=", ">=", "=", "~", "<", ">" };
	const size_t name = strcspn(text, "!<>=~,");
	int column, ret;
	size_t i;

	*c = (struct condition) { .op = NULL };
	for (i = 0; !c->op && i < sizeof(ops) / sizeof(*ops); i++)
		if (!strncmp(text + name, ops[i], strlen(ops[i])))
			c->op = ops[i];
	if (!c->op || name >= len)
		return complain(problem, "'%.*s' is no condition, such as live_bytes>=1024",
				(int)len, text);
	column = find_column(r, text, name);
	if (column < 0)
		return complain_about_column(r, text, name, problem);
	c->column = r->columns[column];
	c->text = strndup(text + name + strlen(c->op), len - name - strlen(c->op));
	if (!c->text)
		return -ENOMEM;
	if (c->column->type == KMEMTRACE_TEXT) {
		parse_text(c->text);
		ret = 0;
		if (*c->op == '~' && !text_is_pattern(c->text, false))
			ret = complain(problem, "'%.*s': expected " TEXT_PATTERN_EXPECTED,
				       (int)len, text);
		else if (*c->op != '~' && c->column->print == write_allocator)
			ret = check_allocator(r, c->column, c->text, problem);
		if (ret)
			free(c->text);
		return ret;
	}
	if (!parse_number(c->column, c->text, &c->number) || *c->op == '~') {
		free(c->text);
		return complain(problem, "%s is %s: '%.*s'", c->column->name,
				c->column->type == KMEMTRACE_BOOL ? "true or false" : "a number",
				(int)len, text);
	}
	return 0;
}

/* Return the bytes of the first condition of a list. */
static size_t length_of_condition(const char *where)
{
	size_t len = 0;

	while (where[len] && where[len] != ',')
		len += is_escaped_comma(where + len) ? 2 : 1;
	return len;
}

static int parse_conditions(struct kmemtrace_relation *r, const char *where, char **problem)
{
	struct condition *list;
	size_t len;
	int ret = 0;

	for (; !ret && where && *where; where += len + (where[len] == ',')) {
		len = length_of_condition(where);
		list = grow_list(r->conditions, r->nr_conditions, sizeof(*list));
		if (!list)
			return -ENOMEM;
		r->conditions = list;
		ret = parse_condition(r, where, len, &list[r->nr_conditions], problem);
		r->nr_conditions += !ret;
	}
	return ret;
}

/* Return 1, 0: the row does not meet all conditions, or -ENOMEM. */
static int meets_all(const struct kmemtrace_relation *r, const void *row)
{
	size_t i;
	int ret = 1;

	for (i = 0; ret > 0 && i < r->nr_conditions; i++)
		ret = meets(r, row, &r->conditions[i]);
	return ret;
}

/* Keep the rows that meet the conditions. Return 0 or -ENOMEM. */
static int filter(struct kmemtrace_relation *r)
{
	size_t i, nr = 0;
	int ret;

	if (!r->nr_conditions)
		return 0;
	for (i = 0; i < r->nr; i++) {
		ret = meets_all(r, row_at(r, i));
		if (ret < 0)
			return ret;
		if (ret)
			memmove(row_at(r, nr++), row_at(r, i), r->relation->row_size);
	}
	r->nr = nr;
	return 0;
}

/* ---- order ---- */

/**
 * struct sortable - a row with what its place depends on
 * @r: the relation
 * @by: the column, or NULL
 * @number: the row, counted from 0
 * @space: its allocator
 * @is_rest: it comes last
 * @has: it has a value
 * @value: the value; of a text, @text of it must be freed
 */
struct sortable {
	const struct kmemtrace_relation *r;
	const struct column *by;
	size_t number;
	uint64_t space;
	bool is_rest, has;
	struct kmemtrace_field value;
};

static int compare_values(const struct column *by, const struct kmemtrace_field *x,
			  const struct kmemtrace_field *y)
{
	switch (by->type) {
	case KMEMTRACE_TEXT:
		return strcmp(x->text, y->text);
	case KMEMTRACE_SIGNED:
		return (y->signed_number > x->signed_number) - (y->signed_number < x->signed_number);
	case KMEMTRACE_REAL:
		return (y->real > x->real) - (y->real < x->real);
	default:
		return (y->number > x->number) - (y->number < x->number);
	}
}

static bool is_rest(const struct kmemtrace_relation *r, const void *row)
{
	return r->relation->is_rest && r->relation->is_rest(r, row);
}

/* Return the column of the allocator, or NULL. */
static const struct column *allocator_of(const struct kmemtrace_relation *r)
{
	const int i = kmemtrace_relation_find(r, "allocator");

	return i < 0 ? NULL : r->columns[i];
}

/*
 * By allocator and value, rows without a value behind the others, the rest behind all; then in the
 * order of the relation, or that in which they were added.
 */
static int compare_rows(const void *a, const void *b)
{
	const struct sortable *x = a, *y = b;
	const struct kmemtrace_relation *r = x->r;
	int order = (x->space > y->space) - (x->space < y->space) ?: x->is_rest - y->is_rest;

	if (!order)
		order = x->has && y->has ? compare_values(x->by, &x->value, &y->value) :
					   y->has - x->has;
	if (!order && r->relation->compare)
		order = r->relation->compare(row_at(r, x->number), row_at(r, y->number));
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Set what the place of row @i depends on. Return 0 or -ENOMEM. */
static int set_sortable(struct sortable *s, const struct kmemtrace_relation *r,
			const struct column *by, const struct column *allocator, size_t i)
{
	struct kmemtrace_field space = { .number = 0 };

	*s = (struct sortable) { .r = r, .by = by, .number = i };
	if (allocator)
		relation_get(r, allocator, row_at(r, i), &space);
	s->space = space.number;
	s->is_rest = is_rest(r, row_at(r, i));
	s->has = by && relation_get(r, by, row_at(r, i), &s->value);
	if (!s->has || by->type != KMEMTRACE_TEXT)
		return 0;
	s->value.text = text_in_column(r, by, s->value.number);
	return s->value.text ? 0 : -ENOMEM;
}

/*
 * Move the rows to their places in @list, one cycle of moves after the other, so no second copy
 * of the rows takes memory. @spare has room for one row.
 */
static void move_rows(struct kmemtrace_relation *r, struct sortable *list, void *spare)
{
	const size_t size = r->relation->row_size;
	size_t i, place, from;

	for (i = 0; i < r->nr; i++) {
		memcpy(spare, row_at(r, i), size);
		for (place = i; list[place].number != i; place = from) {
			from = list[place].number;
			memcpy(row_at(r, place), row_at(r, from), size);
			list[place].number = place;
		}
		memcpy(row_at(r, place), spare, size);
		list[place].number = place;
	}
}

/* Put the rows into the order of a column, or NULL. Return 0 or -ENOMEM. */
static int arrange(struct kmemtrace_relation *r, const struct column *by)
{
	const struct column *allocator = by || r->relation->is_rest ? allocator_of(r) : NULL;
	struct sortable *list = calloc(r->nr + 1, sizeof(*list));
	void *spare = malloc(r->relation->row_size);
	int ret = list && spare ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !ret && i < r->nr; i++)
		ret = set_sortable(&list[i], r, by, allocator, i);
	if (!ret) {
		qsort(list, r->nr, sizeof(*list), compare_rows);
		move_rows(r, list, spare);
	}
	for (i = 0; list && i < r->nr; i++)
		free((char *)list[i].value.text);
	free(list);
	free(spare);
	return ret;
}

static int sort(struct kmemtrace_relation *r, const char *by, char **problem)
{
	const int i = by ? kmemtrace_relation_find(r, by) : -1;

	if (by && i < 0)
		return complain_about_column(r, by, strlen(by), problem);
	return by || r->relation->compare ? arrange(r, by ? r->columns[i] : NULL) : 0;
}

/* Keep the first rows of each allocator, and the rest; the number of all stays. */
static void limit(struct kmemtrace_relation *r, size_t most)
{
	const struct column *allocator = allocator_of(r);
	struct kmemtrace_field value = { .number = 0 };
	size_t i, kept[NR_SPACES] = { 0 };

	if (!most)
		r->shown = r->nr;
	for (i = 0; most && i < r->nr; i++) {
		if (allocator)
			relation_get(r, allocator, row_at(r, i), &value);
		if (is_rest(r, row_at(r, i)) || kept[value.number]++ < most)
			memmove(row_at(r, r->shown++), row_at(r, i), r->relation->row_size);
	}
}

/* Keep the columns of a list, in its order. Return 0, -ENOMEM or -EINVAL. */
static int choose_columns(struct kmemtrace_relation *r, const char *names, char **problem)
{
	const struct column **columns;
	struct kmemtrace_column *interface;
	size_t nr = 1, i, j, len;
	int found, ret = 0;
	const char *c;

	for (c = names; *c; c++)
		nr += *c == ',';
	columns = calloc(nr, sizeof(*columns));
	interface = calloc(nr + 1, sizeof(*interface));
	if (!columns || !interface) {
		free(columns);
		free(interface);
		return -ENOMEM;
	}
	for (i = 0; !ret && i < nr; i++, names += len + (names[len] == ',')) {
		len = strcspn(names, ",");
		found = find_column(r, names, len);
		if (found < 0) {
			ret = complain_about_column(r, names, len, problem);
			continue;
		}
		for (j = 0; j < i; j++)
			if (columns[j] == r->columns[found])
				ret = complain(problem, "column '%s' twice", columns[j]->name);
		columns[i] = r->columns[found];
		interface[i] = r->interface[found];
	}
	if (ret) {
		free(columns);
		free(interface);
		return ret;
	}
	free(r->columns);
	free(r->interface);
	free(r->texts);
	r->columns = columns;
	r->interface = interface;
	r->nr_columns = nr;
	r->texts = calloc(nr, sizeof(*r->texts));
	return r->texts ? 0 : -ENOMEM;
}

/* ---- open ---- */

/* Prepare the columns and the conditions. Return 0, -ENOMEM or -EINVAL. */
static int prepare(struct kmemtrace_relation *r, const struct kmemtrace_query *q, char **problem)
{
	const char *group_by = q->group_by ? q->group_by : r->relation->group_by;
	int ret;

	if (q->group_by && !r->relation->group_by)
		return complain(problem, "%s can't be grouped", q->relation);
	if (group_by) {
		r->grouping = grouping_new(r, group_by, problem);
		if (!r->grouping)
			return problem && *problem ? -EINVAL : -ENOMEM;
	}
	ret = list_columns(r);
	return ret ? ret : parse_conditions(r, q->where, problem);
}

/* Fill a relation that was prepared. Return 0 or -errno. */
static int fill(struct kmemtrace_relation *r, const struct kmemtrace_query *q, char **problem)
{
	const bool is_read = r->trace->is_read ||
			     (r->relation->is_of_counters && r->trace->has_counters);
	int ret;

	if (!r->relation->fill)
		return complain(problem, "%s has rows only while the trace is read", q->relation);
	ret = is_read ? r->relation->fill(r) : -ENODATA;
	if (ret == -ENODATA)
		complain(problem, "%s has rows only after %skmemtrace_read()", q->relation,
			 r->relation->info.needs_cells ? "kmemtrace_set_cells() and " : "");
	if (!ret)
		ret = filter(r);
	if (!ret)
		ret = sort(r, q->sort, problem);
	if (!ret)
		limit(r, q->limit);
	return ret;
}

/* Let the reading pass on the rows of a relation that was prepared. Return 0 or -errno. */
static int follow(struct kmemtrace_relation *r, const struct kmemtrace_query *q, char **problem)
{
	if (!r->relation->follow)
		return complain(problem, "%s has no rows before the trace was read", q->relation);
	if (q->sort || q->limit)
		return complain(problem, "%s can't be sorted or limited", q->relation);
	return r->relation->follow((struct kmemtrace_trace *)r->trace, r);
}

/* Open a relation with the members of @r, whose rows are made by fill() or follow(). */
static int open_relation(const struct kmemtrace_relation *r, const struct kmemtrace_query *query,
			 int (*make_rows)(struct kmemtrace_relation *r,
					  const struct kmemtrace_query *q, char **problem),
			 struct kmemtrace_relation **relation, char **problem)
{
	struct kmemtrace_query q = { .size = 0 };
	struct kmemtrace_relation *new = malloc(sizeof(*new));
	int ret;

	*relation = NULL;
	if (problem)
		*problem = NULL;
	if (!new)
		return -ENOMEM;
	memcpy(&q, query, query->size < sizeof(q) ? query->size : sizeof(q));
	*new = *r;
	new->at = q.at;
	new->since = q.since;
	new->before = q.before;
	new->relation = q.relation ? find_relation(q.relation) : NULL;
	ret = new->relation ? prepare(new, &q, problem) :
	      complain(problem, "there is no relation '%s'", q.relation ? q.relation : "");
	if (!ret)
		ret = make_rows(new, &q, problem);
	/* An order needs no chosen column. */
	if (!ret && q.columns)
		ret = choose_columns(new, q.columns, problem);
	if (ret)
		kmemtrace_relation_close(new);
	else
		*relation = new;
	return ret;
}

int kmemtrace_relation_open(const struct kmemtrace_trace *trace,
			    const struct kmemtrace_query *query,
			    struct kmemtrace_relation **relation, char **problem)
{
	return open_relation(&(struct kmemtrace_relation) { .trace = trace }, query, fill,
			     relation, problem);
}

static void forget_texts(struct kmemtrace_relation *r)
{
	size_t i;

	for (i = 0; r->has_texts && i < r->nr_columns; i++) {
		free(r->texts[i]);
		r->texts[i] = NULL;
	}
	r->has_texts = false;
}

/* Pass on a row that the reading made, if it meets the conditions. Return 0 or -errno. */
static int pass_row(struct kmemtrace_relation *r, const void *row)
{
	int ret = meets_all(r, row);

	if (ret > 0) {
		r->row = row;
		ret = r->each(r->arg, r);
		forget_texts(r);
		r->row = NULL;
	}
	return ret;
}

int kmemtrace_relation_follow(struct kmemtrace_trace *trace, const struct kmemtrace_query *query,
			      int (*each)(void *arg, struct kmemtrace_relation *relation),
			      void *arg, struct kmemtrace_relation **relation, char **problem)
{
	const struct kmemtrace_relation r = { .trace = trace, .pass = pass_row, .each = each, .arg = arg };

	return open_relation(&r, query, follow, relation, problem);
}

size_t kmemtrace_relation_rows(const struct kmemtrace_relation *relation)
{
	return relation->nr;
}

bool kmemtrace_relation_go(struct kmemtrace_relation *relation, size_t row)
{
	forget_texts(relation);
	if (row >= relation->shown)
		return false;
	relation->next = row + 1;
	relation->row = row_at(relation, row);
	return true;
}

bool kmemtrace_relation_next(struct kmemtrace_relation *relation)
{
	return kmemtrace_relation_go(relation, relation->next);
}

void kmemtrace_relation_rewind(struct kmemtrace_relation *relation)
{
	forget_texts(relation);
	relation->next = 0;
	relation->row = NULL;
}

bool kmemtrace_relation_is_rest(const struct kmemtrace_relation *relation)
{
	return relation->row && is_rest(relation, relation->row);
}

bool kmemtrace_relation_identity(const struct kmemtrace_relation *relation, size_t i,
				 struct kmemtrace_field *value)
{
	if (relation->row && i < relation->nr_columns)
		return relation_get(relation, relation->columns[i], relation->row, value);
	*value = (struct kmemtrace_field) { .number = 0 };
	return false;
}

char *kmemtrace_relation_text(const struct kmemtrace_relation *relation, size_t i,
			      uint64_t identity)
{
	const struct column *column = i < relation->nr_columns ? relation->columns[i] : NULL;

	return column && (column->type == KMEMTRACE_TEXT || column->type == KMEMTRACE_ADDRESS) ?
	       text_in_column(relation, column, identity) : NULL;
}

bool kmemtrace_relation_value(struct kmemtrace_relation *relation, size_t i,
			      struct kmemtrace_field *value)
{
	if (!kmemtrace_relation_identity(relation, i, value))
		return false;
	if (relation->columns[i]->type != KMEMTRACE_TEXT)
		return true;
	if (!relation->texts[i])
		relation->texts[i] = text_in_column(relation, relation->columns[i], value->number);
	relation->has_texts = true;
	value->text = relation->texts[i];
	return true;
}

void kmemtrace_relation_close(struct kmemtrace_relation *relation)
{
	if (!relation)
		return;
	forget_texts(relation);
	while (relation->nr_conditions)
		free(relation->conditions[--relation->nr_conditions].text);
	free(relation->conditions);
	grouping_free(relation->grouping);
	free(relation->columns);
	free(relation->interface);
	free(relation->texts);
	free(relation->rows);
	free(relation);
}
