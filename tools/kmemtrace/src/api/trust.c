// SPDX-License-Identifier: GPL-2.0
/*
 * Reasons why a trace is incomplete, and what to do about them.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/trust.h"
#include "common/booksfile.h"
#include "common/counters.h"
#include "common/names.h"
#include "common/number.h"
#include "common/unseen.h"

/*
 * Return the number of sub-buffers for the CPU with the largest losses: those it had,
 * those that the lost bytes would fill, and a quarter more.
 */
static uint64_t subbufs_needed(const struct trace *t)
{
	uint64_t n, size, max = 0;
	size_t i;

	if (!tracedir_meta_u64(&t->dir, "n_subbufs", &n) ||
	    !tracedir_meta_u64(&t->dir, "subbuf_size", &size) || !size)
		return 0;
	for (i = 0; i < t->dir.nr_cpus; i++)
		if (t->cpus[i].lost > max)
			max = t->cpus[i].lost;
	if (!max)
		max = t->lost;
	n += max / size + 1;
	return n + n / 4;
}

/* Return how other sources than the patched kernel get larger buffers, or NULL. */
static const char *larger_buffers(const char *source)
{
	static const struct {
		const char *source, *text;
	} list[] = {
		{ "perf.data", "record with larger ones: perf record -m PAGES" },
		{ "trace.dat", "record with larger ones: trace-cmd record -b KB, or boot with trace_buf_size=" },
	};
	size_t i;

	for (i = 0; source && i < sizeof(list) / sizeof(*list); i++)
		if (!strcmp(list[i].source, source))
			return list[i].text;
	return NULL;
}

static void judge_full_buffers(struct reasons *trust, const struct trace *t,
			       uint64_t lost)
{
	const char *larger = larger_buffers(tracedir_meta(&t->dir, "source"));
	uint64_t needed, most;

	if (larger) {
		because(trust, "the buffers of the tracer were full: %s events lost; %s",
			NUMBER(lost), larger);
		return;
	}
	needed = subbufs_needed(t);
	if (!tracedir_meta_u64(&t->dir, "max_subbufs", &most))
		most = UINT64_MAX;
	if (needed > most)
		because(trust, "the kernel's buffers were full: %s events lost; kmemtrace.subbufs=%" PRIu64 " would be needed, but the traced machine's memory allows %" PRIu64 ": give it more memory, or log to a faster place, such as a tmpfs",
			NUMBER(lost), needed, most);
	else if (needed)
		because(trust, "the kernel's buffers were full: %s events lost; boot with kmemtrace.subbufs=%" PRIu64,
			NUMBER(lost), needed);
	else
		because(trust, "the kernel's buffers were full: %s events lost; raise kmemtrace.subbufs",
			NUMBER(lost));
}

/* Return seconds since the trace began. */
static double seconds(const struct trace *t, int64_t time)
{
	return (double)(int64_t)((uint64_t)time - (uint64_t)t->first) / 1e9;
}

static void judge_loss(struct reasons *trust, const struct trace *t,
		       const struct loss *loss)
{
	if (loss->since)
		because(trust, "cpu%u: %s events lost from %.6f s to %.6f s",
			loss->cpu, NUMBER(loss->records),
			seconds(t, loss->since), seconds(t, loss->until));
	else
		because(trust, "cpu%u: %s events lost before %.6f s",
			loss->cpu, NUMBER(loss->records),
			seconds(t, loss->until));
}

/* Add the places where events are missing, as far as the streams report them. */
static void judge_places(struct reasons *trust, const struct trace *t)
{
	uint64_t i, shown = trace_losses_kept(t);
	size_t cpu;

	for (i = 0; i < shown; i++)
		judge_loss(trust, t, &t->losses[i]);
	if (shown < t->nr_losses)
		because(trust, "and events were lost in %s more places",
			NUMBER(t->nr_losses - shown));
	for (cpu = 0; t->nr_losses && cpu < t->dir.nr_cpus; cpu++) {
		const struct cpu_summary *c = &t->cpus[cpu];

		if (c->lost_events > c->lost_reported)
			because(trust, "cpu%u: %s events lost after its last recorded event",
				c->cpu, NUMBER(c->lost_events - c->lost_reported));
	}
}

static void judge_losses(struct reasons *trust, const struct trace *t)
{
	uint64_t nested = 0;
	size_t i;

	if (!t->losses_known && !t->is_growing && t->dir.nr_cpus)
		because(trust, "the number of lost events is unknown: %s",
			t->dir.has_metadata ?
			"the metadata has no total_overruns" :
			"there is no metadata file");
	for (i = 0; i < t->dir.nr_cpus; i++)
		nested += t->cpus[i].nested;
	if (t->lost_events > nested)
		judge_full_buffers(trust, t, t->lost_events - nested);
	if (nested)
		because(trust, "%s events in NMIs lost: NMIs record nothing",
			NUMBER(nested));
	judge_places(trust, t);
}

