// SPDX-License-Identifier: GPL-2.0
/*
 * picture.c - the screen of kmemtrace-top as lines of text
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "report/format.h"
#include "report/table.h"
#include "top/picture.h"

/* Longest line; a terminal may be wider. */
#define MAX_WIDTH	1024

/* A screen of so many columns has room for more than the usual. */
#define WIDE		100

/* Most bytes of a character of UTF-8. */
#define MAX_BYTES	4
#define LINE_BYTES	(MAX_BYTES * MAX_WIDTH)

/* ---- lines ---- */

/**
 * struct painter - lines are written from top to bottom
 * @pic: the picture
 * @nr: lines so far
 * @error: why a line is missing, as -errno
 */
struct painter {
	struct picture *pic;
	size_t nr;
	int error;
};

/* Return the bytes of a line of the picture. */
static size_t room_of(const struct picture *pic)
{
	return MAX_BYTES * pic->width + 1;
}

/*
 * Copy the characters of a text that fit into @width columns. What the locale can't print, such as
 * a command to the terminal, becomes a question mark. Return the columns.
 */
static size_t fit(char *to, size_t room, const char *text, size_t width)
{
	const char *end = text + strlen(text), *from;
	size_t used = 0, len = 0, n;
	wchar_t c;
	int columns;

	for (; text < end; text += n) {
		mbstate_t state = { 0 };

		n = mbrtowc(&c, text, end - text, &state);
		columns = n > (size_t)(end - text) ? -1 : wcwidth(c);
		from = text;
		if (n > (size_t)(end - text))
			n = 1;
		if (columns < 0)
			from = "?";
		if (used + abs(columns) > width || len + n >= room)
			break;
		used += abs(columns);
		memcpy(to + len, from, columns < 0 ? 1 : n);
		len += columns < 0 ? 1 : n;
	}
	to[len] = '\0';
	return used;
}

/* Write a line, if there is room for it. */
__attribute__((format(printf, 3, 4)))
static void put_text(struct painter *p, enum look look, const char *fmt, ...)
{
	char text[LINE_BYTES];
	struct line *line;
	va_list ap;

	if (p->nr == p->pic->height)
		return;
	line = &p->pic->lines[p->nr++];
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fit(line->text, room_of(p->pic), text, p->pic->width);
	line->look = look;
}

/* Write @right, in ASCII, at the right end of the line that was written last. */
static void put_right(const struct painter *p, const char *right)
{
	const size_t width = p->pic->width, len = strlen(right);
	char left[LINE_BYTES], *text;
	size_t used;

	if (!p->nr || len + 1 > width)
		return;
	text = p->pic->lines[p->nr - 1].text;
	used = fit(left, sizeof(left), text, width - len - 1);
	snprintf(text, room_of(p->pic), "%s%*s%s", left, (int)(width - len - used), "", right);
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
static const char *age_text(char *buf, uint64_t ns)
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

	while (seconds >= units[i].below)
		i++;
	snprintf(buf, ROOM, i || seconds >= 9.95 ? "%.0f%s" : "%.1f%s",
		 seconds / units[i].seconds, units[i].unit);
	return buf;
}

/* ---- columns ---- */

/**
 * struct picture_column - a column of the totals and the rows
 * @title: its heading
 * @name: name of the library's column
 * @width: fewest columns of the screen, in rows; 0: rows don't have it
 * @total_width: the same in totals
 * @from: the screen must be so wide, if rows have another order
 */
static const struct picture_column {
	const char *title, *name;
	int width, total_width;
	size_t from;
} columns[] = {
	{ "LIVE", "live_bytes", 6, 6, 0 },
	{ "OBJECTS", "live", 10, 10, 0 },
	{ "CHANGE", "change_bytes", 7, 7, 0 },
	{ "CHANGE/s", "change_bytes_per_second", 9, 8, 0 },
	{ "ALLOCS/s", "allocs_per_second", 10, 9, WIDE },
	{ "FREES/s", "frees_per_second", 10, 9, SIZE_MAX },
	{ "OLDEST", "oldest_ns", 7, 0, 0 },
	{ "WASTE", "live_wasted", 6, 5, 0 },
	{ "FAILED", "failed", 0, 6, 0 },
};

#define NR_COLUMNS	(sizeof(columns) / sizeof(*columns))

/* The last one is that of the figure that sorts the rows, if they have no other column of it. */
#define MAX_COLUMNS	(NR_COLUMNS + 1)
#define MAX_TITLE	32

/**
 * picture_next_sort - return the column to sort by after another one
 * @sort: the column, or TOP_BY_NAME
 *
 * Return: the next one of those that rows may have, from left to right.
 */
