// SPDX-License-Identifier: GPL-2.0
/*
 * trace.c - one trace: its files, what its streams say of themselves, and its ledger
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/trace.h"
#include "ledger/ledger.h"

/* More threads are no faster by default: reading takes as long as the work of two. */
#define MAX_DEFAULT_THREADS	4

/* Most bytes of the file that has the aliases of caches. */
#define MAX_SLABS	(4 << 20)

/* A kernel has at most 4,194,304 tasks. */
#define MAX_TASKS	(128 << 20)

static void take_lost(struct trace *t, struct cpu_summary *cpu,
		      const struct record *rec)
{
	const struct kmemtrace_lost *lost = (const void *)rec->ev;

	cpu->lost_reported += lost->records;
	cpu->nested += lost->nested;
	if (t->nr_losses < TRACE_MAX_LOSSES)
		t->losses[t->nr_losses] = (struct loss) {
			.cpu = cpu->cpu,
			.records = lost->records,
			.nested = lost->nested,
			.since = (int64_t)lost->since,
			.until = rec->time,
		};
	t->nr_losses++;
}

/*
 * Sub-buffers are numbered from 0, each time tracing is switched on. The first number is
 * larger if another collector read the sub-buffers before.
 */
static void take_clock(struct trace *t, struct cpu_summary *cpu,
		       const struct record *rec)
{
	const struct kmemtrace_clock *clock = (const void *)rec->ev;

	if (!cpu->numbered)
		cpu->subbufs_before = clock->sequence;
	else if (clock->sequence > cpu->subbufs)
		cpu->subbufs_missing += clock->sequence - cpu->subbufs;
	cpu->numbered = true;
	cpu->subbufs = clock->sequence + 1;
	if (clock->uncertainty > t->uncertainty)
		t->uncertainty = clock->uncertainty;
}

/* Take a record about the stream itself. */
void trace_take(struct trace *t, const struct reader *r)
{
	struct cpu_summary *cpu = &t->cpus[r->index];

	if (r->rec.ev->event_id == KMEMTRACE_EVENT_LOST)
		take_lost(t, cpu, &r->rec);
	if (r->rec.ev->event_id == KMEMTRACE_EVENT_CLOCK)
		take_clock(t, cpu, &r->rec);
}

/*
 * Add up the losses. The stream reports them, except those at its end, which a cut trace
 * does not include.
 */
void trace_sum_losses(struct trace *t)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < t->dir.nr_cpus; i++) {
		struct cpu_summary *cpu = &t->cpus[i];

		cpu->lost_events -= cpu->lost_before < cpu->lost_events ? cpu->lost_before :
								  cpu->lost_events;
		cpu->lost_before = 0;
		if (cpu->lost_reported > cpu->lost_events || t->options.is_cut ||
		    t->is_continued)
			cpu->lost_events = cpu->lost_reported;
		sum += cpu->lost_events;
	}
	t->lost_events = sum || t->options.is_cut ? sum :
			 t->lost / EVENT_MIN_SIZE;
}

/* Return the time @ns after the first record, or the latest time there is. */
int64_t trace_time_after(int64_t first, uint64_t ns)
{
	uint64_t left = (uint64_t)INT64_MAX - (uint64_t)first;

	return ns > left ? INT64_MAX : (int64_t)((uint64_t)first + ns);
}

/* Return the time of the last wanted records of a trace that begins at @first. */
int64_t trace_until(const struct trace_options *options, int64_t first)
{
	return options->is_cut ? trace_time_after(first, options->at) : INT64_MAX;
}

/* Take over what a reader has found out about its stream so far. */
void trace_take_stream(struct trace *t, const struct reader *r)
{
	struct cpu_summary *cpu = &t->cpus[r->index];

	t->events += r->events - cpu->events;
	cpu->events = r->events;
	cpu->size = r->in.size;
	cpu->taken = reader_offset(r);
	if (!tracedir_meta_cpu(&t->dir, "bytes.cpu", cpu->cpu, &cpu->saved))
		cpu->saved = cpu->size;
	cpu->rejected = r->rejected;
	cpu->fault = r->fault;
	cpu->fault_at = r->in.fault_at;
	if (cpu->fault)
		cpu->unread = r->in.size - reader_offset(r);
}

