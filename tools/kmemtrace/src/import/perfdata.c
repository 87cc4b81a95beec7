// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata.c - read a perf.data, in the form of a file or of a pipe
 *
 * tools/perf/Documentation/perf.data-file-format.txt describes it. All sizes are those of the
 * file: each is checked against the bytes that remain.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <event-parse.h>

#include "common/lookup.h"
#include "common/memory.h"
#include "import/callers.h"
#include "import/formats.h"
#include "import/item.h"
#include "import/reader.h"
#include "import/span.h"
#include "import/symbols.h"
#include "import/tracing.h"

/* Clocks of two CPUs differ by less, unless the kernel finds its clock unstable. */
#define UNCERTAINTY	1000

/* The bits of perf_event_attr.sample_type. */
enum {
	SAMPLE_IP		= 1 << 0,
	SAMPLE_TID		= 1 << 1,
	SAMPLE_TIME		= 1 << 2,
	SAMPLE_ADDR		= 1 << 3,
	SAMPLE_READ		= 1 << 4,
	SAMPLE_CALLCHAIN	= 1 << 5,
	SAMPLE_ID		= 1 << 6,
	SAMPLE_CPU		= 1 << 7,
	SAMPLE_PERIOD		= 1 << 8,
	SAMPLE_STREAM_ID	= 1 << 9,
	SAMPLE_RAW		= 1 << 10,
	SAMPLE_IDENTIFIER	= 1 << 16,
};

/* The bits of perf_event_attr.read_format. */
enum {
	READ_TIME_ENABLED	= 1 << 0,
	READ_TIME_RUNNING	= 1 << 1,
	READ_ID			= 1 << 2,
	READ_GROUP		= 1 << 3,
	READ_LOST		= 1 << 4,
};

/* Types of records. */
enum {
	RECORD_MMAP		= 1,
	RECORD_LOST		= 2,
	RECORD_SAMPLE		= 9,
	RECORD_LOST_SAMPLES	= 13,
	RECORD_HEADER_ATTR	= 64,
	RECORD_TRACING_DATA	= 66,
	RECORD_AUXTRACE		= 71,
	RECORD_FEATURE		= 80,
	RECORD_COMPRESSED	= 81,
	RECORD_COMPRESSED2	= 83,
};

/* Features: parts of the file behind the records, by the bits of the header. */
enum {
	FEATURE_TRACING_DATA	= 1,
	FEATURE_HOSTNAME	= 3,
	FEATURE_OSRELEASE	= 4,
	FEATURE_ARCH		= 6,
	FEATURE_NRCPUS		= 7,
	FEATURE_TOTAL_MEM	= 10,
	FEATURE_CMDLINE		= 11,
	NR_FEATURES		= 256,
};

#define ATTR_TYPE_TRACEPOINT	2
#define ATTR_SAMPLE_ID_ALL	18

/* Numbers among return addresses that are none. */
#define CONTEXT_MAX		((uint64_t)-4095)
#define CONTEXT_KERNEL		((uint64_t)-128)

/* Bytes of headers and of sections. */
#define PIPE_HEADER_SIZE	16
#define RECORD_HEADER_SIZE	8
#define SECTION_SIZE		16

/**
 * struct attr - a kind of events
 * @type: PERF_TYPE_*
 * @config: common_type of a tracepoint
 * @sample_type: which fields a sample has
 * @read_format: which fields of it are counters
 * @sample_id_all: other records than samples end with fields of a sample
 */
struct attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t read_format;
	bool sample_id_all;
};

/**
 * struct event_id - an event of one CPU or task
 * @id: its number
 * @attr: index of its attr
 * @cpu: CPU of its last sample
 */
struct event_id {
	uint64_t id;
	size_t attr;
	uint32_t cpu;
};

