// SPDX-License-Identifier: GPL-2.0
/*
 * libkmemtrace as its users see it: the shared library and its header alone. kmemtrace-gen
 * writes the traces.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "kmemtrace-records.h"
#include "rows.h"
#include "linux/kmemtrace.h"

#define NR_SPACES	4

/* The folder of all files of this test. */
static char *work;

/* ---- traces ---- */

/* Let the shell run a command. Where an emulator runs the tests, it is $EMULATOR. */
static void run(const char *fmt, ...)
{
	char *command;
	va_list ap;

	va_start(ap, fmt);
	assert_true(vasprintf(&command, fmt, ap) > 0);
	va_end(ap);
	assert_int_equal(system(command), 0);
	free(command);
}

static char *path_of(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", work, name) > 0);
	return path;
}

static int make_traces(void **state)
{
	(void)state;
	work = strdup("/tmp/kmemtrace-test-XXXXXX");
	assert_non_null(work);
	assert_non_null(mkdtemp(work));
	run("$EMULATOR ./kmemtrace-gen --abi 2 --events 20000 --cpus 3 --before 500 %s/little >/dev/null",
	    work);
	run("$EMULATOR ./kmemtrace-gen --abi 2 --events 20000 --cpus 3 --before 500 --order big --bits 32 %s/big >/dev/null",
	    work);
	run("$EMULATOR ./kmemtrace-gen --abi 1 --events 5000 --seed 7 %s/other >/dev/null",
	    work);
	run("$EMULATOR ./kmemtrace-gen --abi 2 --events 20000 --cpus 3 --before 500 - >%s/stream 2>/dev/null",
	    work);
	run("$EMULATOR ./kmemtrace-gen --abi 2 --events 300 --live 50 --cpus 2 --before 20 %s/small >/dev/null",
	    work);
	run("$EMULATOR ./kmemtrace-gen --abi 2 --events 300 --live 50 --cpus 2 --before 20 --with stack,task,cgroup %s/small-who >/dev/null",
	    work);
	run("$EMULATOR ./kmemtrace-gen --abi 2 --events 20000 --cpus 3 --before 500 --with stack,task,cgroup %s/who >/dev/null",
	    work);
	run("mkdir %s/empty", work);
	run("cp -r %s/other %s/cut", work, work);
	run("truncate -s -100 %s/cut/cpu1.out", work);
	return 0;
}

static int remove_traces(void **state)
{
	(void)state;
	run("rm -r %s", work);
	free(work);
	return 0;
}

static struct kmemtrace_trace *open_trace(const char *name)
{
	char *path = path_of(name);
	struct kmemtrace_trace *trace;

	assert_int_equal(kmemtrace_open(&trace, path, NULL), 0);
	assert_non_null(trace);
	free(path);
	return trace;
}

static struct kmemtrace_trace *read_trace(const char *name)
{
	struct kmemtrace_trace *trace = open_trace(name);

	assert_int_equal(kmemtrace_read(trace), 0);
	return trace;
}

static struct kmemtrace_records *open_records(struct kmemtrace_trace *trace)
{
	struct kmemtrace_records *records;

	assert_int_equal(kmemtrace_records_open(trace, &records), 0);
	assert_non_null(records);
	return records;
}

static bool is_event(const struct kmemtrace_record *record)
{
	return record->id == KMEMTRACE_RECORD_ALLOC ||
	       record->id == KMEMTRACE_RECORD_FREE ||
	       record->id == KMEMTRACE_RECORD_FAILED;
}

static int count_one(void *nr, const struct kmemtrace_object *object)
{
	(void)object;
	++*(uint64_t *)nr;
	return 0;
}

/* ---- opening ---- */

static void keep_text(void *buf, const char *text)
{
	snprintf(buf, 256, "%s", text);
}

/* Opening fails with @error and leaves its message in @text. */
static void assert_no_trace(const char *name, int error, char text[256])
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .say = keep_text, .arg = text,
	};
	struct kmemtrace_trace *trace = (void *)1;
	char *path = path_of(name);

	assert_int_equal(kmemtrace_open(&trace, path, &options), error);
	assert_null(trace);
	free(path);
}

static void test_no_trace(void **state)
{
	char text[256] = "", expected[256];

	(void)state;
	assert_no_trace("empty", -ENOENT, text);
	assert_no_trace("little/metadata", -ENOTDIR, text);
	assert_no_trace("nonesuch", -ENOENT, text);
	snprintf(expected, sizeof(expected),
		 "%s/nonesuch: open: No such file or directory", work);
	assert_string_equal(text, expected);
	kmemtrace_close(NULL);
	kmemtrace_records_close(NULL);
	kmemtrace_stream_close(NULL);
	kmemtrace_relation_close(NULL);
}

/* A program that was built for a smaller structure gets the defaults. */
static void test_options_of_old_program(void **state)
{
	struct kmemtrace_options options = {
		.size = sizeof(options.size), .name = (void *)1, .say = (void *)1,
	};
	struct kmemtrace_trace *trace;
	char *path = path_of("little");

	(void)state;
	assert_int_equal(kmemtrace_open(&trace, path, &options), 0);
	assert_string_equal(kmemtrace_get_machine(trace)->name, path);
	kmemtrace_close(trace);
	free(path);
}

