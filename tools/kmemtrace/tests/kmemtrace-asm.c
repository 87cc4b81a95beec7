// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-asm: write the streams that a table on the standard input
 * describes, valid or not.
 *
 * A line is one record:
 *	CPU EVENT TYPE SIZE NODE SITE PTR REQ ALLOC GFP TIME
 * SIZE may exceed that of a record: zeros follow. "CPU raw HEX" are bytes as
 * they are. What follows a '#' is a comment.
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "dir-operand.h"
#include "event.h"
#include "memory.h"

#define MAX_CPUS	16

static enum byte_order opt_order = ORDER_LITTLE;

static FILE *out[MAX_CPUS];

static FILE *stream(const char *dir, unsigned int cpu)
{
	char *path;

	if (cpu >= MAX_CPUS)
		errx(EXIT_UNUSABLE, "cpu%u: too large", cpu);
	if (out[cpu])
		return out[cpu];
	if (asprintf(&path, "%s/cpu%u.out", dir, cpu) < 0)
		errx(EXIT_UNUSABLE, "out of memory");
	out[cpu] = fopen(path, "we");
	if (!out[cpu])
		err(EXIT_UNUSABLE, "%s", path);
	free(path);
	return out[cpu];
}

static void put_raw(FILE *f, const char *hex)
{
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		putc((int)byte, f);
}

/* A name of the list, or any number. */
static uint64_t value_of(const char *word, const char * const *names)
{
	uint64_t i;

	for (i = 0; names && names[i]; i++)
		if (!strcmp(word, names[i]))
			return i;
	return strtoull(word, NULL, 0);
}

enum column {
	CPU, EVENT, TYPE, SIZE, NODE, SITE, PTR, REQ, ALLOC, GFP, TIME,
	NR_COLUMNS
};

static const char * const events[] = { "null", "alloc", "free", NULL };
static const char * const types[] = { "kmalloc", "cache", "pages", NULL };

static const char * const * const names[NR_COLUMNS] = {
	[EVENT] = events,
	[TYPE] = types,
};

static void put_record(FILE *f, const uint64_t *v)
{
	char rec[UINT16_MAX] = { 0 };
	struct kmemtrace_event ev = {
		.event_id = v[EVENT],
		.type_id = v[TYPE],
		.event_size = v[SIZE],
		.node = v[NODE],
		.call_site = v[SITE],
		.ptr = v[PTR],
		.bytes_req = v[REQ],
		.bytes_alloc = v[ALLOC],
		.gfp_flags = v[GFP],
		.timestamp = v[TIME],
	};

	event_encode(&ev, opt_order, rec);
	fwrite(rec, v[SIZE] < sizeof(ev) ? sizeof(ev) : v[SIZE] & UINT16_MAX, 1,
	       f);
}

static int assemble(const char *dir, char *line)
{
	uint64_t values[NR_COLUMNS];
	size_t nr = 0;
	char *word;

	line[strcspn(line, "#\n")] = '\0';
	for (word = strtok(line, " \t"); word; word = strtok(NULL, " \t")) {
		if (nr == EVENT && !strcmp(word, "raw")) {
			word = strtok(NULL, " \t");
			put_raw(stream(dir, values[CPU]), word ? word : "");
			return 0;
		}
		if (nr == NR_COLUMNS)
			return -EINVAL;
		values[nr] = value_of(word, names[nr]);
		nr++;
	}
	if (nr == NR_COLUMNS)
		put_record(stream(dir, values[CPU]), values);
	return !nr || nr == NR_COLUMNS ? 0 : -EINVAL;
}

static int set_order(const char *value)
{
	opt_order = !strcmp(value, "big") ? ORDER_BIG : ORDER_LITTLE;
	return opt_order == ORDER_BIG || !strcmp(value, "little") ? 0 : -EINVAL;
}

static const struct opt opts[] = {
	{ 'o', "order", "ORDER", "byte order, little or big (default: little)", set_order },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-asm",
	.operands = "DIR",
	.purpose = "Write the streams that a table on the standard input describes into DIR.",
	.opts = opts,
};

int main(int argc, char **argv)
{
	const char *dir = dir_operand(&prog, argc, argv);
	unsigned int nr = 0, cpu;
	char line[512];

	while (fgets(line, sizeof(line), stdin)) {
		nr++;
		if (assemble(dir, line))
			errx(EXIT_UNUSABLE, "line %u: makes no sense", nr);
	}
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (out[cpu] && fclose(out[cpu]))
			err(EXIT_UNUSABLE, "cpu%u: write", cpu);
	return EXIT_SUCCESS;
}