/**
 * struct perf - a file that is read
 * @formats: of its tracepoints
 * @tracing: what its tracing data says
 * @attrs: its kinds of events
 * @nr_attrs: entries in @attrs
 * @ids: its events
 * @nr_ids: entries in @ids
 * @by_id: finds them
 * @unclaimed: bytes of the file that are in no section yet
 * @has_formats: the tracing data was read
 * @stack: return addresses of the current sample
 */
struct perf {
	struct formats *formats;
	struct tracing tracing;
	struct attr *attrs;
	size_t nr_attrs;
	struct event_id *ids;
	size_t nr_ids;
	struct lookup by_id;
	uint64_t unclaimed;
	bool has_formats;
	uint64_t stack[CALLERS_MAX];
};

static int fail(const struct perf *p, const struct span *at, const char *what)
{
	item_text(p->formats->to, ITEM_ERROR, "offset %" PRIu64 ": %s", span_offset(at), what);
	return -EINVAL;
}

/* ---- attrs and ids ---- */

/* Read an attr of any version. */
static struct attr read_attr(struct span s)
{
	struct attr attr = { .type = span_u32(&s) };
	unsigned int bit = ATTR_SAMPLE_ID_ALL % 8;
	const unsigned char *flags;

	span_u32(&s);
	attr.config = span_u64(&s);
	span_u64(&s);
	attr.sample_type = span_u64(&s);
	attr.read_format = span_u64(&s);
	flags = span_take(&s, sizeof(uint64_t));
	/* Bit fields begin at the other end of a byte. */
	if (s.order == ORDER_BIG)
		bit = 7 - bit;
	attr.sample_id_all = flags && flags[ATTR_SAMPLE_ID_ALL / 8] & 1U << bit;
	return attr;
}

/* Return the event with an id, or NULL. @place: result: where it would be */
static struct event_id *find_id(struct perf *p, uint64_t id, struct lookup_place *place)
{
	uint32_t i;

	*place = lookup_begin(&p->by_id, &id, sizeof(id));
	while ((i = lookup_next(&p->by_id, place)) != LOOKUP_NONE)
		if (p->ids[i].id == id)
			return &p->ids[i];
	return NULL;
}

/* Add an attr, and the ids of its events. */
static void add_attr(struct perf *p, struct attr attr, struct span *ids)
{
	struct lookup_place place;
	uint64_t id;

	p->attrs = must_grow_list(p->attrs, p->nr_attrs, sizeof(*p->attrs));
	p->attrs[p->nr_attrs] = attr;
	while (ids->size >= sizeof(uint64_t)) {
		id = span_u64(ids);
		if (find_id(p, id, &place))
			continue;
		p->ids = must_grow_list(p->ids, p->nr_ids, sizeof(*p->ids));
		p->ids[p->nr_ids] = (struct event_id) { id, p->nr_attrs, 0 };
		if (!lookup_add(&p->by_id, &place, p->nr_ids++))
			out_of_memory();
	}
	p->nr_attrs++;
}

/* Return the attr of an event. A single attr needs no ids. */
static const struct attr *find_attr(const struct perf *p, const struct event_id *id)
{
	if (id)
		return &p->attrs[id->attr];
	return p->nr_attrs == 1 ? &p->attrs[0] : NULL;
}

/* The formats and the attrs are known: note which tracepoints were recorded. */
static void see_tracepoints(struct perf *p)
{
	size_t i;

	for (i = 0; i < p->nr_attrs; i++)
		if (p->attrs[i].type == ATTR_TYPE_TRACEPOINT)
			formats_see(p->formats, p->attrs[i].config);
}

/* ---- samples ---- */

/* Take a field of 64 bits, if the sample has it. */
static uint64_t take_if(struct span *s, const struct attr *attr, uint64_t field)
{
	return attr->sample_type & field ? span_u64(s) : 0;
}

/*
 * Take the id of a sample. Its place has to be the same in the samples of all attrs: the first
 * field, or that which the first attr says.
 */