const char *picture_next_sort(const char *sort)
{
	size_t i, next = 0;

	for (i = 0; i < NR_COLUMNS; i++)
		if (!strcmp(columns[i].name, sort))
			next = i + 1;
	while (next < NR_COLUMNS && !columns[next].width)
		next++;
	return next < NR_COLUMNS ? columns[next].name : TOP_BY_NAME;
}

/* Write what the row has in a column, "-" if it has nothing, into a buffer of ROOM bytes. */
static const char *value_text(char *buf, struct kmemtrace_relation *rows, const char *name)
{
	const int i = kmemtrace_relation_find(rows, name);
	const struct kmemtrace_column *column = kmemtrace_relation_column(rows, i);
	struct kmemtrace_field value;

	if (!kmemtrace_relation_value(rows, i, &value))
		return memcpy(buf, "-", sizeof("-"));
	if (column->unit == KMEMTRACE_NS)
		return age_text(buf, value.number);
	if (column->type == KMEMTRACE_SIGNED)
		return signed_bytes(buf, (double)value.signed_number);
	if (column->unit == KMEMTRACE_RATIO) {
		snprintf(buf, ROOM, "%.1f%%", 100 * value.real);
		return buf;
	}
	if (column->type == KMEMTRACE_REAL)
		return column->unit == KMEMTRACE_BYTES ? signed_bytes(buf, value.real) :
							 rounded(buf, value.real);
	return column->unit == KMEMTRACE_BYTES ? format_bytes(buf, value.number) :
						 format_number(buf, value.number);
}

/**
 * struct picture_table - the lines of totals, or those of rows, before they are written
 * @rows: the relation
 * @columns: the columns
 * @title: heading of the last one
 * @widths: columns of the screen, by column; 0: it is not shown
 * @nr: lines
 * @texts: by line and column
 * @names: by line
 */
struct picture_table {
	struct kmemtrace_relation *rows;
	struct picture_column columns[MAX_COLUMNS];
	char title[MAX_TITLE];
	int widths[MAX_COLUMNS];
	size_t nr;
	char (*texts)[MAX_COLUMNS][ROOM];
	char **names;
};

static void table_free(struct picture_table *t)
{
	size_t i;

	for (i = 0; t->names && i < t->nr; i++)
		free(t->names[i]);
	free(t->names);
	free(t->texts);
}

/* Take over the present row as line @i. Return false without memory. */
static bool take_row(struct picture_table *t, size_t i, const char *name)
{
	struct kmemtrace_field value;
	size_t c;
	int len;

	kmemtrace_relation_value(t->rows, kmemtrace_relation_find(t->rows, name), &value);
	t->names[i] = strdup(value.text ? value.text : "");
	for (c = 0; c < MAX_COLUMNS; c++) {
		if (!t->widths[c])
			continue;
		len = strlen(value_text(t->texts[i][c], t->rows, t->columns[c].name));
		t->widths[c] = len > t->widths[c] ? len : t->widths[c];
	}
	return t->names[i];
}

/* Take over @nr rows from @first on. Return 0 or -ENOMEM; table_free() it also then. */
static int table_make(struct picture_table *t, size_t first, size_t nr, const char *name)
{
	size_t i;

	t->texts = calloc(nr + 1, sizeof(*t->texts));
	t->names = calloc(nr + 1, sizeof(*t->names));
	if (!t->texts || !t->names)
		return -ENOMEM;
	t->nr = nr;
	for (i = 0; i < nr && kmemtrace_relation_go(t->rows, first + i); i++)
		if (!take_row(t, i, name))
			return -ENOMEM;
	return 0;
}

/* Write line @i of a table after a text, with its name behind it if @has_name. */
static void put_line(struct painter *p, const struct picture_table *t, size_t i, const char *begin,
		     bool has_name)
{
	char text[MAX_WIDTH] = "";
	size_t c, len = 0;

	for (c = 0; c < MAX_COLUMNS; c++)
		if (t->widths[c])
			len += snprintf(text + len, sizeof(text) - len, " %*s", t->widths[c],
					t->texts[i][c]);
	put_text(p, LOOK_PLAIN, "%s%s  %s", begin, text + !*begin, has_name ? t->names[i] : "");
}

