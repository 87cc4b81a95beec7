// SPDX-License-Identifier: GPL-2.0
/*
 * What the report shows of a trace. A view is a row of a table: its name in
 * JSON, what prints it, what makes JSON of it.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "memory.h"
#include "trust.h"
#include "views.h"

/* Room for the largest number with its commas, and for "1023.9K". */
#define NUMBER_LEN	32
#define NUMBER(n)	number((char[NUMBER_LEN]){ 0 }, n)
#define BYTES(n)	bytes((char[NUMBER_LEN]){ 0 }, n)
#define PERCENT(part, whole) percent((char[NUMBER_LEN]){ 0 }, part, whole)

static const char * const space_names[NR_SPACES] = {
	[SPACE_SLAB] = "slab",
	[SPACE_PAGES] = "pages",
};

/* 1234567 as "1,234,567" */
static const char *number(char *buf, uint64_t n)
{
	char digits[NUMBER_LEN];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *to = buf;
	int i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return buf;
}

/* 1234567 as "1.2M": four places at most, units of 1024 */
static const char *bytes(char *buf, uint64_t n)
{
	static const char units[] = "BKMGTPE";
	double value = n;
	size_t unit = 0;

	while (value >= 999.5 && unit + 2 < sizeof(units)) {
		value /= 1024;
		unit++;
	}
	snprintf(buf, NUMBER_LEN, unit && value < 9.95 ? "%.1f%c" : "%.0f%c",
		 value, units[unit]);
	return buf;
}

static const char *percent(char *buf, uint64_t part, uint64_t whole)
{
	snprintf(buf, NUMBER_LEN, "%.1f%%",
		 whole ? 100.0 * (double)part / (double)whole : 0.0);
	return buf;
}

static uint64_t wasted(uint64_t req, uint64_t alloc)
{
	return alloc > req ? alloc - req : 0;
}

static uint64_t value_live(const struct row *row)
{
	return row->live_alloc;
}

static uint64_t value_alloc(const struct row *row)
{
	return row->alloc;
}

static uint64_t value_count(const struct row *row)
{
	return row->allocs;
}

static uint64_t value_waste(const struct row *row)
{
	return wasted(row->req, row->alloc);
}

static uint64_t value_remote(const struct row *row)
{
	return row->remote;
}

const struct sort_key sort_keys[] = {
	{ "live", "bytes live at the end", value_live },
	{ "alloc", "bytes allocated", value_alloc },
	{ "count", "allocations", value_count },
	{ "waste", "bytes wasted", value_waste },
	{ "remote", "frees on another CPU", value_remote },
	{ NULL, NULL, NULL }
};

