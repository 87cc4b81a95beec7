// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of the ABI, one function for each kind of record.
 * include/uapi/linux/kmemtrace.h describes the structures and the values of their fields.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "check/check-rules.h"
#include "check/check-who.h"
#include "common/abi.h"
#include "common/booksfile.h"
#include "common/unseen.h"

/* ---- fields that several kinds of records have ---- */

static unsigned int event_type(const struct kmemtrace_record *rec)
{
	return ((const struct kmemtrace_event *)rec->raw)->type_id;
}

/* Return the bytes behind those that all records have. */
static size_t bytes_of_tail(const struct kmemtrace_record *rec)
{
	return rec->raw_size - EVENT_MIN_SIZE;
}

/* Return word @i of these bytes; 0 where the record is too short. */
static uint64_t word_of(const struct kmemtrace_record *rec, size_t i)
{
	const uint64_t *words = rec->raw;

	if (i >= bytes_of_tail(rec) / sizeof(*words))
		return 0;
	return words[EVENT_MIN_SIZE / sizeof(*words) + i];
}

/* Return what the source of the trace may not see, so that an event has no call site. */
static uint32_t callers_of(const struct kmemtrace_event *ev)
{
	if (ev->type_id == KMEMTRACE_TYPE_PAGES)
		return UNSEEN_BIT(UNSEEN_PAGE_CALLERS) | UNSEEN_BIT(UNSEEN_SOME_PAGE_CALLERS);
	if (ev->type_id == KMEMTRACE_TYPE_PERCPU && ev->event_id == KMEMTRACE_EVENT_FREE)
		return UNSEEN_BIT(UNSEEN_PERCPU_CALLERS);
	return 0;
}

/* Check the call site of an event. */
static void check_caller(struct check *c, const struct kmemtrace_event *ev)
{
	check_address(c, "call_site", ev->call_site,
		      c->unseen & callers_of(ev) ? NULL : "a return address");
}

static void check_page_ptr(struct check *c, uint64_t ptr)
{
	check_page_address(c, "ptr", ptr);
}

/* With PAE, the address of a page is physical and may have more than 32 bits. */
static void check_ptr(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->type_id != KMEMTRACE_TYPE_PAGES)
		check_address(c, "ptr", ev->ptr, "an address");
	else if (!ev->ptr)
		finding(c, "ptr", "NULL, expected an address");
	if (ev->type_id == KMEMTRACE_TYPE_PAGES ||
	    ev->type_id == KMEMTRACE_TYPE_VMALLOC)
		check_page_ptr(c, ev->ptr);
}

/* Check for a power of two of pages that does not exceed the address space. */
static void check_pages(struct check *c, const struct kmemtrace_event *ev)
{
	uint64_t bytes = ev->bytes_alloc;

	if (bytes < page_size(c) || bytes & (bytes - 1))
		finding(c, "bytes_alloc", "%" PRIu64 ", expected pages of %" PRIu64 " bytes, a power of two of them",
			bytes, page_size(c));
	else if (ev->ptr && bytes > -ev->ptr)
		finding(c, "bytes_alloc", "%" PRIu64 ", expected no more than the %" PRIu64 " from its address on",
			bytes, (uint64_t)-ev->ptr);
}

static void check_object_sizes(struct check *c, uint64_t object_size,
			       uint64_t size)
{
	if (!object_size)
		finding(c, "object_size", "0, expected the size of an object");
	if (size < object_size)
		finding(c, "size", "%" PRIu64 ", expected no less than the %" PRIu64 " of an object",
			size, object_size);
}

/*
 * Check that time does not go back. When a better clock replaces one that counts ticks, it
 * may, by less than the uncertainty of the first. Cycles never go back.
 */
static void check_time(struct check *c, const struct kmemtrace_event *ev)
{
	uint64_t tolerance = c->clock == KMEMTRACE_CLOCK_CYCLES ?
			     0 : c->uncertainty;

	if (ev->timestamp < 0)
		finding(c, "timestamp", "%" PRId64 ", expected no less than 0",
			(int64_t)ev->timestamp);
	else if (!c->is_books && ev->timestamp < c->last &&
		 (uint64_t)(c->last - ev->timestamp) > tolerance)
		finding(c, "timestamp", "%" PRId64 ", expected no less than the %" PRId64 " before it",
			(int64_t)ev->timestamp, c->last);
	c->last = ev->timestamp;
}