static uint64_t sample_id(const struct perf *p, struct span s)
{
	const struct attr *attr = &p->attrs[0];

	if (attr->sample_type & SAMPLE_IDENTIFIER)
		return span_u64(&s);
	take_if(&s, attr, SAMPLE_IP);
	take_if(&s, attr, SAMPLE_TID);
	take_if(&s, attr, SAMPLE_TIME);
	take_if(&s, attr, SAMPLE_ADDR);
	return take_if(&s, attr, SAMPLE_ID);
}

/* Skip the counters of a sample. */
static void skip_read(struct span *s, const struct attr *attr)
{
	uint64_t format = attr->read_format, nr = 1, words = 1;

	if (format & READ_GROUP)
		nr = span_u64(s);
	words += !!(format & READ_ID) + !!(format & READ_LOST);
	if (format & READ_TIME_ENABLED)
		span_u64(s);
	if (format & READ_TIME_RUNNING)
		span_u64(s);
	if (nr > s->size / (words * sizeof(uint64_t)))
		s->is_short = true;
	else
		span_take(s, nr * words * sizeof(uint64_t));
}

/* Take the return addresses of a sample, those in the kernel. Return how many. */
static size_t read_callchain(struct span *s, uint64_t stack[CALLERS_MAX])
{
	uint64_t address, nr = span_u64(s);
	bool in_kernel = true;
	size_t kept = 0;

	for (; nr && !s->is_short; nr--) {
		address = span_u64(s);
		/* Large numbers begin the addresses of the kernel, or of user space. */
		if (address >= CONTEXT_MAX)
			in_kernel = address == CONTEXT_KERNEL;
		else if (in_kernel && kept < CALLERS_MAX)
			stack[kept++] = address;
	}
	return kept;
}

/* Take the fields of a sample, up to its raw data. */
static struct raw take_sample(struct perf *p, struct span *s, const struct attr *attr)
{
	struct raw raw = { .size = 0 };

	take_if(s, attr, SAMPLE_IDENTIFIER);
	take_if(s, attr, SAMPLE_IP);
	take_if(s, attr, SAMPLE_TID);
	raw.time = take_if(s, attr, SAMPLE_TIME);
	take_if(s, attr, SAMPLE_ADDR);
	take_if(s, attr, SAMPLE_ID);
	take_if(s, attr, SAMPLE_STREAM_ID);
	if (attr->sample_type & SAMPLE_CPU) {
		raw.cpu = span_u32(s);
		span_u32(s);
	}
	take_if(s, attr, SAMPLE_PERIOD);
	if (attr->sample_type & SAMPLE_READ)
		skip_read(s, attr);
	if (attr->sample_type & SAMPLE_CALLCHAIN) {
		raw.stack = p->stack;
		raw.nr_stack = read_callchain(s, p->stack);
	}
	if (attr->sample_type & SAMPLE_RAW) {
		raw.size = span_u32(s);
		raw.data = span_take(s, raw.size);
	}
	return raw;
}

/* Events of other kinds than tracepoints are skipped. */
static int read_sample(struct perf *p, struct span *s)
{
	struct lookup_place place;
	struct event_id *id = p->nr_attrs ? find_id(p, sample_id(p, *s), &place) : NULL;
	const struct attr *attr = find_attr(p, id);
	struct span begin = *s;
	struct raw raw;

	if (!p->has_formats)
		return fail(p, &begin, "a sample, but no formats of tracepoints; record tracepoints, such as -e kmem:*");
	if (!attr)
		return fail(p, &begin, "a sample of no event that the file describes");
	if (attr->type != ATTR_TYPE_TRACEPOINT || !(attr->sample_type & SAMPLE_RAW))
		return 0;
	if (!(attr->sample_type & SAMPLE_TIME))
		return fail(p, &begin, "a sample without a time; record with perf record -T");
	raw = take_sample(p, s, attr);
	if (s->is_short)
		return fail(p, &begin, "a sample is shorter than its fields");
	if (raw.cpu >= IMPORT_CPUS)
		return fail(p, &begin, "a sample of a CPU that no machine has");
	if (id)
		id->cpu = raw.cpu;
	formats_event(p->formats, &raw);
	return 0;
}