/* The key of that name, or NULL. */
const struct sort_key *sort_key_find(const char *name)
{
	const struct sort_key *key;

	for (key = sort_keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}

static int by_sort_key(const void *a, const void *b, void *arg)
{
	const struct row *x = *(const struct row * const *)a;
	const struct row *y = *(const struct row * const *)b;
	const struct sort_key *key = arg;
	uint64_t i = key->value(x), j = key->value(y);

	if (i == j) {
		i = x->alloc;
		j = y->alloc;
	}
	if (i != j)
		return i > j ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* The rows that allocated something, sorted; *@nr of them. To be freed. */
static const struct row **sorted(const struct table *t,
				 const struct sort_key *key, size_t *nr)
{
	const struct row **rows = must_calloc(t->nr + 1, sizeof(*rows));
	uint32_t i;

	*nr = 0;
	for (i = 0; i < t->nr; i++)
		if (t->rows[i].allocs)
			rows[(*nr)++] = &t->rows[i];
	qsort_r(rows, *nr, sizeof(*rows), by_sort_key, (void *)key);
	return rows;
}

static size_t at_most(size_t nr, size_t limit)
{
	return nr < limit ? nr : limit;
}

/* "kmalloc_user+0x12 [module] file.c:123" */
static void print_site(const struct report *r, uint64_t addr, FILE *out)
{
	struct symbol_ref ref;
	struct source_line line = { 0 };

	symbols_find(&r->trace->symbols, addr, &ref);
	if (ref.name)
		fprintf(out, "%s+%#" PRIx64, ref.name, ref.offset);
	else
		fprintf(out, "%#" PRIx64, addr);
	if (ref.module)
		fprintf(out, " [%s]", ref.module);
	if (r->source)
		source_find(r->source, addr, &line);
	if (line.file)
		fprintf(out, " %s:%d", line.file, line.line);
}

static void add_u64(json_object *obj, const char *key, uint64_t value)
{
	json_object_object_add(obj, key, json_object_new_uint64(value));
}

static void add_str(json_object *obj, const char *key, const char *value)
{
	if (value)
		json_object_object_add(obj, key, json_object_new_string(value));
}

static void add_hex(json_object *obj, const char *key, uint64_t value)
{
	char hex[32];

	snprintf(hex, sizeof(hex), "%#" PRIx64, value);
	add_str(obj, key, hex);
}

static json_object *site_json(const struct report *r, uint64_t addr)
{
	json_object *site = json_object_new_object();
	struct source_line line = { 0 };
	struct symbol_ref ref;

	add_hex(site, "address", addr);
	symbols_find(&r->trace->symbols, addr, &ref);
	add_str(site, "symbol", ref.name);
	if (ref.name)
		add_u64(site, "offset", ref.offset);
	add_str(site, "module", ref.module);
	if (r->source)
		source_find(r->source, addr, &line);
	add_str(site, "file", line.file);
	if (line.file)
		add_u64(site, "line", line.line);
	return site;
}

/* --- the banner: what was traced, and whether to trust it --- */

static void print_machine(const struct trace *t, FILE *out)
{
	const char *release = tracedir_meta(&t->dir, "kernel_release");
	const char *machine = tracedir_meta(&t->dir, "machine");

	fprintf(out, "  kernel   %s%s%s, %s-endian", release ? release : "unknown",
		machine ? " " : "", machine ? machine : "",
		order_name(t->order));
	if (t->dir.word_bits)
		fprintf(out, ", %u bits", t->dir.word_bits);
	fprintf(out, ", pages of %" PRIu64 " bytes%s\n", t->dir.page_size,
		tracedir_meta(&t->dir, "page_size") ? "" : " (assumed)");
}

static void print_cpus(const struct trace *t, FILE *out)
{
	size_t i;

	for (i = 0; i < t->dir.nr_cpus; i++) {
		const struct cpu_summary *cpu = &t->cpus[i];

		fprintf(out, "%s cpu%u %s",
			!i ? "" : i % 4 ? "," : ",\n          ",
			cpu->cpu, NUMBER(cpu->events));
		if (cpu->lost)
			fprintf(out, " (%s lost)",
				NUMBER(cpu->lost / EVENT_MIN_SIZE));
	}
	fputc('\n', out);
}

static uint64_t nameless_sites(const struct trace *t, uint64_t *nr)
{
	uint64_t nameless = 0;
	struct symbol_ref ref;
	uint32_t i;
	int space;

	*nr = 0;
	for (space = 0; space < NR_SPACES; space++) {
		const struct table *sites = &t->ledger.stats.sites[space];

		*nr += sites->nr;
		for (i = 0; i < sites->nr; i++) {
			symbols_find(&t->symbols, sites->rows[i].key, &ref);
			nameless += !ref.name;
		}
	}
	return nameless;
}

static void print_symbols_note(const struct report *r, FILE *out)
{
	const struct symbols *s = &r->trace->symbols;
	uint64_t nr, nameless = nameless_sites(r->trace, &nr);

	if (s->hidden)
		fprintf(out, "  symbols  none: all addresses in kallsyms are zero (kptr_restrict)\n");
	else if (!s->nr)
		fprintf(out, "  symbols  none: there is no kallsyms file\n");
	else if (nameless)
		fprintf(out, "  symbols  %s of %s call sites have no name\n",
			NUMBER(nameless), NUMBER(nr));
}

static void text_banner(const struct report *r, FILE *out)
{
	const struct trace *t = r->trace;
	struct trust trust;
	size_t i;

	trust_judge(&trust, t);
	fprintf(out, "%s: %s\n", t->dir.path,
		trust.nr ? "INCOMPLETE" : "COMPLETE");
	for (i = 0; i < trust.nr; i++)
		fprintf(out, "  because  %s\n", trust.reasons[i]);
	trust_free(&trust);

	print_machine(t, out);
	fprintf(out, "  events   %s in %.6f s, %s lost\n", NUMBER(t->events),
		(double)trace_span(t) / 1e9,
		t->losses_known ? NUMBER(t->lost / EVENT_MIN_SIZE) :
				  "unknown number");
	fprintf(out, "  per CPU ");
	print_cpus(t, out);
	if (t->ledger.stats.settled)
		fprintf(out, "  clock    %s pair(s) of events put in order against their times\n",
			NUMBER(t->ledger.stats.settled));
	print_symbols_note(r, out);
}

static json_object *json_banner(const struct report *r)
{
	const struct trace *t = r->trace;
	json_object *obj = json_object_new_object();
	json_object *reasons = json_object_new_array();
	json_object *cpus = json_object_new_array();
	struct trust trust;
	size_t i;

	trust_judge(&trust, t);
	add_str(obj, "path", t->dir.path);
	json_object_object_add(obj, "complete",
			       json_object_new_boolean(!trust.nr));
	for (i = 0; i < trust.nr; i++)
		json_object_array_add(reasons,
				      json_object_new_string(trust.reasons[i]));
	json_object_object_add(obj, "reasons", reasons);
	trust_free(&trust);

	add_str(obj, "kernel_release", tracedir_meta(&t->dir, "kernel_release"));
	add_str(obj, "machine", tracedir_meta(&t->dir, "machine"));
	add_str(obj, "byte_order", order_name(t->order));
	if (t->dir.word_bits)
		add_u64(obj, "word_bits", t->dir.word_bits);
	add_u64(obj, "page_size", t->dir.page_size);
	add_u64(obj, "events", t->events);
	json_object_object_add(obj, "first_ns", json_object_new_int64(t->first));
	json_object_object_add(obj, "last_ns", json_object_new_int64(t->last));
	if (t->losses_known)
		add_u64(obj, "lost_bytes", t->lost);
	add_u64(obj, "settled", t->ledger.stats.settled);
	for (i = 0; i < t->dir.nr_cpus; i++) {
		json_object *cpu = json_object_new_object();

		add_u64(cpu, "cpu", t->cpus[i].cpu);
		add_u64(cpu, "events", t->cpus[i].events);
		add_u64(cpu, "lost_bytes", t->cpus[i].lost);
		json_object_array_add(cpus, cpu);
	}
	json_object_object_add(obj, "cpus", cpus);
	return obj;
}

/* --- totals --- */

struct sums {
	uint64_t live, live_req, live_alloc;
};

static struct sums live_sums(const struct stats *s, enum space space)
{
	struct sums sums = { 0 };
	uint32_t i;

	for (i = 0; i < s->sites[space].nr; i++) {
		const struct row *row = &s->sites[space].rows[i];

		sums.live += row->live;
		sums.live_req += row->live_req;
		sums.live_alloc += row->live_alloc;
	}
	return sums;
}

static void print_totals(const struct stats *s, enum space space, FILE *out)
{
	const struct totals *t = &s->totals[space];
	struct sums sums = live_sums(s, space);
	uint64_t waste = wasted(t->req, t->alloc);

	fprintf(out, "  %-6s %13s %13s %9s %9s %9s %6s %13s %9s\n",
		space_names[space], NUMBER(t->allocs), NUMBER(t->frees),
		BYTES(t->req), BYTES(t->alloc), BYTES(waste),
		PERCENT(waste, t->alloc), NUMBER(sums.live),
		BYTES(sums.live_alloc));
}

static void text_totals(const struct report *r, FILE *out)
{
	int i;

	fprintf(out, "\nTotals    allocations         frees requested allocated         wasted  live at end     bytes\n");
	for (i = 0; i < NR_SPACES; i++)
		print_totals(&r->trace->ledger.stats, i, out);
}

static json_object *json_totals(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		json_object *space = json_object_new_object();
		struct sums sums = live_sums(s, i);

		add_u64(space, "allocs", s->totals[i].allocs);
		add_u64(space, "frees", s->totals[i].frees);
		add_u64(space, "bytes_req", s->totals[i].req);
		add_u64(space, "bytes_alloc", s->totals[i].alloc);
		add_u64(space, "live", sums.live);
		add_u64(space, "live_bytes_req", sums.live_req);
		add_u64(space, "live_bytes_alloc", sums.live_alloc);
		add_u64(space, "remote_frees", s->totals[i].remote);
		json_object_object_add(obj, space_names[i], space);
	}
	return obj;
}

/* --- call sites and sizes --- */

static void print_row(const struct row *row, FILE *out)
{
	fprintf(out, "  %9s %10s %11s %9s %9s %6s %9s",
		BYTES(row->live_alloc), NUMBER(row->live), NUMBER(row->allocs),
		BYTES(row->req), BYTES(row->alloc),
		PERCENT(wasted(row->req, row->alloc), row->alloc),
		NUMBER(row->remote));
}

/* What of a list is shown, and the names of its columns. */
static void print_heading(const struct report *r, enum space space, size_t nr,
			  const char *rows, const char *last, FILE *out)
{
	fprintf(out, "\n%s: %zu of %zu %s, by %s\n",
		space == SPACE_SLAB ? "Slab" : "Pages",
		at_most(nr, r->limit), nr, rows, r->sort->title);
	fprintf(out, " live bytes %10s allocations requested allocated wasted    remote  %s\n",
		space == SPACE_SLAB ? "objects" : "pages", last);
}

static void print_sites(const struct report *r, enum space space, FILE *out)
{
	const struct row **rows;
	size_t i, nr;

	rows = sorted(&r->trace->ledger.stats.sites[space], r->sort, &nr);
	if (nr)
		print_heading(r, space, nr, "call sites", "call site", out);
	for (i = 0; i < at_most(nr, r->limit); i++) {
		print_row(rows[i], out);
		fprintf(out, "  ");
		print_site(r, rows[i]->key, out);
		fputc('\n', out);
	}
	free(rows);
}

static void text_sites(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_sites(r, i, out);
}

static json_object *row_json(json_object *obj, const struct row *row)
{
	add_u64(obj, "allocs", row->allocs);
	add_u64(obj, "bytes_req", row->req);
	add_u64(obj, "bytes_alloc", row->alloc);
	add_u64(obj, "live", row->live);
	add_u64(obj, "live_bytes_req", row->live_req);
	add_u64(obj, "live_bytes_alloc", row->live_alloc);
	add_u64(obj, "remote_frees", row->remote);
	return obj;
}

static json_object *sites_json(const struct report *r, enum space space)
{
	json_object *list = json_object_new_array();
	const struct row **rows;
	size_t i, nr;

	rows = sorted(&r->trace->ledger.stats.sites[space], r->sort, &nr);
	for (i = 0; i < at_most(nr, r->limit); i++)
		json_object_array_add(list, row_json(site_json(r, rows[i]->key),
						     rows[i]));
	free(rows);
	return list;
}

static json_object *json_sites(const struct report *r)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(obj, space_names[i], sites_json(r, i));
	return obj;
}

