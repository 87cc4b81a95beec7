// SPDX-License-Identifier: GPL-2.0
/*
 * ctf: all records of a trace in the Common Trace Format, for babeltrace2 and Trace Compass.
 *
 * Each record is an event, but those about the stream itself: lost records are discarded events,
 * and clocks are only in the times.
 */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/memory.h"
#include "common/records.h"
#include "ctf/ctf.h"
#include "export/export.h"
#include "kmemtrace-records.h"
#include "linux/kmemtrace.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/watch.h"

/* Bytes of the packets of all CPUs together, unless there are very many CPUs. */
#define ALL_PACKETS	(16 << 20)
#define MIN_PACKET	(16 << 10)
#define MAX_PACKET	(256 << 10)

/* An event has at most the bytes of its record, and the number of its words. */
#define MAX_EVENT	(4096 + sizeof(uint32_t))

/* No record has more fields. */
#define MAX_FIELDS	12
#define MAX_EVENTS	40

/* Types of records with any value in their second byte. */
#define ANY_TYPE	(-1)

/* Any other record. */
static const struct record_layout other = {
	.name = "other",
	.fields = (const struct record_field[]) {
		{ .name = "event_id", .offset = 0, .size = 1 },
		{ .name = "type_id", .offset = 1, .size = 1 },
		{ .name = "event_size", .offset = 2, .size = 2 },
		{ .name = NULL },
	},
};

/**
 * struct event - a type of events
 * @name: its name
 * @id: of its records
 * @type: of its records, or ANY_TYPE
 * @fields: the fields of the record that the event has; NULL: there are no more
 */
struct event {
	char name[32];
	unsigned int id;
	int type;
	const struct record_field *fields[MAX_FIELDS];
};

/**
 * struct cpu - the events of a CPU
 * @ctf: the packets
 * @cpu: number of the CPU
 * @lost: events that the kernel lost on it
 * @discarded: those of them whose place the stream reports
 */
struct cpu {
	struct ctf_cpu ctf;
	unsigned int cpu;
	uint64_t lost, discarded;
};

/**
 * struct writing - the folder that is being written
 * @r: the trace
 * @ctx: receives messages and errors
 * @ctf: the folder
 * @cpus: the CPUs with a stream, by number
 * @nr: entries of @cpus
 * @last: the CPU of the last record
 * @events: the types of events, by their number; the last one fits any record
 * @nr_events: entries of @events
 */
struct writing {
	const struct report *r;
	struct context ctx;
	struct ctf ctf;
	struct cpu *cpus;
	size_t nr;
	struct cpu *last;
	struct event events[MAX_EVENTS];
	size_t nr_events;
};

/* ---- types of events ---- */

/*
 * Return whether an event has a field of its record. The CPU is that of the stream, the words at
 * the end have their number. A cgroup that is released has no path: babeltrace2 shows an older
 * text where a string is empty.
 */
static bool has_field(const struct event *event, const struct record_field *f,
		      const struct kmemtrace_trace *trace)
{
	const bool is_released = event->id == KMEMTRACE_EVENT_CGROUP &&
				 event->type == KMEMTRACE_CGROUP_RELEASED;

	switch (f->kind) {
	case KIND_CONSTANT:
	case KIND_ZEROS:
	case KIND_CPU:
	case KIND_COUNT:
		return false;
	case KIND_CHOICE:
	case KIND_TEXT:
		return !is_released;
	default:
		break;
	}
	if (!strcmp(f->name, "who"))
		return kmemtrace_get_with(trace) & (KMEMTRACE_WITH_STACK | KMEMTRACE_WITH_TASK);
	if (event->id == KMEMTRACE_EVENT_ALLOC && !strcmp(f->name, "cache"))
		return event->type == KMEMTRACE_TYPE_KMALLOC || event->type == KMEMTRACE_TYPE_CACHE;
	return true;
}

/* Add the type of events of some records, whose name is that of the layout and a @suffix. */
static void add_event(struct writing *w, const struct record_layout *layout, int type,
		      const char *suffix)
{
	struct event *event = &w->events[w->nr_events++];
	const struct record_field *f;
	size_t nr = 0;

	event->id = layout->id;
	event->type = type;
	snprintf(event->name, sizeof(event->name), "%s%s%s", layout->name, *suffix ? "_" : "",
		 suffix);
	for (f = layout->fields; f->name; f++)
		if (has_field(event, f, w->r->trace))
			event->fields[nr++] = f;
}

