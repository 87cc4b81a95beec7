// SPDX-License-Identifier: GPL-2.0
/*
 * Does each record of a trace keep the rules of the ABI?
 *
 * Looks at every stream on its own; what several records say of one object is
 * the ledger's business.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "check.h"
#include "event.h"
#include "reader.h"
#include "tracedir.h"

/* Bytes to read at a time. */
#define BUF_SIZE	(256 * 1024)
/* How often one rule is reported for one file before it is only counted. */
#define MAX_REPEAT	5
/* The largest MAX_NUMNODES of any architecture: 1 << NODES_SHIFT. */
#define MAX_NODES	1024

enum rule {
	RULE_EVENT_ID,
	RULE_TYPE_ID,
	RULE_EVENT_SIZE,
	RULE_NODE,
	RULE_CALL_SITE,
	RULE_PTR,
	RULE_BYTES_REQ,
	RULE_BYTES_ALLOC,
	RULE_GFP_FLAGS,
	RULE_TIMESTAMP,
	RULE_TAIL,
	RULE_FILE_SIZE,
	NR_RULES
};

static const char * const rule_names[NR_RULES] = {
	[RULE_EVENT_ID] = "event_id",
	[RULE_TYPE_ID] = "type_id",
	[RULE_EVENT_SIZE] = "event_size",
	[RULE_NODE] = "node",
	[RULE_CALL_SITE] = "call_site",
	[RULE_PTR] = "ptr",
	[RULE_BYTES_REQ] = "bytes_req",
	[RULE_BYTES_ALLOC] = "bytes_alloc",
	[RULE_GFP_FLAGS] = "gfp_flags",
	[RULE_TIMESTAMP] = "timestamp",
	[RULE_TAIL] = "tail",
	[RULE_FILE_SIZE] = "file_size",
};

/**
 * struct check - the state of one stream's check
 * @r: the stream
 * @dir: what is known of the trace, or NULL for a lone file
 * @records: seen
 * @found: findings by rule
 * @last: time of the record before
 */
struct check {
	struct reader *r;
	const struct tracedir *dir;
	uint64_t records;
	uint64_t found[NR_RULES];
	int64_t last;
};

__attribute__((format(printf, 3, 4)))
static void finding(struct check *c, enum rule rule, const char *fmt, ...)
{
	va_list ap;

	if (c->found[rule]++ >= MAX_REPEAT)
		return;
	printf("%s: offset %" PRIu64 ": %s: ", c->r->path, c->r->offset,
	       rule_names[rule]);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static uint64_t page_size(const struct check *c)
{
	return c->dir ? c->dir->page_size : 4096;
}

static void check_size(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->event_size != EVENT_MIN_SIZE)
		finding(c, RULE_EVENT_SIZE, "%u, expected %zu in ABI version 1",
			ev->event_size, EVENT_MIN_SIZE);
}

static void check_pointers(struct check *c, const struct kmemtrace_event *ev)
{
	bool narrow = c->dir && c->dir->word_bits == 32;

	if (!ev->call_site)
		finding(c, RULE_CALL_SITE, "NULL, expected a return address");
	if (narrow && ev->call_site > UINT32_MAX)
		finding(c, RULE_CALL_SITE,
			"%#" PRIx64 ", expected an address of 32 bits",
			(uint64_t)ev->call_site);

	if (!ev->ptr)
		finding(c, RULE_PTR, "NULL, expected an address");
	/* With PAE, a page of high memory is known by its physical address. */
	if (narrow && ev->ptr > UINT32_MAX &&
	    ev->type_id != KMEMTRACE_TYPE_PAGES)
		finding(c, RULE_PTR,
			"%#" PRIx64 ", expected an address of 32 bits",
			(uint64_t)ev->ptr);
	if (ev->type_id == KMEMTRACE_TYPE_PAGES && ev->ptr % page_size(c))
		finding(c, RULE_PTR, "%#" PRIx64 ", expected the start of a page of %" PRIu64 " bytes",
			(uint64_t)ev->ptr, page_size(c));
}