static void text_sizes(const struct report *r, FILE *out)
{
	const struct row **rows;
	size_t i, nr;
	int space;

	for (space = 0; space < NR_SPACES; space++) {
		rows = sorted(&r->trace->ledger.stats.sizes[space], r->sort,
			      &nr);
		if (nr)
			print_heading(r, space, nr, "sizes", "bytes each", out);
		for (i = 0; i < at_most(nr, r->limit); i++) {
			print_row(rows[i], out);
			fprintf(out, "  %s\n", NUMBER(rows[i]->key));
		}
		free(rows);
	}
}

static json_object *sizes_json(const struct report *r, enum space space)
{
	json_object *list = json_object_new_array();
	const struct row **rows;
	size_t i, nr;

	rows = sorted(&r->trace->ledger.stats.sizes[space], r->sort, &nr);
	for (i = 0; i < at_most(nr, r->limit); i++) {
		json_object *size = json_object_new_object();

		add_u64(size, "size", rows[i]->key);
		json_object_array_add(list, row_json(size, rows[i]));
	}
	free(rows);
	return list;
}

static json_object *json_sizes(const struct report *r)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(obj, space_names[i], sizes_json(r, i));
	return obj;
}

/* --- frees on another CPU --- */

static int by_remote(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->remote != y->remote)
		return x->remote > y->remote ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* A sorted copy of the CPU pairs; to be freed. */
