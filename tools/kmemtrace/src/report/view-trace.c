// SPDX-License-Identifier: GPL-2.0
/*
 * View: what was traced, and whether to trust it.
 */
#include "config.h"

#include <limits.h>

#include "api/trust.h"
#include "common/text.h"
#include "report/format.h"
#include "report/view.h"

/* Of that many CPUs, each has its events shown. */
#define MAX_CPUS_SHOWN	16

static void print_machine(const struct trace *t, FILE *out)
{
	const char *release = tracedir_meta(&t->dir, "kernel_release");
	const char *machine = tracedir_meta(&t->dir, "machine");

	fprintf(out, "  kernel   ");
	text_print(release ? release : "unknown", out);
	if (machine) {
		putc(' ', out);
		text_print(machine, out);
	}
	fprintf(out, ", %s-endian", order_name(t->order));
	if (t->dir.word_bits)
		fprintf(out, ", %u bits", t->dir.word_bits);
	fprintf(out, ", pages of %s%s\n", BYTES(t->dir.page_size),
		tracedir_meta(&t->dir, "page_size") ? "" : " (assumed)");
}

/* On a large machine only those that lost something. */
static bool is_shown(const struct trace *t, const struct cpu_summary *cpu)
{
	return t->dir.nr_cpus <= MAX_CPUS_SHOWN || cpu->lost_events;
}

static void print_cpus(const struct trace *t, FILE *out)
{
	size_t i, shown = 0;

	fprintf(out, "  per CPU ");
	for (i = 0; i < t->dir.nr_cpus; i++) {
		const struct cpu_summary *cpu = &t->cpus[i];

		if (!is_shown(t, cpu))
			continue;
		fprintf(out, "%s cpu%u %s",
			!shown ? "" : shown % 4 ? "," : ",\n          ",
			cpu->cpu, NUMBER(cpu->events));
		if (cpu->lost_events)
			fprintf(out, " (%s lost)", NUMBER(cpu->lost_events));
		shown++;
	}
	if (shown < t->dir.nr_cpus)
		fprintf(out, "%s %zu CPUs%s", shown ? ", and" : "",
			t->dir.nr_cpus - shown,
			t->losses_known ? " that lost nothing" : "");
	fputc('\n', out);
}

static void print_clock(const struct trace *t, FILE *out)
{
	const struct timemap *cycles = &t->maps.of[KMEMTRACE_CLOCK_CYCLES];
	const struct timemap *local = &t->maps.of[KMEMTRACE_CLOCK_LOCAL];

	if (cycles->nr)
		fprintf(out, "  clock    cycles of %.6f ns, CLOCK_MONOTONIC once a sub-buffer to within %s ns\n",
			cycles->rate, NUMBER(cycles->error));
	if (local->nr && local->error)
		fprintf(out, "  clock    %slocal_clock, CLOCK_MONOTONIC once a sub-buffer to within %s ns\n",
			cycles->nr ? "later " : "", NUMBER(local->error));
	if (t->uncertainty)
		fprintf(out, "  clock    times of two CPUs may be in the wrong order by up to %s ns\n",
			NUMBER(t->uncertainty));
	if (t->ledger.stats.settled)
		fprintf(out, "  clock    %s event(s) make sense only after later ones of another CPU\n",
			NUMBER(t->ledger.stats.settled));
}

/* Those that don't match included: it may be for want of a name. */
static uint64_t nameless_sites(const struct report *r, enum space space,
			       uint64_t *nr)
{
	const struct trace *t = r->trace;
	struct table sites = { .ctx = t->ledger.ctx };
	uint64_t nameless = 0;
	struct symbol_ref ref;
	uint32_t i;

	for (i = 0; i < t->ledger.kinds.nr; i++) {
		const struct kind *kind = kinds_get(&t->ledger.kinds, i);

		if (kind_space(kind) != space || site_note(r, kind->site) ||
		    table_has(&sites, kind->site))
			continue;
		table_index(&sites, kind->site);
		symbols_find(&t->symbols, kind->site, &ref);
		nameless += !ref.name;
	}
	*nr += sites.nr;
	table_free(&sites);
	return nameless;
}