/* ---- other records ---- */

/**
 * struct tail - the fields of a sample at the end of another record
 * @time: nanoseconds, 0 if unknown
 * @id: id of an event, 0 if unknown
 * @cpu: its CPU
 */
struct tail {
	int64_t time;
	uint64_t id;
	uint32_t cpu;
};

/* Return the bytes of the fields of a sample that other records have. */
static uint64_t size_of_sample_id(const struct attr *attr)
{
	return sizeof(uint64_t) *
	       __builtin_popcountll(attr->sample_type &
				    (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID |
				     SAMPLE_CPU | SAMPLE_IDENTIFIER));
}

/* Read the end of a record that is no sample. The fields are those of the first attr. */
static struct tail read_tail(const struct perf *p, struct span s)
{
	const struct attr *attr = p->nr_attrs ? &p->attrs[0] : NULL;
	struct tail tail = { .time = 0 };

	if (!attr || !attr->sample_id_all || size_of_sample_id(attr) > s.size)
		return tail;
	span_take(&s, s.size - size_of_sample_id(attr));
	take_if(&s, attr, SAMPLE_TID);
	tail.time = take_if(&s, attr, SAMPLE_TIME);
	tail.id = take_if(&s, attr, SAMPLE_ID);
	take_if(&s, attr, SAMPLE_STREAM_ID);
	if (attr->sample_type & SAMPLE_CPU) {
		tail.cpu = span_u32(&s);
		span_u32(&s);
	}
	if (attr->sample_type & SAMPLE_IDENTIFIER)
		tail.id = span_u64(&s);
	return tail;
}

/* Write a number of lost records. */
static int write_lost_item(const struct perf *p, const struct span *at, enum item_kind kind,
			   const struct tail *tail, uint64_t lost)
{
	if (lost > ITEM_MAX_LOST || tail->cpu >= IMPORT_CPUS)
		return fail(p, at, "losses that no machine has");
	if (lost)
		item_lost(p->formats->to, kind, tail->cpu, tail->time, lost);
	return 0;
}

/* { u64 id; u64 lost; }: the kernel found a buffer full. */
static int read_lost(struct perf *p, struct span *s)
{
	const struct tail tail = read_tail(p, *s);

	span_u64(s);
	return write_lost_item(p, s, ITEM_LOST, &tail, span_u64(s));
}

/*
 * { u64 lost; }: perf record writes how often each event was lost in all, at the end and with a
 * time of 0. RECORD_LOST has the same losses by their places.
 */
static int read_lost_samples(struct perf *p, struct span *s)
{
	struct tail tail = read_tail(p, *s);
	struct lookup_place place;
	const struct event_id *id = find_id(p, tail.id, &place);

	if (tail.time)
		return write_lost_item(p, s, ITEM_LOST, &tail, span_u64(s));
	tail.cpu = id ? id->cpu : 0;
	return write_lost_item(p, s, ITEM_LOST_ALL, &tail, span_u64(s));
}

/* Write the module of "/lib/modules/.../name.ko.xz". */
static void write_module_item(const struct perf *p, const char *path, uint64_t base,
			      uint64_t size)
{
	const char *name = strrchr(path, '/');
	char text[256];
	size_t i;

	name = name ? name + 1 : path;
	/* Names of files have dashes where those of modules have underscores. */
	for (i = 0; name[i] && name[i] != '.' && i + 1 < sizeof(text); i++)
		text[i] = name[i] == '-' ? '_' : name[i];
	text[i] = '\0';
	item_module(p->formats->to, text, base, size);
}

