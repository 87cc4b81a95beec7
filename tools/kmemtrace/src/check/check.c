// SPDX-License-Identifier: GPL-2.0
/*
 * Check each record of a trace against the rules of the ABI.
 *
 * Checks every stream on its own, but for the numbers that all of them share.
 * kmemtrace-report compares the records of one object.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check-rules.h"
#include "check/check.h"
#include "common/abi.h"
#include "common/booksfile.h"
#include "common/counters.h"
#include "common/names.h"
#include "common/number.h"
#include "common/unseen.h"
#include "common/with.h"

static void check_fault(struct check *c, const struct kmemtrace_stream_state *s)
{
	uint64_t left = s->bytes - s->offset;

	if (s->fault == KMEMTRACE_FAULT_TRUNCATED)
		finding(c, "tail", "%" PRIu64 " bytes left, fewer than a record has",
			left);
	else if (s->fault == KMEMTRACE_FAULT_SIZE)
		finding(c, "event_size", "not from %zu to %d: the %" PRIu64 " bytes from here on can't be read",
			EVENT_MIN_SIZE, EVENT_MAX_SIZE, left);
	else if (s->fault == KMEMTRACE_FAULT_CUT)
		finding(c, "frame", "cut short: no whole frame from byte %" PRIu64 " of the file on, and no seek table",
			s->fault_offset);
	else if (s->fault == KMEMTRACE_FAULT_DAMAGED)
		finding(c, "frame", "the frame at byte %" PRIu64 " of the file is damaged, the rest can't be read",
			s->fault_offset);
}

/* Check how the stream ended. */
static void check_end(struct check *c, const struct kmemtrace_stream_state *s)
{
	c->offset = s->offset;
	check_fault(c, s);
	if (s->bytes != s->saved)
		finding(c, "file_size", "%" PRIu64 " bytes, expected the %" PRIu64 " that were saved",
			s->bytes, s->saved);
}

static enum verdict summary(const struct check *c)
{
	uint64_t findings = check_summary(c);

	printf("%s: %s, ", c->name, COUNT(c->records, "record", "records"));
	if (c->lost)
		printf("%s lost, ", NUMBER(c->lost));
	if (!findings) {
		puts("clean");
		return CLEAN;
	}
	printf("%s\n", COUNT(findings, "finding", "findings"));
	return FINDINGS;
}

/**
 * struct shared - what the streams of a trace share
 * @trace: the trace; NULL: there is none
 * @unseen: what its source can't see
 * @numbers: the numbers of call paths and cgroups
 * @lost: records that are missing in streams
 */
struct shared {
	struct kmemtrace_trace *trace;
	uint32_t unseen;
	struct numbers numbers;
	uint64_t lost;
};

/* Check a stream and close it. */
static enum verdict check_stream(struct kmemtrace_stream *stream, struct shared *shared)
{
	const struct kmemtrace_trace *trace = shared->trace;
	const struct kmemtrace_stream_state *s = kmemtrace_stream_get_state(stream);
	struct check c = {
		.name = s->name, .cpu = s->cpu, .clock = -1, .last = INT64_MIN,
		.machine = trace ? kmemtrace_get_machine(trace) : NULL,
		.unseen = shared->unseen,
		.with = trace ? with_bits(kmemtrace_metadata(trace, "with")) : 0,
		.numbers = &shared->numbers,
		.is_books = name_is_books(s->name),
	};
	enum verdict verdict = UNUSABLE;
	const struct kmemtrace_record *rec;
	int ret;

	c.abi = c.machine ? c.machine->abi : 0;
	if (s->problem)
		finding(&c, "stream", "%s", s->problem);
	while ((ret = kmemtrace_stream_next(stream, &rec)) > 0) {
		c.offset = rec->offset;
		if (rec->id == KMEMTRACE_RECORD_PAD)
			check_pad(&c, rec);
		else
			check_record(&c, rec);
	}
	if (!ret) {
		check_end(&c, kmemtrace_stream_get_state(stream));
		verdict = summary(&c);
	}
	shared->lost += c.lost;
	kmemtrace_stream_close(stream);
	return verdict;
}

/* Return the worse of two verdicts. */
enum verdict worse(enum verdict a, enum verdict b)
{
	return a > b ? a : b;
}

/* Check the counters of a trace, if it has any. */
static enum verdict check_counters(struct kmemtrace_trace *trace)
{
	const struct kmemtrace_query query = {
		.size = sizeof(query), .relation = "readings", .columns = "readings,problem",
	};
	const char *name = kmemtrace_get_machine(trace)->name;
	struct kmemtrace_relation *relation;
	struct kmemtrace_field readings, problem;
	enum verdict verdict = UNUSABLE;
	int ret = kmemtrace_read_counters(trace);

	if (!ret)
		ret = kmemtrace_relation_open(trace, &query, &relation, NULL);
	if (ret)
		return ret == -ENOENT ? CLEAN : UNUSABLE;
	kmemtrace_relation_next(relation);
	kmemtrace_relation_value(relation, 0, &readings);
	kmemtrace_relation_value(relation, 1, &problem);
	if (problem.text) {
		verdict = *problem.text ? FINDINGS : CLEAN;
		if (verdict)
			printf("%s/" COUNTERS_FILE ": %s\n", name, problem.text);
		printf("%s/" COUNTERS_FILE ": %s, %s\n", name,
		       COUNT(readings.number, "reading", "readings"),
		       verdict ? "1 finding" : "clean");
	}
	kmemtrace_relation_close(relation);
	return verdict;
}

