// SPDX-License-Identifier: GPL-2.0
/*
 * counters.c - read and check the file of counters
 *
 * Lines before the first full reading are skipped. A line that breaks the format ends the
 * file: what was read before it is valid.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "read/counters.h"

/* Bytes to read at a time. */
#define CHUNK	(64 * 1024)

/* Values of an ID that stands for no row. */
#define NO_TABLE	NR_COUNTER_TABLES

/**
 * struct counters_parser - the reading of a file
 * @state: the result
 * @ctx: the context of the trace
 * @taker: takes what the file has
 * @arg: for @taker
 * @tables: the table of each ID, or NO_TABLE
 * @nr_ids: IDs that were given since the last full reading
 * @is_synced: there was a full reading
 * @is_open: a reading has begun
 * @time: of the last reading
 */
struct counters_parser {
	struct counters_state *state;
	struct context *ctx;
	const struct counters_taker *taker;
	void *arg;
	unsigned char *tables;
	uint32_t nr_ids;
	bool is_synced, is_open;
	int64_t time;
};

/* ---- words of a line ---- */

/* Note what is wrong with a line. Return 1, which ends the file. */
static int bad(struct counters_parser *p, const char *expected, const char *found)
{
	char text[48];

	snprintf(p->state->problem, sizeof(p->state->problem), "expected %s, found '%s'",
		 expected, text_printable(text, sizeof(text), found));
	return 1;
}

/* Parse a number up to @max and the space or the end behind it; move @line behind that. */
static bool take_number(const char **line, uint64_t max, uint64_t *n)
{
	char *end;

	if (!isdigit((unsigned char)**line))
		return false;
	errno = 0;
	*n = strtoull(*line, &end, 10);
	if (errno || *n > max || (*end && *end != ' '))
		return false;
	*line = end + (*end == ' ');
	return true;
}

/* Move @line behind @word, if it begins with that. */
static bool skip_word(const char **line, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*line, word, len) || ((*line)[len] && (*line)[len] != ' '))
		return false;
	*line += len + !!(*line)[len];
	return true;
}

static bool take_values(const char **line, enum counter_table table, uint64_t *values)
{
	size_t i;

	for (i = 0; i < counter_nr_values(table); i++)
		if (!take_number(line, INT64_MAX, &values[i]))
			return false;
	return true;
}

/* ---- lines ---- */

static int parse_reading(struct counters_parser *p, const char *line)
{
	const char *at = line;
	bool is_full = skip_word(&at, "full");
	uint64_t time, seconds;

	if (!is_full && !skip_word(&at, "delta"))
		return bad(p, "full or delta", line);
	if (!take_number(&at, INT64_MAX, &time) || !take_number(&at, INT64_MAX, &seconds) || *at)
		return bad(p, "two times", line);
	if (p->is_open)
		return bad(p, "the end of a reading", line);
	p->is_synced |= is_full;
	if (!p->is_synced)
		return 0;
	if ((int64_t)time < p->time)
		return bad(p, "a time that is not before that of the last reading", line);
	p->time = time;
	p->is_open = true;
	if (is_full)
		p->nr_ids = 0;
	return p->taker->begin(p->arg, is_full, time, seconds);
}

static int parse_row(struct counters_parser *p, int table, const char *line)
{
	uint64_t id, values[COUNTER_VALUES] = { 0 };
	const char *at = line;

	if (!take_number(&at, COUNTER_MAX_IDS - 1, &id) || id != p->nr_ids)
		return bad(p, "the next number of a row", line);
	if (!take_values(&at, table, values))
		return bad(p, "the values of a row", line);
	if (!*at || strlen(at) > COUNTER_MAX_NAME)
		return bad(p, "a name of at most 512 bytes", at);
	p->tables[p->nr_ids++] = table;
	return p->taker->row(p->arg, id, table, at, values);
}

/* Parse the number of a row that is there. */
static bool take_id(const struct counters_parser *p, const char **line, uint64_t *id)
{
	return take_number(line, COUNTER_MAX_IDS - 1, id) && *id < p->nr_ids &&
	       p->tables[*id] != NO_TABLE;
}

static int parse_update(struct counters_parser *p, const char *line)
{
	uint64_t id, values[COUNTER_VALUES] = { 0 };
	const char *at = line;

	if (!take_id(p, &at, &id))
		return bad(p, "the number of a row", line);
	if (!take_values(&at, p->tables[id], values) || *at)
		return bad(p, "the values of a row", line);
	return p->taker->update(p->arg, id, values);
}

