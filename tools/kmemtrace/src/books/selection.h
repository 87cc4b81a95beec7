/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events of a trace are counted, where not all of them are wanted.
 */
#ifndef KMEMTRACE_SELECTION_H
#define KMEMTRACE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "books/filter.h"
#include "read/symbols.h"
#include "sums/caches.h"
#include "sums/table.h"

/* What is known of nothing older than the trace. */
#define UNKNOWN_CPU	UINT32_MAX

/**
 * struct selection - a filter, and the trace whose events go through it
 * @filter: what lets them pass
 * @symbols: of the trace
 * @by_event: events that are alike in all that their kinds have don't all pass, or all not
 * @begin: what is allocated before doesn't pass
 * @fit: a bit for each part of the filter that any event fits
 */
struct selection {
	const struct filter *filter;
	const struct symbols *symbols;
	bool by_event;
	int64_t begin;
	unsigned int fit;

	/* private: what is known of call sites, by their index, and of caches */
	struct table sites;
	uint8_t *misfits;
	bool *caches;
	uint32_t nr_caches;
};

/**
 * struct candidate - what a selection looks at of an event
 * @site: address of the call site
 * @req: bytes asked for; 0: not known, as of a free
 * @time: when; INT64_MIN: before the trace
 * @cache: index of the slab cache; NO_CACHE: there is none, or it isn't known
 * @cpu: where, or UNKNOWN_CPU
 * @type: enum kmemtrace_type_id, or SLOT_ANY_TYPE of a slab object
 */
struct candidate {
	uint64_t site, req;
	int64_t time;
	uint32_t cache;
	uint32_t cpu;
	uint8_t type;
};

void selection_take_caches(struct selection *s, const struct caches *caches);
bool selection_hides(struct selection *s, const struct candidate *c);
void selection_free(struct selection *s);

#endif /* KMEMTRACE_SELECTION_H */
