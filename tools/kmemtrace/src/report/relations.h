/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relations of the library as JSON and CSV.
 */
#ifndef KMEMTRACE_REPORT_RELATIONS_H
#define KMEMTRACE_REPORT_RELATIONS_H

#include <json-c/json.h>

#include "report/report.h"

struct kmemtrace_relation *relation_open(const struct kmemtrace_trace *trace,
					 const struct kmemtrace_query *query);

/* Open a relation of a report by name; members of struct kmemtrace_query may follow. */
#define relation_of(r, name, ...)							\
	relation_open((r)->trace, &(struct kmemtrace_query) {				\
		.size = sizeof(struct kmemtrace_query), .relation = name, ##__VA_ARGS__	\
	})

void relation_print_json(struct kmemtrace_relation *relation, bool is_single, FILE *out);
json_object *relation_row_json(struct kmemtrace_relation *relation);
void relation_print_csv(struct kmemtrace_relation *relation, FILE *out);
struct kmemtrace_relation *relation_follow_csv(struct kmemtrace_trace *trace,
					       const struct kmemtrace_query *query, FILE *out);
json_object *value_json(const struct kmemtrace_column *column,
			const struct kmemtrace_field *value);
void csv_value_print(const struct kmemtrace_column *column, const struct kmemtrace_field *value,
		     FILE *out);
json_object *schema_of_column(const struct kmemtrace_column *column);
const struct kmemtrace_relation_info *relation_info(const char *name);
void relations_list(FILE *out);
bool columns_list(const char *relation, FILE *out);

#endif /* KMEMTRACE_REPORT_RELATIONS_H */