static struct row *cpu_pairs(const struct stats *s, enum space space)
{
	const struct table *t = &s->cpus[space];
	struct row *pairs = must_calloc(t->nr + 1, sizeof(*pairs));

	if (t->nr)
		memcpy(pairs, t->rows, t->nr * sizeof(*pairs));
	qsort(pairs, t->nr, sizeof(*pairs), by_remote);
	return pairs;
}

static void print_cpu_pairs(const struct report *r, enum space space,
			    FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct totals *t = &s->totals[space];
	struct row *pairs = cpu_pairs(s, space);
	size_t i;

	fprintf(out, "  %-6s %s of %s frees (%s)", space_names[space],
		NUMBER(t->remote), NUMBER(t->matched),
		PERCENT(t->remote, t->matched));
	for (i = 0; i < at_most(s->cpus[space].nr, r->limit); i++)
		fprintf(out, "%s cpu%u->cpu%u %s",
			!i ? ":" : i % 4 ? "," : ",\n        ",
			(unsigned int)(pairs[i].key >> 16),
			(unsigned int)(pairs[i].key & 0xffff),
			NUMBER(pairs[i].remote));
	fputc('\n', out);
	free(pairs);
}

static void text_cpus(const struct report *r, FILE *out)
{
	int i;

	if (r->trace->dir.nr_cpus < 2)
		return;
	fprintf(out, "\nRemote: freed on another CPU than allocated\n");
	for (i = 0; i < NR_SPACES; i++)
		print_cpu_pairs(r, i, out);
}

