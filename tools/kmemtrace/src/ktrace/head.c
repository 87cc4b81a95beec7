// SPDX-License-Identifier: GPL-2.0
/*
 * View: whether the trace is complete, the traced machine, and the events of each CPU.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "ktrace/view.h"

/* Print the events of each CPU if there are at most this many. */
#define MAX_CPUS_SHOWN	16

static void print_completeness(const struct ktrace *t, FILE *out)
{
	size_t i;

	text_print(t->dir.name, out);
	fprintf(out, ": %s\n", t->reasons.nr ? "INCOMPLETE" : "COMPLETE");
	for (i = 0; i < t->reasons.nr; i++) {
		fputs("  because  ", out);
		text_print(t->reasons.list[i], out);
		putc('\n', out);
	}
}

static void print_kernel(const struct ktrace *t, FILE *out)
{
	const char *release = tracedir_meta(&t->dir, "kernel_release");
	const char *machine = tracedir_meta(&t->dir, "machine");

	fputs("  kernel   ", out);
	text_print(release ? release : "unknown", out);
	if (machine) {
		putc(' ', out);
		text_print(machine, out);
	}
	fprintf(out, ", %s-endian", order_name(t->order));
	if (t->dir.word_bits)
		fprintf(out, ", %u bits", t->dir.word_bits);
	putc('\n', out);
}

/* Print the events of each CPU; on a large machine, only of CPUs that lost events. */
static void print_events_of_cpus(const struct ktrace *t, FILE *out)
{
	size_t i, shown = 0;

	fputs("  per CPU ", out);
	for (i = 0; i < t->nr_cpus; i++) {
		const struct kcpu *cpu = &t->cpus[i];
		uint64_t lost = kcpu_lost(t, cpu);

		if (t->nr_cpus > MAX_CPUS_SHOWN && !lost)
			continue;
		fprintf(out, "%s cpu%u %s", !shown ? "" : shown % 4 ? "," : ",\n          ",
			cpu->cpu, NUMBER(cpu->account.recorded));
		if (lost)
			fprintf(out, " (%s lost)", NUMBER(lost));
		shown++;
	}
	if (shown < t->nr_cpus)
		fprintf(out, "%s %s without losses", shown ? ", and" : "",
			COUNT(t->nr_cpus - shown, "CPU", "CPUs"));
	putc('\n', out);
}

static void print_uncertainty(const struct ktrace *t, FILE *out)
{
	if (t->uncertainty)
		fprintf(out, "  clock    times of two CPUs may be in the wrong order by up to %s ns\n",
			NUMBER(t->uncertainty));
}

static void print_selection(const struct ktrace *t, FILE *out)
{
	const struct kselection *s = &t->selection;
	const char * const *glob;

	if (s->between.has_begin)
		fprintf(out, "  from     %.9f s\n", (double)s->between.begin / 1e9);
	if (s->between.has_end)
		fprintf(out, "  to       %.9f s\n", (double)s->between.end / 1e9);
	if (!s->globs && !s->cpus.texts[FILTER_CPU])
		return;
	fputs("  only    ", out);
	for (glob = s->globs; glob && *glob; glob++) {
		fputs(" --event ", out);
		text_print(*glob, out);
	}
	if (s->cpus.texts[FILTER_CPU]) {
		fputs(" --cpu ", out);
		text_print(s->cpus.texts[FILTER_CPU], out);
	}
	fputs(t->selected ? "\n" : "; nothing matches\n", out);
}

/* Print the verdict, the machine, and the events. */
void head_text(const struct ktrace *t, FILE *out)
{
	print_completeness(t, out);
	print_kernel(t, out);
	fprintf(out, "  events   %s in %.6f s, %s%s lost\n", NUMBER(t->events),
		(double)ktrace_since(t, t->last) / 1e9,
		t->overflow.has_file ? "" : "at least ", NUMBER(t->lost));
	if (t->overwritten)
		fprintf(out, "  before   %s overwritten before the first one\n",
			COUNT(t->overwritten, "event was", "events were"));
	print_events_of_cpus(t, out);
	print_uncertainty(t, out);
	print_selection(t, out);
}

static void cpus_json(const struct ktrace *t, struct json *j)
{
	size_t i;

	json_begin(j, "cpus", '[');
	for (i = 0; i < t->nr_cpus; i++) {
		const struct kcpu *cpu = &t->cpus[i];

		json_begin_flat(j, NULL, '{');
		json_put_u64(j, "cpu", cpu->cpu);
		json_put_u64(j, "events", cpu->account.recorded);
		json_put_u64(j, "lost_events", kcpu_lost(t, cpu));
		json_put_u64(j, "before", cpu->account.before);
		json_put_u64(j, "subbufs_before", cpu->account.subbufs_before);
		json_put_u64(j, "subbufs_missing", cpu->account.subbufs_missing);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void losses_json(const struct ktrace *t, struct json *j)
{
	size_t i;

	json_begin(j, "losses", '[');
	for (i = 0; i < t->nr_losses && i < KTRACE_MAX_LOSSES; i++) {
		const struct kloss *loss = &t->losses[i];

		json_begin_flat(j, NULL, '{');
		json_put_u64(j, "cpu", loss->cpu);
		json_put_u64(j, "events", loss->events);
		if (loss->has_since)
			json_put_u64(j, "since_ns", ktrace_since(t, loss->since));
		json_put_u64(j, "until_ns", ktrace_since(t, loss->until));
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void selection_json(const struct ktrace *t, struct json *j)
{
	const struct kselection *s = &t->selection;
	const char * const *glob;

	if (s->between.has_begin)
		json_put_u64(j, "from_ns", s->between.begin);
	if (s->between.has_end)
		json_put_u64(j, "to_ns", s->between.end);
	if (s->globs) {
		json_begin_flat(j, "only_events", '[');
		for (glob = s->globs; *glob; glob++)
			json_put_text(j, NULL, *glob);
		json_end(j, ']');
	}
	json_put_text(j, "only_cpus", s->cpus.texts[FILTER_CPU]);
}

/* Write the member "trace". */
void head_json(const struct ktrace *t, struct json *j)
{
	size_t i;

	json_begin(j, "trace", '{');
	json_put_text(j, "path", t->dir.name);
	json_put_bool(j, "complete", !t->reasons.nr);
	json_begin(j, "reasons", '[');
	for (i = 0; i < t->reasons.nr; i++)
		json_put_text(j, NULL, t->reasons.list[i]);
	json_end(j, ']');
	json_put_text(j, "kernel_release", tracedir_meta(&t->dir, "kernel_release"));
	json_put_text(j, "machine", tracedir_meta(&t->dir, "machine"));
	json_put_text(j, "byte_order", order_name(t->order));
	if (t->dir.word_bits)
		json_put_u64(j, "word_bits", t->dir.word_bits);
	json_put_u64(j, "events", t->events);
	json_put_u64(j, "bytes", t->bytes);
	json_put_u64(j, "lost_events", t->lost);
	json_put_u64(j, "overwritten_events", t->overwritten);
	json_put_u64(j, "skipped_events", t->unknown + t->unreadable + t->malformed);
	json_put_u64(j, "selected_events", t->selected);
	json_put_i64(j, "origin_ns", t->origin);
	json_put_u64(j, "last_ns", ktrace_since(t, t->last));
	json_put_u64(j, "uncertainty_ns", t->uncertainty);
	selection_json(t, j);
	cpus_json(t, j);
	losses_json(t, j);
	json_end(j, '}');
}