/* List the CPUs of the directory, without what their streams say. Return 0 or -ENOMEM. */
static int list_cpus(struct trace *t)
{
	size_t i;

	t->cpus = context_calloc(&t->ctx, t->dir.nr_cpus + 1, sizeof(*t->cpus));
	if (!t->cpus)
		return -ENOMEM;
	t->losses_known = tracedir_meta_u64(&t->dir, "total_overruns",
					    &t->lost);
	for (i = 0; i < t->dir.nr_cpus; i++) {
		struct cpu_summary *cpu = &t->cpus[i];

		cpu->cpu = t->dir.cpus[i].cpu;
		cpu->present = t->dir.cpus[i].state == STREAM_THERE;
		tracedir_meta_cpu(&t->dir, "overruns.cpu", cpu->cpu,
				  &cpu->lost);
		/* In ABI version 1 all records have one size. */
		if (!tracedir_meta_cpu(&t->dir, "lost.cpu", cpu->cpu,
				       &cpu->lost_events))
			cpu->lost_events = cpu->lost / EVENT_MIN_SIZE;
		tracedir_meta_cpu(&t->dir, "dropped.cpu", cpu->cpu,
				  &cpu->dropped);
		tracedir_meta_cpu(&t->dir, "bytes.cpu", cpu->cpu,
				  &cpu->saved);
	}
	return 0;
}

/* Keep what the stream of a CPU has said, but for what the metadata says anew. */
static void keep_stream(struct cpu_summary *to, const struct cpu_summary *from)
{
	const struct cpu_summary new = *to;

	*to = *from;
	to->present = new.present;
	to->lost = new.lost;
	to->lost_events = new.lost_events;
	to->dropped = new.dropped;
	to->saved = new.saved;
}

/* Find the same CPUs in another list; both are sorted by number. */
static void keep_streams(struct trace *t, const struct cpu_summary *old, size_t nr)
{
	size_t i, j = 0;

	for (i = 0; i < t->dir.nr_cpus; i++) {
		while (j < nr && old[j].cpu < t->cpus[i].cpu)
			j++;
		if (j < nr && old[j].cpu == t->cpus[i].cpu)
			keep_stream(&t->cpus[i], &old[j]);
	}
}

/* The sums so far depend on the page size and on the sample. */
static int check_changes(const struct trace *t, const struct tracedir *dir)
{
	const struct ledger *l = &t->ledger;

	if (!l->page_size || (l->page_size == dir->page_size && l->one_of == dir->one_of))
		return 0;
	context_say(dir->ctx, "%s: the %s has changed", dir->name,
		    l->page_size == dir->page_size ? "sample" : "page size");
	return -EINVAL;
}

/**
 * trace_list_again - list the files of a trace that arrives, and parse the metadata, anew
 * @t: the trace; what its streams said is kept
 * @files: its files
 *
 * Return: 0, or -errno after a message.
 */
int trace_list_again(struct trace *t, struct files *files)
{
	struct cpu_summary *old = t->cpus;
	struct tracedir dir, old_dir = t->dir;
	int ret = tracedir_open(&dir, &t->ctx, files);

	if (!ret)
		ret = tracedir_expect(&dir, "kmemtrace");
	if (!ret)
		ret = check_changes(t, &dir);
	if (ret) {
		tracedir_close(&dir);
		return ret;
	}
	t->dir = dir;
	if (t->order == ORDER_UNKNOWN)
		t->order = dir.order;
	ret = list_cpus(t);
	if (!ret)
		keep_streams(t, old, old_dir.nr_cpus);
	free(old);
	tracedir_close(&old_dir);
	return ret;
}

static int by_cpu(const void *key, const void *entry)
{
	const struct reader *r = key;
	const struct cpu_summary *c = entry;

	return r->cpu < c->cpu ? -1 : r->cpu > c->cpu;
}

/* Let a reader name its CPU in the list of @t, which may have changed. */
void trace_number(const struct trace *t, struct reader *r)
{
	const struct cpu_summary *found = NULL;

	if (t->dir.nr_cpus)
		found = bsearch(r, t->cpus, t->dir.nr_cpus, sizeof(*t->cpus), by_cpu);
	if (found)
		r->index = found - t->cpus;
}

