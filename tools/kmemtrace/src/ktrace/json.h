/* SPDX-License-Identifier: GPL-2.0 */
/*
 * JSON, written as it is made: a trace may have more events than there is memory.
 */
#ifndef KTRACE_JSON_H
#define KTRACE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json - a JSON text that is written
 * @out: where to
 * @depth: open objects and arrays
 * @is_first: no member of the innermost one was written
 * @flat: depth from which on members stay on one line; 0: none
 */
struct json {
	FILE *out;
	int depth;
	bool is_first;
	int flat;
};

void json_begin(struct json *j, const char *key, char bracket);
void json_begin_flat(struct json *j, const char *key, char bracket);
void json_end(struct json *j, char bracket);
void json_put_u64(struct json *j, const char *key, uint64_t value);
void json_put_i64(struct json *j, const char *key, int64_t value);
void json_put_bool(struct json *j, const char *key, bool value);
void json_put_hex(struct json *j, const char *key, uint64_t value);
void json_put_text(struct json *j, const char *key, const char *text);

#endif /* KTRACE_JSON_H */