static json_object *json_cpus(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	json_object *obj = json_object_new_object();
	uint32_t i;
	int space;

	for (space = 0; space < NR_SPACES; space++) {
		json_object *list = json_object_new_array();
		struct row *pairs = cpu_pairs(s, space);

		for (i = 0; i < s->cpus[space].nr; i++) {
			json_object *pair = json_object_new_object();

			add_u64(pair, "alloc_cpu", pairs[i].key >> 16);
			add_u64(pair, "free_cpu", pairs[i].key & 0xffff);
			add_u64(pair, "frees", pairs[i].remote);
			add_u64(pair, "bytes", pairs[i].alloc);
			json_object_array_add(list, pair);
		}
		free(pairs);
		json_object_object_add(obj, space_names[space], list);
	}
	return obj;
}

/* --- findings --- */

struct class {
	const char *name;
	const char *text;
};

static const struct class classes[NR_FINDINGS] = {
	[FINDING_ALLOC_TWICE] = { "alloc_twice",
		"allocated twice" },
	[FINDING_FREE_TWICE] = { "free_twice",
		"freed twice" },
	[FINDING_FREE_UNKNOWN] = { "free_unknown",
		"freed, but allocated before tracing began" },
	[FINDING_MIXED_API] = { "mixed_api",
		"allocated and freed by different APIs, kmalloc and kmem_cache (legal since 6.4)" },
	[FINDING_SHORT] = { "short",
		"fewer bytes given than asked for" },
	[FINDING_IMPOSSIBLE] = { "impossible",
		"impossible records, not counted" },
};

