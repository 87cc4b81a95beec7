// SPDX-License-Identifier: GPL-2.0
/*
 * trace.c - open a trace and read all of its streams once for the clocks, once for the sums
 *
 * The clocks of all CPUs must be known before a time is. Both readings go through one stream
 * after the other, so that they need the memory of one.
 */
#include "config.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ktrace/trace.h"

/* Bytes of a stream to read at a time. */
#define ROOM	(64 * 1024)

/* Records between two calls of context_check(). */
#define CHECK_RECORDS	4096

/* ---- the CPUs ---- */

/* Return whether a CPU without a stream has events that are missing. */
static bool is_missed(const struct ktrace *t, unsigned int cpu)
{
	const struct overflow_cpu *o = overflow_of(&t->overflow, cpu);

	return o ? o->events : !t->overflow.has_file;
}

/* @stream: NULL: there is none */
static void add_kcpu(struct ktrace *t, unsigned int cpu, const struct trace_cpu *stream)
{
	const struct overflow_cpu *o = overflow_of(&t->overflow, cpu);
	const bool is_read = stream && stream->state == STREAM_THERE;

	t->cpus[t->nr_cpus++] = (struct kcpu) {
		.cpu = cpu,
		.file = is_read ? stream->file : NULL,
		.problem = stream ? tracedir_stream_problem(stream->state) : NULL,
		.missed = !is_read && o ? o->events : 0,
	};
}

/* List the CPUs of the folder and those of the file overflow, both of which are sorted. */
static int list_kcpus(struct ktrace *t)
{
	const struct tracedir *dir = &t->dir;
	const struct overflow *o = &t->overflow;
	unsigned int cpu;
	size_t i = 0, j = 0;

	t->cpus = context_calloc(t->ctx, dir->nr_cpus + o->nr + 1, sizeof(*t->cpus));
	if (!t->cpus)
		return -ENOMEM;
	while (i < dir->nr_cpus || j < o->nr) {
		if (i < dir->nr_cpus && (j == o->nr || dir->cpus[i].cpu <= o->cpus[j].cpu))
			cpu = dir->cpus[i].cpu;
		else
			cpu = o->cpus[j].cpu;
		if (i < dir->nr_cpus && dir->cpus[i].cpu == cpu &&
		    dir->cpus[i].state != STREAM_MISSING)
			add_kcpu(t, cpu, &dir->cpus[i]);
		else if (is_missed(t, cpu))
			add_kcpu(t, cpu, NULL);
		while (i < dir->nr_cpus && dir->cpus[i].cpu == cpu)
			i++;
		while (j < o->nr && o->cpus[j].cpu == cpu)
			j++;
	}
	return 0;
}

/* ---- the byte order ---- */

static int refuse_stream(const struct ktrace *t, struct kstream *s)
{
	struct ktrace_head head = record_head(s->buf, ORDER_LITTLE);

	context_say(t->ctx, "%s: offset 0: not a ktrace stream: expected a CLOCK, with id 1 and size %zu, found id %u and size %u, if the stream is little-endian; is this a file of ktraced?",
		    s->path, RECORD_CLOCK_SIZE, head.id, head.size);
	return -EILSEQ;
}

static int refuse_order(const struct ktrace *t, const struct kstream *s, enum byte_order order)
{
	context_say(t->ctx, "%s: offset 0: is %s-endian, expected %s-endian as %s; remove the file that is of another machine",
		    s->path, order_name(order), order_name(t->order),
		    t->dir.order == ORDER_UNKNOWN ? "the streams before it" : "the metadata says");
	return -EINVAL;
}

/*
 * All streams have the byte order of the metadata, or else of the first stream. A stream that
 * doesn't begin with a clock is damaged; without metadata, it may be any file.
 */
static int compare_order(struct ktrace *t, struct kstream *s)
{
	enum byte_order order = kstream_find_order(s);

	if (context_error(t->ctx))
		return context_error(t->ctx);
	if (order == ORDER_UNKNOWN)
		return s->end < RECORD_HEAD_SIZE || t->dir.has_metadata ?
		       0 : refuse_stream(t, s);
	if (t->order == ORDER_UNKNOWN)
		t->order = order;
	return order == t->order ? 0 : refuse_order(t, s, order);
}

