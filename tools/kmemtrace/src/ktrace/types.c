// SPDX-License-Identifier: GPL-2.0
/*
 * types.c - read the file info of a trace
 *
 * A line that makes no sense is left out and is a reason for doubt: the other events can be
 * read without it.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "ktrace/types.h"
#include "linux/ktrace.h"

/* Bytes; a kernel with all of its 65520 types has less. */
#define MAX_INFO	(16 << 20)

#define NR_IDS		65536

/* Bytes; the kernel's names are shorter. */
#define MAX_NAME	255

/* Bad lines that get a reason each. */
#define MAX_BAD_LINES	4

/* Cut the next word off a line; NULL: there is none. */
static char *cut_word(char **line)
{
	char *word = *line;
	size_t len = strcspn(word, " ");

	if (!word[len])
		return NULL;
	word[len] = '\0';
	*line = word + len + 1;
	return len ? word : NULL;
}

static bool parse_id(const char *word, uint16_t *id)
{
	const char *end = word;
	uint64_t n;

	if (word[strspn(word, "0123456789")] || number_parse(&end, &n) || *end ||
	    n < KTRACE_ID_FIRST || n >= NR_IDS)
		return false;
	*id = n;
	return true;
}

/* Return the byte of three octal digits; -1: they are none. */
static int parse_octal(const char *p)
{
	int i, byte = 0;

	for (i = 0; i < 3; i++) {
		if (p[i] < '0' || p[i] > '7')
			return -1;
		byte = 8 * byte + p[i] - '0';
	}
	return byte > 0 && byte <= UINT8_MAX ? byte : -1;
}

/* Undo the escapes of a quoted text in place, which must end with the line; NULL: it does not. */
static const char *unquote(char *text)
{
	char *from = text, *to = text;
	int byte;

	if (*from++ != '"')
		return NULL;
	for (; *from && *from != '"'; from++) {
		if (*from == '\\') {
			byte = parse_octal(from + 1);
			if (byte < 0)
				return NULL;
			*to++ = (char)byte;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	if (from[0] != '"' || from[1])
		return NULL;
	*to = '\0';
	return text;
}

static int add_type(struct types *types, struct context *ctx, const struct type *type)
{
	struct type *list = context_grow_list(ctx, types->list, types->nr, sizeof(*list));

	if (!list)
		return -ENOMEM;
	types->list = list;
	list[types->nr++] = *type;
	types->by_id[type->id] = types->nr;
	return 0;
}

/**
 * struct types_parser - the reading of the file info
 * @types: result
 * @dir: the trace
 * @reasons: gets those to doubt
 * @line: number of the line
 * @bad: bad lines so far
 */
struct types_parser {
	struct types *types;
	const struct tracedir *dir;
	struct reasons *reasons;
	uint64_t line, bad;
};

static void doubt_line(struct types_parser *p, const char *what)
{
	if (p->bad++ < MAX_BAD_LINES)
		because(p->reasons, "info: line %" PRIu64 ": %s; the line is left out: copy the file from debugfs, ktrace/info, before the next boot of the traced kernel",
			p->line, what);
}

/* "17 1 sched_switch "prev %d next %d"" */
static int parse_type_line(struct types_parser *p, char *line)
{
	const char *id = cut_word(&line), *state = id ? cut_word(&line) : NULL;
	const char *name = state ? cut_word(&line) : NULL;
	const char *format = name ? unquote(line) : NULL;
	struct type type = { .name = name, .format = format, .is_selected = true };

	if (!format || strlen(name) > MAX_NAME || !strchr("01-", *state) || state[1] ||
	    !parse_id(id, &type.id))
		doubt_line(p, "expected '<id> <state> <name> \"<format>\"'");
	else if (p->types->by_id[type.id])
		doubt_line(p, "expected an id that no line before has");
	else
		return add_type(p->types, p->dir->ctx, &type);
	return 0;
}

static int refuse_info_version(const struct tracedir *dir, const char *line)
{
	char text[64];

	context_say(dir->ctx, "%s/info: line 1: '%s', expected 'version %d'; %s",
		    dir->name, line ? text_printable(text, sizeof(text), line) : "",
		    KTRACE_ABI_VERSION,
		    line && !strncmp(line, "version ", 8) ?
		    "use a newer ktrace-report" : "copy the file from debugfs, ktrace/info");
	return -EINVAL;
}

static int parse_info(struct types_parser *p, struct text *text)
{
	const char *version = text_line(text);
	char *line;
	int ret = 0;

	if (!version || strncmp(version, "version ", 8) ||
	    strtoul(version + 8, NULL, 10) != KTRACE_ABI_VERSION)
		return refuse_info_version(p->dir, version);
	for (p->line = 2; !ret && (line = text_line(text)); p->line++) {
		ret = parse_type_line(p, line);
		if (!ret)
			ret = context_check(p->dir->ctx);
	}
	if (p->bad > MAX_BAD_LINES)
		because(p->reasons, "info: %s more lines are left out",
			NUMBER(p->bad - MAX_BAD_LINES));
	return ret;
}

/**
 * types_load - read the file info
 * @types: result; types_free() it also after an error
 * @dir: the trace
 * @reasons: gets those to doubt the trace
 *
 * Return: 0, also without the file; or -errno after a message.
 */
int types_load(struct types *types, const struct tracedir *dir, struct reasons *reasons)
{
	struct types_parser p = { .types = types, .dir = dir, .reasons = reasons };
	struct text text;
	int ret;

	*types = (struct types) { .word_bits = dir->word_bits };
	types->by_id = context_calloc(dir->ctx, NR_IDS, sizeof(*types->by_id));
	if (!types->by_id)
		return -ENOMEM;
	ret = files_read(dir->files, dir->ctx, "info", MAX_INFO, &text);
	types->text = text.at;
	types->has_info = text.at;
	if (!ret && text.at)
		ret = parse_info(&p, &text);
	return ret;
}

/* Undo types_load(); do nothing if @types is zeroed. */
void types_free(struct types *types)
{
	size_t i;

	for (i = 0; i < types->nr; i++)
		layout_free(&types->list[i].layout);
	free(types->list);
	free(types->by_id);
	free(types->text);
}

/**
 * types_find - find the type of an event
 * @types: the types
 * @ctx: the context of the trace; has -ENOMEM if there is no memory
 * @id: number of the type
 *
 * Formats are parsed when they are needed: a file may have many that are not.
 *
 * Return: the type; NULL: the trace has none.
 */
struct type *types_find(struct types *types, struct context *ctx, uint16_t id)
{
	struct type *type;
	int ret;

	if (!types->by_id[id])
		return NULL;
	type = &types->list[types->by_id[id] - 1];
	if (type->state != TYPE_NEW)
		return type;
	ret = layout_parse(&type->layout, type->format, types->word_bits);
	if (ret == -ENOMEM)
		context_fail(ctx, ret);
	type->state = ret ? TYPE_BAD : TYPE_GOOD;
	return type;
}