/* { u32 pid, tid; u64 addr, len, pgoff; char filename[]; } of a module */
static int read_mmap(struct perf *p, struct span *s)
{
	uint64_t base, size;
	const char *path;

	span_u64(s);
	base = span_u64(s);
	size = span_u64(s);
	span_u64(s);
	path = span_text(s);
	if (path && strstr(path, ".ko"))
		write_module_item(p, path, base, size);
	return 0;
}

/* ---- features ---- */

static void read_string(const struct perf *p, struct span *s, enum meta meta)
{
	const char *text = span_text_of(s, span_u32(s));

	if (text && *text)
		item_meta(p->formats->to, meta, text);
}

/* { u32 available; u32 online; } */
static void read_cpus(const struct perf *p, struct span *s)
{
	uint32_t cpus = span_u32(s);

	char text[16];

	if (!cpus || cpus > IMPORT_CPUS)
		return;
	p->formats->cpus = cpus;
	snprintf(text, sizeof(text), "0-%u", cpus - 1);
	item_meta(p->formats->to, META_CPUS, text);
}

/* { u64 kilobytes; } */
static void read_ram(const struct perf *p, struct span *s)
{
	const uint64_t kilobytes = span_u64(s);
	char text[24];

	if (!kilobytes || kilobytes > UINT64_MAX / 1024)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, kilobytes * 1024);
	item_meta(p->formats->to, META_RAM, text);
}

/* { u32 nr; { u32 size; text } words[nr]; }: the command line of perf. */
static void read_command(const struct perf *p, struct span *s)
{
	uint32_t nr = span_u32(s);
	char command[1024] = "";
	const char *word;
	size_t len = 0;

	for (; nr && len < sizeof(command); nr--) {
		word = span_text_of(s, span_u32(s));
		if (!word)
			return;
		len += snprintf(command + len, sizeof(command) - len, "%s%s", len ? " " : "", word);
	}
	if (*command)
		item_meta(p->formats->to, META_COMMAND, command);
}

/* Read the tracing data, which has to come before the first sample. */
static int read_tracing(struct perf *p, struct span *s)
{
	enum byte_order order = s->order;
	const char *wrong = p->has_formats ? "expected no more tracing data" :
					     tracing_read(s, p->formats->tep, &p->tracing);

	if (wrong)
		return fail(p, s, wrong);
	if (s->order != order)
		return fail(p, s, "tracing data of another byte order than the file");
	p->formats->page_size = p->tracing.page_size;
	item_value(p->formats->to, ITEM_WORD_BITS, p->tracing.word_bits);
	item_value(p->formats->to, ITEM_PAGE_SIZE, p->tracing.page_size);
	formats_plan(p->formats);
	p->has_formats = true;
	return 0;
}

static int read_feature(struct perf *p, unsigned int feature, struct span *s)
{
	switch (feature) {
	case FEATURE_TRACING_DATA:
		return read_tracing(p, s);
	case FEATURE_HOSTNAME:
		read_string(p, s, META_HOST);
		break;
	case FEATURE_OSRELEASE:
		read_string(p, s, META_RELEASE);
		break;
	case FEATURE_ARCH:
		read_string(p, s, META_MACHINE);
		break;
	case FEATURE_NRCPUS:
		read_cpus(p, s);
		break;
	case FEATURE_TOTAL_MEM:
		read_ram(p, s);
		break;
	case FEATURE_CMDLINE:
		read_command(p, s);
		break;
	}
	return 0;
}

/* ---- records ---- */

/* In a pipe, an attr and what describes the machine are records. */
static int read_attr_record(struct perf *p, struct span *s)
{
	struct span whole = *s, part;
	uint32_t size;

	span_u32(&whole);
	size = span_u32(&whole);
	part = span_part(s, size);
	if (part.is_short)
		return fail(p, s, "an event is described by fewer bytes than it says");
	add_attr(p, read_attr(part), s);
	return 0;
}

static int read_feature_record(struct perf *p, struct span *s)
{
	return read_feature(p, span_u64(s), s);
}