static void assert_same_total(const struct kmemtrace_trace *a, const struct kmemtrace_trace *b,
			      int space)
{
	static const char * const columns[] = {
		"allocs", "bytes_req", "bytes", "frees", "remote_frees", "live", "live_bytes_req",
		"live_bytes", "peak_bytes", "free_calls",
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		assert_int_equal(figure_of(a, space, columns[i]), figure_of(b, space, columns[i]));
}

/* A descriptor and a stream contain the same trace as the directory. */
static void assert_same_totals(struct kmemtrace_trace *trace, const char *name)
{
	struct kmemtrace_trace *expected = read_trace(name);
	int space;

	assert_int_equal(kmemtrace_read(trace), 0);
	for (space = 0; space < NR_SPACES; space++)
		assert_same_total(trace, expected, space);
	kmemtrace_close(expected);
	kmemtrace_close(trace);
}

static void test_open_fd(void **state)
{
	struct kmemtrace_trace *trace;
	char *path = path_of("little");
	int dir = open(path, O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_true(dir >= 0);
	assert_int_equal(kmemtrace_open_fd(&trace, dir, NULL), 0);
	close(dir);
	assert_same_totals(trace, "little");
	free(path);
	assert_int_equal(kmemtrace_open_fd(&trace, -1, &(struct kmemtrace_options) {
		.size = sizeof(struct kmemtrace_options), .say = keep_text,
		.arg = (char[256]) { 0 } }), -EBADF);
	assert_null(trace);
}

static void test_open_stream(void **state)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .name = "a pipe",
	};
	struct kmemtrace_trace *trace;
	char *path = path_of("stream");
	FILE *in = fopen(path, "r");

	(void)state;
	assert_non_null(in);
	assert_int_equal(kmemtrace_open_stream(&trace, in, &options), 0);
	fclose(in);
	assert_string_equal(kmemtrace_get_machine(trace)->name, "a pipe");
	assert_false(kmemtrace_get_machine(trace)->is_cut);
	assert_same_totals(trace, "little");
	free(path);
}

/* ---- no memory ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_MALLOC	0
#else
#define HAVE_MALLOC	1

/*
 * These functions replace those of the C library, also in libkmemtrace. The chosen
 * allocation fails.
 */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

/* Allocations until one fails; 0: none does. */
static unsigned long allocs_left;
/* Number of allocated blocks. */
static long nr_blocks;

static bool fails(void)
{
	if (!__atomic_load_n(&allocs_left, __ATOMIC_RELAXED) ||
	    __atomic_sub_fetch(&allocs_left, 1, __ATOMIC_RELAXED))
		return false;
	errno = ENOMEM;
	return true;
}

static void *count(void *block)
{
	if (block)
		__atomic_add_fetch(&nr_blocks, 1, __ATOMIC_RELAXED);
	return block;
}

void *malloc(size_t size)
{
	return fails() ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t nr, size_t size)
{
	return fails() ? NULL : count(__libc_calloc(nr, size));
}

void *realloc(void *old, size_t size)
{
	void *new = fails() ? NULL : __libc_realloc(old, size);

	return old ? new : count(new);
}

void *aligned_alloc(size_t align, size_t size)
{
	return fails() ? NULL : count(__libc_memalign(align, size));
}

int posix_memalign(void **block, size_t align, size_t size)
{
	*block = aligned_alloc(align, size);
	return *block ? 0 : ENOMEM;
}

void free(void *block)
{
	if (block)
		__atomic_sub_fetch(&nr_blocks, 1, __ATOMIC_RELAXED);
	__libc_free(block);
}

/* Open relations that are grouped, filtered and sorted. */
static int group_all(struct kmemtrace_trace *trace)
{
	static const char * const keys[] = { "site", "function", "module", "cache,size", "gfp_flags" };
	struct kmemtrace_relation *rows;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(keys) / sizeof(*keys); i++) {
		const struct kmemtrace_query query = {
			.size = sizeof(query), .relation = "sites", .group_by = keys[i],
			.where = "live>0,allocator~s*", .sort = "allocs",
		};

		ret = kmemtrace_relation_open(trace, &query, &rows, NULL);
		if (!ret)
			kmemtrace_relation_close(rows);
	}
	return ret;
}

static int read_all_records(struct kmemtrace_trace *trace)
{
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	struct kmemtrace_stream *stream;
	int ret = kmemtrace_records_open(trace, &records);

	while (!ret && kmemtrace_records_next(records, &record) > 0)
		;
	if (!ret)
		kmemtrace_records_close(records);
	if (!ret)
		ret = kmemtrace_stream_open(&stream, trace, 0);
	while (!ret && kmemtrace_stream_next(stream, &record) > 0)
		;
	if (!ret)
		kmemtrace_stream_close(stream);
	return ret;
}

/* Use a trace as a program does. */
static int use_trace(struct kmemtrace_trace *trace, unsigned int threads, uint64_t *live)
{
	int ret = kmemtrace_set_threads(trace, threads);

	if (!ret)
		ret = kmemtrace_set_filter(trace, KMEMTRACE_FILTER_CACHE, "*");
	if (!ret)
		ret = kmemtrace_read(trace);
	if (!ret)
		ret = group_all(trace);
	if (!ret)
		ret = kmemtrace_each_live(trace, KMEMTRACE_SPACE_SLAB, count_one, live);
	if (!ret)
		ret = read_all_records(trace);
	return ret;
}

/* Return the result of use_trace() if the @n-th allocation fails; 0: none does. */
static int use_without(unsigned long n, const char *name, unsigned int threads,
		       uint64_t *live)
{
	static char text[256];
	const struct kmemtrace_options options = {
		.size = sizeof(options), .say = keep_text, .arg = text,
	};
	struct kmemtrace_trace *trace;
	char *path = path_of(name);
	FILE *in = strcmp(name, "stream") ? NULL : fopen(path, "r");
	int ret;

	*live = 0;
	__atomic_store_n(&allocs_left, n, __ATOMIC_RELAXED);
	ret = in ? kmemtrace_open_stream(&trace, in, &options) :
		   kmemtrace_open(&trace, path, &options);
	if (!ret)
		ret = use_trace(trace, threads, live);
	kmemtrace_close(trace);
	if (in)
		fclose(in);
	free(path);
	return ret;
}

