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

#include "api/doubts.h"
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

static void judge_full_buffers(struct reasons *doubts, const struct trace *t,
			       uint64_t lost)
{
	const char *larger = larger_buffers(tracedir_meta(&t->dir, "source"));
	uint64_t needed, most;

	if (larger) {
		because(doubts, "the buffers of the tracer were full: %s lost; %s",
			COUNT(lost, "event", "events"), larger);
		return;
	}
	needed = subbufs_needed(t);
	if (!tracedir_meta_u64(&t->dir, "max_subbufs", &most))
		most = UINT64_MAX;
	if (needed > most)
		because(doubts, "the kernel's buffers were full: %s lost; kmemtrace.subbufs=%" PRIu64 " would be needed, but the traced machine's memory allows %" PRIu64 ": give it more memory, or log to a faster place, such as a tmpfs",
			COUNT(lost, "event", "events"), needed, most);
	else if (needed)
		because(doubts, "the kernel's buffers were full: %s lost; boot with kmemtrace.subbufs=%" PRIu64,
			COUNT(lost, "event", "events"), needed);
	else
		because(doubts, "the kernel's buffers were full: %s lost; raise kmemtrace.subbufs",
			COUNT(lost, "event", "events"));
}

/* Return seconds since the trace began. */
static double seconds(const struct trace *t, int64_t time)
{
	return (double)(int64_t)((uint64_t)time - (uint64_t)t->first) / 1e9;
}

static void judge_loss(struct reasons *doubts, const struct trace *t,
		       const struct loss *loss)
{
	if (loss->since)
		because(doubts, "cpu%u: %s lost from %.6f s to %.6f s",
			loss->cpu, COUNT(loss->records, "event", "events"),
			seconds(t, loss->since), seconds(t, loss->until));
	else
		because(doubts, "cpu%u: %s lost before %.6f s",
			loss->cpu, COUNT(loss->records, "event", "events"),
			seconds(t, loss->until));
}

/* Add the places where events are missing, as far as the streams report them. */
static void judge_places(struct reasons *doubts, const struct trace *t)
{
	uint64_t i, shown = trace_losses_kept(t);
	size_t cpu;

	for (i = 0; i < shown; i++)
		judge_loss(doubts, t, &t->losses[i]);
	if (shown < t->nr_losses)
		because(doubts, "and events were lost in %s",
			COUNT(t->nr_losses - shown, "more place", "more places"));
	for (cpu = 0; t->nr_losses && cpu < t->dir.nr_cpus; cpu++) {
		const struct cpu_summary *c = &t->cpus[cpu];

		if (c->lost_events > c->lost_reported)
			because(doubts, "cpu%u: %s lost after its last recorded event",
				c->cpu, COUNT(c->lost_events - c->lost_reported, "event", "events"));
	}
}

static void judge_losses(struct reasons *doubts, const struct trace *t)
{
	uint64_t nested = 0;
	size_t i;

	if (!t->losses_known && !t->is_growing && t->dir.nr_cpus)
		because(doubts, "the number of lost events is unknown: %s",
			t->dir.has_metadata ?
			"the metadata has no total_overruns" :
			"there is no metadata file");
	for (i = 0; i < t->dir.nr_cpus; i++)
		nested += t->cpus[i].nested;
	if (t->lost_events > nested)
		judge_full_buffers(doubts, t, t->lost_events - nested);
	if (nested)
		because(doubts, "%s in NMIs lost: NMIs record nothing",
			COUNT(nested, "event", "events"));
	judge_places(doubts, t);
}

static void judge_interruption(struct reasons *doubts, const struct trace *t)
{
	if (t->options.cut_input)
		because(doubts, "interrupted after %s of %s",
			COUNT(t->options.cut_input, "byte", "bytes"), t->dir.name);
	else if (t->options.is_input_cut)
		because(doubts, "%s ends before the trace does", t->dir.name);
	if (t->is_interrupted)
		because(doubts, "interrupted after %s of %s, at %.9f s",
			NUMBER(t->progress.bytes), COUNT(t->progress.size, "byte", "bytes"),
			(double)t->options.at / 1e9);
}

static void judge_state(struct reasons *doubts, const struct trace *t)
{
	const char *state = tracedir_meta(&t->dir, "state");

	if (!state || !strcmp(state, "complete") || t->is_growing)
		return;
	if (!strcmp(state, "running"))
		because(doubts, "kmemtraced still runs, or was killed");
	else if (!strcmp(state, "damaged dump"))
		because(doubts, "parts of the crash dump are damaged or missing; kmemtrace-crash has named them");
	else
		because(doubts, "kmemtraced could not read or save everything (%s)",
			state);
}