static void add_events(struct writing *w)
{
	const struct record_layout *l;
	int type;

	for (l = record_layouts; l->name; l++) {
		if (l->id == KMEMTRACE_EVENT_CLOCK || l->id == KMEMTRACE_EVENT_LOST)
			continue;
		if (l->id == KMEMTRACE_EVENT_CGROUP)
			add_event(w, l, KMEMTRACE_CGROUP_RELEASED, "released");
		if (l->first == l->last)
			add_event(w, l, l->first, "");
		for (type = l->first; l->first < l->last && type <= l->last; type++)
			add_event(w, l, type, record_types[type]);
	}
	add_event(w, &other, ANY_TYPE, "");
}

/* ---- metadata ---- */

static bool is_hex(const struct record_field *f)
{
	return f->kind == KIND_HEX || f->kind == KIND_ADDRESS || f->kind == KIND_SLAB_CACHE ||
	       f->kind == KIND_SITE || f->kind == KIND_FLAGS;
}

static void print_field(struct ctf *ctf, const struct record_field *f)
{
	switch (f->kind) {
	case KIND_NAME:
	case KIND_TEXT:
		ctf_text(ctf, f->name);
		break;
	case KIND_WORDS:
		ctf_integers(ctf, f->name, sizeof(uint64_t), 16);
		break;
	default:
		ctf_integer(ctf, f->name, f->size, f->size == sizeof(int32_t),
			    is_hex(f) ? 16 : 10);
	}
}

static int write_metadata(struct writing *w)
{
	const struct kmemtrace_trace *trace = w->r->trace;
	const struct kmemtrace_machine *machine = kmemtrace_get_machine(trace);
	const struct record_field *const *f;
	struct ctf *ctf = &w->ctf;
	int ret = ctf_begin_metadata(ctf, "kmemtrace");
	size_t i;

	if (ret)
		return ret;
	ctf_env_text(ctf, "kernel_release", kmemtrace_metadata(trace, "kernel_release"));
	ctf_env_text(ctf, "architecture", kmemtrace_metadata(trace, "machine"));
	ctf_env_text(ctf, "hostname", kmemtrace_metadata(trace, "host"));
	ctf_env_text(ctf, "realtime_ns", kmemtrace_metadata(trace, "realtime_ns"));
	ctf_env_text(ctf, "utc_offset", kmemtrace_metadata(trace, "utc_offset"));
	ctf_env_text(ctf, "ram_bytes", kmemtrace_metadata(trace, "ram_bytes"));
	ctf_env_text(ctf, "command", kmemtrace_metadata(trace, "command"));
	ctf_env_text(ctf, "cmdline", kmemtrace_metadata(trace, "cmdline"));
	ctf_env_text(ctf, "byte_order", machine->byte_order);
	ctf_env_number(ctf, "word_bits", machine->word_bits);
	ctf_end_env(ctf);
	for (i = 0; i < w->nr_events; i++) {
		ctf_begin_type(ctf, i, w->events[i].name);
		for (f = w->events[i].fields; *f; f++)
			print_field(ctf, *f);
		ctf_end_type(ctf);
	}
	return ctf_end_metadata(ctf);
}

/* ---- events ---- */

static size_t event_of(const struct writing *w, const struct kmemtrace_record *record)
{
	int type = ((const struct kmemtrace_event *)record->raw)->type_id;
	size_t i;

	for (i = 0; i < w->nr_events - 1; i++)
		if ((int)w->events[i].id == record->id &&
		    (w->events[i].type == ANY_TYPE || w->events[i].type == type))
			break;
	return i;
}

/* Return the bytes of a record from the end of its fixed part on. */
static size_t tail_size(const struct kmemtrace_record *record, size_t offset)
{
	return record->raw_size > offset ? record->raw_size - offset : 0;
}

static void put_field(struct ctf_cpu *c, const struct record_field *f,
		      const struct kmemtrace_record *record)
{
	const unsigned char *at = (const unsigned char *)record->raw + f->offset;
	size_t len = tail_size(record, f->offset), i;
	uint64_t word;

	switch (f->kind) {
	case KIND_NAME:
	case KIND_TEXT:
		ctf_put(c, at, strnlen((const char *)at, len));
		ctf_put(c, "", 1);
		break;
	case KIND_WORDS:
		ctf_put_number(c, len / sizeof(word), sizeof(uint32_t));
		for (i = 0; i < len / sizeof(word); i++) {
			memcpy(&word, at + i * sizeof(word), sizeof(word));
			ctf_put_number(c, word, sizeof(word));
		}
		break;
	default:
		/* Older records have no tail. */
		ctf_put_native(c, len < f->size ? NULL : at, f->size);
	}
}

