// SPDX-License-Identifier: GPL-2.0
/*
 * output.c - write a trace directory from items
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/file.h"
#include "common/unseen.h"
#include "daemon/outdir.h"
#include "import/formats.h"
#include "import/output.h"

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

/*
 * Append a name from outside to @to: at most @max of its @len bytes, none of which ends a word or
 * a line.
 */
static char *append_name(struct imported_trace *o, char *to, size_t max, const char *name,
			 size_t len)
{
	size_t i;

	for (i = 0; i < len && i < max; i++)
		*to++ = (unsigned char)name[i] <= ' ' || name[i] == 0x7f ? '?' : name[i];
	*to = '\0';
	o->cut += len > max;
	return to;
}

static int take_meta(struct imported_trace *o, const struct item *item, const char *text)
{
	char *to;

	if (item->value >= NR_META)
		return -EPROTO;
	to = o->meta[item->value];
	if (*to)
		return 0;
	if (item->value != META_COMMAND) {
		append_name(o, to, NAME_OF_MACHINE, text, strlen(text));
		return 0;
	}
	/* It has words, and is cut without a message. */
	for (; *text && to < o->meta[META_COMMAND] + IMPORT_COMMAND; text++)
		*to++ = (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
	return 0;
}

/* Create a file of the trace, unless that was done. */
static int create_trace_file(struct imported_trace *o, const char *name, FILE **to)
{
	int ret = *to ? 0 : streams_reserve(&o->streams, BLOCK_SIZE);

	return *to || ret ? ret : outdir_stream(o->streams.dir, name, to);
}

/* Write a line to a file of the trace. */
static int print_trace_line(struct imported_trace *o, FILE *to, const char *line)
{
	int ret = streams_reserve(&o->streams, strlen(line) + 1);

	return ret ? ret : fprintf(to, "%s\n", line) < 0 ? -errno : 0;
}

/* The words of a line of kallsyms: what is before each, and how long it can be. */
static const struct {
	char before;
	size_t max;
} symbol_words[] = {
	{ '\0', 16 }, { ' ', 1 }, { ' ', NAME_OF_SYMBOL }, { '\t', NAME_OF_MODULE + 2 },
};

#define SYMBOL_WORDS	(sizeof(symbol_words) / sizeof(*symbol_words))

/**
 * output_symbol - write a symbol
 * @o: the trace
 * @text: "ADDRESS TYPE NAME [MODULE]"; what is no symbol is skipped
 *
 * Return: 0 or -errno, as output_read().
 */
int output_symbol(struct imported_trace *o, const char *text)
{
	char line[SYMBOL_WORDS + 16 + 1 + NAME_OF_SYMBOL + NAME_OF_MODULE + 2 + 1], *to = line;
	int ret = create_trace_file(o, "kallsyms", &o->kallsyms);
	size_t i, len;

	for (i = 0; i < SYMBOL_WORDS; i++, text += len) {
		text += strspn(text, " \t\n");
		len = strcspn(text, " \t\n");
		if (!len)
			break;
		if (i)
			*to++ = symbol_words[i].before;
		to = append_name(o, to, symbol_words[i].max, text, len);
	}
	if (i == SYMBOL_WORDS)
		to[-1] = ']';
	return ret || i < SYMBOL_WORDS - 1 ? ret : print_trace_line(o, o->kallsyms, line);
}

static int take_symbol(struct imported_trace *o, const struct item *item, const char *text)
{
	(void)item;
	return o->has_symbols ? 0 : output_symbol(o, text);
}

static int take_module(struct imported_trace *o, const struct item *item, const char *text)
{
	int ret = create_trace_file(o, "modules", &o->modules);
	char line[NAME_OF_MODULE + 64], *to = line;

	to = append_name(o, to, NAME_OF_MODULE, text, strlen(text));
	sprintf(to, " 0x%llx %llu", item->event.ptr, item->event.bytes_alloc);
	return ret ? ret : print_trace_line(o, o->modules, line);
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
	[ITEM_SYMBOL] = take_symbol,
	[ITEM_MODULE] = take_module,
	[ITEM_ERROR] = take_error,
	[ITEM_END] = take_end_item,
};

/**
 * output_read - store what a reader finds
 * @o: the trace; zeroed but for its source, and the folder and the room of its streams
 * @from: the items
 *
 * Return: 0; -EINVAL: the reader failed, see @o->error; -EPROTO: no reader wrote this;
 * -E2BIG: there is not enough room; another -errno.
 */
int output_read(struct imported_trace *o, FILE *from)
{
	char text[ITEM_MAX_TEXT + 1];
	struct item item;
	int ret;

	o->first = INT64_MAX;
	o->word_bits = 64;
	o->streams.page_size = 4096;
	o->streams.order = ORDER_NATIVE;
	while ((ret = item_read(from, &item, text)) > 0 && !o->is_complete) {
		ret = take[item.kind](o, &item, text);
		if (ret)
			return ret;
	}
	return ret < 0 ? ret : 0;
}

/* ---- the metadata ---- */

static const char * const meta_keys[] = {
	[META_CPUS] = "cpus",
	[META_RELEASE] = "kernel_release",
	[META_MACHINE] = "machine",
	[META_HOST] = "host",
	[META_RAM] = "ram_bytes",
	[META_COMMAND] = "command",
};

static void print_recorder(const struct imported_trace *o, FILE *out)
{
	size_t i;

	fputs("recorder: kmemtrace\n", out);
	fprintf(out, "abi_version: %d\n", KMEMTRACE_ABI_VERSION);
	fputs("clock: local_clock\n", out);
	fprintf(out, "byte_order: %s\n", order_name(o->streams.order));
	fprintf(out, "word_bits: %" PRIu64 "\n", o->word_bits);
	fprintf(out, "page_size: %" PRIu64 "\n", o->streams.page_size);
	fputs("compression: none\n", out);
	for (i = 0; i < NR_META; i++)
		if (*o->meta[i])
			fprintf(out, "%s: %s\n", meta_keys[i], o->meta[i]);
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

	for (cpu = 0; cpu < IMPORT_CPUS; cpu++) {
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
	FILE **files[] = { &o->kallsyms, &o->modules };
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

	for (cpu = 0; cpu < IMPORT_CPUS; cpu++)
		if (o->streams.by_cpu[cpu])
			return 0;
	return streams_lost_all(&o->streams, 0, 0);
}

static int print_imported(FILE *out, void *arg)
{
	const struct imported_trace *o = arg;

	print_recorder(o, out);
	if (o->first <= o->end)
		fprintf(out, "start_ns: %" PRId64 "\nend_ns: %" PRId64 "\n", o->first,
			o->end);
	print_lost_bytes(o, out);
	print_unseen(o, out);
	fputs("state: complete\n", out);
	return 0;
}

/**
 * output_end - write the rest of the trace, the metadata last: nothing is a trace without them
 * @o: the trace, after output_read()
 *
 * Return: 0 or -errno.
 */
int output_end(struct imported_trace *o)
{
	int ret = create_empty(o);

	if (!ret)
		ret = streams_end(&o->streams);
	if (!ret)
		ret = finish_files(o);
	if (!ret)
		ret = streams_reserve(&o->streams, BLOCK_SIZE);
	return ret ? ret : outdir_replace(o->streams.dir, "metadata", print_imported, o);
}

/* Return the number of events of the trace. */
uint64_t output_events(const struct imported_trace *o)
{
	uint64_t events = 0;
	size_t cpu;

	for (cpu = 0; cpu < IMPORT_CPUS; cpu++)
		events += o->streams.by_cpu[cpu] ? o->streams.by_cpu[cpu]->events : 0;
	return events;
}

/* Return the number of events that are missing. */
uint64_t output_lost(const struct imported_trace *o)
{
	uint64_t lost = 0;
	size_t cpu;

	for (cpu = 0; cpu < IMPORT_CPUS; cpu++)
		lost += o->streams.by_cpu[cpu] ? lost_of(o->streams.by_cpu[cpu]) : 0;
	return lost;
}

/* Release the trace, whose files stay. */
void output_free(struct imported_trace *o)
{
	finish_files(o);
	streams_free(&o->streams);
}