/* Let each allocation fail: -ENOMEM and nothing else, no leak, and the process goes on. */
static void fail_each(const char *name, unsigned int threads, unsigned long step)
{
	uint64_t expected, live;
	unsigned long n, failed = 0;
	long before;
	int ret;

	assert_int_equal(use_without(0, name, threads, &expected), 0);
	assert_true(expected > 0);
	before = nr_blocks;
	for (n = 1;; n += step) {
		ret = use_without(n, name, threads, &live);
		if (__atomic_load_n(&allocs_left, __ATOMIC_RELAXED))
			break;
		if (ret != -ENOMEM && ret)
			fail_msg("%s: allocation %lu fails: error %d", name, n, ret);
		/* For example qsort(), which can work without memory. */
		if (!ret && live != expected)
			fail_msg("%s: allocation %lu fails: a wrong result", name, n);
		if (nr_blocks != before)
			fail_msg("%s: allocation %lu fails: %ld blocks are not freed",
				 name, n, nr_blocks - before);
		failed += !!ret;
	}
	__atomic_store_n(&allocs_left, 0, __ATOMIC_RELAXED);
	assert_int_equal(ret, 0);
	assert_true(failed > 100 / step);
}
#endif

static void test_no_memory(void **state)
{
	(void)state;
#if HAVE_MALLOC
	fail_each("small", 1, 1);
	fail_each("small", 3, 7);
	fail_each("stream", 1, 13);
	fail_each("small-who", 1, 1);
	fail_each("small-who", 3, 5);
#else
	skip();
#endif
}

/* ---- lives ---- */

/**
 * struct lives - sums of lives
 * @bytes: allocated bytes by allocator: [0] of the trace, [1] older
 * @live: bytes of those that are live
 * @nr: how many
 * @hash: of all of them in their order
 * @last: time at which the last one ended
 * @early: how many ended before the one before
 * @limit: end the reading after so many; 0: never
 */
struct lives {
	uint64_t bytes[2][NR_SPACES], live[NR_SPACES];
	uint64_t nr, hash;
	int64_t last;
	uint64_t early, limit;
};

static int add_life(void *arg, struct kmemtrace_relation *life)
{
	const uint64_t bytes = number_in(life, "bytes");
	struct kmemtrace_field value;
	struct lives *sum = arg;
	size_t i;
	int space;

	assert_true(number_in(life, "bytes_req") <= bytes);
	for (i = 0; kmemtrace_relation_column(life, i); i++) {
		sum->hash ^= kmemtrace_relation_identity(life, i, &value);
		/* The identity of a text may be a pointer. */
		if (kmemtrace_relation_column(life, i)->type != KMEMTRACE_TEXT)
			sum->hash = (sum->hash ^ value.number) * UINT64_C(0x100000001b3);
	}
	kmemtrace_relation_identity(life, kmemtrace_relation_find(life, "allocator"), &value);
	space = (int)value.number;
	sum->bytes[!has_in(life, "born_ns")][space] += bytes;
	if (!has_in(life, "died_ns")) {
		sum->live[space] += bytes;
	} else {
		assert_true(has_in(life, "freed_site"));
		sum->early += (int64_t)number_in(life, "died_ns") < sum->last;
		sum->last = (int64_t)number_in(life, "died_ns");
	}
	return ++sum->nr == sum->limit ? -ECANCELED : 0;
}

/* Return the relation of lives, which the reading adds to a sum. */
static struct kmemtrace_relation *follow_lives(struct kmemtrace_trace *trace, struct lives *sum)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = "lives" };
	struct kmemtrace_relation *lives;

	assert_int_equal(kmemtrace_relation_follow(trace, &query, add_life, sum, &lives, NULL), 0);
	return lives;
}

static struct lives lives_of(const char *name, unsigned int threads)
{
	struct kmemtrace_trace *trace = open_trace(name);
	struct kmemtrace_relation *lives;
	struct lives sum = { .nr = 0 };
	int space;

	kmemtrace_set_threads(trace, threads);
	lives = follow_lives(trace, &sum);
	assert_int_equal(kmemtrace_read(trace), 0);
	kmemtrace_relation_close(lives);
	for (space = 0; space < NR_SPACES; space++) {
		assert_int_equal(sum.bytes[0][space], figure_of(trace, space, "bytes"));
		assert_int_equal(sum.live[space], figure_of(trace, space, "live_bytes"));
		assert_int_equal(sum.bytes[1][space],
				 figure_of(trace, space, "begin_bytes"));
	}
	kmemtrace_close(trace);
	return sum;
}

/* The lives add up to the totals, whatever the number of threads. */
static void test_lives(void **state)
{
	static const char * const names[] = { "little", "big" };
	struct lives one, more;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		one = lives_of(names[i], 1);
		more = lives_of(names[i], 5);
		assert_true(one.nr > 5000);
		assert_int_equal(one.early, 0);
		assert_memory_equal(&one, &more, sizeof(one));
	}
}

/**
 * struct followed - what the function below saw
 * @rows: how many rows
 * @bytes: bytes of them
 * @site: identity of the first call site
 * @text: its text
 */
struct followed {
	uint64_t rows, bytes, site;
	char *text;
};

static int follow_life(void *arg, struct kmemtrace_relation *relation)
{
	struct followed *f = arg;
	struct kmemtrace_field value;

	assert_true(kmemtrace_relation_identity(relation, 0, &value));
	assert_null(value.text);
	if (!f->rows++) {
		f->site = value.number;
		assert_true(kmemtrace_relation_value(relation, 0, &value));
		assert_int_equal(value.number, f->site);
		f->text = strdup(value.text);
	}
	assert_true(kmemtrace_relation_value(relation, 1, &value));
	f->bytes += value.number;
	assert_false(kmemtrace_relation_value(relation, 2, &value));
	return 0;
}