static int refuse_compressed(struct perf *p, struct span *s)
{
	return fail(p, s, "compressed records; record with perf record without -z");
}

/* Records that are used. Others, such as those of processes, are skipped. */
static const struct {
	uint32_t type;
	int (*read)(struct perf *p, struct span *s);
} records[] = {
	{ RECORD_SAMPLE, read_sample },
	{ RECORD_MMAP, read_mmap },
	{ RECORD_LOST, read_lost },
	{ RECORD_LOST_SAMPLES, read_lost_samples },
	{ RECORD_HEADER_ATTR, read_attr_record },
	{ RECORD_FEATURE, read_feature_record },
	{ RECORD_COMPRESSED, refuse_compressed },
	{ RECORD_COMPRESSED2, refuse_compressed },
};

/* Data of any size follows some records. It is what tracing data is read from. */
static int read_trailer(struct perf *p, uint32_t type, struct span *s, struct span *rest)
{
	struct span data;

	if (type != RECORD_TRACING_DATA && type != RECORD_AUXTRACE)
		return 0;
	data = span_part(rest, type == RECORD_AUXTRACE ? span_u64(s) : span_u32(s));
	if (data.is_short)
		return fail(p, &data, "the data of a record ends behind the file");
	return type == RECORD_TRACING_DATA ? read_tracing(p, &data) : 0;
}

static int read_perf_record(struct perf *p, struct span *s)
{
	struct span begin = *s, part;
	uint32_t type = span_u32(s);
	uint16_t size;
	size_t i;

	span_u16(s);
	size = span_u16(s);
	if (s->is_short || size < RECORD_HEADER_SIZE)
		return fail(p, &begin, "no record");
	part = span_part(s, size - RECORD_HEADER_SIZE);
	if (part.is_short)
		return fail(p, &begin, "a record ends behind the records; was perf record killed?");
	for (i = 0; i < sizeof(records) / sizeof(*records); i++)
		if (records[i].type == type)
			return records[i].read(p, &part);
	return read_trailer(p, type, &part, s);
}

static int read_perf_records(struct perf *p, struct span *s)
{
	int ret = 0;

	while (!ret && s->size)
		ret = read_perf_record(p, s);
	return ret;
}

/* ---- the file ---- */

/*
 * Take a section, { u64 offset; u64 size; }, of the file. It is short if it is not in the file, or
 * if sections share bytes: they have more then, all together, than the file has.
 */
static struct span take_section(struct perf *p, struct span *s, const struct span *file)
{
	struct span section = *file;
	uint64_t offset = span_u64(s), size = span_u64(s);

	span_take(&section, offset);
	section = span_part(&section, size);
	if (section.size > p->unclaimed)
		section.is_short = true;
	else
		p->unclaimed -= section.size;
	return section;
}

/* Each entry is an attr and the section of its ids. */
static int read_attrs(struct perf *p, struct span *s, uint64_t attr_size,
		      const struct span *file)
{
	struct span attr, ids;

	if (s->is_short || attr_size <= SECTION_SIZE)
		return fail(p, s, "expected the events");
	while (s->size >= attr_size) {
		attr = span_part(s, attr_size - SECTION_SIZE);
		ids = take_section(p, s, file);
		if (ids.is_short)
			return fail(p, s, "the ids of an event are behind the end of the file, or are shared");
		add_attr(p, read_attr(attr), &ids);
	}
	return 0;
}

/* The sections of the features follow the records, in the order of the bits. */
static int read_features(struct perf *p, const unsigned char *bits, struct span *s,
			 const struct span *file)
{
	struct span words = { .at = bits, .size = NR_FEATURES / 8, .order = s->order };
	uint64_t word = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < NR_FEATURES; i++) {
		struct span section;

		if (i % 64 == 0)
			word = span_u64(&words);
		if (!(word >> i % 64 & 1))
			continue;
		section = take_section(p, s, file);
		if (section.is_short)
			return fail(p, s, "a part of the file is behind its end, or is shared");
		ret = read_feature(p, i, &section);
	}
	return ret;
}

