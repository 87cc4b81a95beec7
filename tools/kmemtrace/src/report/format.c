// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for people, and values for JSON.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "report/format.h"

/* 1234567 as "1.2M": four places at most, units of 1024 */
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

/* 1234567 nanoseconds as "1.2ms" */
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

/* 123 of 1000 as "12.3%", none of none as "0.0%" */
const char *format_percent(char *buf, uint64_t part, uint64_t whole)
{
	snprintf(buf, FORMAT_LEN, "%.1f%%",
		 whole ? 100.0 * (double)part / (double)whole : 0.0);
	return buf;
}

/* By how much a number grew or shrank: "+1.2M", "-3"; one byte more for the sign */
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

void add_u64(json_object *obj, const char *key, uint64_t value)
{
	json_object_object_add(obj, key, json_object_new_uint64(value));
}

/* How many bytes behind the first of a character there have to be; -1: it can't be one. */
static int nr_behind(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return 1 + (first >= 0xe0) + (first >= 0xf0);
}

/* How many bytes the character of UTF-8 at @text has; 0: it is none. */
static size_t utf8_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	int i, n = nr_behind(*c);

	for (i = 1; i <= n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	/* What has a shorter form, the halves of UTF-16, and what is beyond the last one. */
	if (n < 0 || (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) ||
	    (*c == 0xf0 && c[1] < 0x90) || (*c == 0xf4 && c[1] > 0x8f))
		return 0;
	return n + 1;
}

/* JSON has nothing but characters: what is none becomes U+FFFD. */
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

/* Nothing where the value is NULL. */
void add_str(json_object *obj, const char *key, const char *value)
{
	if (value)
		json_object_object_add(obj, key, text_json(value));
}

/* As a string: few readers of JSON keep 64 bits of a number. */
void add_hex(json_object *obj, const char *key, uint64_t value)
{
	char hex[32];

	snprintf(hex, sizeof(hex), "%#" PRIx64, value);
	add_str(obj, key, hex);
}
