// SPDX-License-Identifier: GPL-2.0
/*
 * pprof: a profile as "go tool pprof", Pyroscope and Parca read it.
 *
 * It is a message Profile of protocol buffers, compressed with gzip: fields with their number
 * and length. Fields of different numbers may come in any order, so a string is written when
 * it is used for the first time.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/context.h"
#include "common/memory.h"
#include "common/text.h"
#include "export/output.h"
#include "export/stack.h"
#include "report/view.h"
#include "report/table.h"

/* Of deflateInit2(): 32 KB behind a header of gzip, as gzip has them. */
#define GZIP_WINDOW	(15 + 16)
#define DEFAULT_MEMORY	8

/* Numbers of the fields of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE	= 1,
	PROFILE_SAMPLE		= 2,
	PROFILE_MAPPING		= 3,
	PROFILE_LOCATION	= 4,
	PROFILE_FUNCTION	= 5,
	PROFILE_STRING		= 6,
	PROFILE_TIME		= 9,
	PROFILE_DURATION	= 10,
	PROFILE_COMMENT		= 13,
	PROFILE_DEFAULT_TYPE	= 14,
	TYPE_TYPE		= 1,
	TYPE_UNIT		= 2,
	SAMPLE_LOCATIONS	= 1,
	SAMPLE_VALUES		= 2,
	MAPPING_ID		= 1,
	MAPPING_FILE		= 5,
	MAPPING_FUNCTIONS	= 7,
	MAPPING_FILES		= 8,
	MAPPING_LINES		= 9,
	LOCATION_ID		= 1,
	LOCATION_MAPPING	= 2,
	LOCATION_ADDRESS	= 3,
	LOCATION_LINE		= 4,
	LINE_FUNCTION		= 1,
	LINE_LINE		= 2,
	FUNCTION_ID		= 1,
	FUNCTION_NAME		= 2,
	FUNCTION_FILE		= 4,
};

/* The low bits of a field's head. */
#define WIRE_NUMBER	0
#define WIRE_BYTES	2

#define NUMBER_LEN	10
/* The longest message is a sample: its locations and its values. */
#define MESSAGE_LEN	((STACK_MAX + MEASURES_MAX + 4) * NUMBER_LEN)

/**
 * struct message - a message that is being made
 * @bytes: its fields
 * @len: bytes of them
 */
struct message {
	unsigned char bytes[MESSAGE_LEN];
	size_t len;
};

/**
 * struct pprof - a profile that is being written
 * @s: the stacks
 * @out: where to
 * @z: compresses the profile
 * @strings: the strings that were written, as profile.proto numbers them
 * @functions: the functions that were written, by the numbers of name and file
 * @locations: the locations that were written, by address, or by the number of a name
 * @mappings: the modules that were written
 */
struct pprof {
	struct stacks s;
	FILE *out;
	z_stream z;
	struct intern strings, functions, locations, mappings;
};

/* ---- messages ---- */

static size_t encode(unsigned char *bytes, uint64_t n)
{
	size_t len = 0;

	for (; n > 0x7f; n >>= 7)
		bytes[len++] = n | 0x80;
	bytes[len++] = n;
	return len;
}

static void add_varint(struct message *m, uint64_t n)
{
	m->len += encode(m->bytes + m->len, n);
}

static void add_field(struct message *m, unsigned int field, uint64_t n)
{
	if (!n)
		return;
	add_varint(m, field << 3 | WIRE_NUMBER);
	add_varint(m, n);
}

static void add_message(struct message *m, unsigned int field, const struct message *part)
{
	add_varint(m, field << 3 | WIRE_BYTES);
	add_varint(m, part->len);
	memcpy(m->bytes + m->len, part->bytes, part->len);
	m->len += part->len;
}

/* Compress bytes. @flush: Z_FINISH with the last ones, else Z_NO_FLUSH */
static void put_compressed(struct pprof *p, const void *bytes, size_t len, int flush)
{
	unsigned char packed[4096];

	p->z.next_in = (unsigned char *)bytes;
	p->z.avail_in = len;
	do {
		p->z.next_out = packed;
		p->z.avail_out = sizeof(packed);
		deflate(&p->z, flush);
		fwrite(packed, 1, sizeof(packed) - p->z.avail_out, p->out);
	} while (!p->z.avail_out);
}

static void put_proto(struct pprof *p, const void *bytes, size_t len)
{
	put_compressed(p, bytes, len, Z_NO_FLUSH);
}

