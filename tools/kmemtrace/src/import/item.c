// SPDX-License-Identifier: GPL-2.0
/*
 * Items: written by a reader, read by the process that stores the trace.
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "import/item.h"

/* An error shows at the end, when the reader flushes the pipe. */
static void write_item(FILE *to, const struct item *item, const char *text)
{
	fwrite(item, sizeof(*item), 1, to);
	if (item->size)
		fwrite(text, item->size, 1, to);
}

/* Write an item that is a number. */
void item_value(FILE *to, enum item_kind kind, uint64_t value)
{
	write_item(to, &(struct item) { .kind = kind, .value = value }, "");
}

/* Write ITEM_LOST or ITEM_LOST_ALL. */
void item_lost(FILE *to, enum item_kind kind, uint32_t cpu, int64_t time, uint64_t value)
{
	write_item(to, &(struct item) {
		.kind = kind, .cpu = cpu, .time = time, .value = value,
	}, "");
}

/* Write ITEM_EVENT. */
void item_event(FILE *to, uint32_t cpu, const struct kmemtrace_event *event)
{
	write_item(to, &(struct item) {
		.kind = ITEM_EVENT, .cpu = cpu, .time = event->timestamp, .event = *event,
	}, "");
}

/* Write ITEM_META. */
void item_meta(FILE *to, enum meta meta, const char *text)
{
	write_item(to, &(struct item) {
		.kind = ITEM_META, .value = meta, .size = strnlen(text, ITEM_MAX_TEXT),
	}, text);
}

/* Write ITEM_MODULE. */
void item_module(FILE *to, const char *name, uint64_t address, uint64_t bytes)
{
	write_item(to, &(struct item) {
		.kind = ITEM_MODULE, .size = strnlen(name, ITEM_MAX_TEXT),
		.event = { .ptr = address, .bytes_alloc = bytes },
	}, name);
}

/* Write an item with a text, which is cut where it is too long. */
void item_text(FILE *to, enum item_kind kind, const char *fmt, ...)
{
	char text[ITEM_MAX_TEXT + 1];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (len > ITEM_MAX_TEXT)
		len = ITEM_MAX_TEXT;
	if (len > 0)
		write_item(to, &(struct item) { .kind = kind, .size = len }, text);
}

/**
 * item_read - read the next item
 * @from: the pipe
 * @item: result
 * @text: its text, which a 0 ends
 *
 * Return: 1; 0 at the end of the pipe; -EPROTO: no item.
 */
int item_read(FILE *from, struct item *item, char text[ITEM_MAX_TEXT + 1])
{
	size_t len = fread(item, 1, sizeof(*item), from);

	if (!len)
		return 0;
	if (len != sizeof(*item) || item->size > ITEM_MAX_TEXT || item->kind > ITEM_END)
		return -EPROTO;
	text[item->size] = '\0';
	if (item->size && fread(text, item->size, 1, from) != 1)
		return -EPROTO;
	return 1;
}