/* Compare what is there of a stream with what should be. */
static void judge_file(struct reasons *doubts, const struct cpu_summary *cpu,
		       const struct trace_cpu *stream)
{
	if (stream->state == STREAM_MISSING && cpu->saved)
		because(doubts, "%s is missing, and with it the %s saved",
			stream->file, COUNT(cpu->saved, "byte that was", "bytes that were"));
	else if (stream->state != STREAM_THERE)
		because(doubts, "%s %s", stream->file, tracedir_stream_problem(stream->state));
	else if (cpu->size != cpu->saved)
		because(doubts, "%s: has %s, expected the %s that were saved",
			stream->file, COUNT(cpu->size, "byte", "bytes"), NUMBER(cpu->saved));
}

/* @file: name of the stream, which may be missing */
static void judge_cpu(struct reasons *doubts, const struct cpu_summary *cpu, const char *file,
		      bool is_late)
{
	/* A record may be longer than the shortest one. */
	if (cpu->dropped)
		because(doubts, "%s: at most %s read from the kernel, but could not be saved",
			file, COUNT(cpu->dropped / EVENT_MIN_SIZE, "event was", "events were"));
	/* The books have what another trace of the chain took before; or it was overwritten. */
	if (cpu->subbufs_before && !is_late)
		because(doubts, "%s: begins with sub-buffer %s: another reader took those before",
			file, NUMBER(cpu->subbufs_before));
	if (cpu->subbufs_missing)
		because(doubts, "%s: %s missing from the file",
			file, COUNT(cpu->subbufs_missing, "sub-buffer is", "sub-buffers are"));
	if (cpu->rejected)
		because(doubts, "%s: damaged, %s left out: the trace doesn't have their times",
			file, COUNT(cpu->rejected, "record is", "records are"));
	if (cpu->fault == READER_TRUNCATED)
		because(doubts, "%s: ends with %s no record",
			file, COUNT(cpu->unread, "byte that is", "bytes that are"));
	if (cpu->fault == READER_BAD_SIZE)
		because(doubts, "%s: damaged, %s can't be read; see kmemtrace-check",
			file, COUNT(cpu->unread, "byte", "bytes"));
	if (cpu->fault == READER_CUT)
		because(doubts, "%s: cut short: no whole frame from byte %s on, and no seek table",
			file, NUMBER(cpu->fault_at));
	if (cpu->fault == READER_DAMAGED)
		because(doubts, "%s: the frame at byte %s is damaged, the rest can't be read",
			file, NUMBER(cpu->fault_at));
}

static void judge_cpus(struct reasons *doubts, const struct trace *t)
{
	size_t i;

	for (i = 0; i < t->dir.nr_cpus; i++) {
		if (!t->is_growing)
			judge_file(doubts, &t->cpus[i], &t->dir.cpus[i]);
		judge_cpu(doubts, &t->cpus[i], t->dir.cpus[i].file,
			  t->carried.is_there || trace_overwrites(t));
	}
}

/* The readers of a program stop where its text has no meaning, so that is what is missing. */
static void judge_counters(struct reasons *doubts, const struct trace *t)
{
	const struct counters_state *c = &t->series.state;

	if (*c->problem)
		because(doubts, COUNTERS_FILE ": damaged at byte %s of its text, the rest can't be read: %s",
			NUMBER(c->offset), c->problem);
	else if (c->fault == INPUT_DAMAGED)
		because(doubts, COUNTERS_FILE ": the frame at byte %s is damaged, the rest can't be read",
			NUMBER(c->fault_at));
	else if (c->fault == INPUT_CUT)
		because(doubts, COUNTERS_FILE ": cut short: no whole frame from byte %s on, and no seek table",
			NUMBER(c->fault_at));
	else if (c->is_partial)
		because(doubts, COUNTERS_FILE ": a reading has no end");
	if (t->series.left_out)
		because(doubts, COUNTERS_FILE ": %s left out: there are more than %d",
			COUNT(t->series.left_out, "row is", "rows are"), COUNTER_MAX_ROWS);
}

