// SPDX-License-Identifier: GPL-2.0
/*
 * judge.c - the reasons why a trace of ktrace is incomplete, and what to do about them
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/names.h"
#include "common/number.h"
#include "ktrace/judge.h"

static double seconds_since_begin(const struct ktrace *t, int64_t time)
{
	return (double)ktrace_since(t, time) / 1e9;
}

static void judge_input(struct ktrace *t)
{
	const char *state = tracedir_meta(&t->dir, "state");
	char text[64];

	if (t->is_interrupted)
		because(&t->reasons, "interrupted while %s was read", t->dir.name);
	else if (t->is_cut)
		because(&t->reasons, "%s ends before the trace does", t->dir.name);
	if (!t->dir.has_metadata)
		because(&t->reasons, "there is no metadata file: whether ktraced could save everything is unknown");
	else if (!state || !strcmp(state, "running"))
		because(&t->reasons, "ktraced still runs, or was killed");
	else if (strcmp(state, "complete"))
		because(&t->reasons, "ktraced could not read or save everything (%s)",
			text_printable(text, sizeof(text), state));
	if (!t->overflow.has_file)
		because(&t->reasons, "there is no overflow file: the number of events that were lost after the last one of each CPU is unknown");
}

static void list_loss(struct ktrace *t, const struct kloss *loss)
{
	if (loss->has_since)
		because(&t->reasons, "cpu%u: %s lost from %.6f s to %.6f s",
			loss->cpu, COUNT(loss->events, "event", "events"), seconds_since_begin(t, loss->since),
			seconds_since_begin(t, loss->until));
	else
		because(&t->reasons, "cpu%u: %s lost before %.6f s",
			loss->cpu, COUNT(loss->events, "event", "events"), seconds_since_begin(t, loss->until));
}

static void list_losses(struct ktrace *t)
{
	uint64_t i, shown = t->nr_losses < KTRACE_MAX_LOSSES ? t->nr_losses : KTRACE_MAX_LOSSES;

	if (t->lost)
		because(&t->reasons, "%s lost: there was no room for them, or they came in an NMI; boot with a larger ktrace.subbufs, or choose fewer events",
			COUNT(t->lost, "event", "events"));
	for (i = 0; i < shown; i++)
		list_loss(t, &t->losses[i]);
	if (shown < t->nr_losses)
		because(&t->reasons, "and events were lost in %s",
			COUNT(t->nr_losses - shown, "more place", "more places"));
}

static void judge_fault(struct ktrace *t, const struct kcpu *cpu)
{
	static const char * const expected[] = {
		[STREAM_TRUNCATED] = "expected a whole record, found the end of the file",
		[STREAM_BAD_SIZE] = "expected a record whose size is a multiple of 8 bytes, and at least 64 for a CLOCK",
		[STREAM_NO_CLOCK] = "expected a CLOCK, which begins each stream",
		[STREAM_BAD_CLOCK] = "expected a CLOCK of this CPU, in cycles or in nanoseconds",
	};

	switch (cpu->fault) {
	case STREAM_OK:
		break;
	case STREAM_CUT:
		because(&t->reasons, "%s: cut short: no whole frame from byte %s on, and no seek table; copy the file again",
			cpu->file, NUMBER(cpu->fault_at));
		break;
	case STREAM_DAMAGED:
		because(&t->reasons, "%s: the frame at byte %s is damaged, the rest can't be read; copy the file again",
			cpu->file, NUMBER(cpu->fault_at));
		break;
	default:
		because(&t->reasons, "%s: offset %" PRIu64 ": %s; the last %s can't be read: copy the file again",
			cpu->file, cpu->fault_offset, expected[cpu->fault],
			COUNT(cpu->unread, "byte", "bytes"));
	}
}

/* Compare a stream with what ktraced saved. */
static void judge_saved(struct ktrace *t, const struct kcpu *cpu)
{
	uint64_t n;

	if (tracedir_meta_cpu(&t->dir, "bytes.cpu", cpu->cpu, &n) && n != cpu->size)
		because(&t->reasons, "%s: has %s, expected the %s that were saved; copy the file again",
			cpu->file, COUNT(cpu->size, "byte", "bytes"), NUMBER(n));
	if (tracedir_meta_cpu(&t->dir, "dropped.cpu", cpu->cpu, &n) && n)
		because(&t->reasons, "%s: %s read from the kernel, but could not be saved; make room on the disk",
			cpu->file, COUNT(n, "byte was", "bytes were"));
}