/* Pages come as a power of two of them. */
static void check_pages(struct check *c, const struct kmemtrace_event *ev)
{
	uint64_t bytes = ev->bytes_alloc;

	if (bytes < page_size(c) || bytes & (bytes - 1))
		finding(c, RULE_BYTES_ALLOC, "%" PRIu64 ", expected pages of %" PRIu64 " bytes, a power of two of them",
			bytes, page_size(c));
}

static void check_alloc(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->node < -1 || ev->node >= MAX_NODES)
		finding(c, RULE_NODE, "%d, expected -1 to %d", ev->node,
			MAX_NODES - 1);
	if (!ev->bytes_req)
		finding(c, RULE_BYTES_REQ, "0, expected what was asked for");
	if (ev->bytes_alloc < ev->bytes_req)
		finding(c, RULE_BYTES_ALLOC, "%" PRIu64 ", expected no less than the %" PRIu64 " asked for",
			(uint64_t)ev->bytes_alloc, (uint64_t)ev->bytes_req);
	else if (ev->type_id == KMEMTRACE_TYPE_PAGES)
		check_pages(c, ev);
	if (ev->gfp_flags > UINT32_MAX)
		finding(c, RULE_GFP_FLAGS, "%#" PRIx64 ", expected 32 bits",
			(uint64_t)ev->gfp_flags);
}

static void check_free(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->node != -1)
		finding(c, RULE_NODE, "%d of a free, expected -1", ev->node);
	if (ev->bytes_req)
		finding(c, RULE_BYTES_REQ, "%" PRIu64 " of a free, expected 0",
			(uint64_t)ev->bytes_req);
	if (ev->type_id == KMEMTRACE_TYPE_PAGES)
		check_pages(c, ev);
	else if (ev->bytes_alloc)
		finding(c, RULE_BYTES_ALLOC, "%" PRIu64 " of a free, expected 0",
			(uint64_t)ev->bytes_alloc);
	if (ev->gfp_flags)
		finding(c, RULE_GFP_FLAGS, "%#" PRIx64 " of a free, expected 0",
			(uint64_t)ev->gfp_flags);
}

static void check_time(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->timestamp < 0)
		finding(c, RULE_TIMESTAMP, "%" PRId64 ", expected no less than 0",
			(int64_t)ev->timestamp);
	else if (ev->timestamp < c->last)
		finding(c, RULE_TIMESTAMP, "%" PRId64 ", expected no less than the %" PRId64 " before it",
			(int64_t)ev->timestamp, c->last);
	c->last = ev->timestamp;
}

static void check_record(struct check *c, const struct kmemtrace_event *ev)
{
	c->records++;
	check_size(c, ev);
	if (ev->type_id > KMEMTRACE_TYPE_PAGES)
		finding(c, RULE_TYPE_ID, "%u, expected 0 to %d", ev->type_id,
			KMEMTRACE_TYPE_PAGES);
	check_pointers(c, ev);
	if (ev->event_id == KMEMTRACE_EVENT_ALLOC)
		check_alloc(c, ev);
	else if (ev->event_id == KMEMTRACE_EVENT_FREE)
		check_free(c, ev);
	else
		finding(c, RULE_EVENT_ID, "%u, expected %d (alloc) or %d (free)",
			ev->event_id, KMEMTRACE_EVENT_ALLOC,
			KMEMTRACE_EVENT_FREE);
	check_time(c, ev);
}

/* ABI version 1 has none. */
static void check_pad(struct check *c)
{
	c->records++;
	finding(c, RULE_EVENT_ID, "%d, expected %d (alloc) or %d (free)",
		KMEMTRACE_EVENT_PAD, KMEMTRACE_EVENT_ALLOC,
		KMEMTRACE_EVENT_FREE);
}