static void print_symbols_note(const struct report *r, FILE *out)
{
	const struct symbols *s = &r->trace->symbols;
	uint64_t nr = 0, nameless = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nameless += nameless_sites(r, i, &nr);
	if (s->hidden)
		fprintf(out, "  symbols  none: all addresses in kallsyms are zero (kptr_restrict)\n");
	else if (!s->nr)
		fprintf(out, "  symbols  none: there is no kallsyms file\n");
	else if (nameless)
		fprintf(out, "  symbols  %s of %s call sites have no name\n",
			NUMBER(nameless), NUMBER(nr));
}

/* It may have a word from the metadata. */
static void print_reason(const char *reason, FILE *out)
{
	fprintf(out, "  because  ");
	text_print(reason, out);
	putc('\n', out);
}

/* Is the trace complete, and if not, why? */
void print_verdict(const struct report *r, FILE *out)
{
	const struct style *style = r->style;
	struct trust trust;
	size_t i;

	trust_judge(&trust, r->trace);
	fprintf(out, "%s%s: %s%s%s%s\n", style->title, r->trace->dir.name,
		style->end, trust.nr ? style->bad : style->title,
		trust.nr ? "INCOMPLETE" : "COMPLETE", style->end);
	for (i = 0; i < trust.nr; i++)
		print_reason(trust.reasons[i], out);
	trust_free(&trust);
}

/* Is there anything to report on? */
bool has_matches(const struct report *r)
{
	const struct ledger *l = &r->trace->ledger;
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++)
		if (kind_is_counted(kinds_get(&l->kinds, i)))
			return true;
	for (i = 0; i < l->stats.nr_findings; i++)
		if (!l->stats.findings[i].is_hidden)
			return true;
	return l->stats.nr_failures;
}

/* The options of those parts of a filter whose bits are set, as they were given. */
static void print_options(const struct filter *f, unsigned int bits, FILE *out)
{
	int i;

	for (i = 0; i < NR_FILTERS; i++) {
		if (!f->texts[i] || !(bits >> i & 1))
			continue;
		fprintf(out, " --%s ", filter_names[i]);
		text_print(f->texts[i], out);
	}
}

/* What no event fits is likely to be a mistake. */
static unsigned int misfits(const struct report *r)
{
	const struct filter *f = &r->trace->options.filter;
	unsigned int bits = 0;
	int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (f->texts[i] && !(r->trace->selection.fit >> i & 1))
			bits |= 1U << i;
	return bits;
}

static void print_filter(const struct report *r, FILE *out)
{
	const struct filter *f = &r->trace->options.filter;

	fprintf(out, "  only    ");
	print_options(f, UINT_MAX, out);
	if (has_matches(r)) {
		fprintf(out, "; all sums are of what matches\n");
		return;
	}
	fprintf(out, "; %snothing matches%s", r->style->bad, r->style->end);
	if (misfits(r)) {
		fprintf(out, ": no event fits");
		print_options(f, misfits(r), out);
	}
	fputc('\n', out);
}

/* What part of the trace is shown, if it isn't all. */
void print_part(const struct report *r, FILE *out)
{
	const struct trace_options *options = &r->trace->options;

	if (options->is_late)
		fprintf(out, "  from     %.9f s; what was allocated before is in no figure%s\n",
			(double)options->from / 1e9,
			filter_is_set(&options->filter) || has_matches(r) ?
			"" : "; nothing matches");
	if (options->is_cut)
		fprintf(out, "  at       %.9f s; what came later is in no figure\n",
			(double)options->at / 1e9);
	if (filter_is_set(&options->filter))
		print_filter(r, out);
}

/* What a trace is of. */
void print_trace_head(const struct report *r, FILE *out)
{
	const struct trace *t = r->trace;

	print_verdict(r, out);
	print_machine(t, out);
	fprintf(out, "  events   %s in %.6f s, %s lost\n", NUMBER(t->events),
		(double)trace_span(t) / 1e9,
		t->losses_known ? NUMBER(t->lost_events) : "unknown number");
	print_part(r, out);
}

void trace_text(const struct report *r, FILE *out)
{
	const struct trace *t = r->trace;

	print_trace_head(r, out);
	print_cpus(t, out);
	print_clock(t, out);
	print_symbols_note(r, out);
}