static int by_class_and_count(const void *a, const void *b)
{
	const struct finding *x = *(const struct finding * const *)a;
	const struct finding *y = *(const struct finding * const *)b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

/* All findings, those of one class and namespace together. To be freed. */
static const struct finding **sorted_findings(const struct stats *s)
{
	const struct finding **list = must_calloc(s->nr_findings + 1,
						  sizeof(*list));
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++)
		list[i] = &s->findings[i];
	qsort(list, s->nr_findings, sizeof(*list), by_class_and_count);
	return list;
}

static bool same_group(const struct finding *a, const struct finding *b)
{
	return b && a->class == b->class && a->space == b->space;
}

static void print_finding(const struct report *r, const struct finding *f,
			  FILE *out)
{
	const struct row *rows = r->trace->ledger.stats.sites[f->space].rows;

	fprintf(out, "  %11s  ", NUMBER(f->count));
	if (f->site != NO_SITE) {
		print_site(r, rows[f->site].key, out);
		fprintf(out, ", then ");
	}
	print_site(r, rows[f->site2].key, out);
	fputc('\n', out);
}

/* Print the group that begins at @list, and return where the next one does. */
static const struct finding **print_group(const struct report *r,
					  const struct finding **list,
					  FILE *out)
{
	const struct finding **end = list;
	uint64_t count = 0;
	size_t i, nr;

	do {
		count += (*end)->count;
		end++;
	} while (same_group(*list, *end));
	nr = end - list;
	fprintf(out, "  %s, %s: %s\n", space_names[(*list)->space],
		classes[(*list)->class].text, NUMBER(count));
	for (i = 0; i < at_most(nr, r->limit); i++)
		print_finding(r, list[i], out);
	if (nr > r->limit)
		fprintf(out, "               and %zu more call sites\n",
			nr - r->limit);
	return end;
}

static void text_findings(const struct report *r, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct finding **list = sorted_findings(s), **at = list;

	struct trust trust;

	trust_judge(&trust, r->trace);
	fprintf(out, "\nFindings%s\n", !s->nr_findings ? ": none" :
		trust.nr ? " (of an incomplete trace: what is missing may explain them)" :
		"");
	trust_free(&trust);
	while (*at)
		at = print_group(r, at, out);
	free(list);
}

static json_object *json_findings(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct finding **list = sorted_findings(s);
	json_object *array = json_object_new_array();
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++) {
		json_object *obj = json_object_new_object();
		const struct finding *f = list[i];
		const struct row *rows = s->sites[f->space].rows;

		add_str(obj, "class", classes[f->class].name);
		add_str(obj, "space", space_names[f->space]);
		add_u64(obj, "count", f->count);
		if (f->site != NO_SITE)
			json_object_object_add(obj, "first",
				site_json(r, rows[f->site].key));
		json_object_object_add(obj, "site",
				       site_json(r, rows[f->site2].key));
		add_hex(obj, "ptr", f->ptr);
		json_object_object_add(obj, "time_ns",
				       json_object_new_int64(f->time));
		add_u64(obj, "cpu", f->cpu);
		json_object_array_add(array, obj);
	}
	free(list);
	return array;
}

/**
 * struct view - one part of the report
 * @name: its key in JSON
 * @text: prints it
 * @json: makes JSON of it
 */
struct view {
	const char *name;
	void (*text)(const struct report *r, FILE *out);
	json_object *(*json)(const struct report *r);
};

static const struct view views[] = {
	{ "trace", text_banner, json_banner },
	{ "totals", text_totals, json_totals },
	{ "sites", text_sites, json_sites },
	{ "sizes", text_sizes, json_sizes },
	{ "cpus", text_cpus, json_cpus },
	{ "findings", text_findings, json_findings },
};

/* Print all views. */
void report_text(const struct report *r, FILE *out)
{
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(*views); i++)
		views[i].text(r, out);
}

/* All views as one object, to be json_object_put(). */
json_object *report_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(*views); i++)
		json_object_object_add(obj, views[i].name, views[i].json(r));
	return obj;
}
