// SPDX-License-Identifier: GPL-2.0
/*
 * notes.c - notes of all shards become findings, in the order of events
 *
 * So the findings don't depend on which thread worked on a shard.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/notes.h"

/*
 * kfree() finds the cache itself on kernels that allow it; kmem_cache_free() gets a cache,
 * which can't be one of kmalloc()'s own.
 */
static bool mix_is_legal(const struct ledger *l, const struct note *note)
{
	uint32_t cache = class_cache(note->class);

	if (note->type == KMEMTRACE_TYPE_KMALLOC)
		return l->kfree_takes_caches;
	return cache != NO_CACHE && l->caches.list[cache].name &&
	       !cache_is_kmalloc(&l->caches.list[cache]);
}

/* Return whether a frame may belong to a slab that the snapshot lacks, up to their number. */
static bool is_unsure(struct ledger *l, uint64_t frame)
{
	if (!frame)
		return false;
	if (l->unsure.nr == l->unsure_frames)
		return table_has(&l->unsure, frame);
	table_index(&l->unsure, frame);
	return true;
}

static void take_note(struct ledger *l, struct note *note)
{
	struct finding *f = &note->finding;

	if (f->class == FINDING_MIXED_API && mix_is_legal(l, note))
		f->class = FINDING_MIXED_LEGAL;
	if (f->class == FINDING_FREE_UNEXPLAINED && is_unsure(l, note->frame))
		l->stats.baseline.unsure_freed += !f->is_hidden;
	else
		stats_finding(&l->stats, f, note->once);
}

/* By event; those of one event are all of one shard, in its order, or of parts of a block. */
static int by_note_event(const void *a, const void *b)
{
	const struct note *x = a, *y = b;
	int order = compare_events(x->at, y->at);

	if (order)
		return order;
	if (x->once && y->once && x->finding.ptr != y->finding.ptr)
		return x->finding.ptr < y->finding.ptr ? -1 : 1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

/* Make room for @nr notes. Returns false without memory. */
static bool make_room_for_notes(struct ledger *l, size_t nr)
{
	struct note *notes;

	if (nr <= l->room_notes)
		return true;
	notes = context_realloc(l->ctx, l->notes, 2 * nr, sizeof(*notes));
	if (!notes)
		return false;
	l->notes = notes;
	l->room_notes = 2 * nr;
	return true;
}

/* Collect the notes of all shards. */
void notes_take(struct ledger *l)
{
	size_t nr = 0, i, j;

	for (i = 0; i < NR_SHARDS; i++)
		nr += l->shards[i].nr_notes;
	if (!nr || !make_room_for_notes(l, nr))
		return;
	for (i = 0, nr = 0; i < NR_SHARDS; i++)
		for (j = 0; j < l->shards[i].nr_notes; j++, nr++) {
			l->notes[nr] = l->shards[i].notes[j];
			l->notes[nr].nr = nr;
		}
	qsort(l->notes, nr, sizeof(*l->notes), by_note_event);
	for (i = 0; i < nr; i++)
		take_note(l, &l->notes[i]);
}