static void judge_account(struct ktrace *t, const struct kcpu *cpu)
{
	const struct account *a = &cpu->account;

	if (a->before && !t->overwrites)
		because(&t->reasons, "%s: begins with sub-buffer %s: %s overwritten before the first one, or another reader took them",
			cpu->file, NUMBER(a->subbufs_before), COUNT(a->before, "event was", "events were"));
	if (a->subbufs_missing && !t->overwrites)
		because(&t->reasons, "%s: %s missing; did another reader take them?",
			cpu->file, COUNT(a->subbufs_missing, "sub-buffer is", "sub-buffers are"));
	if (a->restarts)
		because(&t->reasons, "%s: tracing was switched on again %s: events between are missing; let ktraced alone switch it",
			cpu->file, COUNT(a->restarts, "time", "times"));
	if (a->contradictions)
		because(&t->reasons, "%s: %s fewer events than are in the file: it is damaged, or not of one trace",
			cpu->file, COUNT(a->contradictions, "CLOCK counts", "CLOCKs count"));
	if (cpu->tail)
		because(&t->reasons, "cpu%u: %s lost after its last one", cpu->cpu,
			COUNT(cpu->tail, "event", "events"));
}

static void judge_streams(struct ktrace *t)
{
	char name[NAME_MAX_STREAM];
	size_t i;

	for (i = 0; i < t->nr_cpus; i++) {
		const struct kcpu *cpu = &t->cpus[i];

		if (cpu->file) {
			judge_saved(t, cpu);
			judge_fault(t, cpu);
			judge_account(t, cpu);
			continue;
		}
		name_saved_stream(name, cpu->cpu, tracedir_meta(&t->dir, "compression"));
		if (cpu->problem)
			because(&t->reasons, "%s %s", name, cpu->problem);
		else if (cpu->missed)
			because(&t->reasons, "%s is missing, and with it %s", name,
				COUNT(cpu->missed, "event", "events"));
		else
			because(&t->reasons, "%s is missing, and with it the events of that CPU",
				name);
	}
}

static const char *advice(const struct ktrace *t)
{
	return t->types.has_info ? "info has no line of it" :
				   "there is no info file: copy it from debugfs, ktrace/info, before the next boot of the traced kernel";
}

static void judge_events(struct ktrace *t)
{
	if (t->unknown)
		because(&t->reasons, "%s of unknown types skipped, first id %u: %s",
			COUNT(t->unknown, "event", "events"), t->first_unknown, advice(t));
	if (t->unreadable)
		because(&t->reasons, "%s skipped because of the format, first of %s: %s",
			COUNT(t->unreadable, "event", "events"), t->first_unreadable->name,
			t->types.word_bits ? "expected a format of a marker; use a newer ktrace-report" :
			"the metadata has no word_bits, so the size of its arguments is unknown");
	if (t->malformed)
		because(&t->reasons, "%s skipped: too short for the format, first of %s",
			COUNT(t->malformed, "event", "events"), t->first_malformed->name);
	if (t->others)
		because(&t->reasons, "%s of unknown types skipped; use a newer ktrace-report",
			COUNT(t->others, "record", "records"));
	if (t->backwards)
		because(&t->reasons, "time runs backwards in %s: the files are damaged, or not of one trace",
			COUNT(t->backwards, "place", "places"));
}

/**
 * ktrace_judge - find reasons why a trace is incomplete
 * @t: the trace, after ktrace_open()
 *
 * Return: 0 or -ENOMEM.
 */
int ktrace_judge(struct ktrace *t)
{
	judge_input(t);
	list_losses(t);
	judge_streams(t);
	judge_events(t);
	return t->reasons.is_full ? context_fail(t->ctx, -ENOMEM) : 0;
}
