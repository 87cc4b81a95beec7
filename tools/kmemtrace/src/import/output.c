// SPDX-License-Identifier: GPL-2.0
/*
 * output.c - write a trace directory from items
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/unseen.h"
#include "daemon/outdir.h"
#include "import/formats.h"
#include "import/output.h"

/* Bytes of all lines of the metadata, and of symbols, that a reader may write. */
#define MAX_META	(1 << 20)
#define MAX_SYMBOLS	(64 << 20)

/* A trace that begins earlier has a part of the boot. The clocks are not exact then. */
#define BOOT_NS		INT64_C(10000000000)

/* ---- items ---- */

/* Times, CPUs and the order of bytes hold for all streams, and come before the first. */
static int take_event(struct imported_trace *o, const struct item *item, const char *text)
{
	int64_t time = item->time < 0 ? 0 : item->time;

	(void)text;
	if (time < o->first)
		o->first = time;
	if (time > o->end)
		o->end = time;
	if (item->event.type_id == KMEMTRACE_TYPE_PAGES)
		*(item->event.call_site ? &o->callers : &o->no_callers) += 1;
	return streams_event(&o->streams, item->cpu, &item->event);
}

static int take_lost_item(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	return streams_lost(&o->streams, item->cpu, item->time, item->value);
}

static int take_lost_all(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	return streams_lost_all(&o->streams, item->cpu, item->value);
}

static int take_seen(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	if (item->value >= NR_TRACEPOINTS)
		return -EPROTO;
	o->seen |= 1U << item->value;
	return 0;
}

static int take_word_bits(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	if (item->value != 32 && item->value != 64)
		return -EPROTO;
	o->word_bits = item->value;
	return 0;
}

static int take_page_size(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	if (!formats_page_size(item->value) || o->end)
		return -EPROTO;
	o->streams.page_size = item->value;
	return 0;
}

static int take_order(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	if (o->end)
		return -EPROTO;
	o->streams.order = item->value ? ORDER_BIG : ORDER_LITTLE;
	return 0;
}

static int take_uncertainty(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	o->streams.uncertainty = item->value;
	return 0;
}

static int take_unseen(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)text;
	if (item->value >= NR_UNSEEN)
		return -EPROTO;
	o->unseen |= UNSEEN_BIT(item->value);
	return 0;
}

/* A line of text from outside: no byte of it begins another line. */
static int print_one_line(FILE *to, const char *text, size_t most)
{
	if (ftell(to) + strlen(text) > most)
		return -EFBIG;
	for (; *text; text++)
		putc((unsigned char)*text < ' ' && *text != '\t' ? '?' : *text, to);
	putc('\n', to);
	return 0;
}

static int take_meta(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)item;
	if (!o->meta_to)
		o->meta_to = open_memstream(&o->meta, &o->meta_size);
	return o->meta_to ? print_one_line(o->meta_to, text, MAX_META) : -ENOMEM;
}

/* Return the file of the trace, which is created; NULL, and errno. */
static FILE *create_trace_file(const struct imported_trace *o, const char *name)
{
	int fd = outdir_create(o->streams.dir, name);

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	return fdopen(fd, "w");
}

/* Symbols come as whole lines. */
static int take_symbols(struct imported_trace *o, const struct item *item, const char *text)
{
	if (o->has_symbols)
		return 0;
	if (!o->kallsyms)
		o->kallsyms = create_trace_file(o, "kallsyms");
	if (!o->kallsyms)
		return -errno;
	if (ftell(o->kallsyms) > MAX_SYMBOLS)
		return -EFBIG;
	fwrite(text, item->size, 1, o->kallsyms);
	return 0;
}

static int take_module(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)item;
	if (!o->modules)
		o->modules = create_trace_file(o, "modules");
	return o->modules ? print_one_line(o->modules, text, MAX_META) : -errno;
}

static int take_error(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)item;
	snprintf(o->error, sizeof(o->error), "%s", text);
	return -EINVAL;
}

static int take_end_item(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)item;
	(void)text;
	o->is_complete = true;
	return 0;
}

static int (* const take[])(struct imported_trace *o, const struct item *item, const char *text) = {
	[ITEM_EVENT] = take_event,
	[ITEM_LOST] = take_lost_item,
	[ITEM_LOST_ALL] = take_lost_all,
	[ITEM_SEEN] = take_seen,
	[ITEM_WORD_BITS] = take_word_bits,
	[ITEM_PAGE_SIZE] = take_page_size,
	[ITEM_BIG_ENDIAN] = take_order,
	[ITEM_UNCERTAINTY] = take_uncertainty,
	[ITEM_UNSEEN] = take_unseen,
	[ITEM_META] = take_meta,
	[ITEM_SYMBOLS] = take_symbols,
	[ITEM_MODULE] = take_module,
	[ITEM_ERROR] = take_error,
	[ITEM_END] = take_end_item,
};

/**
 * output_read - store what a reader finds
 * @o: the trace; zeroed but for its source, limit and the folder of its streams
 * @from: the items
 *
 * Return: 0; -EINVAL: the reader failed, see @o->error; -EPROTO: no reader wrote this;
 * -E2BIG: more items than the limit; another -errno.
 */
