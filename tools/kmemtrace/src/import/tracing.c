// SPDX-License-Identifier: GPL-2.0
/*
 * tracing.c - read the tracing data of a perf.data
 *
 * tools/perf/util/trace-event-info.c writes it: a header, the format of the page header, those
 * of ftrace's own events, and those of the events of each system. What follows is not used.
 */
#include "config.h"

#include <event-parse.h>
#include <string.h>

#include "import/formats.h"
#include "import/tracing.h"

/* Bytes of the fields of an event; a longer format is none. Those that are used have 800. */
#define MAX_FORMAT	4096

static const unsigned char magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

/* Take the header. Return what is wrong, or NULL. */
static const char *read_header(struct span *s, struct tep_handle *tep, struct tracing *t)
{
	const void *begin = span_take(s, sizeof(magic));
	bool is_big;

	if (!begin || memcmp(begin, magic, sizeof(magic)) || !span_text(s))
		return "expected tracing data";
	is_big = span_u8(s);
	s->order = is_big ? ORDER_BIG : ORDER_LITTLE;
	t->word_bits = span_u8(s) == 4 ? 32 : 64;
	t->page_size = span_u32(s);
	if (s->is_short || !formats_page_size(t->page_size))
		return "expected the header of tracing data";
	tep_set_file_bigendian(tep, is_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, ORDER_NATIVE == ORDER_BIG ? TEP_BIG_ENDIAN :
							     TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, t->word_bits / 8);
	tep_set_page_size(tep, t->page_size);
	return NULL;
}

/* Skip the format of a header, which has a name. */
static void skip_format(struct span *s)
{
	span_text(s);
	span_take(s, span_u64(s));
}

/* Skip the formats of ftrace's own events. */
static void skip_ftrace(struct span *s)
{
	uint32_t nr = span_u32(s);

	for (; nr && !s->is_short; nr--)
		span_take(s, span_u64(s));
}

/* Return the name of the tracepoint that a format is of, if it is used; else NULL. */
static const char *name_of_format(const char *format, size_t size, const char *system)
{
	static const char begin[] = "name: ";
	const size_t skip = strlen(begin);
	const char *end = size > skip && !memcmp(format, begin, skip) ?
			  memchr(format, '\n', size) : NULL;

	return end ? formats_wants(system, format + skip, end - format - skip) : NULL;
}

/*
 * Parse the format of a tracepoint that is used, without its print fmt, which says how a line of
 * text looks. libtracecmd calls this function instead of libtraceevent's, which does not survive
 * every damaged print fmt, and takes a time that grows with the square of the words of a format
 * and of the formats.
 */
enum tep_errno tep_parse_event(struct tep_handle *tep, const char *format, unsigned long size,
			       const char *system)
{
	static const char print[] = "print fmt:", none[] = "print fmt: \"\"\n";
	const char *name = name_of_format(format, size, system);
	const char *at = memmem(format, size, print, strlen(print));
	const size_t len = at ? (size_t)(at - format) : size;
	char text[MAX_FORMAT + sizeof(none)];
	struct tep_event *event;

	if (!name || len > MAX_FORMAT || tep_find_event_by_name(tep, system, name))
		return 0;
	memcpy(text, format, len);
	memcpy(text + len, none, sizeof(none));
	return tep_parse_format(tep, &event, text, len + strlen(none), system);
}

/* Read the formats of a system. */
static void read_system(struct span *s, struct tep_handle *tep)
{
	const char *system = span_text(s);
	uint32_t nr = span_u32(s);
	struct span format;

	for (; nr && !s->is_short; nr--) {
		format = span_part(s, span_u64(s));
		if (!format.is_short)
			tep_parse_event(tep, (const char *)format.at, format.size, system);
	}
}

/**
 * tracing_read - read tracing data
 * @s: it; what follows the formats is left
 * @tep: gets the formats of tracepoints that can be records
 * @t: result
 *
 * Return: NULL; or what is wrong before the next byte of @s.
 */
const char *tracing_read(struct span *s, struct tep_handle *tep, struct tracing *t)
{
	const char *wrong = read_header(s, tep, t);
	uint32_t systems;

	if (wrong)
		return wrong;
	skip_format(s);
	skip_format(s);
	skip_ftrace(s);
	systems = span_u32(s);
	for (; systems && !s->is_short; systems--)
		read_system(s, tep);
	return s->is_short ? "the tracing data ends too early" : NULL;
}
