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

#define TYPE(id)	[KMEMTRACE_##id] = #id

static const char * const types[] = {
	TYPE(NUMBER), TYPE(SIGNED), TYPE(REAL), TYPE(BOOL), TYPE(ADDRESS), TYPE(TEXT),
};

static void print_columns(struct kmemtrace_relation *relation)
{
	const struct kmemtrace_column *column;
	size_t i;

	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++)
		printf("%s%s %s %s %d %d", i ? "\t" : "", column->name, types[column->type],
		       column->error ? column->error : "-", column->is_key, column->is_optional);
	printf("\n%zu\n", kmemtrace_relation_rows(relation));
}

/* The library makes line breaks in texts, and what else is not printable, visible. */
static void print_value(int type, const struct kmemtrace_value *value)
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
	struct kmemtrace_value value;
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

static void answer(struct kmemtrace_trace *trace, char *line)
{
	struct kmemtrace_relation *relation;
	const char *words[6];
	char *problem;
	size_t i;

	for (i = 0; i < 6; i++) {
		words[i] = strsep(&line, "\t");
		if (words[i] && !*words[i])
			words[i] = NULL;
	}
	if (kmemtrace_relation_open(trace, &(struct kmemtrace_query) {
			.size = sizeof(struct kmemtrace_query), .relation = words[0],
			.group_by = words[1], .where = words[2], .sort = words[3],
			.limit = words[4] ? strtoul(words[4], NULL, 10) : 0, .columns = words[5],
		    }, &relation, &problem))
		errx(EXIT_FAILURE, "%s: %s", words[0], problem ? problem : "no memory");
	print_columns(relation);
	while (kmemtrace_relation_next(relation))
		print_row(relation);
	puts("\\.");
	kmemtrace_relation_close(relation);
}

int main(int argc, char **argv)
{
	struct kmemtrace_trace *trace;
	char *line = NULL;
	size_t size = 0;

	if (argc != 2)
		errx(EXIT_FAILURE, "usage: relation-dump TRACE <QUERIES");
	if (kmemtrace_open(&trace, argv[1], NULL) || kmemtrace_read(trace))
		return EXIT_FAILURE;
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		answer(trace, line);
	}
	free(line);
	kmemtrace_close(trace);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
