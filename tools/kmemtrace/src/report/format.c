// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for people, and values for JSON.
 */
#include "config.h"

#include <inttypes.h>
#include <json-c/json_visit.h>
#include <json-c/printbuf.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/utf8.h"
#include "report/format.h"

/* Write 1234567 as "1.2M", in units of 1024. */
const char *format_bytes(char *buf, uint64_t n)
{
	static const char units[] = "BKMGTPE";
	double value = n;
	size_t unit = 0;

	while (value >= 999.5 && unit + 2 < sizeof(units)) {
		value /= 1024;
		unit++;
	}
	snprintf(buf, FORMAT_LEN, unit && value < 9.95 ? "%.1f%c" : "%.0f%c",
		 value, units[unit]);
	return buf;
}

/* Write 1234567 nanoseconds as "1.2ms". */
const char *format_time(char *buf, uint64_t ns)
{
	static const char * const units[] = { "ns", "us", "ms", "s" };
	double value = ns;
	size_t unit = 0;

	while (value >= 999.5 && unit + 1 < sizeof(units) / sizeof(*units)) {
		value /= 1000;
		unit++;
	}
	snprintf(buf, FORMAT_LEN, unit && value < 9.95 ? "%.1f%s" : "%.0f%s",
		 value, units[unit]);
	return buf;
}

/* Write 123 of 1000 as "12.3%", 0 of 0 as "0.0%". */
const char *format_percent(char *buf, uint64_t part, uint64_t whole)
{
	snprintf(buf, FORMAT_LEN, "%.1f%%",
		 whole ? 100.0 * (double)part / (double)whole : 0.0);
	return buf;
}

/*
 * Write the standard error of an estimate as "±4%"; "" where there is none. Only rounding takes it
 * beyond 100%.
 */
const char *format_error(char *buf, uint64_t value, uint64_t error)
{
	double percent = value ? 100.0 * (double)error / (double)value : 0;

	if (percent > 100)
		percent = 100;
	if (error)
		snprintf(buf, FORMAT_LEN, percent < 0.95 ? "±%.1f%%" : "±%.0f%%", percent);
	else
		*buf = '\0';
	return buf;
}

/* Write a change as "+1.2M" or "-3"; needs one byte more for the sign. */
const char *format_change(char *buf,
			  const char *(*format)(char *buf, uint64_t n),
			  uint64_t before, uint64_t after)
{
	if (before == after)
		return format(buf, 0);
	buf[0] = after > before ? '+' : '-';
	format(buf + 1, after > before ? after - before : before - after);
	return buf;
}

/* Return a character for a part of @most, a blank for 0 only. */
char format_level(uint64_t value, uint64_t most)
{
	static const char levels[] = " .:-=+*#%@";
	const size_t last = sizeof(levels) - 2;
	uint64_t i = most ? (value * last + most - 1) / most : 0;

	return levels[i < last ? i : last];
}

static int print_no_elements(json_object *array, struct printbuf *buf, int level, int flags)
{
	(void)array;
	(void)level;
	(void)flags;
	return printbuf_memappend(buf, "[]", 2);
}

/*
 * Versions of json-c print an array without elements on one line or on two. One with userdata
 * has a printer of its own.
 */
static int set_printer(json_object *obj, int flags, json_object *parent, const char *key,
		       size_t *index, void *data)
{
	(void)flags;
	(void)parent;
	(void)key;
	(void)index;
	(void)data;
	if (json_object_is_type(obj, json_type_array) && !json_object_array_length(obj) &&
	    !json_object_get_userdata(obj))
		json_object_set_serializer(obj, print_no_elements, NULL, NULL);
	return JSON_C_VISIT_RETURN_CONTINUE;
}

/* Print an object in ASCII, and drop it. */
static void print_ascii(json_object *obj, int flags, FILE *out)
{
	const char *text;

	json_c_visit(obj, 0, set_printer, NULL);
	text = json_object_to_json_string_ext(obj, flags | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (!text)
		out_of_memory();
	while (*text) {
		if (*text == '\n' || (*text >= ' ' && *text <= '~'))
			putc(*text++, out);
		else
			text += utf8_print_escaped(text, out);
	}
	json_object_put(obj);
}

/**
 * print_json - print an object in ASCII
 * @obj: the object, whose strings are from text_json(); the reference is dropped
 * @out: where to
 *
 * Characters beyond ASCII are escaped: some of them control a terminal.
 */
void print_json(json_object *obj, FILE *out)
{
	print_ascii(obj, JSON_C_TO_STRING_PRETTY, out);
	putc('\n', out);
}

/* Print the same in one line, without its end. */
void print_json_line(json_object *obj, FILE *out)
{
	print_ascii(obj, JSON_C_TO_STRING_PLAIN, out);
}

/* Print the name of a member of an object, which is not the first one. */
void print_member_name(const char *name, FILE *out)
{
	fprintf(out, ",\n\"%s\": ", name);
}

/* Print a member of an object, which is not the first one. Drops the reference. */
void print_member(const char *name, json_object *value, FILE *out)
{
	print_member_name(name, out);
	print_json_line(value, out);
}

void add_u64(json_object *obj, const char *key, uint64_t value)
{
	json_object_object_add(obj, key, json_object_new_uint64(value));
}

/* Return a string. Bytes that are no UTF-8 become U+FFFD. */
json_object *text_json(const char *text)
{
	static const char unknown[] = "\xef\xbf\xbd";
	char *copy = must_calloc(strlen(text) + 1, sizeof(unknown)), *to = copy;
	json_object *obj;
	size_t n;

	while (*text) {
		n = utf8_length(text);
		to = n ? mempcpy(to, text, n) : stpcpy(to, unknown);
		text += n ? n : 1;
	}
	obj = json_object_new_string_len(copy, to - copy);
	free(copy);
	return obj;
}

/* Add a string, unless it is NULL. */
void add_str(json_object *obj, const char *key, const char *value)
{
	if (value)
		json_object_object_add(obj, key, text_json(value));
}

/* Write the names that a function returns, "a, b or c", between two texts. */
void write_names(char *buf, size_t size, const char *before,
		 const char *(*name_at)(size_t i), const char *after)
{
	FILE *out = fmemopen(buf, size, "w");
	size_t i;

	if (!out)
		out_of_memory();
	fputs(before, out);
	for (i = 0; name_at(i); i++)
		fprintf(out, "%s%s", !i ? "" : name_at(i + 1) ? ", " : " or ", name_at(i));
	fputs(after, out);
	if (fclose(out))
		out_of_memory();
}
