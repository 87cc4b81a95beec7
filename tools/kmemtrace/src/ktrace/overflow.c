// SPDX-License-Identifier: GPL-2.0
/*
 * overflow.c - read the file overflow of a trace
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/names.h"
#include "common/number.h"
#include "ktrace/overflow.h"

/* Bytes; a line for each of 8192 CPUs has less. */
#define MAX_OVERFLOW	(4 << 20)

/* Parse a blank and a number. */
static bool parse_count(const char **text, uint64_t *n)
{
	if (**text != ' ')
		return false;
	++*text;
	return !number_parse(text, n);
}

/* "cpu<n> <events> <lost> <bytes>" */
static bool parse_cpu_line(const char *line, struct overflow_cpu *c)
{
	uint64_t cpu;

	if (strncmp(line, "cpu", 3) || line[3 + strspn(line + 3, "0123456789 ")])
		return false;
	line += 3;
	if (number_parse(&line, &cpu) || cpu > MAX_CPU)
		return false;
	c->cpu = cpu;
	return parse_count(&line, &c->events) && parse_count(&line, &c->lost) &&
	       parse_count(&line, &c->bytes) && !*line;
}

static int add_overflow_cpu(struct overflow *o, struct context *ctx, const struct overflow_cpu *c)
{
	struct overflow_cpu *cpus = context_grow_list(ctx, o->cpus, o->nr, sizeof(*cpus));

	if (!cpus)
		return -ENOMEM;
	o->cpus = cpus;
	cpus[o->nr++] = *c;
	return 0;
}

static int by_overflow_cpu(const void *a, const void *b)
{
	const struct overflow_cpu *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void sort_overflow(struct overflow *o, struct reasons *reasons)
{
	size_t i;

	if (o->nr)
		qsort(o->cpus, o->nr, sizeof(*o->cpus), by_overflow_cpu);
	for (i = 1; i < o->nr; i++) {
		if (o->cpus[i].cpu != o->cpus[i - 1].cpu)
			continue;
		because(reasons, "overflow: has two lines of cpu%u; one of them is left out",
			o->cpus[i].cpu);
		return;
	}
}

/**
 * overflow_load - read the file overflow
 * @o: result; overflow_free() it also after an error
 * @dir: the trace
 * @reasons: gets those to doubt the trace
 *
 * Return: 0, also without the file; or -errno after a message.
 */
int overflow_load(struct overflow *o, const struct tracedir *dir, struct reasons *reasons)
{
	struct overflow_cpu c = { .cpu = 0 };
	uint64_t line_nr = 0, bad = 0;
	struct text text;
	char *line, *begin;
	int ret;

	*o = (struct overflow) { .nr = 0 };
	ret = files_read(dir->files, dir->ctx, "overflow", MAX_OVERFLOW, &text);
	begin = text.at;
	o->has_file = begin;
	while (!ret && begin && (line = text_line(&text))) {
		line_nr++;
		if (parse_cpu_line(line, &c))
			ret = add_overflow_cpu(o, dir->ctx, &c);
		else if (!bad++)
			because(reasons, "overflow: line %" PRIu64 ": expected 'cpu<n> <events> <lost> <bytes>'; the line is left out",
				line_nr);
	}
	free(begin);
	sort_overflow(o, reasons);
	return ret;
}

/* Return the counts of a CPU, or NULL. */
const struct overflow_cpu *overflow_of(const struct overflow *o, unsigned int cpu)
{
	const struct overflow_cpu key = { .cpu = cpu };

	return o->nr ? bsearch(&key, o->cpus, o->nr, sizeof(key), by_overflow_cpu) : NULL;
}

void overflow_free(struct overflow *o)
{
	free(o->cpus);
}