static void write_profile_bytes(struct pprof *p, unsigned int field, const void *bytes, size_t len)
{
	unsigned char head[2 * NUMBER_LEN];
	size_t n = encode(head, field << 3 | WIRE_BYTES);

	n += encode(head + n, len);
	put_proto(p, head, n);
	put_proto(p, bytes, len);
}

static void write_message(struct pprof *p, unsigned int field, const struct message *m)
{
	write_profile_bytes(p, field, m->bytes, m->len);
}

static void write_number(struct pprof *p, unsigned int field, uint64_t n)
{
	unsigned char bytes[2 * NUMBER_LEN];
	size_t len = encode(bytes, field << 3 | WIRE_NUMBER);

	len += encode(bytes + len, n);
	put_proto(p, bytes, len);
}

/* ---- the profile ---- */

static uint64_t string(struct pprof *p, const char *text)
{
	bool is_new;
	uint64_t number = must_intern(&p->strings, text, strlen(text), &is_new);

	if (is_new)
		write_profile_bytes(p, PROFILE_STRING, text, strlen(text));
	return number;
}

static void write_type(struct pprof *p, const struct measure *of)
{
	struct message m = { .len = 0 };

	add_field(&m, TYPE_TYPE, string(p, of->name));
	add_field(&m, TYPE_UNIT, string(p, measure_unit(of)));
	write_message(p, PROFILE_SAMPLE_TYPE, &m);
}

/* Return the number of a function. */
static uint64_t function(struct pprof *p, const char *name, const char *file)
{
	const uint64_t key[] = { string(p, name), string(p, file) };
	struct message m = { .len = 0 };
	uint64_t number;
	bool is_new;

	number = must_intern(&p->functions, key, sizeof(key), &is_new) + 1;
	if (!is_new)
		return number;
	add_field(&m, FUNCTION_ID, number);
	add_field(&m, FUNCTION_NAME, key[0]);
	add_field(&m, FUNCTION_FILE, key[1]);
	write_message(p, PROFILE_FUNCTION, &m);
	return number;
}

/* Return the number of a module. pprof must not look for its symbols. */
static uint64_t mapping(struct pprof *p, const char *module)
{
	struct message m = { .len = 0 };
	char name[256];
	uint64_t number;
	bool is_new;

	text_printable(name, sizeof(name), module);
	number = must_intern(&p->mappings, name, strlen(name), &is_new) + 1;
	if (!is_new)
		return number;
	add_field(&m, MAPPING_ID, number);
	add_field(&m, MAPPING_FILE, string(p, name));
	add_field(&m, MAPPING_FUNCTIONS, true);
	add_field(&m, MAPPING_FILES, true);
	add_field(&m, MAPPING_LINES, true);
	write_message(p, PROFILE_MAPPING, &m);
	return number;
}

static void write_location(struct pprof *p, uint64_t number, const struct stack *stack,
			   size_t frame)
{
	const struct site *site = &stack->frames[frame].site;
	bool is_site = stack->frames[frame].has_site;
	struct message m = { .len = 0 }, line = { .len = 0 };
	char file[MAX_KERNEL_NAME + 1] = "";

	add_field(&m, LOCATION_ID, number);
	if (is_site && !site->note) {
		add_field(&m, LOCATION_MAPPING,
			  mapping(p, site->ref.module ? site->ref.module : "vmlinux"));
		add_field(&m, LOCATION_ADDRESS, site->addr);
	}
	if (is_site && site->line.file)
		text_printable(file, sizeof(file), site->line.file);
	add_field(&line, LINE_FUNCTION, function(p, stack->frames[frame].name, file));
	if (is_site)
		add_field(&line, LINE_LINE, site->line.line);
	add_message(&m, LOCATION_LINE, &line);
	write_message(p, PROFILE_LOCATION, &m);
}

/* Return the number of a frame's location: one for each call site, and for each path. */
static uint64_t location(struct pprof *p, const struct stack *stack, size_t frame)
{
	const struct stack_frame *f = &stack->frames[frame];
	const uint64_t key[] = { f->has_site, f->has_site ? f->site.addr : string(p, f->name) };
	uint64_t number;
	bool is_new;

	number = must_intern(&p->locations, key, sizeof(key), &is_new) + 1;
	if (is_new)
		write_location(p, number, stack, frame);
	return number;
}

/* Return a number that is positive as an int64_t. Larger ones are in hostile traces only. */
static uint64_t clamp(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : n;
}