/* Losses of CPUs are among the reasons. */
void trace_brief(const struct report *r, FILE *out)
{
	print_trace_head(r, out);
	print_symbols_note(r, out);
}

static json_object *reasons_json(const struct trust *trust)
{
	json_object *reasons = json_object_new_array();
	size_t i;

	for (i = 0; i < trust->nr; i++)
		json_object_array_add(reasons,
			text_json(trust->reasons[i]));
	return reasons;
}

/* Where events are missing; the first few, as in the text. */
static json_object *losses_json(const struct trace *t)
{
	json_object *losses = json_object_new_array();
	uint64_t i;

	for (i = 0; i < trace_losses_kept(t); i++) {
		const struct loss *loss = &t->losses[i];
		json_object *obj = json_object_new_object();

		add_u64(obj, "cpu", loss->cpu);
		add_u64(obj, "events", loss->records);
		add_u64(obj, "nested", loss->nested);
		if (loss->since)
			json_object_object_add(obj, "since_ns",
				json_object_new_int64(loss->since));
		json_object_object_add(obj, "until_ns",
				       json_object_new_int64(loss->until));
		json_object_array_add(losses, obj);
	}
	return losses;
}

static json_object *cpus_of_trace_json(const struct trace *t)
{
	json_object *cpus = json_object_new_array();
	size_t i;

	for (i = 0; i < t->dir.nr_cpus; i++) {
		json_object *cpu = json_object_new_object();

		add_u64(cpu, "cpu", t->cpus[i].cpu);
		add_u64(cpu, "events", t->cpus[i].events);
		add_u64(cpu, "lost_events", t->cpus[i].lost_events);
		add_u64(cpu, "lost_bytes", t->cpus[i].lost);
		add_u64(cpu, "subbufs_before", t->cpus[i].subbufs_before);
		add_u64(cpu, "subbufs_missing", t->cpus[i].subbufs_missing);
		json_object_array_add(cpus, cpu);
	}
	return cpus;
}

static json_object *filter_json(const struct report *r)
{
	const struct filter *f = &r->trace->options.filter;
	json_object *obj = json_object_new_object();
	int i;

	json_object_object_add(obj, "matches",
			       json_object_new_boolean(has_matches(r)));
	for (i = 0; i < NR_FILTERS; i++)
		add_str(obj, filter_names[i], f->texts[i]);
	return obj;
}

json_object *trace_json(const struct report *r)
{
	const struct trace *t = r->trace;
	json_object *obj = json_object_new_object();
	struct trust trust;

	trust_judge(&trust, t);
	add_str(obj, "path", t->dir.name);
	json_object_object_add(obj, "complete",
			       json_object_new_boolean(!trust.nr));
	json_object_object_add(obj, "reasons", reasons_json(&trust));
	trust_free(&trust);

	add_str(obj, "kernel_release", tracedir_meta(&t->dir, "kernel_release"));
	add_str(obj, "machine", tracedir_meta(&t->dir, "machine"));
	add_str(obj, "byte_order", order_name(t->order));
	if (t->dir.word_bits)
		add_u64(obj, "word_bits", t->dir.word_bits);
	add_u64(obj, "page_size", t->dir.page_size);
	add_u64(obj, "events", t->events);
	if (t->options.is_late)
		add_u64(obj, "from_ns", t->options.from);
	if (t->options.is_cut)
		add_u64(obj, "at_ns", t->options.at);
	if (filter_is_set(&t->options.filter))
		json_object_object_add(obj, "filter", filter_json(r));
	json_object_object_add(obj, "first_ns", json_object_new_int64(t->first));
	json_object_object_add(obj, "last_ns", json_object_new_int64(t->last));
	if (t->losses_known) {
		add_u64(obj, "lost_events", t->lost_events);
		add_u64(obj, "lost_bytes", t->lost);
	}
	json_object_object_add(obj, "losses", losses_json(t));
	add_u64(obj, "settled", t->ledger.stats.settled);
	add_u64(obj, "uncertainty_ns", t->uncertainty);
	add_u64(obj, "unexplained", unexplained_findings(&t->ledger.stats));
	json_object_object_add(obj, "cpus", cpus_of_trace_json(t));
	return obj;
}