/* The reading passes on the rows that meet the conditions. */
static void test_follow(void **state)
{
	struct kmemtrace_query query = {
		.size = sizeof(query), .relation = "lives", .columns = "site,bytes",
		.where = "allocator=slab",
	};
	struct kmemtrace_trace *trace = open_trace("little");
	struct kmemtrace_relation *relation;
	struct followed f = { .rows = 0 };
	char *problem, *text;

	(void)state;
	query.sort = "bytes";
	assert_int_equal(kmemtrace_relation_follow(trace, &query, follow_life, &f, &relation,
						   &problem), -EINVAL);
	assert_string_equal(problem, "lives can't be sorted or limited");
	free(problem);
	query.sort = NULL;
	assert_int_equal(kmemtrace_relation_follow(trace, &query, follow_life, &f, &relation, NULL),
			 0);
	assert_int_equal(kmemtrace_read(trace), 0);
	assert_int_equal(f.bytes, figure_of(trace, KMEMTRACE_SPACE_SLAB, "bytes") +
			 figure_of(trace, KMEMTRACE_SPACE_SLAB, "begin_bytes"));
	text = kmemtrace_relation_text(relation, 0, f.site);
	assert_string_equal(text, f.text);
	free(text);
	free(f.text);
	assert_null(kmemtrace_relation_text(relation, 1, 0));
	kmemtrace_relation_close(relation);

	assert_int_equal(kmemtrace_relation_open(trace, &query, &relation, &problem), -EINVAL);
	assert_string_equal(problem, "lives has rows only while the trace is read");
	free(problem);
	query.relation = "cells";
	assert_int_equal(kmemtrace_relation_open(trace, &query, &relation, &problem), -ENODATA);
	assert_string_equal(problem, "cells has rows only after kmemtrace_set_cells() and kmemtrace_read()");
	free(problem);
	kmemtrace_close(trace);

	trace = open_trace("little");
	query.relation = "sites";
	query.where = NULL;
	assert_int_equal(kmemtrace_relation_follow(trace, &query, follow_life, &f, &relation,
						   &problem), -EINVAL);
	assert_string_equal(problem, "sites has no rows before the trace was read");
	free(problem);
	kmemtrace_close(trace);
}

/* The function ends the reading. */
static void test_lives_stop(void **state)
{
	static const uint64_t limits[] = { 1, 1000 };
	struct kmemtrace_relation *lives;
	struct kmemtrace_trace *trace;
	struct lives sum;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		sum = (struct lives) { .limit = limits[i] };
		trace = open_trace("little");
		lives = follow_lives(trace, &sum);
		assert_int_equal(kmemtrace_read(trace), -ECANCELED);
		assert_int_equal(sum.nr, limits[i]);
		assert_int_equal(kmemtrace_error(trace), -ECANCELED);
		assert_null(kmemtrace_get_summary(trace));
		kmemtrace_relation_close(lives);
		kmemtrace_close(trace);
	}
}

/* ---- before kmemtrace_read() ---- */

static void test_not_read(void **state)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = "totals" };
	struct kmemtrace_relation *rows = (void *)1;
	struct kmemtrace_trace *trace = open_trace("little");
	uint64_t count = 0;

	(void)state;
	assert_null(kmemtrace_get_summary(trace));
	assert_int_equal(kmemtrace_relation_open(trace, &query, &rows, NULL), -ENODATA);
	assert_null(rows);
	assert_int_equal(kmemtrace_each_live(trace, KMEMTRACE_SPACE_SLAB,
					     count_one, &count), -ENODATA);
	assert_int_equal(count, 0);
	kmemtrace_close(trace);
}

static void test_wrong_arguments(void **state)
{
	struct kmemtrace_trace *trace = read_trace("little");

	(void)state;
	assert_int_equal(kmemtrace_set_threads(trace, 17), -EINVAL);
	assert_int_equal(kmemtrace_set_end(trace, 1), -EBUSY);
	assert_int_equal(kmemtrace_each_live(trace, NR_SPACES, count_one, NULL),
			 -EINVAL);
	kmemtrace_close(trace);
}

static void test_metadata(void **state)
{
	struct kmemtrace_trace *trace = open_trace("big");

	(void)state;
	assert_string_equal(kmemtrace_metadata(trace, "byte_order"), "big");
	assert_null(kmemtrace_metadata(trace, "nonesuch"));
	kmemtrace_close(trace);
}

/* ---- records ---- */

static void test_records(void **state)
{
	struct kmemtrace_trace *trace = open_trace("little");
	struct kmemtrace_records *records = open_records(trace);
	uint64_t allocs[NR_SPACES] = { 0 }, bytes[NR_SPACES] = { 0 }, events = 0;
	const struct kmemtrace_record *record;
	int64_t last = INT64_MIN;
	int ret, space;

	(void)state;
	while ((ret = kmemtrace_records_next(records, &record)) > 0) {
		assert_int_equal(record->size, sizeof(*record));
		assert_true(record->time >= last);
		last = record->time;
		events += is_event(record);
		if (record->id != KMEMTRACE_RECORD_ALLOC)
			continue;
		space = record->api <= KMEMTRACE_API_CACHE ? 0 : record->api - 1;
		allocs[space]++;
		bytes[space] += record->bytes_alloc;
	}
	assert_int_equal(ret, 0);
	assert_null(record);
	assert_int_equal(kmemtrace_records_next(records, &record), 0);
	kmemtrace_records_close(records);

	assert_int_equal(kmemtrace_read(trace), 0);
	assert_true(events > 10000);
	assert_int_equal(kmemtrace_get_summary(trace)->events, events);
	assert_int_equal(kmemtrace_get_summary(trace)->last, last);
	for (space = 0; space < NR_SPACES; space++) {
		assert_int_equal(figure_of(trace, space, "allocs"), allocs[space]);
		assert_int_equal(figure_of(trace, space, "bytes"), bytes[space]);
	}
	kmemtrace_close(trace);
}