/* Write the headings after a text, and @name; that of the column @sort ends with a mark. */
static void put_headings(struct painter *p, const struct picture_table *t, const char *begin,
			 const char *sort, const char *name)
{
	char text[MAX_WIDTH], title[MAX_TITLE + 1];
	size_t c, len = 0;

	for (c = 0; c < MAX_COLUMNS; c++) {
		if (!t->widths[c])
			continue;
		snprintf(title, sizeof(title), "%s%s", t->columns[c].title,
			 strcmp(t->columns[c].name, sort) ? " " : "*");
		len += snprintf(text + len, sizeof(text) - len, "%*s",
				t->widths[c] + (len || !*begin ? 1 : 2), title);
	}
	put_text(p, LOOK_HEADING, "%s%s %s%s", begin, text, name,
		 strcmp(sort, TOP_BY_NAME) ? "" : "*");
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

	put_text(p, LOOK_TITLE, "%s%s  %s  %s, %s/s",
		 p->pic->width < WIDE ? "" : "kmemtrace-top  ", head->kernel,
		 age_text(time, head->time), COUNT(head->events, "event", "events"),
		 rounded((char[ROOM]) { 0 }, head->rate));
	put_right(p, state_text(p->pic, head));
}

static void put_fill(struct painter *p, const struct top_head *head)
{
	char late[32];

	if (head->state != TOP_RUNS)
		put_text(p, LOOK_PLAIN, "Buffers  the recording has ended");
	else if (head->has_fill)
		put_text(p, head->fill > 0.5 ? LOOK_BAD : LOOK_PLAIN,
			 "Buffers  at most %.1f%% of a buffer was unread, that of cpu%u",
			 100 * head->fill, head->fullest);
	else
		put_text(p, LOOK_PLAIN,
			 "Buffers  unknown: the stream does not say how full they are");
	if (head->waits_for >= 0) {
		snprintf(late, sizeof(late), "waits for cpu%d", head->waits_for);
		put_right(p, late);
	}
}

static void put_trust(struct painter *p, const struct top_head *head)
{
	if (head->state == TOP_EMPTY)
		put_text(p, LOOK_PLAIN, "Trust    nothing has arrived");
	else if (head->nr_doubts)
		put_text(p, LOOK_BAD, "Trust    INCOMPLETE, %s lost: %s", NUMBER(head->lost),
			 head->doubt);
	else
		put_text(p, LOOK_GOOD, "Trust    %s, 0 events lost",
			 head->state == TOP_ENDED ? "COMPLETE" : "complete so far");
	if (head->nr_doubts > 1) {
		char more[64];

		snprintf(more, sizeof(more), "and %zu more", head->nr_doubts - 1);
		put_right(p, more);
	}
	put_fill(p, head);
	if (head->errors)
		put_text(p, LOOK_BAD, "Errors   %s%s: kmemtrace-report --show findings names them",
			 NUMBER(head->errors), head->nr_doubts ? ", unless missing events explain them" : "");
	if (head->sample > 1)
		put_text(p, LOOK_PLAIN,
			 "Sample   one of %u slab objects below %s: figures of slab are estimates",
			 head->sample, BYTES(head->page_size));
}

static void put_totals(struct painter *p, const struct top *top)
{
	struct picture_table t = { .rows = top->totals };
	char begin[32];
	size_t i;

	memcpy(t.columns, columns, sizeof(columns));
	for (i = 0; i < NR_COLUMNS; i++)
		t.widths[i] = columns[i].total_width;
	p->error = table_make(&t, 0, KMEMTRACE_NR_SPACES, "allocator");
	put_headings(p, &t, "         ", "", "");
	for (i = 0; !p->error && i < t.nr; i++) {
		snprintf(begin, sizeof(begin), "%c %-7s", i == top->space ? '*' : ' ', t.names[i]);
		put_line(p, &t, i, begin, false);
	}
	table_free(&t);
}

/* Put a suspect into a line: how many are kept, their bytes, and the path from its caller on. */
static void put_suspect(struct painter *p, struct kmemtrace_relation *row)
{
	const char *path = cell_text(row, "path"), *caller = cell_text(row, "caller");

	put_text(p, LOOK_PLAIN, "  %-7s %7s of %7s %6s  %s", cell_text(row, "allocator"),
		 NUMBER(cell_number(row, "kept")), NUMBER(cell_number(row, "kept_of")),
		 BYTES(cell_number(row, "live_bytes")), strstr(path, caller) ?: path);
}

static void put_suspects(struct painter *p, struct kmemtrace_relation *suspects)
{
	if (kmemtrace_relation_rows(suspects))
		put_text(p, LOOK_BAD, "Suspects: live, and nothing seems to free it");
	else
		put_right(p, "no suspects");
	kmemtrace_relation_rewind(suspects);
	while (kmemtrace_relation_next(suspects))
		put_suspect(p, suspects);
}

/* Return what the library calls a column for people. */
static const char *heading(const struct top *top, const char *name)
{
	return kmemtrace_relation_column(top->rows, kmemtrace_relation_find(top->rows, name))->heading;
}

