// SPDX-License-Identifier: GPL-2.0
/*
 * json.c - write JSON in ASCII
 *
 * Characters beyond ASCII are escaped: some of them control a terminal. Bytes that are no
 * UTF-8 become U+FFFD.
 */
#include "config.h"

#include <inttypes.h>

#include "common/utf8.h"
#include "ktrace/json.h"

static bool is_flat(const struct json *j)
{
	return j->flat && j->depth >= j->flat;
}

static void print_break(const struct json *j)
{
	if (!is_flat(j))
		fprintf(j->out, "\n%*s", 2 * j->depth, "");
}

static void print_json_text(const char *text, FILE *out)
{
	size_t n;

	putc('"', out);
	while (*text) {
		n = utf8_length(text);
		if (!n) {
			fputs("\\ufffd", out);
			text++;
		} else if (*text == '"' || *text == '\\') {
			fprintf(out, "\\%c", *text++);
		} else if (*text >= ' ' && *text <= '~') {
			putc(*text++, out);
		} else {
			text += utf8_print_escaped(text, out);
		}
	}
	putc('"', out);
}

/* Begin a member of an object, or of an array, where @key is NULL. */
static void begin_member(struct json *j, const char *key)
{
	if (j->depth && !j->is_first)
		putc(',', j->out);
	if (j->depth)
		print_break(j);
	j->is_first = false;
	if (!key)
		return;
	print_json_text(key, j->out);
	putc(':', j->out);
}

/* Begin an object or an array. */
void json_begin(struct json *j, const char *key, char bracket)
{
	begin_member(j, key);
	putc(bracket, j->out);
	j->depth++;
	j->is_first = true;
}

/* json_begin() of one whose contents stay on its line. */
void json_begin_flat(struct json *j, const char *key, char bracket)
{
	json_begin(j, key, bracket);
	if (!j->flat)
		j->flat = j->depth;
}

void json_end(struct json *j, char bracket)
{
	bool flat = is_flat(j);

	if (j->flat == j->depth)
		j->flat = 0;
	j->depth--;
	if (!flat && !j->is_first)
		print_break(j);
	j->is_first = false;
	putc(bracket, j->out);
	if (!j->depth)
		putc('\n', j->out);
}

void json_put_u64(struct json *j, const char *key, uint64_t value)
{
	begin_member(j, key);
	fprintf(j->out, "%" PRIu64, value);
}

void json_put_i64(struct json *j, const char *key, int64_t value)
{
	begin_member(j, key);
	fprintf(j->out, "%" PRId64, value);
}

void json_put_bool(struct json *j, const char *key, bool value)
{
	begin_member(j, key);
	fputs(value ? "true" : "false", j->out);
}

/* Write a string: few readers of JSON keep 64 bits of a number. */
void json_put_hex(struct json *j, const char *key, uint64_t value)
{
	begin_member(j, key);
	fprintf(j->out, "\"%#" PRIx64 "\"", value);
}

/* Write a string; nothing if @text is NULL. */
void json_put_text(struct json *j, const char *key, const char *text)
{
	if (!text)
		return;
	begin_member(j, key);
	print_json_text(text, j->out);
}