/* What is wrong in the traces before is wrong in the books with which this one begins. */
static void judge_books(struct reasons *doubts, const struct trace *t)
{
	const struct carried *c = &t->carried;
	const char *before = tracedir_meta(&t->dir, "follows");

	if (!c->is_there && before)
		because(doubts, BOOKS_FILE ": is missing: what was live before is unknown; write it with kmemtrace-export books, from trace %s of the chain",
			before);
	if (c->lost)
		because(doubts, "%s lost in the %s before it", COUNT(c->lost, "event", "events"),
			COUNT(c->traces, "trace", "traces"));
	else if (c->is_incomplete)
		because(doubts, "one of the %s before it is INCOMPLETE", COUNT(c->traces, "trace", "traces"));
	if (c->missing)
		because(doubts, "%s missing between the trace before and this one",
			COUNT(c->missing, "byte of streams is", "bytes of streams are"));
	if (c->has_head && c->one_of != t->dir.one_of)
		because(doubts, BOOKS_FILE ": the trace before has one of %s slab objects, this one has one of %u: figures of what was live before are wrong",
			NUMBER(c->one_of), t->dir.one_of);
	if (c->is_damaged)
		because(doubts, BOOKS_FILE ": damaged, or cut short; see kmemtrace-check");
}

/* Where the source does not see what is older, there is a beginning, but no end. */
static bool lacks_snapshot(const struct trace *t)
{
	return unseen_bits(tracedir_meta(&t->dir, "unseen")) & UNSEEN_BIT(UNSEEN_BASELINE);
}

static void judge_lacks(struct reasons *doubts, const struct trace *t)
{
	const char *lacks = tracedir_lacks(&t->dir);

	if (lacks)
		because(doubts, "missing: %s, saved with the trace: functions or modules have no names",
			lacks);
}

/* Names of a kernel have limits; see MAX_KERNEL_NAME. */
static void judge_names(struct reasons *doubts, const struct trace *t)
{
	if (t->ctx.has_cut)
		because(doubts, "names are cut: no kernel has names of so many bytes");
}

static void judge_records(struct reasons *doubts, const struct trace *t)
{
	const struct stats *s = &t->ledger.stats;

	if (t->dir.abi_version > KMEMTRACE_ABI_VERSION)
		because(doubts, "ABI version %u: this program knows %d",
			t->dir.abi_version, KMEMTRACE_ABI_VERSION);
	if (s->baseline.is_cut)
		because(doubts, "the begin of the snapshot was overwritten: the buffers are too small, see kmemtrace.subbufs");
	/* A trace that was cut on purpose may end before its snapshot does. */
	else if (s->baseline.begun && !s->baseline.complete && !t->options.is_cut &&
	    !t->is_growing && !lacks_snapshot(t))
		because(doubts, "the snapshot of live memory has no end");
	if (s->unknown_ids)
		because(doubts, "%s of unknown types skipped",
			COUNT(s->unknown_ids, "record", "records"));
	if (s->by_class[FINDING_IMPOSSIBLE])
		because(doubts, "%s skipped; see kmemtrace-check",
			COUNT(s->by_class[FINDING_IMPOSSIBLE], "impossible record", "impossible records"));
	if (s->by_class[FINDING_SHORT])
		because(doubts, "%s with fewer bytes allocated than requested; see kmemtrace-check",
			COUNT(s->by_class[FINDING_SHORT], "record", "records"));
	if (t->backwards)
		because(doubts, "time runs backwards in %s; see kmemtrace-check",
			COUNT(t->backwards, "place", "places"));
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
static void judge_source(struct reasons *doubts, const struct trace *t)
{
	const char *source = tracedir_meta(&t->dir, "source");
	const char *list = tracedir_meta(&t->dir, "unseen");
	uint64_t missed;
	char *texts;

	if (tracedir_meta_u64(&t->dir, "missed", &missed) && missed)
		because(doubts, "%s missed, as too many ran at once",
			COUNT(missed, "call of functions was", "calls of functions were"));
	if (!list)
		return;
	texts = unseen_texts(list);
	if (!texts)
		doubts->is_full = true;
	else if (*texts)
		because(doubts, "%s%snot seen: %s", source ? source : "",
			source ? ": " : "", texts);
	free(texts);
}

/**
 * doubts_find - find reasons why a trace is incomplete
 * @doubts: result; reasons_free() it also after an error
 * @t: the trace
 *
 * Return: 0 or -ENOMEM.
 */
int doubts_find(struct reasons *doubts, const struct trace *t)
{
	memset(doubts, 0, sizeof(*doubts));
	judge_interruption(doubts, t);
	judge_source(doubts, t);
	judge_losses(doubts, t);
	judge_state(doubts, t);
	judge_cpus(doubts, t);
	judge_lacks(doubts, t);
	judge_counters(doubts, t);
	judge_books(doubts, t);
	judge_records(doubts, t);
	judge_names(doubts, t);
	return doubts->is_full ? -ENOMEM : 0;
}
