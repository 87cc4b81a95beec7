// SPDX-License-Identifier: GPL-2.0
/*
 * tracedir.c - list the files of a trace, and parse its metadata
 *
 * Reads no stream.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/booksfile.h"
#include "common/counters.h"
#include "common/names.h"
#include "common/text.h"
#include "read/tracedir.h"

/* Bytes; the largest machine has less than 2 MB of it. */
#define MAX_METADATA	(16 << 20)

/* The page sizes of Linux are within these, except the largest one of Hexagon. */
#define MIN_PAGE_SIZE	1024
#define MAX_PAGE_SIZE	(256 << 10)

/* See kmemtrace_in_sample(). */
#define MAX_ONE_OF	65536

static bool parse_u64(const char *s, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, 10);
	return !errno && !*end;
}

/* ---- CPUs ---- */

static int add_trace_cpu(struct tracedir *t, unsigned int cpu, const char *file,
			 enum stream_state state)
{
	struct trace_cpu *cpus;
	char *copy;

	cpus = context_grow_list(t->ctx, t->cpus, t->nr_cpus, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	t->cpus = cpus;
	copy = strdup(file);
	if (!copy)
		return context_fail(t->ctx, -ENOMEM);
	cpus[t->nr_cpus++] = (struct trace_cpu) { .cpu = cpu, .file = copy, .state = state };
	return 0;
}

static int by_trace_cpu(const void *a, const void *b)
{
	const struct trace_cpu *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void sort_cpus(struct tracedir *t)
{
	if (t->nr_cpus)
		qsort(t->cpus, t->nr_cpus, sizeof(*t->cpus), by_trace_cpu);
}

static int add_file_of_trace(void *arg, const char *name)
{
	struct tracedir *t = arg;
	unsigned int cpu;

	t->has_counters |= !strcmp(name, COUNTERS_FILE);
	t->has_books |= !strcmp(name, BOOKS_FILE);
	t->has_kallsyms |= !strcmp(name, "kallsyms");
	t->has_modules |= !strcmp(name, "modules");
	t->has_traces |= strlen(name) >= 6 && strspn(name, "0123456789") == strlen(name);
	if (!name_is_stream(name, &cpu))
		return 0;
	return add_trace_cpu(t, cpu, name, STREAM_THERE);
}

/* A CPU may have a plain stream or a compressed one. With both, neither can be chosen. */
static int refuse_doubles(const struct tracedir *t)
{
	size_t i;

	for (i = 1; i < t->nr_cpus; i++) {
		if (t->cpus[i].cpu != t->cpus[i - 1].cpu)
			continue;
		context_say(t->ctx, "%s: has cpu%u.out as well as cpu%u.out%s; remove one of them",
			    t->name, t->cpus[i].cpu, t->cpus[i].cpu,
			    SUFFIX_COMPRESSED);
		return -EEXIST;
	}
	return 0;
}

static int find_streams(struct tracedir *t)
{
	int ret = files_each(t->files, t->ctx, add_file_of_trace, t);

	if (ret)
		return ret;
	if (!t->nr_cpus && !t->has_counters && files_stream(t->files)) {
		context_say(t->ctx, "%s: no trace here: expected what kmemtraced -o - or ktraced -o - writes",
			    t->name);
		return -ENOENT;
	}
	if (!t->nr_cpus && !t->has_counters) {
		context_say(t->ctx, "%s: no trace here: no file is named cpu<n>.out or cpu<n>.out.zst%s",
			    t->name, t->has_traces ?
			    "; it has traces of a chain: name one of them" : "");
		return -ENOENT;
	}
	sort_cpus(t);
	return refuse_doubles(t);
}

/* Return a CPU among the first @nr, which are sorted; NULL: it is not among them. */
static struct trace_cpu *find_trace_cpu(const struct tracedir *t, size_t nr, unsigned int cpu)
{
	struct trace_cpu key = { .cpu = cpu };

	return nr ? bsearch(&key, t->cpus, nr, sizeof(key), by_trace_cpu) : NULL;
}

/* Keep one entry for each CPU; only those without a stream have several. */
static void forget_doubles(struct tracedir *t)
{
	size_t i, nr = 0;

	for (i = 0; i < t->nr_cpus; i++)
		if (!nr || t->cpus[i].cpu != t->cpus[nr - 1].cpu)
			t->cpus[nr++] = t->cpus[i];
		else
			free(t->cpus[i].file);
	t->nr_cpus = nr;
}

/*
 * Return whether a line of the metadata says that a CPU has a stream. Each CPU that had
 * a buffer has a line about its losses.
 */
static bool names_cpu(const struct meta *meta, uint64_t *cpu)
{
	uint64_t bytes;

	if (!strncmp(meta->key, "overruns.cpu", 12))
		return parse_u64(meta->key + 12, cpu);
	return !strncmp(meta->key, "bytes.cpu", 9) &&
	       parse_u64(meta->key + 9, cpu) &&
	       parse_u64(meta->value, &bytes) && bytes;
}

static int find_missing(struct tracedir *t)
{
	char name[NAME_MAX_STREAM];
	size_t i, present = t->nr_cpus;
	uint64_t cpu;
	int ret = 0;

	for (i = 0; !ret && i < t->nr_meta; i++) {
		if (!names_cpu(&t->meta[i], &cpu) || cpu > MAX_CPU ||
		    find_trace_cpu(t, present, cpu))
			continue;
		name_saved_stream(name, cpu, tracedir_meta(t, "compression"));
		ret = add_trace_cpu(t, cpu, name, STREAM_MISSING);
	}
	sort_cpus(t);
	forget_doubles(t);
	return ret;
}

/*
 * Find streams of CPUs that no line of the metadata is about. The metadata has all CPUs once
 * the trace has ended.
 */
static void find_strays(struct tracedir *t)
{
	const char *part;
	struct trace_cpu *found;
	uint64_t cpu, end_ns;
	size_t i, named = 0;

	if (!tracedir_meta_u64(t, "end_ns", &end_ns))
		return;
	for (i = 0; i < t->nr_cpus; i++)
		if (t->cpus[i].state == STREAM_THERE)
			t->cpus[i].state = STREAM_STRAY;
	for (i = 0; i < t->nr_meta; i++) {
		part = strstr(t->meta[i].key, ".cpu");
		if (!part || !parse_u64(part + 4, &cpu) || cpu > MAX_CPU)
			continue;
		named++;
		found = find_trace_cpu(t, t->nr_cpus, cpu);
		if (found && found->state == STREAM_STRAY)
			found->state = STREAM_THERE;
	}
	for (i = 0; !named && i < t->nr_cpus; i++)
		t->cpus[i].state = STREAM_THERE;
}

/**
 * tracedir_lacks - return which files beside the streams are missing
 * @t: the trace
 *
 * A collector that stored a stream saved the symbols as well; other sources may have none.
 *
 * Return: names of files; NULL: none is missing, as far as the metadata says.
 */
const char *tracedir_lacks(const struct tracedir *t)
{
	static const char * const texts[] = { NULL, "kallsyms", "modules", "kallsyms and modules" };
	uint64_t stored, end_ns;

	if (!t->nr_cpus || !tracedir_meta_u64(t, "end_ns", &end_ns) ||
	    !tracedir_meta_cpu(t, "stored.cpu", t->cpus->cpu, &stored))
		return NULL;
	return texts[!t->has_kallsyms + 2 * !t->has_modules];
}

/**
 * tracedir_stream_problem - return why a stream is not read
 * @state: its state
 *
 * Return: words that follow the name of the file; NULL: it is read.
 */
const char *tracedir_stream_problem(enum stream_state state)
{
	static const char * const texts[] = {
		[STREAM_MISSING] = "is missing",
		[STREAM_STRAY] = "is not of this trace and not read: the metadata doesn't have its CPU",
		[STREAM_OF_OTHER_CPU] = "is not of this trace and not read: it begins with a record of another CPU",
		[STREAM_OF_OTHER_TIME] = "is not of this trace and not read: it begins at a time that the trace does not have",
	};

	return texts[state];
}

/* ---- metadata ---- */

/* Texts of the machine that each table of an export has: those of uname(), and a UUID. */
#define MAX_MACHINE_TEXT	64

/* Return the bytes that are printed of a value at most. */
static size_t max_value(const char *key)
{
	static const char * const of_machine[] = { "host", "kernel_release", "machine", "boot_id" };
	size_t i;

	for (i = 0; i < sizeof(of_machine) / sizeof(*of_machine); i++)
		if (!strcmp(of_machine[i], key))
			return MAX_MACHINE_TEXT;
	return MAX_KERNEL_NAME;
}

/* "key: value"; a line without ": " has no meaning. */
static int add_meta(struct tracedir *t, char *line)
{
	char *value = strstr(line, ": ");
	struct meta *meta;

	if (!value)
		return 0;
	*value = '\0';
	context_cut(t->ctx, value + 2, max_value(line));
	meta = context_grow_list(t->ctx, t->meta, t->nr_meta, sizeof(*meta));
	if (!meta)
		return -ENOMEM;
	t->meta = meta;
	meta[t->nr_meta++] = (struct meta) { line, value + 2 };
	return 0;
}

/* Keys lie in one text: those that are equal are ordered by where they stand in it. */
static int by_meta_key(const void *a, const void *b)
{
	const struct meta *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->key > y->key) - (x->key < y->key);
}

static int read_metadata(struct tracedir *t)
{
	struct text text;
	char *line;
	int ret = files_read(t->files, t->ctx, "metadata", MAX_METADATA, &text);

	t->text = text.at;
	t->has_metadata = text.at;
	while (!ret && (line = text_line(&text))) {
		ret = add_meta(t, line);
		if (!ret)
			ret = context_check(t->ctx);
	}
	if (t->nr_meta)
		qsort(t->meta, t->nr_meta, sizeof(*t->meta), by_meta_key);
	return ret;
}

static int bad_meta(const struct tracedir *t, const char *key, const char *expected)
{
	context_say(t->ctx, "%s/metadata: %s: '%.63s', expected %s", t->name, key,
		    tracedir_meta(t, key), expected);
	return -EINVAL;
}

/* Read a number; a key that is missing keeps its default. */
static int meta_number(const struct tracedir *t, const char *key,
		       uint64_t *value)
{
	if (!tracedir_meta(t, key) || tracedir_meta_u64(t, key, value))
		return 0;
	return bad_meta(t, key, "a number");
}

static int use_metadata(struct tracedir *t)
{
	const char *order = tracedir_meta(t, "byte_order");
	uint64_t abi = 0, bits = 0, page_size = 4096, one_of = 1;
	int ret;

	if (order && !strcmp(order, "little"))
		t->order = ORDER_LITTLE;
	else if (order && !strcmp(order, "big"))
		t->order = ORDER_BIG;
	else if (order)
		return bad_meta(t, "byte_order", "little or big");

	ret = meta_number(t, "abi_version", &abi);
	if (!ret && (abi > UINT32_MAX ||
		     (!abi && tracedir_meta(t, "abi_version"))))
		ret = bad_meta(t, "abi_version", "a version from 1 on");
	if (!ret)
		ret = meta_number(t, "word_bits", &bits);
	if (!ret && bits != 0 && bits != 32 && bits != 64)
		ret = bad_meta(t, "word_bits", "32 or 64");
	if (!ret)
		ret = meta_number(t, "page_size", &page_size);
	if (!ret && (page_size < MIN_PAGE_SIZE || page_size > MAX_PAGE_SIZE ||
		     page_size & (page_size - 1)))
		ret = bad_meta(t, "page_size", "a power of two from 1024 to 262144");
	if (!ret)
		ret = meta_number(t, "sample", &one_of);
	if (!ret && (!one_of || one_of > MAX_ONE_OF || one_of & (one_of - 1)))
		ret = bad_meta(t, "sample", "a power of two up to 65536");

	t->abi_version = abi;
	t->word_bits = bits;
	t->page_size = page_size;
	t->one_of = one_of;
	return ret;
}

/**
 * tracedir_open - list the files of a trace and parse its metadata
 * @t: result; tracedir_close() it also after an error
 * @ctx: the context of the trace
 * @files: its files, which get another reference
 *
 * Return: 0, or -errno after a message. -ENOENT: there is no stream.
 */
int tracedir_open(struct tracedir *t, struct context *ctx, struct files *files)
{
	int ret;

	*t = (struct tracedir) {
		.ctx = ctx,
		.files = files_get(files),
		.name = files_label(files),
	};
	ret = find_streams(t);
	if (!ret)
		ret = read_metadata(t);
	if (!ret)
		ret = use_metadata(t);
	if (!ret)
		ret = find_missing(t);
	if (!ret)
		find_strays(t);
	return ret;
}

/* Undo tracedir_open(), also after an error; do nothing if @t is zeroed. */
void tracedir_close(struct tracedir *t)
{
	size_t i;

	for (i = 0; i < t->nr_cpus; i++)
		free(t->cpus[i].file);
	free(t->cpus);
	free(t->meta);
	free(t->text);
	files_put(t->files);
	*t = (struct tracedir) { .nr_cpus = 0 };
}

/**
 * tracedir_expect - refuse the trace of another recorder
 * @t: the trace
 * @recorder: the recorder whose traces the caller reads
 *
 * Return: 0, also where the trace doesn't name its recorder; or -EINVAL after a message.
 */
int tracedir_expect(const struct tracedir *t, const char *recorder)
{
	const char *found = tracedir_meta(t, "recorder");

	if (!found || !strcmp(found, recorder))
		return 0;
	context_say(t->ctx, "%s/metadata: recorder: %.31s, expected %s; use %.31s-report for this trace",
		    t->name, found, recorder, found);
	return -EINVAL;
}

/* ---- look-up ---- */

/* Return the value of a key, of its first line if there are several; or NULL. */
const char *tracedir_meta(const struct tracedir *t, const char *key)
{
	size_t first = 0, end = t->nr_meta, i;

	while (first < end) {
		i = first + (end - first) / 2;
		if (strcmp(t->meta[i].key, key) < 0)
			first = i + 1;
		else
			end = i;
	}
	if (first == t->nr_meta || strcmp(t->meta[first].key, key))
		return NULL;
	return t->meta[first].value;
}

/* Read a number from the metadata; false where it is missing or no number. */
bool tracedir_meta_u64(const struct tracedir *t, const char *key,
		       uint64_t *value)
{
	const char *s = tracedir_meta(t, key);

	return s && parse_u64(s, value);
}

/* tracedir_meta_u64() for a key that ends with the number of a CPU: "overruns.cpu" */
bool tracedir_meta_cpu(const struct tracedir *t, const char *key,
		       unsigned int cpu, uint64_t *value)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%u", key, cpu);
	return tracedir_meta_u64(t, name, value);
}