/**
 * ktrace_open_stream - open the stream of a CPU
 * @t: the trace
 * @s: result; kstream_close() it also after an error
 * @i: number of the CPU in @t->cpus; it has a stream
 * @room: bytes to read at a time
 *
 * Return: 0, or -errno after a message.
 */
int ktrace_open_stream(struct ktrace *t, struct kstream *s, size_t i, size_t room)
{
	const struct kcpu *cpu = &t->cpus[i];
	int ret = kstream_open(s, t->ctx, t->dir.files, cpu->file, cpu->cpu, room, &t->decoder);

	s->index = i;
	if (!ret)
		ret = compare_order(t, s);
	/* A stream without any record has no order. */
	s->order = t->order == ORDER_UNKNOWN ? ORDER_NATIVE : t->order;
	return ret;
}

/* Call a function for each record of each stream, until it fails. */
static int each_record(struct ktrace *t, const struct timemaps *maps,
		       int (*take)(struct ktrace *t, struct kstream *s),
		       void (*end)(struct ktrace *t, const struct kstream *s))
{
	struct kstream s;
	uint64_t nr = 0;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < t->nr_cpus; i++) {
		if (!t->cpus[i].file)
			continue;
		ret = ktrace_open_stream(t, &s, i, ROOM);
		s.maps = maps;
		while (!ret && (ret = kstream_next(&s)) > 0) {
			ret = take(t, &s);
			if (!ret && ++nr % CHECK_RECORDS == 0)
				ret = context_check(t->ctx);
		}
		if (!ret)
			end(t, &s);
		kstream_close(&s);
	}
	return ret;
}

/* ---- the first reading: clocks ---- */

static int add_pair_of_clock(struct ktrace *t, struct kstream *s)
{
	const struct timepair pair = {
		.time = s->clock.timestamp,
		.ns = s->clock.monotonic,
		.error = s->clock.error,
		.uncertainty = s->clock.uncertainty,
	};

	if (s->id != KTRACE_ID_CLOCK)
		return 0;
	if (s->clock.uncertainty > t->uncertainty)
		t->uncertainty = s->clock.uncertainty;
	return timemaps_add_pair(&t->maps, t->ctx, s->clock.clock, &pair, s->clock.frequency);
}

static void end_clocks(struct ktrace *t, const struct kstream *s)
{
	(void)t;
	(void)s;
}

/* ---- the second reading: the time of the first event ---- */

/*
 * Find the time of a CPU's first event, which is the first one of its stream: times do not
 * decrease.
 */
static int find_first_event(struct ktrace *t, size_t i)
{
	struct kstream s;
	int ret = ktrace_open_stream(t, &s, i, ROOM);

	s.maps = &t->maps;
	while (!ret && (ret = kstream_next(&s)) > 0) {
		ret = 0;
		if (s.id < KTRACE_ID_FIRST)
			continue;
		if (!t->has_events || s.time < t->origin)
			t->origin = s.time;
		t->has_events = true;
		break;
	}
	kstream_close(&s);
	return ret;
}

static int find_origin(struct ktrace *t)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < t->nr_cpus; i++)
		if (t->cpus[i].file)
			ret = find_first_event(t, i);
	t->last = t->origin;
	return ret;
}

/* ---- the third reading: sums ---- */

/* Return nanoseconds since the first event; 0 if @time is before it. */
uint64_t ktrace_since(const struct ktrace *t, int64_t time)
{
	return time < t->origin ? 0 : (uint64_t)time - (uint64_t)t->origin;
}

static bool is_between(const struct ktrace *t, int64_t time)
{
	const struct interval *i = &t->selection.between;
	uint64_t since = ktrace_since(t, time);

	return (!i->has_begin || since >= i->begin) && (!i->has_end || since <= i->end);
}

static bool is_cpu_selected(const struct ktrace *t, unsigned int cpu)
{
	const struct filter *f = &t->selection.cpus;

	return !f->texts[FILTER_CPU] || f->cpus[cpu / 64] >> cpu % 64 & 1;
}

