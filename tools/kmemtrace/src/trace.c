// SPDX-License-Identifier: GPL-2.0
/*
 * Read one trace from end to end.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <string.h>

#include "memory.h"
#include "merge.h"
#include "trace.h"

/* Bytes to read at a time, for one CPU and for all of them together. */
#define MAX_BUFFER	(256 * 1024)
#define ALL_BUFFERS	(16 * 1024 * 1024)
/* Records between seeing an address and needing what is known of it. */
#define LOOK_AHEAD	8

static size_t buffer_size(size_t nr_cpus)
{
	size_t size = ALL_BUFFERS / nr_cpus;

	if (size > MAX_BUFFER)
		return MAX_BUFFER;
	return size < 4 * EVENT_MAX_SIZE ? 4 * EVENT_MAX_SIZE : size;
}

/* One machine has one byte order: that of the metadata, or of any stream. */
static int agree_on_order(struct trace *t, const struct reader *r)
{
	if (r->order == ORDER_UNKNOWN || r->order == t->order)
		return 0;
	if (t->order == ORDER_UNKNOWN) {
		t->order = r->order;
		return 0;
	}
	warnx("%s: is %s-endian, unlike the streams before it", r->path,
	      order_name(r->order));
	return -EINVAL;
}

static bool fits(void *ledger, const struct record *rec)
{
	return ledger_fits(ledger, rec);
}

static int merge_all(struct trace *t, struct merge *m)
{
	struct cpu_summary *cpus = t->cpus;
	int ret;

	while ((ret = merge_next(m)) > 0) {
		struct reader *r = m->cur;

		if (!t->events++)
			t->first = m->time;
		cpus[r->index].events++;
		ledger_prefetch(&t->ledger, reader_peek_ptr(r, LOOK_AHEAD));
		ledger_event(&t->ledger, &r->rec, r->cpu, m->waited);
	}
	t->last = m->time;
	t->backwards = m->backwards;
	return ret;
}

static int merge_readers(struct trace *t, struct reader *readers, size_t nr)
{
	struct merge m;
	size_t i;
	int ret;

	ret = merge_init(&m, readers, nr, fits, &t->ledger);
	if (!ret)
		ret = merge_all(t, &m);
	merge_free(&m);
	for (i = 0; i < nr; i++) {
		struct cpu_summary *cpu = &t->cpus[readers[i].index];

		cpu->size = readers[i].file_size;
		if (!tracedir_meta_cpu(&t->dir, "bytes.cpu", cpu->cpu,
				       &cpu->saved))
			cpu->saved = cpu->size;
		cpu->fault = readers[i].fault;
		if (cpu->fault)
			cpu->unread = readers[i].file_size - readers[i].offset;
	}
	return ret;
}

static int read_streams(struct trace *t)
{
	size_t i, nr = 0, buf_size = buffer_size(t->dir.nr_cpus);
	struct reader *readers;
	int ret = 0;

	readers = must_calloc(t->dir.nr_cpus, sizeof(*readers));
	for (i = 0; !ret && i < t->dir.nr_cpus; i++) {
		const struct trace_cpu *c = &t->dir.cpus[i];

		if (!c->path)
			continue;
		ret = reader_open(&readers[nr], c->path, c->cpu, t->dir.order,
				  buf_size);
		readers[nr].index = i;
		if (!ret)
			ret = agree_on_order(t, &readers[nr]);
		nr++;
	}
	if (!ret)
		ret = merge_readers(t, readers, nr);
	for (i = 0; i < nr; i++)
		reader_close(&readers[i]);
	free(readers);
	return ret;
}

static void summarise_cpus(struct trace *t)
{
	size_t i;

	t->cpus = must_calloc(t->dir.nr_cpus, sizeof(*t->cpus));
	t->losses_known = tracedir_meta_u64(&t->dir, "total_overruns",
					    &t->lost);
	for (i = 0; i < t->dir.nr_cpus; i++) {
		struct cpu_summary *cpu = &t->cpus[i];

		cpu->cpu = t->dir.cpus[i].cpu;
		cpu->present = t->dir.cpus[i].path;
		tracedir_meta_cpu(&t->dir, "overruns.cpu", cpu->cpu,
				  &cpu->lost);
		tracedir_meta_cpu(&t->dir, "dropped.cpu", cpu->cpu,
				  &cpu->dropped);
		tracedir_meta_cpu(&t->dir, "bytes.cpu", cpu->cpu,
				  &cpu->saved);
	}
}

static int load_symbols(struct trace *t)
{
	char *kallsyms = tracedir_file(&t->dir, "kallsyms");
	char *modules = tracedir_file(&t->dir, "modules");
	int ret = -ENOMEM;

	if (kallsyms && modules)
		ret = symbols_load(&t->symbols, kallsyms, modules);
	free(kallsyms);
	free(modules);
	return ret;
}

/**
 * trace_load - read a trace directory
 * @t: result; trace_free() it also after an error
 * @path: the directory
 *
 * Return: 0, or -errno after a message.
 */
int trace_load(struct trace *t, const char *path)
{
	int ret;

	memset(t, 0, sizeof(*t));
	ret = tracedir_open(&t->dir, path);
	if (ret)
		return ret;
	t->order = t->dir.order;
	summarise_cpus(t);
	ledger_init(&t->ledger, t->dir.page_size);
	ret = read_streams(t);
	if (!ret)
		ret = load_symbols(t);
	return ret;
}

/* Nanoseconds from the first event to the last. Times may have any value. */
uint64_t trace_span(const struct trace *t)
{
	return t->events ? (uint64_t)t->last - (uint64_t)t->first : 0;
}

/* Give back what trace_load() took. */
void trace_free(struct trace *t)
{
	symbols_free(&t->symbols);
	ledger_free(&t->ledger);
	free(t->cpus);
	tracedir_close(&t->dir);
}
