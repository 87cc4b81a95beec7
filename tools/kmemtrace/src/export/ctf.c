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
#include "ctf/ctf.h"
#include "export/export.h"
#include "linux/kmemtrace.h"

/* Bytes of the packets of all CPUs together, unless there are very many CPUs. */
#define ALL_PACKETS	(16 << 20)
#define MIN_PACKET	(16 << 10)
#define MAX_PACKET	(256 << 10)

/* An event has at most the bytes of its record, and the number of its words. */
#define MAX_EVENT	(4096 + sizeof(uint32_t))

enum field_kind {
	FIELD_NUMBER,
	FIELD_SIGNED,
	FIELD_HEX,
	/* the string at the end of a record */
	FIELD_NAME,
	/* the words at the end of a record */
	FIELD_WORDS,
};

/**
 * struct field - a field of an event
 * @name: its name; NULL: there are no more
 * @kind: what it shows
 * @offset: of its member in the record
 * @size: bytes of the member
 */
struct field {
	const char *name;
	enum field_kind kind;
	size_t offset, size;
};

#define FIELD(type, member, kind)	\
	{ #member, kind, offsetof(struct type, member), sizeof(((struct type *)NULL)->member) }
#define TAIL(type, member, kind)	{ #member, kind, offsetof(struct type, member), 0 }

static const struct field alloc_fields[] = {
	FIELD(kmemtrace_event, call_site, FIELD_HEX),
	FIELD(kmemtrace_event, ptr, FIELD_HEX),
	FIELD(kmemtrace_event, bytes_req, FIELD_NUMBER),
	FIELD(kmemtrace_event, bytes_alloc, FIELD_NUMBER),
	FIELD(kmemtrace_event, gfp_flags, FIELD_HEX),
	FIELD(kmemtrace_event, node, FIELD_SIGNED),
	{ NULL }
};

static const struct field slab_fields[] = {
	FIELD(kmemtrace_event, call_site, FIELD_HEX),
	FIELD(kmemtrace_event, ptr, FIELD_HEX),
	FIELD(kmemtrace_event, bytes_req, FIELD_NUMBER),
	FIELD(kmemtrace_event, bytes_alloc, FIELD_NUMBER),
	FIELD(kmemtrace_event, gfp_flags, FIELD_HEX),
	FIELD(kmemtrace_event, node, FIELD_SIGNED),
	FIELD(kmemtrace_slab_event, cache, FIELD_HEX),
	{ NULL }
};

static const struct field free_fields[] = {
	FIELD(kmemtrace_event, call_site, FIELD_HEX),
	FIELD(kmemtrace_event, ptr, FIELD_HEX),
	FIELD(kmemtrace_event, bytes_alloc, FIELD_NUMBER),
	{ NULL }
};

static const struct field cache_fields[] = {
	FIELD(kmemtrace_cache, op, FIELD_NUMBER),
	FIELD(kmemtrace_cache, users, FIELD_SIGNED),
	FIELD(kmemtrace_cache, call_site, FIELD_HEX),
	FIELD(kmemtrace_cache, cache, FIELD_HEX),
	FIELD(kmemtrace_cache, object_size, FIELD_NUMBER),
	FIELD(kmemtrace_cache, size, FIELD_NUMBER),
	FIELD(kmemtrace_cache, flags, FIELD_HEX),
	FIELD(kmemtrace_cache, align, FIELD_NUMBER),
	TAIL(kmemtrace_cache, name, FIELD_NAME),
	{ NULL }
};

static const struct field slab_snapshot_fields[] = {
	FIELD(kmemtrace_snapshot_slab, node, FIELD_SIGNED),
	FIELD(kmemtrace_snapshot_slab, cache, FIELD_HEX),
	FIELD(kmemtrace_snapshot_slab, ptr, FIELD_HEX),
	FIELD(kmemtrace_snapshot_slab, object_size, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_slab, size, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_slab, objects, FIELD_NUMBER),
	TAIL(kmemtrace_snapshot_slab, live, FIELD_WORDS),
	{ NULL }
};

static const struct field pages_snapshot_fields[] = {
	FIELD(kmemtrace_snapshot_pages, node, FIELD_SIGNED),
	FIELD(kmemtrace_snapshot_pages, state, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_pages, ptr, FIELD_HEX),
	FIELD(kmemtrace_snapshot_pages, found, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_pages, bytes, FIELD_NUMBER),
	{ NULL }
};

static const struct field snapshot_end_fields[] = {
	FIELD(kmemtrace_snapshot_end, unsure, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_end, unlisted, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_end, without, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_end, stop_ns, FIELD_NUMBER),
	FIELD(kmemtrace_snapshot_end, begin_ns, FIELD_NUMBER),
	{ NULL }
};

static const struct field phase_fields[] = {
	FIELD(kmemtrace_phase, phase, FIELD_NUMBER),
	{ NULL }
};

static const struct field move_fields[] = {
	FIELD(kmemtrace_move, ptr, FIELD_HEX),
	FIELD(kmemtrace_move, old, FIELD_HEX),
	FIELD(kmemtrace_move, bytes, FIELD_NUMBER),
	{ NULL }
};

static const struct field stack_fields[] = {
	FIELD(kmemtrace_stack, stack, FIELD_NUMBER),
	FIELD(kmemtrace_stack, is_cut, FIELD_NUMBER),
	TAIL(kmemtrace_stack, frames, FIELD_WORDS),
	{ NULL }
};

static const struct field task_fields[] = {
	FIELD(kmemtrace_task, pid, FIELD_SIGNED),
	FIELD(kmemtrace_task, tgid, FIELD_NUMBER),
	FIELD(kmemtrace_task, start, FIELD_NUMBER),
	TAIL(kmemtrace_task, comm, FIELD_NAME),
	{ NULL }
};

static const struct field cgroup_fields[] = {
	FIELD(kmemtrace_cgroup, op, FIELD_NUMBER),
	FIELD(kmemtrace_cgroup, is_removed, FIELD_SIGNED),
	FIELD(kmemtrace_cgroup, cgroup, FIELD_NUMBER),
	FIELD(kmemtrace_cgroup, parent, FIELD_NUMBER),
	TAIL(kmemtrace_cgroup, path, FIELD_NAME),
	{ NULL }
};

/* It has no path: babeltrace2 shows an older text where a string is empty. */
static const struct field released_fields[] = {
	FIELD(kmemtrace_cgroup, is_removed, FIELD_SIGNED),
	FIELD(kmemtrace_cgroup, cgroup, FIELD_NUMBER),
	FIELD(kmemtrace_cgroup, parent, FIELD_NUMBER),
	{ NULL }
};

static const struct field charge_fields[] = {
	FIELD(kmemtrace_charge, type_id, FIELD_NUMBER),
	FIELD(kmemtrace_charge, cgroup, FIELD_NUMBER),
	FIELD(kmemtrace_charge, ptr, FIELD_HEX),
	FIELD(kmemtrace_charge, bytes, FIELD_NUMBER),
	{ NULL }
};

/* Allocations and failures have it, too, if the trace says who caused them. */
static const struct field who_field = FIELD(kmemtrace_who_event, who, FIELD_HEX);

static const struct field other_fields[] = {
	FIELD(kmemtrace_event, event_id, FIELD_NUMBER),
	FIELD(kmemtrace_event, type_id, FIELD_NUMBER),
	FIELD(kmemtrace_event, event_size, FIELD_NUMBER),
	{ NULL }
};

/* Types of records with any value in their second byte. */
#define ANY_TYPE	(-1)

/* The types of events; their numbers are those of the rows. The last row fits any record. */
static const struct event {
	const char *name;
	int id, type;
	const struct field *fields;
} events[] = {
	{ "alloc_kmalloc", KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_KMALLOC, slab_fields },
	{ "alloc_cache", KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_CACHE, slab_fields },
	{ "alloc_pages", KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_PAGES, alloc_fields },
	{ "alloc_percpu", KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_PERCPU, alloc_fields },
	{ "alloc_vmalloc", KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_VMALLOC, alloc_fields },
	{ "free_kmalloc", KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_KMALLOC, free_fields },
	{ "free_cache", KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_CACHE, free_fields },
	{ "free_pages", KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_PAGES, free_fields },
	{ "free_percpu", KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_PERCPU, free_fields },
	{ "free_vmalloc", KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_VMALLOC, free_fields },
	{ "failed_kmalloc", KMEMTRACE_EVENT_FAILED, KMEMTRACE_TYPE_KMALLOC, alloc_fields },
	{ "failed_cache", KMEMTRACE_EVENT_FAILED, KMEMTRACE_TYPE_CACHE, alloc_fields },
	{ "failed_pages", KMEMTRACE_EVENT_FAILED, KMEMTRACE_TYPE_PAGES, alloc_fields },
	{ "failed_percpu", KMEMTRACE_EVENT_FAILED, KMEMTRACE_TYPE_PERCPU, alloc_fields },
	{ "failed_vmalloc", KMEMTRACE_EVENT_FAILED, KMEMTRACE_TYPE_VMALLOC, alloc_fields },
	{ "cache", KMEMTRACE_EVENT_CACHE, ANY_TYPE, cache_fields },
	{ "snapshot_slab", KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_CACHE, slab_snapshot_fields },
	{ "snapshot_pages", KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_PAGES, pages_snapshot_fields },
	{ "snapshot_percpu", KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_PERCPU, alloc_fields },
	{ "snapshot_vmalloc", KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_VMALLOC, alloc_fields },
	{ "snapshot_end", KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_END, snapshot_end_fields },
	{ "phase", KMEMTRACE_EVENT_PHASE, ANY_TYPE, phase_fields },
	{ "move", KMEMTRACE_EVENT_MOVE, ANY_TYPE, move_fields },
	{ "stack", KMEMTRACE_EVENT_STACK, ANY_TYPE, stack_fields },
	{ "task", KMEMTRACE_EVENT_TASK, ANY_TYPE, task_fields },
	{ "cgroup_released", KMEMTRACE_EVENT_CGROUP, KMEMTRACE_CGROUP_RELEASED, released_fields },
	{ "cgroup", KMEMTRACE_EVENT_CGROUP, ANY_TYPE, cgroup_fields },
	{ "charge", KMEMTRACE_EVENT_CHARGE, ANY_TYPE, charge_fields },
	{ "other", ANY_TYPE, ANY_TYPE, other_fields },
};

#define NR_EVENTS	(sizeof(events) / sizeof(*events))

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
 */
struct writing {
	const struct report *r;
	struct context ctx;
	struct ctf ctf;
	struct cpu *cpus;
	size_t nr;
	struct cpu *last;
};

/* Return whether an event says who caused it. */
static bool has_who(const struct kmemtrace_trace *trace, const struct event *event)
{
	return (event->id == KMEMTRACE_EVENT_ALLOC || event->id == KMEMTRACE_EVENT_FAILED) &&
	       kmemtrace_get_with(trace) & (KMEMTRACE_WITH_STACK | KMEMTRACE_WITH_TASK);
}

/* ---- metadata ---- */

static void print_field(struct ctf *ctf, const struct field *f)
{
	switch (f->kind) {
	case FIELD_NAME:
		ctf_text(ctf, f->name);
		break;
	case FIELD_WORDS:
		ctf_integers(ctf, f->name, sizeof(uint64_t), 16);
		break;
	default:
		ctf_integer(ctf, f->name, f->size, f->kind == FIELD_SIGNED,
			    f->kind == FIELD_HEX ? 16 : 10);
	}
}

static int write_metadata(struct ctf *ctf, const struct kmemtrace_trace *trace)
{
	const struct kmemtrace_machine *machine = kmemtrace_get_machine(trace);
	int ret = ctf_begin_metadata(ctf, "kmemtrace");
	const struct field *f;
	size_t i;

	if (ret)
		return ret;
	ctf_env_text(ctf, "kernel_release", kmemtrace_metadata(trace, "kernel_release"));
	ctf_env_text(ctf, "architecture", kmemtrace_metadata(trace, "machine"));
	ctf_env_text(ctf, "cmdline", kmemtrace_metadata(trace, "cmdline"));
	ctf_env_text(ctf, "byte_order", machine->byte_order);
	ctf_env_number(ctf, "word_bits", machine->word_bits);
	ctf_end_env(ctf);
	for (i = 0; i < NR_EVENTS; i++) {
		ctf_begin_type(ctf, i, events[i].name);
		for (f = events[i].fields; f->name; f++)
			print_field(ctf, f);
		if (has_who(trace, &events[i]))
			print_field(ctf, &who_field);
		ctf_end_type(ctf);
	}
	return ctf_end_metadata(ctf);
}

/* ---- events ---- */

static size_t event_of(const struct kmemtrace_record *record)
{
	int type = ((const struct kmemtrace_event *)record->raw)->type_id;
	size_t i;

	for (i = 0; i < NR_EVENTS - 1; i++)
		if (events[i].id == record->id &&
		    (events[i].type == ANY_TYPE || events[i].type == type))
			break;
	return i;
}

/* Return the bytes of a record from the end of its fixed part on. */
static size_t tail_size(const struct kmemtrace_record *record, size_t offset)
{
	return record->raw_size > offset ? record->raw_size - offset : 0;
}

static void put_field(struct ctf_cpu *c, const struct field *f,
		      const struct kmemtrace_record *record)
{
	const unsigned char *at = (const unsigned char *)record->raw + f->offset;
	size_t len = tail_size(record, f->offset), i;
	uint64_t word;

	switch (f->kind) {
	case FIELD_NAME:
		ctf_put(c, at, strnlen((const char *)at, len));
		ctf_put(c, "", 1);
		break;
	case FIELD_WORDS:
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
	size_t event = event_of(record);
	const struct field *f;
	int ret = ctf_begin_event(&cpu->ctf, event, record->time, MAX_EVENT);

	for (f = events[event].fields; !ret && f->name; f++)
		put_field(&cpu->ctf, f, record);
	if (!ret && has_who(w->r->trace, &events[event]))
		put_field(&cpu->ctf, &who_field, record);
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
	const struct kmemtrace_cpu *cpu;
	size_t i, nr = 0, room;
	int ret = 0;

	for (i = 0; (cpu = kmemtrace_get_cpu(w->r->trace, i)); i++)
		nr += cpu->is_present;
	w->cpus = must_calloc(nr + 1, sizeof(*w->cpus));
	room = ALL_PACKETS / (nr + 1);
	room = room < MIN_PACKET ? MIN_PACKET : room > MAX_PACKET ? MAX_PACKET : room;
	for (i = 0; !ret && (cpu = kmemtrace_get_cpu(w->r->trace, i)); i++) {
		if (!cpu->is_present)
			continue;
		w->cpus[w->nr].cpu = cpu->cpu;
		w->cpus[w->nr].lost = cpu->lost;
		ret = ctf_cpu_open(&w->cpus[w->nr++].ctf, &w->ctf, cpu->cpu, room);
	}
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
	struct writing w = { .r = &e->r };
	int ret = ctf_open(&w.ctf, &w.ctx, e->path);

	if (!ret)
		ret = write_metadata(&w.ctf, e->r.trace);
	if (!ret)
		ret = write_events(&w);
	ctf_close(&w.ctf);
	return ret;
}

const struct format format_ctf = {
	.name = "ctf",
	.path = "kmemtrace.ctf",
	.is_folder = true,
	.has_records = true,
	.end = export_ctf_end,
};