/**
 * ktrace_decode - decode a record
 * @t: the trace
 * @s: the stream, at the record
 * @ev: result, for KEVENT_SELECTED
 *
 * Return: what the record is. @t->ctx has an error if there was no memory.
 */
enum kevent_kind ktrace_decode(struct ktrace *t, const struct kstream *s, struct kevent *ev)
{
	struct type *type;

	if (s->id < KTRACE_ID_FIRST)
		return KEVENT_NONE;
	type = types_find(&t->types, t->ctx, s->id);
	ev->type = type;
	if (!type)
		return KEVENT_UNKNOWN;
	if (type->state != TYPE_GOOD)
		return KEVENT_UNREADABLE;
	if (!layout_values(&type->layout, s->args, kstream_args_size(s), s->order, ev->values))
		return KEVENT_MALFORMED;
	if (!type->is_selected || !is_cpu_selected(t, s->cpu) || !is_between(t, s->time))
		return KEVENT_LEFT_OUT;
	ev->time = s->time;
	ev->cpu = s->cpu;
	ev->size = s->size;
	return KEVENT_SELECTED;
}

static void count_kevent(struct ktrace *t, const struct kstream *s)
{
	struct kevent ev;

	switch (ktrace_decode(t, s, &ev)) {
	case KEVENT_UNKNOWN:
		if (!t->unknown++)
			t->first_unknown = s->id;
		break;
	case KEVENT_UNREADABLE:
		if (!t->unreadable++)
			t->first_unreadable = ev.type;
		break;
	case KEVENT_MALFORMED:
		if (!t->malformed++)
			t->first_malformed = ev.type;
		break;
	case KEVENT_SELECTED:
		t->selected++;
		ev.type->events++;
		ev.type->bytes += ev.size;
		break;
	case KEVENT_NONE:
	case KEVENT_LEFT_OUT:
		break;
	}
	t->events++;
	t->bytes += s->size;
	if (s->time > t->last)
		t->last = s->time;
}

static void take_loss(struct ktrace *t, const struct kstream *s)
{
	struct kloss *loss;

	if (s->gap.has_subbufs && t->overwrites)
		return;
	if (t->nr_losses++ >= KTRACE_MAX_LOSSES)
		return;
	loss = &t->losses[t->nr_losses - 1];
	*loss = (struct kloss) {
		.cpu = s->cpu,
		.events = s->gap.events,
		.since = t->since,
		.until = s->time,
		.has_since = s->account.recorded,
	};
}

static int count_record(struct ktrace *t, struct kstream *s)
{
	if (s->id >= KTRACE_ID_FIRST) {
		count_kevent(t, s);
		t->since = s->time;
	} else if (s->id != KTRACE_ID_CLOCK) {
		t->others++;
	} else if (s->gap.events) {
		take_loss(t, s);
	}
	return context_error(t->ctx);
}

/*
 * Return how many events were lost after the last one of a stream. ktraced counts the losses
 * of its trace. The kernel counts all events: they may belong to a later trace.
 */
static uint64_t count_tail(const struct ktrace *t, const struct kstream *s)
{
	const struct overflow_cpu *o = overflow_of(&t->overflow, s->cpu);
	uint64_t lost, known = s->account.lost + (t->overwrites ? 0 : s->account.skipped);

	if (tracedir_meta_cpu(&t->dir, "lost.cpu", s->cpu, &lost))
		return lost > known ? lost - known : 0;
	return o && o->events > s->account.events ? o->events - s->account.events : 0;
}

static void note_end_of_stream(struct ktrace *t, const struct kstream *s)
{
	struct kcpu *cpu = &t->cpus[s->index];

	cpu->size = s->in.size;
	cpu->fault = s->fault;
	cpu->fault_offset = s->offset;
	cpu->fault_at = s->in.fault_at;
	if (s->fault)
		cpu->unread = s->in.size - s->offset;
	cpu->account = s->account;
	cpu->tail = count_tail(t, s);
	t->backwards += s->backwards;
}

/* ---- the trace ---- */