static void put_list_title(struct painter *p, const struct top *top)
{
	const struct top_head *head = &top->head;
	char text[2 * TOP_MAX_TEXT] = "", time[ROOM], rows[64];
	size_t end = p->pic->first + p->pic->nr_shown;

	if (*top->filter)
		snprintf(text, sizeof(text), " with \"%s\"", top->filter);
	put_text(p, LOOK_TITLE, "%s of %s by %s%s, changes since %s",
		 top->group->rows, top_spaces[top->space],
		 strcmp(top->sort, TOP_BY_NAME) ? heading(top, top->sort) : top->sort, text,
		 age_text(time, head->marked));
	snprintf(rows, sizeof(rows), "%zu-%zu of %zu", end ? p->pic->first + 1 : 0, end,
		 top_nr_rows(top));
	put_right(p, rows);
}

/* Choose the columns of rows on a screen of @width columns: that of the order is always there. */
static void choose_picture_columns(struct picture_table *t, const struct top *top, size_t width)
{
	struct picture_column *last = &t->columns[NR_COLUMNS];
	bool is_shown = !strcmp(top->sort, TOP_BY_NAME);
	size_t i;

	memcpy(t->columns, columns, sizeof(columns));
	for (i = 0; i < NR_COLUMNS; i++) {
		const bool sorts = !strcmp(columns[i].name, top->sort);

		if (width >= columns[i].from || sorts)
			t->widths[i] = columns[i].width;
		is_shown |= sorts && t->widths[i];
	}
	if (is_shown)
		return;
	snprintf(t->title, sizeof(t->title), "%s", heading(top, top->sort));
	for (i = 0; t->title[i]; i++)
		t->title[i] = (char)toupper((unsigned char)t->title[i]);
	*last = (struct picture_column) { .title = t->title, .name = top->sort };
	t->widths[NR_COLUMNS] = (int)i + 1;
}

static void put_rows(struct painter *p, const struct top *top)
{
	const char *name = top->group->name;
	size_t i, nr = top_nr_rows(top);
	struct picture *pic = p->pic;
	const size_t room = pic->height > p->nr + 3 ? pic->height - p->nr - 3 : 0;
	struct picture_table t = { .rows = top->rows };

	if (pic->first + room > nr)
		pic->first = nr > room ? nr - room : 0;
	pic->nr_shown = nr - pic->first < room ? nr - pic->first : room;
	choose_picture_columns(&t, top, pic->width);
	p->error = table_make(&t, pic->first, pic->nr_shown, name);
	put_list_title(p, top);
	put_headings(p, &t, "", top->sort, heading(top, name));
	for (i = 0; !p->error && i < t.nr; i++)
		put_line(p, &t, i, "", true);
	if (*top->filter && !nr && room)
		put_text(p, LOOK_PLAIN, "no name matches; / changes the filter, Esc clears it");
	table_free(&t);
}

static void put_help(struct painter *p)
{
	const struct key_help *k;

	put_text(p, LOOK_TITLE, "Keys");
	for (k = p->pic->keys; k->name; k++)
		put_text(p, LOOK_PLAIN, "  %-8s %s", k->key, k->help);
	put_text(p, LOOK_PLAIN, " ");
	put_text(p, LOOK_PLAIN,
		 "CHANGE counts from the mark. WASTE is live memory that nobody requested.");
	put_text(p, LOOK_PLAIN,
		 "Bytes of different allocators must not be added up: slab, percpu and vmalloc");
	put_text(p, LOOK_PLAIN, "get their memory from pages.");
}

/* The last line: the message, or as many keys as there is room for. */
static void put_keys(struct painter *p)
{
	char text[MAX_WIDTH] = "";
	const struct key_help *k;
	size_t len = 0;

	p->nr = p->pic->height - 1;
	if (*p->pic->message) {
		put_text(p, LOOK_KEYS, "%s", p->pic->message);
		return;
	}
	for (k = p->pic->keys; k->name; k++)
		if (len + strlen(k->key) + strlen(k->name) + 3 < p->pic->width &&
		    len + 64 < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len, "%s %s  ", k->key, k->name);
	put_text(p, LOOK_KEYS, "%s", text);
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
		pic->lines[i].text = calloc(room_of(pic), 1);
		if (!pic->lines[i].text)
			return -ENOMEM;
	}
	pic->nr_shown = 0;
	put_title(&p, &top->head);
	put_trust(&p, &top->head);
	if (pic->shows_help) {
		put_help(&p);
	} else if (top->rows) {
		put_suspects(&p, top->suspects);
		put_totals(&p, top);
		if (!p.error)
			put_rows(&p, top);
	}
	if (pic->height)
		put_keys(&p);
	return p.error;
}

void picture_free(struct picture *pic)
{
	size_t i;

	for (i = 0; pic->lines && i < pic->height; i++)
		free(pic->lines[i].text);
	free(pic->lines);
	pic->lines = NULL;
}