/* ---- allocations, frees, failures ---- */

/* Return the last interface that the version of the ABI has. */
static unsigned int last_type(const struct check *c)
{
	return c->abi == 1 ? KMEMTRACE_TYPE_PAGES : EVENT_NR_TYPES - 1;
}

static bool is_slab_event(const struct kmemtrace_event *ev)
{
	return ev->type_id == KMEMTRACE_TYPE_KMALLOC ||
	       ev->type_id == KMEMTRACE_TYPE_CACHE;
}

static void check_type(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->type_id > last_type(c))
		finding(c, "type_id", "%u, expected 0 to %u", ev->type_id,
			last_type(c));
}

/* Check a limit beyond which kmemtrace-report does not count a record. */
static void check_largest(struct check *c, const char *rule, uint64_t bytes, uint64_t max)
{
	if (bytes > max)
		finding(c, rule, "%" PRIu64 ", expected no more than %" PRIu64, bytes,
			max);
}

static void check_bytes_alloc(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->type_id < EVENT_NR_TYPES)
		check_largest(c, "bytes_alloc", ev->bytes_alloc,
			      abi_max_bytes(ev->type_id, page_size(c)));
}

static void check_allocated(struct check *c, const struct kmemtrace_event *ev)
{
	if (ev->bytes_alloc < ev->bytes_req)
		finding(c, "bytes_alloc", "%" PRIu64 ", expected no less than the %" PRIu64 " requested",
			(uint64_t)ev->bytes_alloc, (uint64_t)ev->bytes_req);
	else if (ev->type_id == KMEMTRACE_TYPE_PAGES)
		check_pages(c, ev);
	else if (ev->type_id == KMEMTRACE_TYPE_VMALLOC)
		check_page_bytes(c, "bytes_alloc", ev->bytes_alloc);
	check_bytes_alloc(c, ev);
}

/* Check a request, successful or not. */
static void check_request(struct check *c, const struct kmemtrace_event *ev)
{
	if (c->abi > 1 && ev->type_id == KMEMTRACE_TYPE_PAGES &&
	    ev->node != -1)
		finding(c, "node", "%d of pages, expected -1", ev->node);
	else
		check_node(c, ev->node, -1);
	if (!ev->bytes_req)
		finding(c, "bytes_req", "0, expected the requested bytes");
	check_32_bits(c, "gfp_flags", ev->gfp_flags);
}

/*
 * Check that the kernel had to record a slab object. A free doesn't say how large the object is:
 * kmemtrace-report finds the frees of objects that nothing allocated.
 */
static void check_sample(struct check *c, const struct kmemtrace_event *ev)
{
	const unsigned int sample = c->machine ? c->machine->sample : 1;

	if (sample > 1 && ev->bytes_alloc < page_size(c) && !kmemtrace_in_sample(ev->ptr, sample))
		finding(c, "sample",
			"%#" PRIx64 " of %" PRIu64 " bytes is not in the sample of one in %u",
			(uint64_t)ev->ptr, (uint64_t)ev->bytes_alloc, sample);
}

/* A large kmalloc() has no cache, kmem_cache_alloc() always has one. */
static void check_slab(struct check *c, const struct kmemtrace_record *rec)
{
	bool has_cache = event_type(rec) == KMEMTRACE_TYPE_CACHE && bytes_of_tail(rec) &&
			 !(c->unseen & UNSEEN_BIT(UNSEEN_CACHES));

	check_address(c, "cache", word_of(rec, 0),
		      has_cache ? "the address of a cache" : NULL);
}

static void check_alloc(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;
	bool has_cache = c->abi > 1 && is_slab_event(ev);

	check_size(c, ev, has_cache ? sizeof(struct kmemtrace_slab_event) :
				      sizeof(*ev));
	check_type(c, ev);
	check_caller(c, ev);
	check_ptr(c, ev);
	check_request(c, ev);
	check_allocated(c, ev);
	if (has_cache)
		check_slab(c, rec);
	if (is_slab_event(ev))
		check_sample(c, ev);
	check_who(c, rec, has_cache);
}

