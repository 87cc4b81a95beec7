/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace as an array of steps, and the sums of the ledger after them.
 */
#ifndef KMEMTRACE_LEDGER_STEPS_H
#define KMEMTRACE_LEDGER_STEPS_H

#include "ledger/ledger.h"
#include "read/merge.h"
#include "rows.h"

#define PAGE	4096
#define SITE_A	0xa00
#define SITE_B	0xb00
#define SITE_C	0xc00

/* Far more than the time by which the clocks of two CPUs may differ. */
#define LATER	(10 * MERGE_WINDOW_NS)

/* An event, or another record, of the CPU @cpu. */
struct step {
	int64_t time;
	unsigned int cpu;
	uint8_t event, type;
	uint64_t site, ptr, req, alloc, gfp;
	int32_t node;
	uint64_t word;
	const char *name;
	const uint64_t *tail;
	size_t nr_tail;
};

#define ALLOC(t, c, kind, at, p, wanted, given) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_ALLOC, \
	  .type = KMEMTRACE_TYPE_##kind, .site = at, .ptr = p, \
	  .req = wanted, .alloc = given }
/* The cache of the object is known. */
#define ALLOC_FROM(t, c, kind, at, p, size, cache) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_ALLOC, \
	  .type = KMEMTRACE_TYPE_##kind, .site = at, .ptr = p, \
	  .req = size, .alloc = size, .word = cache }
#define FREE(t, c, kind, at, p) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_FREE, \
	  .type = KMEMTRACE_TYPE_##kind, .site = at, .ptr = p }
#define FREE_PAGES(t, c, at, p, bytes) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_FREE, \
	  .type = KMEMTRACE_TYPE_PAGES, .site = at, .ptr = p, .alloc = bytes }
#define FAILED(t, kind, at, bytes, flags) \
	{ .time = t, .event = KMEMTRACE_EVENT_FAILED, \
	  .type = KMEMTRACE_TYPE_##kind, .site = at, .req = bytes, .gfp = flags }
/*
 * Records of a snapshot: a slab of @nr objects, with a bit of @live for each; frames; other
 * memory; the end.
 */
#define SLAB(t, cache, p, size, nr, live) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_CACHE, .site = cache, .ptr = p, \
	  .req = size, .alloc = size, .gfp = nr, .word = live }
#define FRAMES(t, state, p, bytes) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_PAGES, .site = KMEMTRACE_FRAMES_##state, \
	  .ptr = p, .alloc = bytes }
/* The same, which the snapshot found. */
#define FOUND(t, state, p, bytes) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_PAGES, .site = KMEMTRACE_FRAMES_##state, \
	  .ptr = p, .req = 1, .alloc = bytes }
#define WAS(t, kind, at, p, bytes) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_##kind, .site = at, .ptr = p, \
	  .req = bytes, .alloc = bytes }
#define END(t, unsure) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_END, .site = unsure }
#define CACHE(t, op, who, cache, size, text) \
	{ .time = t, .event = KMEMTRACE_EVENT_CACHE, \
	  .type = KMEMTRACE_CACHE_##op, .site = SITE_C, .ptr = cache, \
	  .req = size, .alloc = size, .node = who, .word = 8, .name = text }

#define PHASE(t, c, kind) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_PHASE, \
	  .type = KMEMTRACE_PHASE_##kind }

#define MOVE(t, c, p, from, bytes) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_MOVE, \
	  .type = KMEMTRACE_TYPE_PAGES, .node = -1, .ptr = p, .req = from, \
	  .alloc = bytes }

/* An allocation with the words @... at its end: its cache, and who caused it. */
#define ALLOC_WHO(t, c, kind, at, p, bytes, ...) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_ALLOC, \
	  .type = KMEMTRACE_TYPE_##kind, .site = at, .ptr = p, \
	  .req = bytes, .alloc = bytes, .tail = (const uint64_t[]) { __VA_ARGS__ }, \
	  .nr_tail = sizeof((const uint64_t[]) { __VA_ARGS__ }) / sizeof(uint64_t) }
#define STACK(t, c, number, ...) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_STACK, .site = number, \
	  .tail = (const uint64_t[]) { __VA_ARGS__ }, \
	  .node = sizeof((const uint64_t[]) { __VA_ARGS__ }) / sizeof(uint64_t), \
	  .nr_tail = sizeof((const uint64_t[]) { __VA_ARGS__ }) / sizeof(uint64_t) }
/* The name is a word, as its first letter is its highest byte. */
#define TASK(t, c, number, process, begin, word1) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_TASK, .node = number, \
	  .site = process, .ptr = begin, .tail = (const uint64_t[]) { word1, 0 }, \
	  .nr_tail = 2 }
#define CGROUP(t, op, number, above, word1) \
	{ .time = t, .event = KMEMTRACE_EVENT_CGROUP, .type = KMEMTRACE_CGROUP_##op, \
	  .site = number, .ptr = above, .tail = (const uint64_t[]) { word1 }, .nr_tail = 1 }
#define CHARGE(t, c, kind, number, p, bytes) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_CHARGE, \
	  .type = KMEMTRACE_TYPE_##kind, .node = -1, .site = number, .ptr = p, .alloc = bytes }
/* Tracing is switched on again. */
#define CLOCK(t, c, number) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_CLOCK, .node = c, .site = t, .ptr = number }

#define RUN(l, steps) run(l, steps, sizeof(steps) / sizeof(*(steps)))

void go_on_until(struct ledger *l, const struct step *steps, size_t nr, int64_t until);
void go_on(struct ledger *l, const struct step *steps, size_t nr);
void run(struct ledger *l, const struct step *steps, size_t nr);

void flush(struct ledger *l, struct batch *b);
void add_event(struct ledger *l, struct batch *b, const struct kmemtrace_event *ev);

const struct kmemtrace_trace *trace_of(const struct ledger *l);
uint64_t figure_at_site(const struct ledger *l, enum space space, uint64_t addr,
			const char *column);
uint64_t figure_of_size(const struct ledger *l, enum space space, uint64_t bytes,
			const char *column);
uint64_t value_in(const struct ledger *l, const char *relation, const char *column);
uint64_t live_bytes(const struct ledger *l, enum space space);
void assert_peak(const struct ledger *l, enum space space, int64_t time, uint64_t bytes);
uint64_t nr_findings(const struct ledger *l);
void assert_finding(const struct ledger *l, enum finding_class class, enum space space,
		    uint64_t first, uint64_t second);

#endif /* KMEMTRACE_LEDGER_STEPS_H */