/* The same trace in the other byte order has the same records. */
static void test_records_of_any_machine(void **state)
{
	struct kmemtrace_trace *traces[2];
	struct kmemtrace_records *records[2];
	const struct kmemtrace_record *a, *b;
	unsigned int caches = 0, i;

	(void)state;
	for (i = 0; i < 2; i++) {
		traces[i] = open_trace(i ? "big" : "little");
		records[i] = open_records(traces[i]);
	}
	while (kmemtrace_records_next(records[0], &a) > 0) {
		assert_int_equal(kmemtrace_records_next(records[1], &b), 1);
		assert_int_equal(a->time, b->time);
		assert_int_equal(a->cpu, b->cpu);
		assert_int_equal(a->id, b->id);
		assert_int_equal(a->bytes_req, b->bytes_req);
		assert_int_equal(a->raw_size, b->raw_size);
		if (a->id != KMEMTRACE_RECORD_CACHE)
			continue;
		assert_string_equal(((struct kmemtrace_cache *)a->raw)->name,
				    ((struct kmemtrace_cache *)b->raw)->name);
		assert_int_equal(((struct kmemtrace_cache *)a->raw)->align,
				 ((struct kmemtrace_cache *)b->raw)->align);
		caches++;
	}
	assert_int_equal(kmemtrace_records_next(records[1], &b), 0);
	assert_true(caches > 0);
	for (i = 0; i < 2; i++) {
		kmemtrace_records_close(records[i]);
		kmemtrace_close(traces[i]);
	}
}

/* Decoded members equal the fields in @raw. */
static void test_raw(void **state)
{
	struct kmemtrace_trace *trace = open_trace("big");
	struct kmemtrace_records *records = open_records(trace);
	const struct kmemtrace_record *record;
	unsigned int with_cache = 0;

	(void)state;
	while (kmemtrace_records_next(records, &record) > 0) {
		const struct kmemtrace_slab_event *slab = record->raw;
		const struct kmemtrace_event *ev = &slab->event;

		assert_int_equal(ev->event_id, record->id);
		assert_int_equal(ev->event_size, record->raw_size);
		if (!is_event(record)) {
			assert_int_equal(record->ptr, 0);
			continue;
		}
		assert_int_equal(ev->type_id, record->api);
		assert_int_equal(ev->node, record->node);
		assert_int_equal(ev->call_site, record->call_site);
		assert_int_equal(ev->ptr, record->ptr);
		assert_int_equal(ev->bytes_req, record->bytes_req);
		assert_int_equal(ev->bytes_alloc, record->bytes_alloc);
		assert_int_equal(ev->gfp_flags, record->gfp_flags);
		if (record->raw_size > sizeof(*ev))
			assert_int_equal(slab->cache, record->cache);
		with_cache += !!record->cache;
	}
	assert_true(with_cache > 0);
	kmemtrace_records_close(records);
	kmemtrace_close(trace);
}

/* As many records, and a ledger of as many events, come before the end. */
static void test_end(void **state)
{
	struct kmemtrace_trace *trace = read_trace("little");
	const struct kmemtrace_summary *all = kmemtrace_get_summary(trace);
	uint64_t half = (uint64_t)(all->last - all->first) / 2;
	int64_t end = all->first + (int64_t)half;
	const struct kmemtrace_record *record;
	struct kmemtrace_records *records;
	uint64_t events = 0, events_of_all = all->events;

	(void)state;
	kmemtrace_close(trace);
	trace = open_trace("little");
	assert_int_equal(kmemtrace_set_end(trace, half), 0);
	records = open_records(trace);
	while (kmemtrace_records_next(records, &record) > 0) {
		assert_true(record->time <= end);
		events += is_event(record);
	}
	assert_int_equal(kmemtrace_records_next(records, &record), 0);
	kmemtrace_records_close(records);
	assert_int_equal(kmemtrace_read(trace), 0);
	assert_int_equal(kmemtrace_get_summary(trace)->events, events);
	assert_true(events > 0 && events < events_of_all);
	kmemtrace_close(trace);
}

/* ---- sums ---- */

/* The sums are those that kmemtrace-report prints. */
static void check_totals(const struct kmemtrace_trace *trace, const char *options,
			 const char *name)
{
	char *command, line[256], expected[256];
	FILE *report;
	int space;

	assert_true(asprintf(&command, "$EMULATOR ../src/kmemtrace-report --csv totals --columns "
			     "allocs,bytes_req,bytes,live,live_bytes,remote_frees %s %s/%s",
			     options, work, name) > 0);
	report = popen(command, "r");
	assert_non_null(report);
	assert_non_null(fgets(line, sizeof(line), report));
	for (space = 0; space < NR_SPACES; space++) {
		snprintf(expected, sizeof(expected), "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			 ",%" PRIu64 ",%" PRIu64 "\n", figure_of(trace, space, "allocs"),
			 figure_of(trace, space, "bytes_req"), figure_of(trace, space, "bytes"),
			 figure_of(trace, space, "live"), figure_of(trace, space, "live_bytes"),
			 figure_of(trace, space, "remote_frees"));
		assert_non_null(fgets(line, sizeof(line), report));
		assert_string_equal(line, expected);
	}
	assert_true(figure_of(trace, KMEMTRACE_SPACE_SLAB, "allocs") > 0);
	assert_int_equal(pclose(report), 0);
	free(command);
}

static void test_totals(void **state)
{
	static const char * const names[] = { "little", "big", "other" };
	struct kmemtrace_trace *trace;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		trace = read_trace(names[i]);
		check_totals(trace, "", names[i]);
		assert_true(figure_of(trace, KMEMTRACE_SPACE_PAGES, "live"));
		assert_null(kmemtrace_doubt(trace, 0));
		kmemtrace_close(trace);
	}
}