static void check_freed(struct check *c, const struct kmemtrace_event *ev)
{
	bool is_percpu = c->abi > 1 && ev->type_id == KMEMTRACE_TYPE_PERCPU;

	check_bytes_alloc(c, ev);
	if (ev->type_id == KMEMTRACE_TYPE_PAGES)
		check_pages(c, ev);
	else if (is_percpu && !ev->bytes_alloc &&
		 !(c->unseen & UNSEEN_BIT(UNSEEN_PERCPU_BYTES)))
		finding(c, "bytes_alloc", "0, expected the freed bytes");
	else if (!is_percpu && ev->bytes_alloc)
		finding(c, "bytes_alloc", "%" PRIu64 " of a free, expected 0",
			(uint64_t)ev->bytes_alloc);
}

static void check_free(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;

	check_size(c, ev, sizeof(*ev));
	check_type(c, ev);
	check_caller(c, ev);
	check_ptr(c, ev);
	if (c->abi > 1 && ev->node != -1)
		finding(c, "node", "%d of a free, expected -1", ev->node);
	if (ev->bytes_req)
		finding(c, "bytes_req", "%" PRIu64 " of a free, expected 0",
			(uint64_t)ev->bytes_req);
	check_freed(c, ev);
	if (ev->gfp_flags)
		finding(c, "gfp_flags", "%#" PRIx64 " of a free, expected 0",
			(uint64_t)ev->gfp_flags);
}

static void check_failed(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;

	check_size(c, ev, sizeof(*ev));
	check_type(c, ev);
	check_caller(c, ev);
	if (ev->ptr)
		finding(c, "ptr", "%#" PRIx64 " of a failure, expected 0",
			(uint64_t)ev->ptr);
	check_request(c, ev);
	if (ev->bytes_alloc)
		finding(c, "bytes_alloc", "%" PRIu64 " of a failure, expected 0",
			(uint64_t)ev->bytes_alloc);
	check_who(c, rec, false);
}

/* ---- moves ---- */

/* Check the address of one of the two blocks, which the other one begins @apart. */
static void check_block(struct check *c, const char *rule, uint64_t address, uint64_t apart,
			uint64_t bytes)
{
	if (!address)
		finding(c, rule, "NULL, expected an address");
	else if (bytes > -address || apart < bytes)
		finding(c, rule, "%#" PRIx64 ", expected %" PRIu64 " bytes from there on, in no other block",
			address, bytes);
	check_page_address(c, rule, address);
}

static void check_move(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_move *move = rec->raw;

	check_block(c, "ptr", move->ptr, move->old - move->ptr, move->bytes);
	check_block(c, "old", move->old, move->ptr - move->old, move->bytes);
	check_largest(c, "bytes", move->bytes, page_size(c) * KMEMTRACE_MOVE_MAX_PAGES);
}

/* ---- about the stream itself ---- */

/* Records that came in an NMI are lost although there is room. */
static void check_since(struct check *c, const struct kmemtrace_lost *lost)
{
	uint64_t no_room = lost->records - lost->nested;

	if (!lost->since != !no_room)
		finding(c, "since", "%" PRIu64 ", where %" PRIu64 " of %" PRIu64 " records found no room",
			(uint64_t)lost->since, no_room,
			(uint64_t)lost->records);
	if (lost->since > c->monotonic)
		finding(c, "since", "%" PRIu64 ", expected no more than the monotonic %" PRIu64 " of the clock before it",
			(uint64_t)lost->since, c->monotonic);
}

static void check_lost(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_lost *lost = rec->raw;

	if (!lost->records)
		finding(c, "records", "0, expected the number of missing records");
	if (lost->bytes / EVENT_MIN_SIZE < lost->records)
		finding(c, "bytes", "%" PRIu64 ", expected %zu and more for each of %" PRIu64 " records",
			(uint64_t)lost->bytes, EVENT_MIN_SIZE,
			(uint64_t)lost->records);
	if (lost->nested > lost->records)
		finding(c, "nested", "%" PRIu64 ", expected no more than the %" PRIu64 " that are missing",
			(uint64_t)lost->nested, (uint64_t)lost->records);
	check_since(c, lost);
	c->lost += lost->records;
}

/*
 * Check the number of a sub-buffer. The first one may be any: another collector may have
 * read those before.
 */