static void judge_interruption(struct reasons *trust, const struct trace *t)
{
	if (t->options.cut_input)
		because(trust, "interrupted after %s bytes of %s",
			NUMBER(t->options.cut_input), t->dir.name);
	else if (t->options.is_input_cut)
		because(trust, "%s ends before the trace does", t->dir.name);
	if (t->is_interrupted)
		because(trust, "interrupted after %s of %s bytes, at %.9f s",
			NUMBER(t->progress.bytes), NUMBER(t->progress.size),
			(double)t->options.at / 1e9);
}

static void judge_state(struct reasons *trust, const struct trace *t)
{
	const char *state = tracedir_meta(&t->dir, "state");

	if (!state || !strcmp(state, "complete") || t->is_growing)
		return;
	if (!strcmp(state, "running"))
		because(trust, "kmemtraced still runs, or was killed");
	else if (!strcmp(state, "damaged dump"))
		because(trust, "parts of the crash dump are damaged or missing; kmemtrace-crash has named them");
	else
		because(trust, "kmemtraced could not read or save everything (%s)",
			state);
}

/* Compare what is there of a stream, @file, with what should be. */
static void judge_file(struct reasons *trust, const struct cpu_summary *cpu, const char *file)
{
	if (!cpu->present && cpu->saved)
		because(trust, "%s is missing, and with it the %s bytes that were saved",
			file, NUMBER(cpu->saved));
	else if (!cpu->present)
		because(trust, "%s is missing", file);
	else if (cpu->size != cpu->saved)
		because(trust, "%s: has %s bytes, expected the %s that were saved",
			file, NUMBER(cpu->size), NUMBER(cpu->saved));
}

/* @file: name of the stream, which need not exist */
static void judge_cpu(struct reasons *trust, const struct cpu_summary *cpu, const char *file,
		      bool is_late)
{
	/* A record may be longer than the shortest one. */
	if (cpu->dropped)
		because(trust, "%s: at most %s events were read from the kernel, but could not be saved",
			file, NUMBER(cpu->dropped / EVENT_MIN_SIZE));
	/* The books have what another trace of the chain took before; or it was overwritten. */
	if (cpu->subbufs_before && !is_late)
		because(trust, "%s: begins with sub-buffer %s: another reader took those before",
			file, NUMBER(cpu->subbufs_before));
	if (cpu->subbufs_missing)
		because(trust, "%s: %s sub-buffers are missing from the file",
			file, NUMBER(cpu->subbufs_missing));
	if (cpu->fault == READER_TRUNCATED)
		because(trust, "%s: ends with %s bytes that are no record",
			file, NUMBER(cpu->unread));
	if (cpu->fault == READER_BAD_SIZE)
		because(trust, "%s: damaged, %s bytes can't be read; see kmemtrace-check",
			file, NUMBER(cpu->unread));
	if (cpu->fault == READER_CUT)
		because(trust, "%s: cut short: no whole frame from byte %s on, and no seek table",
			file, NUMBER(cpu->fault_at));
	if (cpu->fault == READER_DAMAGED)
		because(trust, "%s: the frame at byte %s is damaged, the rest can't be read",
			file, NUMBER(cpu->fault_at));
}

static void judge_cpus(struct reasons *trust, const struct trace *t)
{
	char name[NAME_MAX_STREAM];
	size_t i;

	for (i = 0; i < t->dir.nr_cpus; i++) {
		const struct trace_cpu *cpu = &t->dir.cpus[i];

		if (!cpu->file)
			name_stream(name, cpu->cpu, tracedir_meta(&t->dir, "compression"));
		if (!t->is_growing)
			judge_file(trust, &t->cpus[i], cpu->file ? cpu->file : name);
		judge_cpu(trust, &t->cpus[i], cpu->file ? cpu->file : name,
			  t->carried.is_there || trace_overwrites(t));
	}
}

/* The readers of a program stop where its text has no meaning, so that is what is missing. */
static void judge_counters(struct reasons *trust, const struct trace *t)
{
	const struct counters_state *c = &t->series.state;

	if (*c->problem)
		because(trust, COUNTERS_FILE ": damaged at byte %s of its text, the rest can't be read: %s",
			NUMBER(c->offset), c->problem);
	else if (c->fault == INPUT_DAMAGED)
		because(trust, COUNTERS_FILE ": the frame at byte %s is damaged, the rest can't be read",
			NUMBER(c->fault_at));
	else if (c->fault == INPUT_CUT)
		because(trust, COUNTERS_FILE ": cut short: no whole frame from byte %s on, and no seek table",
			NUMBER(c->fault_at));
	else if (c->is_partial)
		because(trust, COUNTERS_FILE ": a reading has no end");
	if (t->series.left_out)
		because(trust, COUNTERS_FILE ": %s rows are left out: there are more than %d",
			NUMBER(t->series.left_out), COUNTER_MAX_ROWS);
}