/* The rows of a relation are in order, the rest is the last one, and they add up to the total. */
static void check_rows(const struct kmemtrace_trace *trace, const char *relation, int space)
{
	static const char * const columns[] = { "allocs", "bytes_req", "bytes", "frees", "live", "live_bytes" };
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = relation, .sort = "live_bytes",
		.where = where_of(space),
	};
	struct kmemtrace_relation *rows;
	uint64_t last = UINT64_MAX;
	size_t i;

	assert_int_equal(kmemtrace_relation_open(trace, &query, &rows, NULL), 0);
	while (kmemtrace_relation_next(rows) && !kmemtrace_relation_is_rest(rows)) {
		assert_true(number_in(rows, "live_bytes") <= last);
		last = number_in(rows, "live_bytes");
	}
	assert_false(kmemtrace_relation_next(rows));
	kmemtrace_relation_close(rows);
	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		assert_int_equal(sum_of_rows(trace, relation, space, columns[i]),
				 figure_of(trace, space, columns[i]));
}

static void test_rows(void **state)
{
	static const char * const relations[] = { "sites", "functions", "modules", "sizes", "gfp" };
	struct kmemtrace_trace *trace = read_trace("little");
	size_t i;
	int space;

	(void)state;
	for (space = 0; space < NR_SPACES; space++)
		for (i = 0; i < sizeof(relations) / sizeof(*relations); i++)
			check_rows(trace, relations[i], space);
	check_rows(trace, "caches", KMEMTRACE_SPACE_SLAB);
	kmemtrace_close(trace);
}

/* ---- who allocates ---- */

/* Each number of a kind names something. */
static int check_who(void *trace, const struct kmemtrace_kind *kind)
{
	const struct kmemtrace_call_path *path = kmemtrace_get_path(trace, kind->path);

	assert_non_null(path);
	if (!kind->path)
		return 0;
	assert_true(path->number && path->depth && path->depth <= 32);
	assert_int_equal(path->frames[0], kind->call_site);
	return 0;
}

/* The identity of frames is the call path. */
static void check_frames(const struct kmemtrace_trace *trace)
{
	struct kmemtrace_relation *rows = open_rows(trace, "paths", NULL);
	const int frames = kmemtrace_relation_find(rows, "frames");
	const struct kmemtrace_call_path *path;
	struct kmemtrace_field value;
	size_t nr = 0;

	while (kmemtrace_relation_next(rows)) {
		if (!kmemtrace_relation_value(rows, frames, &value))
			continue;
		path = kmemtrace_get_path(trace, value.number);
		assert_non_null(path);
		assert_true(path->depth);
		assert_int_equal(strtoull(value.text, NULL, 16), path->frames[0]);
		nr++;
	}
	assert_true(nr);
	kmemtrace_relation_close(rows);
}

static void test_who(void **state)
{
	static const char * const relations[] = { "paths", "tasks", "processes", "cgroups" };
	struct kmemtrace_trace *trace = open_trace("who");
	size_t i;
	int space;

	(void)state;
	assert_int_equal(kmemtrace_get_with(trace), KMEMTRACE_WITH_STACK |
			 KMEMTRACE_WITH_TASK | KMEMTRACE_WITH_CGROUP);
	assert_int_equal(kmemtrace_read(trace), 0);
	assert_int_equal(kmemtrace_each_kind(trace, check_who, trace), 0);
	assert_int_equal(kmemtrace_get_path(trace, 0)->depth, 0);
	check_frames(trace);
	for (space = 0; space < NR_SPACES; space++)
		for (i = 0; i < sizeof(relations) / sizeof(*relations); i++)
			check_rows(trace, relations[i], space);
	kmemtrace_close(trace);
	trace = read_trace("little");
	assert_int_equal(kmemtrace_get_with(trace), 0);
	assert_null(kmemtrace_get_path(trace, 1));
	kmemtrace_close(trace);
}

/* Return how much of a trace matches a filter. */
static uint64_t allocs_by(enum kmemtrace_filter filter, const char *text)
{
	struct kmemtrace_trace *trace = open_trace("who");
	uint64_t allocs;

	assert_int_equal(kmemtrace_set_filter(trace, filter, text), 0);
	assert_int_equal(kmemtrace_read(trace), 0);
	check_rows(trace, "cgroups", KMEMTRACE_SPACE_SLAB);
	allocs = figure_of(trace, KMEMTRACE_SPACE_SLAB, "allocs");
	kmemtrace_close(trace);
	return allocs;
}

/* A filter selects what the rows of a name have. */
static void check_filter(const struct kmemtrace_trace *all, enum kmemtrace_filter filter,
			 const char *where, const char *relation, const char *name)
{
	struct kmemtrace_relation *rows = open_rows(all, relation, where);
	uint64_t allocs = 0;

	while (kmemtrace_relation_next(rows))
		allocs += number_in(rows, "allocs");
	kmemtrace_relation_close(rows);
	assert_true(allocs > 0);
	assert_int_equal(allocs_by(filter, name), allocs);
}

static void test_filter_who(void **state)
{
	struct kmemtrace_trace *all = read_trace("who");
	const uint64_t allocs = figure_of(all, KMEMTRACE_SPACE_SLAB, "allocs");
	uint64_t nr;

	(void)state;
	assert_int_equal(kmemtrace_set_filter(NULL, KMEMTRACE_FILTER_TASK, ""), -EINVAL);
	assert_int_equal(allocs_by(KMEMTRACE_FILTER_TASK, "*"), allocs);
	assert_int_equal(allocs_by(KMEMTRACE_FILTER_TASK, "nobody"), 0);
	assert_int_equal(allocs_by(KMEMTRACE_FILTER_STACK, "*"), allocs);
	nr = allocs_by(KMEMTRACE_FILTER_STACK, "site_7");
	assert_true(nr > 0 && nr < allocs);
	check_filter(all, KMEMTRACE_FILTER_TASK, "allocator=slab,task=(softirq)", "tasks", "(softirq)");
	check_filter(all, KMEMTRACE_FILTER_CGROUP, "allocator=slab,cgroup=/cgroup2", "cgroups",
		     "/cgroup2");
	kmemtrace_close(all);
}

