/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a table as a file of Apache Parquet, row by row.
 */
#ifndef KMEMTRACE_PARQUET_H
#define KMEMTRACE_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum parquet_type - the type of a column
 * @PARQUET_NUMBER: an int64_t
 * @PARQUET_REAL: a double
 * @PARQUET_BOOL: 0 or 1
 * @PARQUET_TEXT: a text, of which a row has the key
 */
enum parquet_type {
	PARQUET_NUMBER,
	PARQUET_REAL,
	PARQUET_BOOL,
	PARQUET_TEXT,
};

/**
 * struct parquet_column - a column
 * @name: its name; NULL: there are no more
 * @type: its type
 * @is_optional: a row without a value has null
 * @is_constant: all rows have the text of the key 0
 */
struct parquet_column {
	const char *name;
	enum parquet_type type;
	bool is_optional, is_constant;
};

/**
 * struct parquet_user - the texts of a table
 * @text: returns the text of a key, from malloc(); NULL: null. Called for each key that the
 *	rows since its last call have
 * @arg: for @text
 */
struct parquet_user {
	char *(*text)(void *arg, size_t column, uint64_t key);
	void *arg;
};

struct parquet;

int parquet_open(struct parquet **parquet, int fd, const char *path,
		 const struct parquet_column *columns, const struct parquet_user *user);
void parquet_set(struct parquet *p, size_t column, uint64_t value);
int parquet_end_row(struct parquet *p);
int parquet_close(struct parquet *p, int error);

#endif /* KMEMTRACE_PARQUET_H */