static bool matches(const char * const *globs, const char *name)
{
	if (!globs)
		return true;
	for (; *globs; globs++)
		if (!fnmatch(*globs, name, 0))
			return true;
	return false;
}

static void select_types(struct ktrace *t)
{
	size_t i;

	for (i = 0; i < t->types.nr; i++)
		t->types.list[i].is_selected = matches(t->selection.globs,
						       t->types.list[i].name);
}

/* Return the events of a CPU that are missing, without those that newer ones replaced. */
uint64_t kcpu_lost(const struct ktrace *t, const struct kcpu *cpu)
{
	return cpu->account.lost + cpu->tail + cpu->missed +
	       (t->overwrites ? 0 : cpu->account.skipped);
}

static void sum_up(struct ktrace *t)
{
	size_t i;

	for (i = 0; i < t->nr_cpus; i++) {
		const struct kcpu *cpu = &t->cpus[i];

		t->lost += kcpu_lost(t, cpu);
		if (t->overwrites)
			t->overwritten += cpu->account.before + cpu->account.skipped;
	}
}

static int refuse_abi_version(const struct ktrace *t)
{
	context_say(t->ctx, "%s/metadata: abi_version: %u, expected %d; use a newer ktrace-report",
		    t->dir.name, t->dir.abi_version, KTRACE_ABI_VERSION);
	return -EINVAL;
}

/* Metadata of ktraced names the recorder; that of an old kmemtraced does not. */
static int check_metadata(struct ktrace *t)
{
	const struct tracedir *dir = &t->dir;
	const char *value = tracedir_meta(dir, "overwrites");

	t->order = dir->order;
	t->overwrites = value && !strcmp(value, "yes");
	if (!dir->has_metadata)
		return 0;
	if (!tracedir_meta(dir, "recorder")) {
		context_say(t->ctx, "%s/metadata: has no line 'recorder', expected 'recorder: ktrace'; use kmemtrace-report for a trace of kmemtraced",
			    dir->name);
		return -EINVAL;
	}
	if (dir->abi_version > KTRACE_ABI_VERSION)
		return refuse_abi_version(t);
	return tracedir_expect(dir, "ktrace");
}

static int read_files(struct ktrace *t, struct files *files)
{
	int ret = tracedir_open(&t->dir, t->ctx, files);

	if (!ret)
		ret = check_metadata(t);
	if (!ret)
		ret = types_load(&t->types, &t->dir, &t->reasons);
	if (!ret)
		ret = overflow_load(&t->overflow, &t->dir, &t->reasons);
	if (!ret)
		ret = symbols_load(&t->symbols, t->ctx, files);
	return ret ? ret : list_kcpus(t);
}

static int read_each_stream(struct ktrace *t)
{
	int ret = each_record(t, NULL, add_pair_of_clock, end_clocks);

	if (ret)
		return ret;
	timemaps_finish(&t->maps);
	timemaps_warn(&t->maps, &t->dir);
	ret = find_origin(t);
	return ret ? ret : each_record(t, &t->maps, count_record, note_end_of_stream);
}

/**
 * ktrace_open - open a trace, and sum up its events
 * @t: result; ktrace_close() it also after an error
 * @ctx: the context of the trace
 * @files: its files, which get another reference
 * @selection: the events to count
 *
 * Return: 0, or -errno after a message.
 */
int ktrace_open(struct ktrace *t, struct context *ctx, struct files *files,
		const struct kselection *selection)
{
	int ret;

	*t = (struct ktrace) { .ctx = ctx, .selection = *selection };
	ret = read_files(t, files);
	if (!ret) {
		select_types(t);
		ret = read_each_stream(t);
	}
	if (!ret)
		sum_up(t);
	return ret;
}

/* Undo ktrace_open(), also after an error. */
void ktrace_close(struct ktrace *t)
{
	timemaps_close(&t->maps);
	symbols_free(&t->symbols);
	overflow_free(&t->overflow);
	types_free(&t->types);
	decoder_free(&t->decoder);
	free(t->cpus);
	reasons_free(&t->reasons);
	tracedir_close(&t->dir);
}
