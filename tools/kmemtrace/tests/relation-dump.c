// SPDX-License-Identifier: GPL-2.0
/*
 * relation-dump TRACE: answer queries of relations with the public library.
 *
 * Each line of the standard input is a query: the members of struct kmemtrace_query in their order,
 * separated by tabs; an empty one is the default. The answer is a line of columns, the number of
 * all rows, a line for each row, and \. at the end. \N stands where a row has no value.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmemtrace.h"

#define NAME(id)	[KMEMTRACE_##id] = #id

static const char * const types[] = {
	NAME(NUMBER), NAME(SIGNED), NAME(REAL), NAME(BOOL), NAME(ADDRESS), NAME(TEXT),
};

static const char * const units[] = {
	NAME(NO_UNIT), NAME(COUNT), NAME(BYTES), NAME(NS), NAME(TIME), NAME(CLOCK), NAME(RATIO),
};

static void print_columns(struct kmemtrace_relation *relation, size_t rows)
{
	const struct kmemtrace_column *column;
	size_t i;

	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++)
		printf("%s%s %s %s %s %d %d %s", i ? "\t" : "", column->name, types[column->type],
		       units[column->unit], column->error ? column->error : "-", column->is_key,
		       column->is_optional, column->heading);
	printf("\n%zu\n", rows);
}

/* The library makes line breaks in texts, and what else is not printable, visible. */
static void print_value(int type, const struct kmemtrace_field *value)
{
	switch (type) {
	case KMEMTRACE_TEXT:	printf("%s", value->text); break;
	case KMEMTRACE_SIGNED:	printf("%" PRId64, value->signed_number); break;
	case KMEMTRACE_REAL:	printf("%.6g", value->real); break;
	default:		printf("%" PRIu64, value->number); break;
	}
}

static void print_row(struct kmemtrace_relation *relation)
{
	const struct kmemtrace_column *column;
	struct kmemtrace_field value;
	size_t i;

	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++) {
		printf("%s", i ? "\t" : "");
		if (kmemtrace_relation_value(relation, i, &value))
			print_value(column->type, &value);
		else
			printf("\\N");
	}
	putchar('\n');
}

/* Print a row that the reading passes on, and count it. */
static int follow_row(void *nr, struct kmemtrace_relation *relation)
{
	++*(size_t *)nr;
	print_row(relation);
	return 0;
}

static struct kmemtrace_trace *open_trace(const char *path)
{
	struct kmemtrace_trace *trace;

	if (kmemtrace_open(&trace, path, NULL) || kmemtrace_set_cells(trace, true))
		exit(EXIT_FAILURE);
	return trace;
}

/* Answer a query of a relation whose rows the reading passes on. */
static int follow(const char *path, const struct kmemtrace_query *query, char **problem)
{
	struct kmemtrace_trace *trace = open_trace(path);
	struct kmemtrace_relation *relation;
	FILE *real = stdout;
	char *rows = NULL;
	size_t nr = 0, size;
	int ret = kmemtrace_relation_follow(trace, query, follow_row, &nr, &relation, problem);

	if (ret)
		return ret;
	stdout = open_memstream(&rows, &size);
	ret = kmemtrace_read(trace);
	fclose(stdout);
	stdout = real;
	print_columns(relation, nr);
	fputs(rows, stdout);
	free(rows);
	kmemtrace_relation_close(relation);
	kmemtrace_close(trace);
	return ret;
}

/* Answer a query of a trace that was read. */
static int answer_read(struct kmemtrace_trace *trace, const struct kmemtrace_query *query,
		       char **problem)
{
	struct kmemtrace_relation *relation;
	int ret = kmemtrace_relation_open(trace, query, &relation, problem);

	if (ret)
		return ret;
	print_columns(relation, kmemtrace_relation_rows(relation));
	while (kmemtrace_relation_next(relation))
		print_row(relation);
	kmemtrace_relation_close(relation);
	return 0;
}

static bool is_followed(const char *relation)
{
	const struct kmemtrace_relation_info *info;
	size_t i;

	for (i = 0; (info = kmemtrace_get_relation_info(i)); i++)
		if (!strcmp(info->name, relation))
			return info->is_followed;
	return false;
}

static void answer(struct kmemtrace_trace *trace, const char *path, char *line)
{
	struct kmemtrace_query query = { .size = sizeof(query) };
	const char *words[6];
	char *problem;
	size_t i;

	for (i = 0; i < 6; i++) {
		words[i] = strsep(&line, "\t");
		if (words[i] && !*words[i])
			words[i] = NULL;
	}
	query.relation = words[0];
	query.group_by = words[1];
	query.where = words[2];
	query.sort = words[3];
	query.limit = words[4] ? strtoul(words[4], NULL, 10) : 0;
	query.columns = words[5];
	if (is_followed(words[0]) ? follow(path, &query, &problem) :
				    answer_read(trace, &query, &problem))
		errx(EXIT_FAILURE, "%s: %s", words[0], problem ? problem : "no memory");
	puts("\\.");
}

int main(int argc, char **argv)
{
	struct kmemtrace_trace *trace;
	char *line = NULL;
	size_t size = 0;

	if (argc != 2)
		errx(EXIT_FAILURE, "usage: relation-dump TRACE <QUERIES");
	trace = open_trace(argv[1]);
	if (kmemtrace_read(trace))
		return EXIT_FAILURE;
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		answer(trace, argv[1], line);
	}
	free(line);
	kmemtrace_close(trace);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