static void check_sequence(struct check *c, uint64_t sequence)
{
	if (c->records == 1)
		c->sequence = sequence;
	if (sequence > c->sequence)
		finding(c, "sequence", "%" PRIu64 ", expected %" PRIu64 ": %" PRIu64 " sub-buffers are missing before it",
			sequence, c->sequence, sequence - c->sequence);
	else if (sequence < c->sequence)
		finding(c, "sequence", "%" PRIu64 ", expected %" PRIu64,
			sequence, c->sequence);
	c->sequence = sequence + 1;
}

/*
 * Check which clock is used. The kernel stops using cycles when they prove unreliable, and
 * does not return to them until tracing is switched on again. Only cycles have a
 * frequency.
 */
static void check_clock_id(struct check *c, const struct kmemtrace_clock *clock)
{
	if (!clock->sequence)
		c->clock = -1;
	if (clock->clock > KMEMTRACE_CLOCK_CYCLES)
		finding(c, "clock", "%u, expected 0 (nanoseconds) or 1 (cycles)",
			clock->clock);
	else if (c->clock >= 0 && clock->clock > c->clock)
		finding(c, "clock", "%u (cycles), expected the %d (nanoseconds) of the one before",
			clock->clock, c->clock);
	if (clock->clock == KMEMTRACE_CLOCK_LOCAL && clock->frequency)
		finding(c, "frequency", "%" PRIu64 ", expected 0 for nanoseconds",
			(uint64_t)clock->frequency);
	if (clock->clock != c->clock)
		c->last = INT64_MIN;
	c->clock = clock->clock;
}

static void check_clock(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_clock *clock = rec->raw;

	check_clock_id(c, clock);
	if (!clock->sequence && c->records > 1)
		c->generation++;
	check_sequence(c, clock->sequence);
	c->has_task = false;
	c->uncertainty = clock->uncertainty;
	c->monotonic = clock->monotonic;
}

/* ---- slab caches ---- */

static void check_users(struct check *c, const struct kmemtrace_cache *cache)
{
	int min = cache->op == KMEMTRACE_CACHE_DESTROYED ? 0 : 1;

	if (cache->users < min)
		finding(c, "users", "%d, expected %d or more", cache->users,
			min);
}

static void check_cache(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_cache *cache = rec->raw;
	bool there = cache->op == KMEMTRACE_CACHE_THERE;

	check_users(c, cache);
	check_address(c, "call_site", cache->call_site,
		      there ? NULL : "a return address");
	if (there && cache->call_site)
		finding(c, "call_site", "%#" PRIx64 " of a cache older than the trace, expected 0",
			(uint64_t)cache->call_site);
	check_object_sizes(c, cache->object_size, cache->size);
	if (!word_of(rec, 0))
		finding(c, "align", "0, expected bytes");
}

/* ---- the snapshot ---- */

static void check_bits(struct check *c, const struct kmemtrace_record *rec,
		       uint64_t objects)
{
	size_t words = (objects + 63) / 64;

	if (objects % 64 && word_of(rec, words - 1) >> objects % 64)
		finding(c, "live", "%#" PRIx64 ", where the last word has only %" PRIu64 " objects",
			word_of(rec, words - 1), objects % 64);
}

static void check_snapshot_slab(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_snapshot_slab *slab = rec->raw;
	uint64_t most = bytes_of_tail(rec) / 8 * 64;

	check_object_sizes(c, slab->object_size, slab->size);
	if (!slab->objects || slab->objects > most ||
	    most - slab->objects >= 64 || bytes_of_tail(rec) % 8)
		finding(c, "objects", "%" PRIu64 ", for which there are %zu bytes of bits",
			(uint64_t)slab->objects, bytes_of_tail(rec));
	else
		check_bits(c, rec, slab->objects);
}

/* The address may be 0: the first frame of some machines has it. */
static void check_snapshot_pages(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_snapshot_pages *pages = rec->raw;

	if (c->is_books)
		check_address(c, "call_site", word_of(rec, 0), NULL);
	check_page_ptr(c, pages->ptr);
	check_largest(c, "bytes", pages->bytes, page_size(c) * SNAPSHOT_MAX_FRAMES);
}

static void check_snapshot_event(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;

	check_ptr(c, ev);
	check_request(c, ev);
	check_allocated(c, ev);
}