static void test_filter(void **state)
{
	struct kmemtrace_trace *trace = open_trace("little");
	struct kmemtrace_trace *all = read_trace("little");
	uint64_t count = 0;

	(void)state;
	assert_int_equal(kmemtrace_set_filter(trace, KMEMTRACE_FILTER_SIZE,
					      "nonsense"), -EINVAL);
	assert_int_equal(kmemtrace_set_filter(trace, 100, "1"), -EINVAL);
	assert_int_equal(kmemtrace_set_filter(trace, KMEMTRACE_FILTER_CPU, "1"),
			 0);
	assert_int_equal(kmemtrace_set_filter(trace, KMEMTRACE_FILTER_CPU, NULL),
			 0);
	assert_int_equal(kmemtrace_set_filter(trace, KMEMTRACE_FILTER_SIZE,
					      "64-1K"), 0);
	assert_int_equal(kmemtrace_read(trace), 0);
	assert_int_equal(kmemtrace_set_filter(trace, KMEMTRACE_FILTER_SIZE,
					      NULL), -EBUSY);
	check_totals(trace, "--size 64-1K", "little");
	check_rows(trace, "sites", KMEMTRACE_SPACE_SLAB);
	assert_int_equal(kmemtrace_each_live(trace, KMEMTRACE_SPACE_SLAB,
					     count_one, &count), 0);
	assert_int_equal(figure_of(trace, KMEMTRACE_SPACE_SLAB, "live"), count);
	assert_true(count > 0 && count < figure_of(all, KMEMTRACE_SPACE_SLAB, "live"));
	kmemtrace_close(all);
	kmemtrace_close(trace);
}

static void test_begin(void **state)
{
	struct kmemtrace_trace *trace = open_trace("little");

	(void)state;
	assert_int_equal(kmemtrace_set_begin(trace, 1000000), 0);
	assert_int_equal(kmemtrace_set_end(trace, 3000000), 0);
	assert_int_equal(kmemtrace_read(trace), 0);
	assert_int_equal(kmemtrace_set_begin(trace, 0), -EBUSY);
	check_totals(trace, "--between 0.001,0.003", "little");
	kmemtrace_close(trace);
}

/**
 * struct watch - the argument of a callback that watches the library
 * @stage: the stage to watch
 * @looks: number of calls
 * @bytes: bytes at the last call
 * @stop: end the work
 */
struct watch {
	int stage;
	unsigned int looks;
	uint64_t bytes;
	bool stop;
};

static int look(void *arg, const struct kmemtrace_progress *p)
{
	struct watch *w = arg;

	assert_int_equal(p->size, sizeof(*p));
	if (p->stage != w->stage)
		return 0;
	assert_true(p->bytes >= w->bytes && (!p->total || p->bytes <= p->total));
	w->bytes = p->bytes;
	w->looks++;
	return w->stop;
}

static int open_watched(struct kmemtrace_trace **trace, struct watch *w)
{
	const struct kmemtrace_options options = {
		.size = sizeof(options), .watch = look, .arg = w,
	};
	char *path = path_of("little");
	int ret = kmemtrace_open(trace, path, &options);

	free(path);
	return ret;
}

static void test_watch(void **state)
{
	struct watch whole = { .stage = KMEMTRACE_READING };
	struct watch first = { .stage = KMEMTRACE_READING, .stop = true };
	struct kmemtrace_trace *all, *part;

	(void)state;
	assert_int_equal(open_watched(&all, &whole), 0);
	assert_int_equal(kmemtrace_read(all), 0);
	assert_true(whole.looks > 1);
	assert_null(kmemtrace_doubt(all, 0));
	assert_false(kmemtrace_get_summary(all)->is_stopped);

	assert_int_equal(open_watched(&part, &first), 0);
	assert_int_equal(kmemtrace_read(part), 0);
	assert_true(first.looks > 0);
	assert_non_null(kmemtrace_doubt(part, 0));
	assert_true(kmemtrace_get_summary(part)->is_stopped);
	assert_true(kmemtrace_get_summary(part)->events <
		    kmemtrace_get_summary(all)->events);
	kmemtrace_close(all);
	kmemtrace_close(part);
}

/* Options without a size are a mistake of the program. */
static void test_options_without_size(void **state)
{
	const struct kmemtrace_options options = { .name = "nameless" };
	struct kmemtrace_stream *stream;
	struct kmemtrace_trace *trace;

	(void)state;
	assert_int_equal(kmemtrace_open(&trace, "/", &options), -EINVAL);
	assert_null(trace);
	assert_int_equal(kmemtrace_open_fd(&trace, -1, &options), -EINVAL);
	assert_int_equal(kmemtrace_open_stream(&trace, stdin, &options), -EINVAL);
	assert_int_equal(kmemtrace_stream_open_file(&stream, "/", &options), -EINVAL);
	assert_null(stream);
}

/* If opening is stopped, there is no trace. */
static void test_stop_opening(void **state)
{
	struct watch w = { .stage = KMEMTRACE_OPENING, .stop = true };
	struct kmemtrace_trace *trace;
	int ret;

	(void)state;
	ret = open_watched(&trace, &w);
	if (!ret) {
		ret = kmemtrace_read(trace);
		assert_int_equal(kmemtrace_error(trace), ret);
		assert_int_equal(kmemtrace_read(trace), ret);
		assert_null(kmemtrace_get_summary(trace));
	}
	assert_int_equal(ret, -EINTR);
	assert_int_equal(w.looks, 1);
	kmemtrace_close(trace);
}