/* Write the measures of the present row. */
static void write_sample(struct pprof *p)
{
	struct message m = { .len = 0 }, part = { .len = 0 };
	struct stack stack;
	uint64_t any = 0;
	size_t n;

	for (n = 0; n < p->s.nr_measures; n++) {
		uint64_t value = stacks_value(&p->s, &p->s.measures[n]);

		any |= value;
		add_varint(&part, clamp(value));
	}
	if (!any)
		return;
	add_message(&m, SAMPLE_VALUES, &part);
	part.len = 0;
	stack_find(&stack, &p->s);
	for (n = stack.nr; n--;)
		add_varint(&part, location(p, &stack, n));
	add_message(&m, SAMPLE_LOCATIONS, &part);
	write_message(p, PROFILE_SAMPLE, &m);
	stack_free(&stack);
}

static void write_comment(struct pprof *p, const char *text)
{
	char line[1024];

	write_number(p, PROFILE_COMMENT, string(p, text_printable(line, sizeof(line), text)));
}

/* Say which trace it is, and why it is incomplete. */
static void write_comments(struct pprof *p)
{
	const struct kmemtrace_trace *trace = p->s.e->r.trace;
	static const char * const keys[] = { "kernel_release", "host", "command" };
	const char *reason;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (kmemtrace_metadata(trace, keys[i]))
			write_comment(p, kmemtrace_metadata(trace, keys[i]));
	write_comment(p, kmemtrace_doubt(trace, 0) ? "INCOMPLETE" : "COMPLETE");
	for (i = 0; (reason = kmemtrace_doubt(trace, i)); i++)
		write_comment(p, reason);
}

/* Say the standard error of a measure in a row of the totals, where it has one. */
static void write_error(struct pprof *p, const struct measure *of,
			const struct kmemtrace_relation *totals)
{
	const struct kmemtrace_column *column = of->column;
	struct kmemtrace_field value, error;
	char *text;

	kmemtrace_relation_identity(totals, kmemtrace_relation_find(totals, column->name), &value);
	if (!column->error ||
	    !kmemtrace_relation_identity(totals, kmemtrace_relation_find(totals, column->error),
					 &error) || !error.number)
		return;
	if (asprintf(&text, "%s: %" PRIu64 ", standard error %" PRIu64, of->name, value.number,
		     error.number) < 0)
		out_of_memory();
	write_comment(p, text);
	free(text);
}

/* Say the standard errors of the sums of a sample: those of stacks can't be added up. */
static int write_errors(struct pprof *p)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = "totals" };
	struct kmemtrace_relation *totals;
	struct kmemtrace_field space;
	size_t i;
	int ret = kmemtrace_relation_open(p->s.e->r.trace, &query, &totals, NULL);

	while (!ret && kmemtrace_relation_next(totals)) {
		kmemtrace_relation_identity(totals, kmemtrace_relation_find(totals, "allocator"),
					    &space);
		for (i = 0; i < p->s.nr_measures; i++)
			if (p->s.measures[i].space == space.number)
				write_error(p, &p->s.measures[i], totals);
	}
	kmemtrace_relation_close(totals);
	return ret;
}

static int write_profile(struct pprof *p)
{
	const struct report *r = &p->s.e->r;
	size_t i;
	int ret;

	/* The first string must be the empty one. */
	string(p, "");
	for (i = 0; i < p->s.nr_measures; i++)
		write_type(p, &p->s.measures[i]);
	write_number(p, PROFILE_DEFAULT_TYPE, string(p, p->s.measures[0].name));
	if (trace_figure(r, "realtime_ns"))
		write_number(p, PROFILE_TIME, trace_figure(r, "realtime_ns"));
	write_number(p, PROFILE_DURATION, clamp(since(r, r->sum->last)));
	write_comments(p);
	ret = write_errors(p);
	while (!ret && kmemtrace_relation_next(p->s.relation))
		write_sample(p);
	return ret;
}

static int write_pprof(void *e, FILE *out)
{
	struct pprof p = { .out = out };
	int ret;

	if (deflateInit2(&p.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, DEFAULT_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	ret = stacks_open(&p.s, e);
	if (!ret)
		ret = write_profile(&p);
	put_compressed(&p, NULL, 0, Z_FINISH);
	deflateEnd(&p.z);
	stacks_close(&p.s);
	intern_free(&p.strings);
	intern_free(&p.functions);
	intern_free(&p.locations);
	intern_free(&p.mappings);
	return ret;
}

static int pprof_end(struct export *e)
{
	return output_write(e->path, write_pprof, e);
}

const struct format format_pprof = {
	.name = "pprof",
	.path = "kmemtrace.pb.gz",
	.has_stacks = true,
	.end = pprof_end,
};