/* ---- the books ---- */

static void check_books_object(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;

	check_size(c, rec->raw, sizeof(struct kmemtrace_slab_event));
	check_address(c, "cache", word_of(rec, 0), NULL);
	check_address(c, "call_site", ev->call_site, NULL);
	check_snapshot_event(c, rec);
	check_sample(c, ev);
}

static void check_books_task(struct check *c, const struct kmemtrace_record *rec)
{
	const struct books_task *task = rec->raw;

	check_size(c, rec->raw, sizeof(*task));
	if (task->task < BOOKS_FIRST_TASK)
		finding(c, "task", "%" PRIu64 ", expected %d or more",
			(uint64_t)task->task, BOOKS_FIRST_TASK);
	CHECK_ZERO(c, task, zero[0]);
	CHECK_ZERO(c, task, zero[1]);
}

static void check_books_cpu(struct check *c, const struct kmemtrace_record *rec)
{
	const struct books_cpu *cpu = rec->raw;

	check_size(c, rec->raw, sizeof(*cpu));
	if (cpu->taken > cpu->bytes)
		finding(c, "taken", "%" PRIu64 ", expected at most the %" PRIu64 " bytes of the stream",
			(uint64_t)cpu->taken, (uint64_t)cpu->bytes);
	CHECK_ZERO(c, cpu, zero[0]);
	CHECK_ZERO(c, cpu, zero[1]);
	CHECK_ZERO(c, cpu, zero[2]);
}

static void check_books_head(struct check *c, const struct kmemtrace_record *rec)
{
	const struct books_head *head = rec->raw;

	check_size(c, rec->raw, sizeof(*head));
	CHECK_ZERO(c, head, zero);
	if (head->sample > 65536 || head->sample & (head->sample - 1))
		finding(c, "sample", "%" PRIu64 ", expected a power of two up to 65536",
			(uint64_t)head->sample);
	CHECK_ZERO(c, head, zero2);
}

typedef void check_fn(struct check *c, const struct kmemtrace_record *rec);

/* What the books have beside the records of a snapshot. */
static check_fn * const books[UINT8_MAX + 1] = {
	[BOOKS_TYPE_OBJECT] = check_books_object,
	[BOOKS_TYPE_TASK] = check_books_task,
	[BOOKS_TYPE_CPU] = check_books_cpu,
	[BOOKS_TYPE_HEAD] = check_books_head,
};

static check_fn * const snapshots[UINT8_MAX + 1] = {
	[KMEMTRACE_TYPE_CACHE] = check_snapshot_slab,
	[KMEMTRACE_TYPE_PAGES] = check_snapshot_pages,
	[KMEMTRACE_TYPE_PERCPU] = check_snapshot_event,
	[KMEMTRACE_TYPE_VMALLOC] = check_snapshot_event,
};

static void check_snapshot(struct check *c, const struct kmemtrace_record *rec)
{
	check_fn *check = snapshots[event_type(rec)];

	if (c->is_books && books[event_type(rec)])
		check = books[event_type(rec)];
	if (check)
		check(c, rec);
	else if (event_type(rec) != KMEMTRACE_TYPE_END)
		finding(c, "type_id", "%u, expected %d to %d, or %d",
			event_type(rec), KMEMTRACE_TYPE_CACHE,
			KMEMTRACE_TYPE_VMALLOC, KMEMTRACE_TYPE_END);
}

/* ---- the boot ---- */

/* Check the order of phases. Some may be in the streams of other CPUs. */
static void check_phase(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_phase *phase = rec->raw;

	if (c->phase == KMEMTRACE_PHASE_INIT)
		finding(c, "phase", "%u, expected none after the last one, %d",
			phase->phase, KMEMTRACE_PHASE_INIT);
	else if (phase->phase <= c->phase || phase->phase > KMEMTRACE_PHASE_INIT)
		finding(c, "phase", "%u, expected %u to %d", phase->phase,
			c->phase + 1, KMEMTRACE_PHASE_INIT);
	else
		c->phase = phase->phase;
}

/* ---- all of them ---- */

/* The ids of each ABI version, for messages. */
static const char * const id_names[] = {
	[1] = "1 (alloc) or 2 (free)",
	[2] = "1 to 7 or 11 to 17",
};