/* What is wrong in the traces before is wrong in the books with which this one begins. */
static void judge_books(struct reasons *trust, const struct trace *t)
{
	const struct carried *c = &t->carried;
	const char *before = tracedir_meta(&t->dir, "follows");

	if (!c->is_there && before)
		because(trust, BOOKS_FILE ": is missing: what was live before is unknown; write it with kmemtrace-export books, from trace %s of the chain",
			before);
	if (c->lost)
		because(trust, "%s events lost in the %s trace(s) before it", NUMBER(c->lost),
			NUMBER(c->traces));
	else if (c->is_incomplete)
		because(trust, "one of the %s traces before it is INCOMPLETE", NUMBER(c->traces));
	if (c->missing)
		because(trust, "%s bytes of streams are missing between the trace before and this one",
			NUMBER(c->missing));
	if (c->has_head && c->one_of != t->dir.one_of)
		because(trust, BOOKS_FILE ": the trace before has one of %s slab objects, this one has one of %u: figures of what was live before are wrong",
			NUMBER(c->one_of), t->dir.one_of);
	if (c->is_damaged)
		because(trust, BOOKS_FILE ": damaged, or cut short; see kmemtrace-check");
}

/* Where the source does not see what is older, there is a beginning, but no end. */
static bool lacks_snapshot(const struct trace *t)
{
	return unseen_bits(tracedir_meta(&t->dir, "unseen")) & UNSEEN_BIT(UNSEEN_BASELINE);
}

static void judge_records(struct reasons *trust, const struct trace *t)
{
	const struct stats *s = &t->ledger.stats;

	if (t->dir.abi_version > KMEMTRACE_ABI_VERSION)
		because(trust, "ABI version %u: this program knows %d",
			t->dir.abi_version, KMEMTRACE_ABI_VERSION);
	if (s->baseline.is_cut)
		because(trust, "the begin of the snapshot was overwritten: the buffers are too small, see kmemtrace.subbufs");
	/* A trace that was cut on purpose may end before its snapshot does. */
	else if (s->baseline.begun && !s->baseline.complete && !t->options.is_cut &&
	    !t->is_growing && !lacks_snapshot(t))
		because(trust, "the snapshot of live memory has no end");
	if (s->unknown_ids)
		because(trust, "%s record(s) of unknown types skipped",
			NUMBER(s->unknown_ids));
	if (s->by_class[FINDING_IMPOSSIBLE])
		because(trust, "%s impossible record(s) skipped; see kmemtrace-check",
			NUMBER(s->by_class[FINDING_IMPOSSIBLE]));
	if (s->by_class[FINDING_SHORT])
		because(trust, "%s record(s) with fewer bytes allocated than requested; see kmemtrace-check",
			NUMBER(s->by_class[FINDING_SHORT]));
	if (t->backwards)
		because(trust, "time runs backwards in %s place(s); see kmemtrace-check",
			NUMBER(t->backwards));
}

/* Return the descriptions of what is not seen, as one text to be freed; NULL: no memory. */
static char *unseen_texts(const char *list)
{
	const char *word, *separator = "";
	char *texts;
	size_t len;
	FILE *f;
	int i;

	f = open_memstream(&texts, &len);
	if (!f)
		return NULL;
	while ((word = unseen_next(&list, &len))) {
		i = unseen_find(word, len);
		fputs(separator, f);
		fprintf(f, "%.*s", i < 0 ? (int)len : INT_MAX, i < 0 ? word : unseen_text(i));
		separator = ", ";
	}
	/* The only error is one of memory; fclose() sets @texts in any case. */
	if (fclose(f)) {
		free(texts);
		return NULL;
	}
	return texts;
}

/* Other sources than the patched kernel see less. */
static void judge_source(struct reasons *trust, const struct trace *t)
{
	const char *source = tracedir_meta(&t->dir, "source");
	const char *list = tracedir_meta(&t->dir, "unseen");
	uint64_t missed;
	char *texts;

	if (tracedir_meta_u64(&t->dir, "missed", &missed) && missed)
		because(trust, "%s calls of functions were missed, as too many ran at once",
			NUMBER(missed));
	if (!list)
		return;
	texts = unseen_texts(list);
	if (!texts)
		trust->is_full = true;
	else if (*texts)
		because(trust, "%s%snot seen: %s", source ? source : "",
			source ? ": " : "", texts);
	free(texts);
}

/**
 * trust_judge - find reasons why a trace is incomplete
 * @trust: result; reasons_free() it also after an error
 * @t: the trace
 *
 * Return: 0 or -ENOMEM.
 */
int trust_judge(struct reasons *trust, const struct trace *t)
{
	memset(trust, 0, sizeof(*trust));
	judge_interruption(trust, t);
	judge_source(trust, t);
	judge_losses(trust, t);
	judge_state(trust, t);
	judge_cpus(trust, t);
	judge_counters(trust, t);
	judge_books(trust, t);
	judge_records(trust, t);
	return trust->is_full ? -ENOMEM : 0;
}