static int parse_gone(struct counters_parser *p, const char *line)
{
	const char *at = line;
	uint64_t id;

	if (!take_id(p, &at, &id) || *at)
		return bad(p, "the number of a row", line);
	p->tables[id] = NO_TABLE;
	return p->taker->gone(p->arg, id);
}

static int finish_reading(struct counters_parser *p)
{
	p->is_open = false;
	p->state->readings++;
	return p->taker->end(p->arg);
}

/* Take a line of a reading. Return 0, 1 if the file ends before it, or -errno. */
static int take_line_of_reading(struct counters_parser *p, const char *line)
{
	size_t len = strcspn(line, " ");
	int table = counter_table_find(line, len);
	const char *at = line;

	if (isdigit((unsigned char)*line))
		return parse_update(p, line);
	if (table >= 0 && line[len])
		return parse_row(p, table, line + len + 1);
	if (skip_word(&at, "gone"))
		return parse_gone(p, at);
	if (skip_word(&at, "end") && !*at)
		return finish_reading(p);
	return bad(p, "a row or an end", line);
}

static int parse_counters_line(struct counters_parser *p, const char *line)
{
	const char *at = line;

	if (!strcmp(line, COUNTERS_MAGIC)) {
		/* The disk was full within the last reading. */
		p->state->is_partial |= p->is_open;
		p->is_open = false;
		return 0;
	}
	if (skip_word(&at, "reading"))
		return parse_reading(p, at);
	if (p->is_open)
		return take_line_of_reading(p, line);
	return p->is_synced ? bad(p, "a reading", line) : 0;
}

/* ---- the file ---- */

/* Take the whole lines of a text. Return 0, 1 if the file ends there, or -errno. */
static int take_lines(struct counters_parser *p, char *text, size_t size, size_t *taken)
{
	char *line = text, *end;
	int ret = 0;

	while (!ret && (end = memchr(line, '\n', text + size - line))) {
		*end = '\0';
		if (strlen(line) != (size_t)(end - line))
			return bad(p, "a text", line);
		ret = parse_counters_line(p, line);
		if (ret)
			break;
		p->state->offset += end + 1 - line;
		line = end + 1;
	}
	*taken = line - text;
	return ret;
}

/* Return 0 at the end of the text, 1 where it has no meaning, or -errno. */
static int take_input(struct counters_parser *p, struct input *in, char *buf)
{
	uint64_t at = 0;
	size_t have = 0, taken = 0;
	ssize_t n;
	int ret;

	while ((n = input_read(in, buf + have, CHUNK - have, at)) > 0) {
		at += n;
		have += n;
		ret = take_lines(p, buf, have, &taken);
		if (!ret)
			ret = context_check(p->ctx);
		if (ret)
			return ret;
		have -= taken;
		memmove(buf, buf + taken, have);
		if (have > COUNTER_MAX_LINE) {
			buf[COUNTER_MAX_LINE] = '\0';
			return bad(p, "a line of at most 1024 bytes", buf);
		}
	}
	p->state->is_partial |= p->is_open || have;
	return n;
}

static int parse(struct counters_parser *p, struct input *in)
{
	char *buf = context_calloc(p->ctx, 1, CHUNK + 1);
	int ret = -ENOMEM;

	p->tables = context_calloc(p->ctx, 1, COUNTER_MAX_IDS);
	if (buf && p->tables)
		ret = take_input(p, in, buf);
	free(p->tables);
	free(buf);
	return ret < 0 ? ret : 0;
}

/**
 * counters_read - read the file of counters
 * @state: result
 * @ctx: the context of the trace
 * @files: the files of the trace
 * @taker: takes what the file has
 * @arg: for @taker
 *
 * Return: 0; -ENOENT: there is no such file; or -errno after a message.
 */
int counters_read(struct counters_state *state, struct context *ctx, struct files *files,
		  const struct counters_taker *taker, void *arg)
{
	struct counters_parser p = {
		.state = state, .ctx = ctx, .taker = taker, .arg = arg, .time = INT64_MIN,
	};
	struct input in;
	int ret;

	*state = (struct counters_state) { .readings = 0 };
	ret = input_open(&in, ctx, files, COUNTERS_FILE, NULL);
	if (!ret)
		ret = parse(&p, &in);
	state->fault = in.fault;
	state->fault_at = in.fault_at;
	input_close(&in);
	return ret;
}