/* The rules beyond those of each field. */
static check_fn * const kinds[UINT8_MAX + 1] = {
	[KMEMTRACE_EVENT_ALLOC] = check_alloc,
	[KMEMTRACE_EVENT_FREE] = check_free,
	[KMEMTRACE_EVENT_LOST] = check_lost,
	[KMEMTRACE_EVENT_CLOCK] = check_clock,
	[KMEMTRACE_EVENT_CACHE] = check_cache,
	[KMEMTRACE_EVENT_SNAPSHOT] = check_snapshot,
	[KMEMTRACE_EVENT_FAILED] = check_failed,
	[KMEMTRACE_EVENT_PHASE] = check_phase,
	[KMEMTRACE_EVENT_MOVE] = check_move,
	[KMEMTRACE_EVENT_STACK] = check_stack,
	[KMEMTRACE_EVENT_TASK] = check_task,
	[KMEMTRACE_EVENT_REFERENCE] = check_reference,
	[KMEMTRACE_EVENT_CGROUP] = check_cgroup,
	[KMEMTRACE_EVENT_CHARGE] = check_charge,
};

/* Return whether the version of the ABI has records with an id. */
static bool has_id(const struct check *c, unsigned int id)
{
	const struct record_layout *layout;

	if (kinds[id] && c->abi > 1)
		return true;
	layout = record_layout(id, 0);
	return layout && layout->abi <= c->abi;
}

/*
 * Check the fields by their kind, after the rules of the record: these have better messages.
 * Fields of events depend on the version, and on what the source of the trace sees.
 */
static void check_layout(struct check *c, const struct kmemtrace_record *rec)
{
	const struct record_layout *layout;

	if (rec->id == KMEMTRACE_RECORD_ALLOC || rec->id == KMEMTRACE_RECORD_FREE ||
	    rec->id == KMEMTRACE_RECORD_FAILED)
		return;
	layout = record_layout(rec->id, event_type(rec));
	if (!layout)
		return;
	check_size(c, rec->raw, layout->size);
	check_fields(c, rec, layout->fields);
}

/* Check the first record of a sub-buffer. */
static void check_begin(struct check *c, unsigned int id)
{
	if (id != KMEMTRACE_EVENT_CLOCK)
		finding(c, "event_id", "%u, expected the %d (clock) that begins a sub-buffer",
			id, KMEMTRACE_EVENT_CLOCK);
}

/**
 * check_record - check the next record
 * @c: the stream
 * @rec: its record
 */
void check_record(struct check *c, const struct kmemtrace_record *rec)
{
	const struct kmemtrace_event *ev = rec->raw;
	uint8_t id = ev->event_id;

	if (!c->abi)
		c->abi = id == KMEMTRACE_EVENT_CLOCK ? 2 : 1;
	if (c->abi > 1 && (!c->records || c->padded))
		check_begin(c, id);
	c->records++;
	c->padded = false;
	if (has_id(c, id)) {
		if (kinds[id])
			kinds[id](c, rec);
		check_layout(c, rec);
	} else {
		finding(c, "event_id", "%u, expected %s", id, id_names[c->abi]);
	}
	check_time(c, ev);
}

/**
 * check_pad - check the next pad
 * @c: the stream
 * @pad: its pad
 */
void check_pad(struct check *c, const struct kmemtrace_record *pad)
{
	const size_t size_at = offsetof(struct kmemtrace_pad, event_size);
	const unsigned char *bytes = pad->raw;
	size_t i;

	/* Version 1 has no pads. */
	if (!c->abi)
		c->abi = 2;
	if (c->abi == 1) {
		c->records++;
		finding(c, "event_id", "%d, expected %s",
			KMEMTRACE_EVENT_PAD, id_names[1]);
		return;
	}
	if (!c->records && !c->padded)
		check_begin(c, KMEMTRACE_EVENT_PAD);
	c->padded = true;
	if (pad->raw_size % 8)
		finding(c, "event_size", "%zu, expected a multiple of 8",
			pad->raw_size);
	for (i = 1; i < pad->raw_size; i++) {
		if (i == size_at || i == size_at + 1 || !bytes[i])
			continue;
		check_zero(c, i, bytes[i]);
		break;
	}
}