static int load_aliases(struct trace *t, struct text *text)
{
	return caches_load_aliases(&t->ledger.caches, text);
}

static int load_survivors(struct trace *t, struct text *text)
{
	return survivors_load(&t->survivors, &t->ctx, text);
}

/* Load a file of at most @max bytes, if it is there. */
static int load_file(struct trace *t, const char *name, size_t max,
		     int (*load_text)(struct trace *t, struct text *text))
{
	struct text text;
	int ret = files_read(t->dir.files, &t->ctx, name, max, &text);
	char *begin = text.at;

	if (ret || !begin)
		return ret;
	ret = load_text(t, &text);
	free(begin);
	return ret;
}

/* Load what completes the records, after all of them. Return 0 or -errno. */
int trace_load_rest(struct trace *t)
{
	int ret = load_file(t, "slabs", MAX_SLABS, load_aliases);

	return ret ? ret : load_file(t, "tasks", MAX_TASKS, load_survivors);
}

/* Since 6.4 kfree() finds the cache of any object. */
static bool kfree_takes_caches(const struct tracedir *dir)
{
	const char *release = tracedir_meta(dir, "kernel_release");
	unsigned int major, minor;

	return release && sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 4));
}

/* Use one thread for each processor, up to the useful number. */
static unsigned int default_threads(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (online < 1)
		return 1;
	return online < MAX_DEFAULT_THREADS ? online : MAX_DEFAULT_THREADS;
}

/**
 * trace_open - read everything except the streams
 * @t: result, zeroed but for its context; must stay where it is. Call trace_free() also
 *	after an error
 * @files: the files of the trace; @t gets a reference of its own
 *
 * Return: 0, or -errno after a message.
 */
int trace_open(struct trace *t, struct files *files)
{
	int ret = tracedir_open(&t->dir, &t->ctx, files);

	if (!ret)
		ret = tracedir_expect(&t->dir, "kmemtrace");
	if (!ret)
		ret = list_cpus(t);
	if (ret)
		return ret;
	t->order = t->dir.order;
	return symbols_load(&t->symbols, &t->ctx, files);
}

/* Make the ledger of a trace that was opened. Return 0 or -errno. */
int trace_begin(struct trace *t, const struct trace_options *options)
{
	int ret;

	t->options = *options;
	ret = ledger_init(&t->ledger, &t->ctx, t->dir.page_size,
			  options->threads ? options->threads :
					     default_threads());
	t->ledger.one_of = t->dir.one_of;
	t->ledger.kfree_takes_caches = kfree_takes_caches(&t->dir);
	t->ledger.is_behind = trace_overwrites(t);
	t->ledger.counts_own = options->counts_own;
	t->ledger.each_life = options->each_life;
	t->ledger.life_arg = options->life_arg;
	return ret;
}

/* Return whether the newest records replaced older ones. */
bool trace_overwrites(const struct trace *t)
{
	const char *word = tracedir_meta(&t->dir, "overwrites");

	return word && !strcmp(word, "yes");
}

/* Return nanoseconds from the first record to the last. Times may have any value. */
uint64_t trace_span(const struct trace *t)
{
	return (uint64_t)t->last - (uint64_t)t->first;
}

/* Return how many losses are in @t->losses. */
uint64_t trace_losses_kept(const struct trace *t)
{
	return t->nr_losses < TRACE_MAX_LOSSES ? t->nr_losses :
						 TRACE_MAX_LOSSES;
}

/* Free what trace_open() and stored_read() allocated. */
void trace_free(struct trace *t)
{
	selection_free(&t->selection);
	symbols_free(&t->symbols);
	survivors_free(&t->survivors);
	ledger_free(&t->ledger);
	timemaps_close(&t->maps);
	free(t->cpus);
	tracedir_close(&t->dir);
}

/* Return the meaning of an address that is no call site, or NULL. */
const char *trace_site_note(const struct trace *t, uint64_t addr)
{
	if (!t->ledger.stats.baseline.begun)
		return addr || !tracedir_meta(&t->dir, "unseen") ? NULL : "unknown caller";
	if (addr == SITE_SNAPSHOT)
		return t->ledger.is_behind ? "before the first event" : "before tracing began";
	return addr == SITE_RESERVED ? "reserved by the boot" : NULL;
}