static int read_file(struct perf *p, struct span *s, const struct span *file)
{
	uint64_t attr_size = span_u64(s);
	struct span attrs = take_section(p, s, file), data = take_section(p, s, file), features;
	const unsigned char *bits;
	int ret;

	/* Types of events, in old files. */
	span_take(s, SECTION_SIZE);
	bits = span_take(s, NR_FEATURES / 8);
	if (!bits || data.is_short || !data.size)
		return fail(p, s, "no records, or they end behind the end of the file; was perf record killed?");
	features = *file;
	span_take(&features, data.at + data.size - file->at);
	ret = read_attrs(p, &attrs, attr_size, file);
	if (!ret)
		ret = read_features(p, bits, &features, file);
	if (ret)
		return ret;
	see_tracepoints(p);
	return read_perf_records(p, &data);
}

/* Read a file that is in memory. */
static int read_memory(struct perf *p, const void *data, uint64_t size,
		       enum byte_order order)
{
	const struct span file = { .file = data, .at = data, .size = size, .order = order };
	struct span s = file;
	uint64_t header;
	int ret;

	span_u64(&s);
	header = span_u64(&s);
	item_value(p->formats->to, ITEM_BIG_ENDIAN, order == ORDER_BIG);
	item_value(p->formats->to, ITEM_UNCERTAINTY, UNCERTAINTY);
	if (header > PIPE_HEADER_SIZE)
		return read_file(p, &s, &file);
	ret = read_perf_records(p, &s);
	if (!ret)
		see_tracepoints(p);
	return ret;
}

/**
 * perfdata_read - read a perf.data
 * @data: the file
 * @size: its bytes
 * @order: its byte order
 * @symbols: a copy of /proc/kallsyms, for the callers of pages; -1: there is none
 * @to: where items go
 *
 * Return: 0; or -EINVAL after an ITEM_ERROR.
 */
int perfdata_read(const void *data, uint64_t size, enum byte_order order, int symbols,
		  FILE *to)
{
	struct formats *f = must_calloc(1, sizeof(*f));
	struct perf p = { .formats = f, .unclaimed = size };
	int ret;

	tep_set_loglevel(TEP_LOG_NONE);
	f->tep = tep_alloc();
	if (!f->tep)
		out_of_memory();
	f->to = to;
	f->cpus = 1;
	f->page_size = 4096;
	if (symbols >= 0)
		symbols_parse(f->tep, symbols);
	ret = read_memory(&p, data, size, order);
	formats_flush(f);
	formats_free(f);
	tep_free(f->tep);
	free(f);
	free(p.attrs);
	free(p.ids);
	lookup_free(&p.by_id);
	return ret;
}

static int read_mapped(const struct foreign *file, FILE *to, enum byte_order order)
{
	void *data = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, file->fd, 0);
	int ret;

	if (data == MAP_FAILED) {
		item_text(to, ITEM_ERROR, "%s", strerror(errno));
		return -EINVAL;
	}
	ret = perfdata_read(data, file->size, order, file->symbols, to);
	munmap(data, file->size);
	return ret;
}

static int read_little(const struct foreign *file, FILE *to)
{
	return read_mapped(file, to, ORDER_LITTLE);
}

static int read_big(const struct foreign *file, FILE *to)
{
	return read_mapped(file, to, ORDER_BIG);
}

/* The magic is a number in the byte order of the machine. */
const struct foreign_reader reader_perfdata_little = {
	.name = "perf.data",
	.magic = "PERFILE2",
	.magic_size = 8,
	.library = "libtraceevent",
	.read = read_little,
};

const struct foreign_reader reader_perfdata_big = {
	.name = "perf.data",
	.magic = "2ELIFREP",
	.magic_size = 8,
	.library = "libtraceevent",
	.read = read_big,
};
