// SPDX-License-Identifier: GPL-2.0
/*
 * A trace as an array of steps, and the sums of the ledger after them.
 */
#include "test.h"

#include <inttypes.h>

#include "api/api-lists.h"
#include "api/api.h"
#include "api/handle.h"
#include "ledger/intake.h"
#include "ledger/pipeline.h"
#include "ledger/shard.h"
#include "ledger-steps.h"
#include "read/reader.h"
#include "test-files.h"

#define NR_READERS	2

#define MAX_TAIL	40
#define MAX_RECORD	(sizeof(struct kmemtrace_event) + 8 * MAX_TAIL)

/* Encode a step as a record. Return its bytes. */
static size_t encode_step(const struct step *s, unsigned char *rec)
{
	size_t i, tail = s->name ? 8 + sizeof(uint64_t[2]) : s->word ? 8 : 8 * s->nr_tail;
	struct kmemtrace_event ev = {
		.event_id = s->event,
		.type_id = s->type,
		.event_size = sizeof(ev) + tail,
		.node = s->node,
		.call_site = s->site,
		.ptr = s->ptr,
		.bytes_req = s->req,
		.bytes_alloc = s->alloc,
		.gfp_flags = s->gfp,
		.timestamp = s->time,
	};

	memset(rec, 0, MAX_RECORD);
	event_encode(&ev, ORDER_BIG, rec);
	event_encode_word(s->word, ORDER_BIG, rec + sizeof(ev));
	assert_true(s->nr_tail <= MAX_TAIL);
	for (i = 0; i < s->nr_tail; i++)
		event_encode_word(s->tail[i], ORDER_BIG, rec + sizeof(ev) + 8 * i);
	if (s->name)
		memcpy(rec + sizeof(ev) + 8, s->name, strlen(s->name));
	return ev.event_size;
}

/* Open the steps of one CPU as its stream. */
static void open_cpu(struct reader *r, unsigned int cpu,
		     const struct step *steps, size_t nr)
{
	unsigned char *data = malloc((nr + 1) * MAX_RECORD);
	size_t i, len = 0;
	char *name;

	assert_non_null(data);
	for (i = 0; i < nr; i++)
		if (steps[i].cpu == cpu)
			len += encode_step(&steps[i], data + len);
	name = test_file(data, len);
	assert_int_equal(reader_open(r, &test_ctx, test_files(), name, cpu, ORDER_BIG, 65536), 0);
	test_file_remove(name);
	free(data);
}

static void ignore(void *arg, const struct reader *r)
{
	(void)arg;
	(void)r;
}

/* Merge the steps of all CPUs up to a time into a ledger that was initialized. */
void go_on_until(struct ledger *l, const struct step *steps, size_t nr,
			int64_t until)
{
	const struct pipeline_user user = { .each = ignore };
	struct reader readers[NR_READERS];
	struct merge m;
	unsigned int i;

	for (i = 0; i < NR_READERS; i++)
		open_cpu(&readers[i], i, steps, nr);
	l->patient = true;
	assert_int_equal(merge_init(&m, &test_ctx, readers, NR_READERS), 0);
	assert_int_equal(pipeline_run(l, &m, until, &user), 0);
	merge_free(&m);
	for (i = 0; i < NR_READERS; i++)
		reader_close(&readers[i]);
}

/* Merge all steps into a ledger that was initialized. */
void go_on(struct ledger *l, const struct step *steps, size_t nr)
{
	go_on_until(l, steps, nr, INT64_MAX);
}

/* Initialize a ledger and merge all steps into it. */
void run(struct ledger *l, const struct step *steps, size_t nr)
{
	assert_int_equal(ledger_init(l, &test_ctx, PAGE, 2), 0);
	go_on(l, steps, nr);
}

/* Return a trace that has the ledger, to open its relations. It is valid until the next call. */
const struct kmemtrace_trace *trace_of(const struct ledger *l)
{
	static struct kmemtrace_trace trace;

	api_free_lists(&trace);
	reasons_free(&trace.doubts);
	memset(&trace, 0, sizeof(trace));
	trace.t.ledger = *l;
	trace.t.dir.page_size = l->page_size;
	assert_int_equal(api_sum_up(&trace), 0);
	trace.is_read = true;
	return &trace;
}