/* kmemtraced says how much it saved; older ones did not. */
static void check_file_size(struct check *c)
{
	uint64_t saved;

	if (c->dir && tracedir_meta_cpu(c->dir, "bytes.cpu", c->r->cpu,
					&saved) && c->r->file_size != saved)
		finding(c, RULE_FILE_SIZE, "%" PRIu64 " bytes, expected the %" PRIu64 " that were saved",
			c->r->file_size, saved);
}

static void check_end(struct check *c)
{
	uint64_t left = c->r->file_size - c->r->offset;

	if (c->r->fault == READER_TRUNCATED)
		finding(c, RULE_TAIL, "%" PRIu64 " bytes left, fewer than a record has",
			left);
	else if (c->r->fault == READER_BAD_SIZE)
		finding(c, RULE_EVENT_SIZE, "out of %zu to %d: the %" PRIu64 " bytes from here on can't be read",
			EVENT_MIN_SIZE, EVENT_MAX_SIZE, left);
	check_file_size(c);
}

static enum verdict summary(const struct check *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_RULES; i++) {
		sum += c->found[i];
		if (c->found[i] > MAX_REPEAT)
			printf("%s: %s: %" PRIu64 " more findings\n",
			       c->r->path, rule_names[i],
			       c->found[i] - MAX_REPEAT);
	}
	printf("%s: %" PRIu64 " records, ", c->r->path, c->records);
	if (!sum) {
		puts("clean");
		return CLEAN;
	}
	printf("%" PRIu64 " findings\n", sum);
	return FINDINGS;
}

static enum verdict check_stream(const char *path, unsigned int cpu,
				 const struct tracedir *dir)
{
	struct check c = { .dir = dir, .last = INT64_MIN };
	struct reader r;
	int ret;

	c.r = &r;
	ret = reader_open(&r, path, cpu, dir ? dir->order : ORDER_UNKNOWN,
			  BUF_SIZE);
	while (!ret && (ret = reader_next_any(&r)) > 0) {
		if (r.rec.ev)
			check_record(&c, r.rec.ev);
		else
			check_pad(&c);
		ret = 0;
	}
	if (!ret)
		check_end(&c);
	if (!ret)
		ret = summary(&c);
	else
		ret = UNUSABLE;
	reader_close(&r);
	return ret;
}

/* The worse of two. */
enum verdict worse(enum verdict a, enum verdict b)
{
	return a > b ? a : b;
}

static enum verdict check_streams(const struct tracedir *dir)
{
	enum verdict verdict = CLEAN;
	size_t i;

	if (dir->abi_version > KMEMTRACE_ABI_VERSION) {
		warnx("%s: ABI version %u: this program knows %d", dir->path,
		      dir->abi_version, KMEMTRACE_ABI_VERSION);
		return UNUSABLE;
	}
	for (i = 0; i < dir->nr_cpus; i++) {
		const struct trace_cpu *c = &dir->cpus[i];

		if (c->path) {
			verdict = worse(verdict, check_stream(c->path, c->cpu,
							      dir));
			continue;
		}
		warnx("%s: cpu%u.out is missing: the metadata has this CPU",
		      dir->path, c->cpu);
		verdict = UNUSABLE;
	}
	return verdict;
}

static enum verdict check_dir(const char *path)
{
	enum verdict verdict = UNUSABLE;
	struct tracedir dir;

	if (!tracedir_open(&dir, path))
		verdict = check_streams(&dir);
	tracedir_close(&dir);
	return verdict;
}

/**
 * check_path - check a stream, or all streams of a trace directory
 * @path: file or directory
 *
 * Prints findings and a line for each stream to the standard output.
 *
 * Return: the worst verdict on any of them.
 */
enum verdict check_path(const char *path)
{
	unsigned int cpu = 0;
	struct stat st;

	if (stat(path, &st) < 0) {
		warn("%s", path);
		return UNUSABLE;
	}
	if (S_ISDIR(st.st_mode))
		return check_dir(path);
	tracedir_cpu_of(path, &cpu);
	return check_stream(path, cpu, NULL);
}