int output_read(struct imported_trace *o, FILE *from)
{
	char text[ITEM_MAX_TEXT + 1];
	struct item item;
	uint64_t nr = 0;
	int ret;

	o->first = INT64_MAX;
	o->word_bits = 64;
	o->streams.page_size = 4096;
	o->streams.order = ORDER_NATIVE;
	while ((ret = item_read(from, &item, text)) > 0 && !o->is_complete) {
		if (nr++ == o->max_items)
			return -E2BIG;
		ret = take[item.kind](o, &item, text);
		if (ret)
			return ret;
	}
	return ret < 0 ? ret : 0;
}

/* ---- the metadata ---- */

static void print_recorder(const struct imported_trace *o, FILE *out)
{
	fputs("recorder: kmemtrace\n", out);
	fprintf(out, "abi_version: %d\n", KMEMTRACE_ABI_VERSION);
	fputs("clock: local_clock\n", out);
	fprintf(out, "byte_order: %s\n", order_name(o->streams.order));
	fprintf(out, "word_bits: %" PRIu64 "\n", o->word_bits);
	fprintf(out, "page_size: %" PRIu64 "\n", o->streams.page_size);
	fputs("compression: none\n", out);
	if (o->meta)
		fwrite(o->meta, o->meta_size, 1, out);
}

static void print_unseen(const struct imported_trace *o, FILE *out)
{
	uint32_t unseen = formats_unseen(o->seen) | o->unseen;
	int i;

	if (o->no_callers)
		unseen |= UNSEEN_BIT(o->callers ? UNSEEN_SOME_PAGE_CALLERS :
						  UNSEEN_PAGE_CALLERS);
	if (o->streams.is_unsure)
		unseen |= UNSEEN_BIT(UNSEEN_LOSSES);
	if (o->first < BOOT_NS)
		unseen |= UNSEEN_BIT(UNSEEN_BOOT) | UNSEEN_BIT(UNSEEN_CLOCK);
	fprintf(out, "source: %s\nunseen:", o->source);
	for (i = 0; i < NR_UNSEEN; i++)
		if (unseen & UNSEEN_BIT(i))
			fprintf(out, " %s", unseen_word(i));
	putc('\n', out);
}

/* Return what a CPU lost: what the tracer counted, or what its stream has. */
static uint64_t lost_of(const struct out_stream *st)
{
	return st->lost_all > st->lost ? st->lost_all : st->lost;
}

static void print_lost_bytes(const struct imported_trace *o, FILE *out)
{
	uint64_t total = 0, bytes;
	size_t cpu;

	for (cpu = 0; cpu <= MAX_CPU; cpu++) {
		const struct out_stream *st = o->streams.by_cpu[cpu];

		if (!st)
			continue;
		bytes = lost_of(st) * sizeof(struct kmemtrace_event);
		total += bytes;
		fprintf(out, "overruns.cpu%zu: %" PRIu64 "\n", cpu, bytes);
		fprintf(out, "lost.cpu%zu: %" PRIu64 "\n", cpu, lost_of(st));
		fprintf(out, "bytes.cpu%zu: %" PRIu64 "\n", cpu, st->bytes);
	}
	fprintf(out, "total_overruns: %" PRIu64 "\n", total);
}

/* Write the lines of the reader out. */
static int finish_files(struct imported_trace *o)
{
	FILE **files[] = { &o->meta_to, &o->kallsyms, &o->modules };
	int ret = 0, err;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		err = file_finish(*files[i], 0);
		*files[i] = NULL;
		ret = ret ? ret : err;
	}
	return ret;
}

/* A reader takes a folder without a stream for none of a trace. */
static int create_empty(struct imported_trace *o)
{
	size_t cpu;

	for (cpu = 0; cpu <= MAX_CPU; cpu++)
		if (o->streams.by_cpu[cpu])
			return 0;
	return streams_lost_all(&o->streams, 0, 0);
}

/**
 * output_end - write the rest of the trace
 * @o: the trace, after output_read()
 *
 * Return: 0 or -errno.
 */
int output_end(struct imported_trace *o)
{
	int ret = create_empty(o);
	FILE *out;

	if (!ret)
		ret = streams_end(&o->streams);
	if (!ret)
		ret = finish_files(o);
	if (ret)
		return ret;
	out = create_trace_file(o, "metadata");
	if (!out)
		return -errno;
	print_recorder(o, out);
	if (o->first <= o->end)
		fprintf(out, "start_ns: %" PRId64 "\nend_ns: %" PRId64 "\n", o->first,
			o->end);
	print_lost_bytes(o, out);
	print_unseen(o, out);
	fputs("state: complete\n", out);
	return file_finish(out, 0);
}

/* Return the number of events of the trace. */
uint64_t output_events(const struct imported_trace *o)
{
	uint64_t events = 0;
	size_t cpu;

	for (cpu = 0; cpu <= MAX_CPU; cpu++)
		events += o->streams.by_cpu[cpu] ? o->streams.by_cpu[cpu]->events : 0;
	return events;
}

/* Return the number of events that are missing. */
uint64_t output_lost(const struct imported_trace *o)
{
	uint64_t lost = 0;
	size_t cpu;

	for (cpu = 0; cpu <= MAX_CPU; cpu++)
		lost += o->streams.by_cpu[cpu] ? lost_of(o->streams.by_cpu[cpu]) : 0;
	return lost;
}

/* Release the trace, whose files stay. */
void output_free(struct imported_trace *o)
{
	finish_files(o);
	free(o->meta);
	streams_free(&o->streams);
}