/* Return the CPU of a record, which has a stream. */
static struct cpu *cpu_of(struct writing *w, const struct kmemtrace_record *record)
{
	size_t from = 0, to = w->nr;

	if (w->last && w->last->cpu == record->cpu)
		return w->last;
	while (to - from > 1) {
		size_t middle = from + (to - from) / 2;

		if (w->cpus[middle].cpu <= record->cpu)
			from = middle;
		else
			to = middle;
	}
	w->last = &w->cpus[from];
	return w->last;
}

static int put_event(const struct writing *w, struct cpu *cpu,
		     const struct kmemtrace_record *record)
{
	size_t event = event_of(w, record);
	const struct record_field *const *f;
	int ret = ctf_begin_event(&cpu->ctf, event, record->time, MAX_EVENT);

	for (f = w->events[event].fields; !ret && *f; f++)
		put_field(&cpu->ctf, *f, record);
	return ret;
}

static int put_record(struct writing *w, const struct kmemtrace_record *record)
{
	const struct kmemtrace_lost *lost = record->raw;
	struct cpu *cpu = cpu_of(w, record);

	switch (record->id) {
	case KMEMTRACE_RECORD_CLOCK:
		return 0;
	case KMEMTRACE_RECORD_LOST:
		cpu->discarded += lost->records;
		return ctf_discard(&cpu->ctf, lost->records, record->time);
	default:
		return put_event(w, cpu, record);
	}
}

/* Return whether a record is in the part of the trace that was read and chosen. */
static bool is_chosen(const struct kmemtrace_summary *sum,
		      const struct kmemtrace_record *record)
{
	return record->time <= sum->last &&
	       (!sum->is_late || (uint64_t)record->time - (uint64_t)sum->first >= sum->begin);
}

static int put_records(struct writing *w, struct kmemtrace_records *records)
{
	const struct kmemtrace_record *record;
	int ret;

	while ((ret = kmemtrace_records_next(records, &record)) > 0) {
		ret = is_chosen(w->r->sum, record) ? put_record(w, record) : 0;
		if (ret)
			break;
	}
	return ret;
}

/* The events that were lost after the last record of a stream are in no record. */
static int end_cpu(struct writing *w, struct cpu *cpu)
{
	int ret = 0;

	if (!w->r->sum->is_cut && cpu->lost > cpu->discarded)
		ret = ctf_discard(&cpu->ctf, cpu->lost - cpu->discarded, w->r->sum->last);
	return ret ? ret : ctf_cpu_end(&cpu->ctf);
}

/* ---- the folder ---- */

static int open_cpus(struct writing *w)
{
	struct kmemtrace_relation *cpus = relation_of(w->r, "cpus", .where = "is_present=1");
	const size_t nr = kmemtrace_relation_rows(cpus);
	size_t room = ALL_PACKETS / (nr + 1);
	int ret = 0;

	w->cpus = must_calloc(nr + 1, sizeof(*w->cpus));
	room = room < MIN_PACKET ? MIN_PACKET : room > MAX_PACKET ? MAX_PACKET : room;
	while (!ret && kmemtrace_relation_next(cpus)) {
		w->cpus[w->nr].cpu = cell_number(cpus, "cpu");
		w->cpus[w->nr].lost = cell_number(cpus, "lost_events");
		ret = ctf_cpu_open(&w->cpus[w->nr].ctf, &w->ctf, w->cpus[w->nr].cpu, room);
		w->nr++;
	}
	kmemtrace_relation_close(cpus);
	return ret;
}

static int write_events(struct writing *w)
{
	struct kmemtrace_records *records;
	size_t i;
	int ret = open_cpus(w);

	if (!ret)
		ret = kmemtrace_records_open((struct kmemtrace_trace *)w->r->trace, &records);
	if (!ret) {
		ret = put_records(w, records);
		kmemtrace_records_close(records);
	}
	for (i = 0; !ret && i < w->nr; i++)
		ret = end_cpu(w, &w->cpus[i]);
	for (i = 0; i < w->nr; i++)
		ctf_cpu_close(&w->cpus[i].ctf);
	free(w->cpus);
	return ret;
}

static int export_ctf_end(struct export *e)
{
	struct writing w = { .r = &e->r, .ctx.interrupt = watch_interrupted };
	int ret = ctf_open(&w.ctf, &w.ctx, e->path);

	add_events(&w);
	if (!ret)
		ret = write_metadata(&w);
	if (!ret)
		ret = write_events(&w);
	return ctf_close(&w.ctf, ret);
}

const struct format format_ctf = {
	.name = "ctf",
	.path = "kmemtrace.ctf",
	.is_folder = true,
	.has_records = true,
	.end = export_ctf_end,
};