/* Return a figure of the allocations at a call site. */
uint64_t figure_at_site(const struct ledger *l, enum space space, uint64_t addr,
			const char *column)
{
	return sum_where(trace_of(l), "sites", column, "%s,address=%" PRIu64, where_of(space),
			 addr);
}

/* Return a figure of the allocations that got so many bytes each. */
uint64_t figure_of_size(const struct ledger *l, enum space space, uint64_t bytes,
			const char *column)
{
	return sum_where(trace_of(l), "sizes", column, "%s,size=%" PRIu64, where_of(space),
			 bytes);
}

/* Return a number of a relation that has one row. */
uint64_t value_in(const struct ledger *l, const char *relation, const char *column)
{
	struct kmemtrace_relation *rows = open_rows(trace_of(l), relation, NULL);
	uint64_t value;

	assert_int_equal(kmemtrace_relation_rows(rows), 1);
	assert_true(kmemtrace_relation_next(rows));
	assert_true(has_in(rows, column));
	value = number_in(rows, column);
	kmemtrace_relation_close(rows);
	return value;
}

/* Return the live bytes, which are the same by call site and by size. */
uint64_t live_bytes(const struct ledger *l, enum space space)
{
	const struct kmemtrace_trace *trace = trace_of(l);
	const uint64_t bytes = figure_of(trace, space, "live_bytes");

	assert_int_equal(sum_of_rows(trace, "sites", space, "live_bytes"), bytes);
	assert_int_equal(sum_of_rows(trace, "sizes", space, "live_bytes"), bytes);
	return bytes;
}

/* Assert when most bytes were live, and how many, which the timeline has, too. */
void assert_peak(const struct ledger *l, enum space space, int64_t time, uint64_t bytes)
{
	struct kmemtrace_relation *steps = open_rows(trace_of(l), "timeline", where_of(space));
	uint64_t most = 0;

	while (kmemtrace_relation_next(steps))
		if (number_in(steps, "most_bytes") > most)
			most = number_in(steps, "most_bytes");
	kmemtrace_relation_close(steps);
	assert_int_equal(most, bytes);
	assert_int_equal(figure_of(trace_of(l), space, "peak_bytes"), bytes);
	assert_int_equal(figure_of(trace_of(l), space, "peak_ns"), time);
}

/* Return the number of findings of all classes, also of those that a filter hides. */
uint64_t nr_findings(const struct ledger *l)
{
	uint64_t nr = value_in(l, "trace", "hidden_findings");
	struct kmemtrace_relation *rows = open_rows(trace_of(l), "findings", NULL);

	while (kmemtrace_relation_next(rows))
		nr += number_in(rows, "count");
	kmemtrace_relation_close(rows);
	return nr;
}

/* There is one finding, with this class and these call sites. */
void assert_finding(const struct ledger *l, enum finding_class class, enum space space,
		    uint64_t first, uint64_t second)
{
	struct kmemtrace_relation *rows = open_rows(trace_of(l), "findings", NULL);

	assert_int_equal(kmemtrace_relation_rows(rows), 1);
	assert_true(kmemtrace_relation_next(rows));
	assert_int_equal(identity_in(rows, "class"), class);
	assert_int_equal(identity_in(rows, "allocator"), space);
	assert_int_equal(number_in(rows, "count"), 1);
	assert_int_equal(has_in(rows, "first_address"), first != 0);
	assert_int_equal(number_in(rows, "first_address"), first);
	assert_int_equal(number_in(rows, "address"), second);
	kmemtrace_relation_close(rows);
}

/* Give a batch to the ledger, without threads. */
void flush(struct ledger *l, struct batch *b)
{
	unsigned int i;

	batch_seal(b);
	assert_int_equal(ledger_open(l, b), 0);
	for (i = 0; i < NR_SHARDS; i++)
		shard_take(l, b, i, 0);
	ledger_close(l, b);
	batch_clear(b);
}

/* Add an event to a batch; a full one goes to the ledger first. */
void add_event(struct ledger *l, struct batch *b,
		      const struct kmemtrace_event *ev)
{
	const struct record rec = { .ev = ev };

	if (intake_add(l, b, &rec, 0, ev->timestamp) == INTAKE_TAKEN)
		return;
	flush(l, b);
	assert_int_equal(intake_add(l, b, &rec, 0, ev->timestamp),
			 INTAKE_TAKEN);
}