static enum verdict check_stream_of_cpu(struct shared *shared, size_t i)
{
	struct kmemtrace_trace *trace = shared->trace;
	struct kmemtrace_stream *stream;
	char name[NAME_MAX_STREAM];
	int ret = kmemtrace_stream_open(&stream, trace, i);

	if (ret == -ENOENT) {
		name_saved_stream(name, kmemtrace_stream_cpu(trace, i),
				  kmemtrace_metadata(trace, "compression"));
		warnx("%s: %s is missing: the metadata has this CPU",
		      kmemtrace_get_machine(trace)->name, name);
		return UNUSABLE;
	}
	return ret ? UNUSABLE : check_stream(stream, shared);
}

/* Check all streams of a trace, and its counters. */
static enum verdict check_streams(struct shared *shared)
{
	const struct kmemtrace_machine *m = kmemtrace_get_machine(shared->trace);
	enum verdict verdict = m->is_cut ? FINDINGS : CLEAN;
	size_t i;

	if (m->lacks) {
		printf("%s: missing: %s, saved with the trace\n", m->name, m->lacks);
		verdict = FINDINGS;
	}
	if (m->abi > KMEMTRACE_ABI_VERSION) {
		warnx("%s: ABI version %u: this program knows %d", m->name, m->abi,
		      KMEMTRACE_ABI_VERSION);
		return UNUSABLE;
	}
	shared->unseen = unseen_bits(kmemtrace_metadata(shared->trace, "unseen"));
	for (i = 0; i < m->nr_cpus; i++)
		verdict = worse(verdict, check_stream_of_cpu(shared, i));
	return worse(verdict, check_counters(shared->trace));
}

/* Check the books of the trace before, if the directory has them. */
static enum verdict check_books(struct shared *shared, const char *path)
{
	struct kmemtrace_stream *stream;
	enum verdict verdict = UNUSABLE;
	char *file;

	if (asprintf(&file, "%s/" BOOKS_FILE, path) < 0)
		return UNUSABLE;
	shared->unseen = 0;
	if (access(file, F_OK))
		verdict = CLEAN;
	else if (!kmemtrace_stream_open_file(&stream, file, NULL))
		verdict = check_stream(stream, shared);
	free(file);
	return verdict;
}

/* Check that records name all numbers. They may be among those that are lost. */
static enum verdict check_numbers(struct shared *shared)
{
	static const struct {
		const char *rule, *one, *many;
	} texts[NR_NUMBERS_OF] = {
		[NUMBER_OF_STACK] = {
			"stack", "call path of events has", "call paths of events have",
		},
		[NUMBER_OF_CGROUP] = {
			"cgroup", "cgroup of charges has", "cgroups of charges have",
		},
	};
	const struct numbers *n = &shared->numbers;
	enum verdict verdict = CLEAN;
	int i;

	numbers_end(&shared->numbers);
	for (i = 0; i < NR_NUMBERS_OF; i++) {
		if (!n->nr_unnamed[i] || shared->lost)
			continue;
		printf("%s: %s: %s no record, such as %" PRIu64 "\n",
		       kmemtrace_get_machine(shared->trace)->name, texts[i].rule,
		       COUNT(n->nr_unnamed[i], texts[i].one, texts[i].many), n->unnamed[i]);
		verdict = FINDINGS;
	}
	return verdict;
}

/**
 * check_trace - check all streams of a trace, and its counters
 * @trace: the trace
 * @path: its directory; NULL: it has none
 *
 * Prints findings and a line for each file to the standard output.
 *
 * Return: the worst verdict on any of them.
 */
enum verdict check_trace(struct kmemtrace_trace *trace, const char *path)
{
	struct shared shared = { .trace = trace };
	enum verdict verdict = check_streams(&shared);

	if (path)
		verdict = worse(verdict, check_books(&shared, path));
	verdict = worse(verdict, check_numbers(&shared));
	numbers_free(&shared.numbers);
	return verdict;
}

static enum verdict check_dir(const char *path)
{
	struct kmemtrace_trace *trace;
	enum verdict verdict = UNUSABLE;

	if (!kmemtrace_open(&trace, path, NULL))
		verdict = check_trace(trace, path);
	kmemtrace_close(trace);
	return verdict;
}

static enum verdict check_file(const char *path)
{
	struct shared shared = { .trace = NULL };
	struct kmemtrace_stream *stream;
	enum verdict verdict;

	if (kmemtrace_stream_open_file(&stream, path, NULL))
		return UNUSABLE;
	verdict = check_stream(stream, &shared);
	numbers_free(&shared.numbers);
	return verdict;
}

/**
 * check_path - check a stream, or all streams of a trace directory
 * @path: file or directory
 *
 * Prints as check_trace().
 *
 * Return: the worst verdict on any of them.
 */
enum verdict check_path(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		warn("%s", path);
		return UNUSABLE;
	}
	return S_ISDIR(st.st_mode) ? check_dir(path) : check_file(path);
}
