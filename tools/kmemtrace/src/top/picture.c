// SPDX-License-Identifier: GPL-2.0
/*
 * picture.c - the screen of kmemtrace-top as lines of text
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "top/picture.h"

/* Longest line; a terminal may be wider. */
#define MAX_WIDTH	1024

/* A screen of so many columns has room for more than the usual. */
#define WIDE		100

/* ---- lines ---- */

/**
 * struct painter - lines are written from top to bottom
 * @pic: the picture
 * @nr: lines so far
 */
struct painter {
	struct picture *pic;
	size_t nr;
};

/* Replace what a terminal could take for a command. The names were printable already. */
static void clean(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* Write a line, if there is room for it. */
__attribute__((format(printf, 3, 4)))
static void put(struct painter *p, enum look look, const char *fmt, ...)
{
	struct line *line;
	va_list ap;

	if (p->nr == p->pic->height)
		return;
	line = &p->pic->lines[p->nr++];
	va_start(ap, fmt);
	vsnprintf(line->text, p->pic->width + 1, fmt, ap);
	va_end(ap);
	clean(line->text);
	line->look = look;
}

/* Write @right at the right end of the line that was written last. */
static void put_right(const struct painter *p, const char *right)
{
	size_t used, width = p->pic->width, len = strlen(right);
	char *text;

	if (!p->nr || len + 1 > width)
		return;
	text = p->pic->lines[p->nr - 1].text;
	used = strlen(text);
	if (used < width)
		memset(text + used, ' ', width - used);
	text[width - len - 1] = ' ';
	memcpy(text + width - len, right, len);
	text[width] = '\0';
}

/* ---- numbers ---- */

#define ROOM	(FORMAT_LEN + 1)

static const char *signed_bytes(char *buf, double bytes)
{
	double size = bytes < 0 ? -bytes : bytes;

	if (size < 0.5)
		return memcpy(buf, "0B", sizeof("0B"));
	buf[0] = bytes < 0 ? '-' : '+';
	format_bytes(buf + 1, size < 0x1p63 ? (uint64_t)(size + 0.5) : UINT64_MAX);
	return buf;
}

static const char *rounded(char *buf, double value)
{
	return format_number(buf, value > 0 && value < 0x1p63 ? (uint64_t)(value + 0.5) : 0);
}

/* Write an age such as "1.5s", "12m" or "3d". */
static const char *age(char *buf, uint64_t ns)
{
	static const struct {
		const char *unit;
		double seconds, below;
	} units[] = {
		{ "s", 1, 120 },
		{ "m", 60, 7200 },
		{ "h", 3600, 172800 },
		{ "d", 86400, 1e12 },
	};
	double seconds = (double)ns / 1e9;
	size_t i = 0;

	if (ns == NO_AGE)
		return memcpy(buf, "-", sizeof("-"));
	while (seconds >= units[i].below)
		i++;
	snprintf(buf, ROOM, i || seconds >= 9.95 ? "%.0f%s" : "%.1f%s",
		 seconds / units[i].seconds, units[i].unit);
	return buf;
}

/* ---- columns ---- */

static const char *text_live(char *buf, const struct top_row *row)
{
	return format_bytes(buf, row->live);
}

static const char *text_objects(char *buf, const struct top_row *row)
{
	return format_number(buf, row->objects);
}

static const char *text_change(char *buf, const struct top_row *row)
{
	return signed_bytes(buf, (double)row->change);
}

static const char *text_rate(char *buf, const struct top_row *row)
{
	return signed_bytes(buf, row->rate);
}

static const char *text_allocs(char *buf, const struct top_row *row)
{
	return rounded(buf, row->allocs);
}

static const char *text_age(char *buf, const struct top_row *row)
{
	return age(buf, row->age);
}

static const char *text_waste(char *buf, const struct top_row *row)
{
	return format_bytes(buf, row->waste);
}

/**
 * struct column - a column of the rows
 * @title: its heading
 * @sort: name of the order by it
 * @width: columns of the screen
 * @from: the screen must be so wide, if rows have another order
 * @text: writes the value into a buffer of ROOM bytes
 */
static const struct column {
	const char *title, *sort;
	int width;
	size_t from;
	const char *(*text)(char *buf, const struct top_row *row);
} columns[] = {
	{ "LIVE", "live", 6, 0, text_live },
	{ "OBJECTS", "objects", 10, 0, text_objects },
	{ "CHANGE", "change", 7, 0, text_change },
	{ "CHANGE/s", "rate", 9, 0, text_rate },
	{ "ALLOCS/s", "allocs", 10, WIDE, text_allocs },
	{ "OLDEST", "oldest", 7, 0, text_age },
	{ "WASTE", "waste", 6, 0, text_waste },
};

#define NR_COLUMNS	(sizeof(columns) / sizeof(*columns))

static bool is_shown(const struct painter *p, const struct top *top, const struct column *column)
{
	return p->pic->width >= column->from ||
	       !strcmp(column->sort, top_sorts[top->sort].name);
}

/* The heading of the column by which rows are sorted ends with a mark. */
static void put_headings(struct painter *p, const struct top *top)
{
	const char *sort = top_sorts[top->sort].name;
	char text[MAX_WIDTH], title[32];
	size_t i, len = 0;

	for (i = 0; i < NR_COLUMNS; i++) {
		if (!is_shown(p, top, &columns[i]))
			continue;
		snprintf(title, sizeof(title), "%s%s", columns[i].title,
			 strcmp(columns[i].sort, sort) ? " " : "*");
		len += snprintf(text + len, sizeof(text) - len, "%*s", columns[i].width + 1,
				title);
	}
	put(p, LOOK_HEADING, "%s %s%s", text, top_groups[top->group].column,
	    strcmp(sort, "name") ? "" : "*");
}

static void put_row(struct painter *p, const struct top *top, const struct top_row *row)
{
	char text[MAX_WIDTH], buf[ROOM];
	size_t i, len = 0;

	for (i = 0; i < NR_COLUMNS; i++)
		if (is_shown(p, top, &columns[i]))
			len += snprintf(text + len, sizeof(text) - len, "%*s ",
					columns[i].width, columns[i].text(buf, row));
	put(p, LOOK_PLAIN, "%s %s", text, row->name);
}

/* ---- parts ---- */

static const char *state_text(const struct picture *pic, const struct top_head *head)
{
	if (head->state == TOP_ENDED)
		return "[ENDED]";
	if (head->state == TOP_CUT)
		return "[BROKE OFF]";
	if (pic->is_frozen)
		return "[FROZEN]";
	return head->state == TOP_EMPTY ? "[WAITING]" : "[LIVE]";
}

static void put_title(struct painter *p, const struct top_head *head)
{
	char time[ROOM];

	put(p, LOOK_TITLE, "%s%s  %s  %s events, %s/s",
	    p->pic->width < WIDE ? "" : "kmemtrace-top  ", head->kernel,
	    age(time, head->time), NUMBER(head->events),
	    rounded((char[ROOM]) { 0 }, head->rate));
	put_right(p, state_text(p->pic, head));
}

static void put_fill(struct painter *p, const struct top_head *head)
{
	char late[32];

	if (head->state != TOP_RUNS)
		put(p, LOOK_PLAIN, "Buffers  the recording has ended");
	else if (head->has_fill)
		put(p, head->fill > 0.5 ? LOOK_BAD : LOOK_PLAIN,
		    "Buffers  at most %.1f%% of a buffer was unread, that of cpu%u",
		    100 * head->fill, head->fullest);
	else
		put(p, LOOK_PLAIN, "Buffers  unknown: the stream does not say how full they are");
	if (head->waits_for >= 0) {
		snprintf(late, sizeof(late), "waits for cpu%d", head->waits_for);
		put_right(p, late);
	}
}

static void put_trust(struct painter *p, const struct top_head *head)
{
	if (head->state == TOP_EMPTY)
		put(p, LOOK_PLAIN, "Trust    nothing has arrived");
	else if (head->nr_doubts)
		put(p, LOOK_BAD, "Trust    INCOMPLETE, %s lost: %s", NUMBER(head->lost),
		    head->doubt);
	else
		put(p, LOOK_GOOD, "Trust    %s, 0 events lost",
		    head->state == TOP_ENDED ? "COMPLETE" : "complete so far");
	if (head->nr_doubts > 1) {
		char more[64];

		snprintf(more, sizeof(more), "and %zu more", head->nr_doubts - 1);
		put_right(p, more);
	}
	put_fill(p, head);
	if (head->sample > 1)
		put(p, LOOK_PLAIN, "Sample   one of %u slab objects below %s: figures of slab are estimates",
		    head->sample, BYTES(head->page_size));
}

static void put_totals(struct painter *p, const struct top *top)
{
	char b[5][ROOM];
	unsigned int i;

	put(p, LOOK_HEADING, "%-9s %6s %10s %7s %8s %9s %9s %5s %6s", "", "LIVE", "OBJECTS",
	    "CHANGE", "CHANGE/s", "ALLOCS/s", "FREES/s", "WASTE", "FAILED");
	for (i = 0; i < KMEMTRACE_NR_SPACES; i++) {
		const struct top_total *t = &top->totals[i];

		put(p, LOOK_PLAIN, "%c %-7s %6s %10s %7s %8s %9s %9s %5s %6s",
		    i == top->space ? '*' : ' ', top_spaces[i], BYTES(t->live),
		    NUMBER(t->objects), signed_bytes(b[0], (double)t->change),
		    signed_bytes(b[1], t->rate), rounded(b[2], t->allocs),
		    rounded(b[3], t->frees), BYTES(t->waste), NUMBER(t->failed));
	}
}

static void put_list_title(struct painter *p, const struct top *top)
{
	const struct top_head *head = &top->head;
	char text[2 * TOP_MAX_TEXT] = "", time[ROOM], rows[64];
	size_t end = p->pic->first + p->pic->nr_shown;

	if (*top->filter)
		snprintf(text, sizeof(text), " with \"%s\"", top->filter);
	put(p, LOOK_TITLE, "%s of %s by %s%s, changes since %s",
	    top_groups[top->group].title, top_spaces[top->space],
	    top_sorts[top->sort].name, text, age(time, head->marked));
	snprintf(rows, sizeof(rows), "%zu-%zu of %zu", end ? p->pic->first + 1 : 0, end,
		 top->nr_rows);
	put_right(p, rows);
}

static void put_rows(struct painter *p, const struct top *top)
{
	struct picture *pic = p->pic;
	size_t i, room = pic->height > p->nr + 3 ? pic->height - p->nr - 3 : 0;

	if (pic->first + room > top->nr_rows)
		pic->first = top->nr_rows > room ? top->nr_rows - room : 0;
	pic->nr_shown = top->nr_rows - pic->first < room ? top->nr_rows - pic->first : room;
	put_list_title(p, top);
	put_headings(p, top);
	for (i = 0; i < pic->nr_shown; i++)
		put_row(p, top, &top->rows[pic->first + i]);
	if (*top->filter && !top->nr_rows && room)
		put(p, LOOK_PLAIN, "no name matches; / changes the filter, Esc clears it");
}

static void put_help(struct painter *p)
{
	const struct key_help *k;

	put(p, LOOK_TITLE, "Keys");
	for (k = p->pic->keys; k->name; k++)
		put(p, LOOK_PLAIN, "  %-8s %s", k->key, k->help);
	put(p, LOOK_PLAIN, " ");
	put(p, LOOK_PLAIN, "CHANGE counts from the mark. WASTE is live memory that nobody requested.");
	put(p, LOOK_PLAIN, "Bytes of different allocators must not be added up: slab, percpu and vmalloc");
	put(p, LOOK_PLAIN, "get their memory from pages.");
}

/* The last line: the message, or as many keys as there is room for. */
static void put_keys(struct painter *p)
{
	char text[MAX_WIDTH] = "";
	const struct key_help *k;
	size_t len = 0;

	p->nr = p->pic->height - 1;
	if (*p->pic->message) {
		put(p, LOOK_KEYS, "%s", p->pic->message);
		return;
	}
	for (k = p->pic->keys; k->name; k++)
		if (len + strlen(k->key) + strlen(k->name) + 3 < p->pic->width &&
		    len + 64 < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len, "%s %s  ", k->key, k->name);
	put(p, LOOK_KEYS, "%s", text);
}

/**
 * picture_make - make the lines of the screen
 * @pic: the picture; picture_free() it also after an error
 * @top: the model
 *
 * Return: 0 or -ENOMEM.
 */
int picture_make(struct picture *pic, const struct top *top)
{
	struct painter p = { .pic = pic };
	size_t i;

	if (pic->width > MAX_WIDTH - 1)
		pic->width = MAX_WIDTH - 1;
	pic->lines = calloc(pic->height + 1, sizeof(*pic->lines));
	if (!pic->lines)
		return -ENOMEM;
	for (i = 0; i < pic->height; i++) {
		pic->lines[i].text = calloc(pic->width + 1, 1);
		if (!pic->lines[i].text)
			return -ENOMEM;
	}
	pic->nr_shown = 0;
	put_title(&p, &top->head);
	put_trust(&p, &top->head);
	if (pic->shows_help) {
		put_help(&p);
	} else {
		put_totals(&p, top);
		put_rows(&p, top);
	}
	if (pic->height)
		put_keys(&p);
	return 0;
}

void picture_free(struct picture *pic)
{
	size_t i;

	for (i = 0; pic->lines && i < pic->height; i++)
		free(pic->lines[i].text);
	free(pic->lines);
	pic->lines = NULL;
}
