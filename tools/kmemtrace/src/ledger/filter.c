// SPDX-License-Identifier: GPL-2.0
/*
 * filter.c - a filter of allocations: parse the user's text
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/filter.h"
#include "common/interval.h"
#include "common/number.h"
#include "common/records.h"
#include "common/text.h"
#include "read/event.h"

/* Accept any name. */
static int accept_any(struct filter *f, const char *text)
{
	(void)f;
	return *text ? 0 : -EINVAL;
}

static int accept_pattern(struct filter *f, const char *text)
{
	(void)f;
	return *text && text_is_pattern(text, true) ? 0 : -EINVAL;
}

/* Return the types of a name of @len characters; 0 if there is no such type. */
static unsigned int types_named(const char *name, size_t len)
{
	unsigned int type;

	for (type = 0; type < EVENT_NR_TYPES; type++)
		if (strlen(record_types[type]) == len &&
		    !strncmp(record_types[type], name, len))
			return 1U << type;
	return len == 4 && !strncmp(name, "slab", len) ? EVENT_SLAB_TYPES : 0;
}

static int take_types(struct filter *f, const char *text)
{
	unsigned int types;
	size_t len;

	f->types = 0;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		types = types_named(text, len);
		if (!types)
			return -EINVAL;
		f->types |= types;
		if (!text[len])
			return 0;
	}
}

/* Parse the number of a CPU. Returns -1 if it is none. */
static int parse_cpu(const char **text)
{
	unsigned long cpu;
	char *end;

	errno = 0;
	cpu = strtoul(*text, &end, 10);
	if (errno || **text < '0' || **text > '9' || cpu > MAX_CPU)
		return -1;
	*text = end;
	return (int)cpu;
}

static int take_cpus(struct filter *f, const char *text)
{
	int cpu, last;

	memset(f->cpus, 0, sizeof(f->cpus));
	for (;; text++) {
		cpu = parse_cpu(&text);
		last = cpu;
		if (*text == '-') {
			text++;
			last = parse_cpu(&text);
		}
		if (cpu < 0 || last < cpu)
			return -EINVAL;
		for (; cpu <= last; cpu++)
			f->cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
		if (*text != ',')
			return *text ? -EINVAL : 0;
	}
}

static int parse_byte_range(struct filter *f, const char *text)
{
	f->min = 0;
	f->max = UINT64_MAX;
	if (!strcmp(text, "-") ||
	    (*text != '-' && number_parse(&text, &f->min)))
		return -EINVAL;
	if (!*text)
		f->max = f->min;
	else if (*text++ != '-')
		return -EINVAL;
	else if (*text && number_parse(&text, &f->max))
		return -EINVAL;
	return *text || f->max < f->min ? -EINVAL : 0;
}

static int take_least_age(struct filter *f, const char *text)
{
	return interval_parse_time(text, &f->older);
}

static int take_most_age(struct filter *f, const char *text)
{
	return interval_parse_time(text, &f->younger);
}

static int (* const takers[NR_FILTERS])(struct filter *f, const char *text) = {
	[FILTER_SITE] = accept_pattern,
	[FILTER_MODULE] = accept_any,
	[FILTER_CACHE] = accept_pattern,
	[FILTER_TYPE] = take_types,
	[FILTER_CPU] = take_cpus,
	[FILTER_SIZE] = parse_byte_range,
	[FILTER_TASK] = accept_pattern,
	[FILTER_CGROUP] = accept_pattern,
	[FILTER_STACK] = accept_pattern,
	[FILTER_OLDER] = take_least_age,
	[FILTER_YOUNGER] = take_most_age,
};

/**
 * filter_set - set one part of a filter
 * @f: the filter
 * @key: the part
 * @text: the value; must stay valid
 *
 * Return: 0, or -EINVAL if @text is not valid.
 */
int filter_set(struct filter *f, enum filter_key key, const char *text)
{
	f->texts[key] = text;
	return takers[key](f, text);
}

/* Return whether any part of a filter is set. */
bool filter_is_set(const struct filter *f)
{
	int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (f->texts[i])
			return true;
	return false;
}