/* The argument of walk_on(): the sum of the objects so far, and the last address. */
struct walk {
	uint64_t live, live_bytes_req, live_bytes;
	uint64_t last;
	uint64_t older;
	uint64_t stop_at;
};

static int walk_on(void *arg, const struct kmemtrace_object *object)
{
	struct walk *w = arg;

	assert_int_equal(object->size, sizeof(*object));
	assert_true(object->ptr > w->last);
	w->last = object->ptr + object->bytes_alloc - 1;
	w->older += !object->call_site;
	w->live += object->pages ? object->pages : 1;
	w->live_bytes_req += object->bytes_req;
	w->live_bytes += object->bytes_alloc;
	return w->live == w->stop_at ? 42 : 0;
}

static void test_live(void **state)
{
	struct kmemtrace_trace *trace = read_trace("little");
	uint64_t older = 0;
	int space;

	(void)state;
	for (space = 0; space < NR_SPACES; space++) {
		struct walk w = { .last = 0 };

		assert_int_equal(kmemtrace_each_live(trace, space, walk_on, &w),
				 0);
		assert_int_equal(w.live, figure_of(trace, space, "live"));
		assert_int_equal(w.live_bytes_req, figure_of(trace, space, "live_bytes_req"));
		assert_int_equal(w.live_bytes, figure_of(trace, space, "live_bytes"));
		older += w.older;
	}
	assert_true(older > 0);
	kmemtrace_close(trace);
}

static void test_live_stops(void **state)
{
	struct kmemtrace_trace *trace = read_trace("other");
	struct walk w = { .stop_at = 3 };

	(void)state;
	assert_int_equal(kmemtrace_each_live(trace, KMEMTRACE_SPACE_SLAB,
					     walk_on, &w), 42);
	assert_int_equal(w.live, 3);
	kmemtrace_close(trace);
}

static void test_doubt(void **state)
{
	struct kmemtrace_trace *trace = read_trace("cut");

	(void)state;
	assert_non_null(strstr(kmemtrace_doubt(trace, 0), "cpu1.out"));
	kmemtrace_close(trace);
}

/* ---- names ---- */

static void test_names(void **state)
{
	struct kmemtrace_trace *trace = read_trace("little");
	struct kmemtrace_relation *rows = open_rows(trace, "sites", "allocator=pages");
	const char *name, *module;
	struct kmemtrace_field site;
	char expected[64];
	uint64_t offset;

	(void)state;
	assert_true(kmemtrace_relation_next(rows));
	name = kmemtrace_symbol(trace, number_in(rows, "address"), &offset, &module);
	assert_non_null(name);
	snprintf(expected, sizeof(expected), "%s+%#" PRIx64 "%s%s%s", name,
		 offset, module ? " [" : "", module ? module : "",
		 module ? "]" : "");
	kmemtrace_relation_value(rows, kmemtrace_relation_find(rows, "site"), &site);
	assert_string_equal(site.text, expected);
	kmemtrace_relation_close(rows);
	assert_null(kmemtrace_symbol(trace, 42, NULL, NULL));
	kmemtrace_close(trace);
}

/* ---- several traces at once ---- */

static void *read_one(void *name)
{
	struct kmemtrace_trace *trace = read_trace(name);
	uint64_t *live = malloc(sizeof(*live));

	assert_non_null(live);
	*live = figure_of(trace, KMEMTRACE_SPACE_SLAB, "live");
	check_rows(trace, "sites", KMEMTRACE_SPACE_SLAB);
	kmemtrace_close(trace);
	return live;
}

static void test_two_traces(void **state)
{
	struct kmemtrace_trace *a = read_trace("little");
	struct kmemtrace_trace *b = read_trace("other");
	pthread_t threads[2];
	void *live[2];

	(void)state;
	assert_int_equal(pthread_create(&threads[0], NULL, read_one, "little"), 0);
	assert_int_equal(pthread_create(&threads[1], NULL, read_one, "other"), 0);
	assert_int_equal(pthread_join(threads[0], &live[0]), 0);
	assert_int_equal(pthread_join(threads[1], &live[1]), 0);
	assert_int_equal(figure_of(a, KMEMTRACE_SPACE_SLAB, "live"), *(uint64_t *)live[0]);
	assert_int_equal(figure_of(b, KMEMTRACE_SPACE_SLAB, "live"), *(uint64_t *)live[1]);
	assert_int_not_equal(*(uint64_t *)live[0], *(uint64_t *)live[1]);
	free(live[0]);
	free(live[1]);
	kmemtrace_close(a);
	kmemtrace_close(b);
}

static void test_two_places(void **state)
{
	struct kmemtrace_trace *trace = open_trace("other");
	struct kmemtrace_records *first = open_records(trace), *second;
	const struct kmemtrace_record *record;
	int64_t time;

	(void)state;
	assert_int_equal(kmemtrace_records_next(first, &record), 1);
	time = record->time;
	while (kmemtrace_records_next(first, &record) > 0)
		;
	second = open_records(trace);
	assert_int_equal(kmemtrace_records_next(second, &record), 1);
	assert_int_equal(record->time, time);
	kmemtrace_records_close(first);
	kmemtrace_records_close(second);
	kmemtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_trace),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_options_of_old_program),
		cmocka_unit_test(test_open_fd),
		cmocka_unit_test(test_open_stream),
		cmocka_unit_test(test_not_read),
		cmocka_unit_test(test_wrong_arguments),
		cmocka_unit_test(test_metadata),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_records_of_any_machine),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_filter_who),
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_stop_opening),
		cmocka_unit_test(test_options_without_size),
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_live_stops),
		cmocka_unit_test(test_lives),
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_lives_stop),
		cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_two_traces),
		cmocka_unit_test(test_two_places),
	};

	return cmocka_run_group_tests(tests, make_traces, remove_traces);
}
