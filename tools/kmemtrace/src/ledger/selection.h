/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a trace that are counted, by a filter.
 */
#ifndef KMEMTRACE_SELECTION_H
#define KMEMTRACE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/filter.h"
#include "common/bits.h"
#include "read/symbols.h"
#include "sums/caches.h"
#include "sums/table.h"
#include "sums/who.h"

/* See selection_variant(). */
#define SELECTION_VARIANTS	8

/* The CPU of an allocation that is older than the trace. */
#define UNKNOWN_CPU	UINT32_MAX

/**
 * struct selection - a filter of the events of a trace
 * @ctx: the context that receives an error
 * @filter: the filter
 * @symbols: of the trace
 * @who: call paths, tasks and cgroups of the trace
 * @by_event: events of one kind may differ in whether they match
 * @begin: earlier allocations don't match
 * @fit: a bit for each part of the filter that any event matches
 */
struct selection {
	struct context *ctx;
	const struct filter *filter;
	const struct symbols *symbols;
	const struct who *who;
	bool by_event;
	int64_t begin;
	unsigned int fit;

	/* private: the results for call sites, by their index, and for caches */
	struct table sites;
	uint16_t *misfits;
	uint32_t nr_misfits;
	bool *caches;
	uint32_t nr_caches;
	/*
	 * The keys of paths and the numbers of cgroups that match; results for tasks, by index, and
	 * for paths through a module, by key.
	 */
	struct table paths, cgroups, tasks, modules;
};

/**
 * struct candidate - an event, to be matched
 * @site: address of the call site
 * @req: bytes requested; 0: unknown, as for a free
 * @time: its time; INT64_MIN: before the trace
 * @cache: index of the slab cache; NO_CACHE: none, or unknown
 * @cpu: its CPU, or UNKNOWN_CPU
 * @type: enum kmemtrace_type_id, or SLOT_ANY_TYPE of a slab object
 * @who: who_key() of its kind
 */
struct candidate {
	uint64_t site, req;
	int64_t time;
	uint32_t cache;
	uint32_t cpu;
	uint8_t type;
	uint64_t who;
};

void selection_init(struct selection *s, struct context *ctx);
int selection_take_who(struct selection *s, const struct who *who);
int selection_take_caches(struct selection *s, const struct caches *caches);
bool selection_hides(struct selection *s, const struct candidate *c);
void selection_free(struct selection *s);

/**
 * selection_variant - match what events of one kind may differ in
 * @s: the selection
 * @req: bytes requested; 0: unknown, as for a free
 * @cpu: CPU of the event
 * @time: its time
 *
 * Return: a number below SELECTION_VARIANTS. Events that are alike but for @req, @cpu and @time
 *	match if one with the same number does.
 */
static ALWAYS_INLINE unsigned int selection_variant(const struct selection *s, uint64_t req,
						    uint32_t cpu, int64_t time)
{
	const struct filter *f = s->filter;

	return (time < s->begin) |
	       ((f->texts[FILTER_CPU] && !filter_has_cpu(f, cpu)) << 1) |
	       ((f->texts[FILTER_SIZE] && !filter_has_size(f, req)) << 2);
}

#endif /* KMEMTRACE_SELECTION_H */
