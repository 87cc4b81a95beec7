// SPDX-License-Identifier: GPL-2.0
/*
 * moves.c - pages whose contents were moved to other pages
 *
 * The kernel allocates pages, moves the contents of other pages there, and frees those. The
 * two swap their allocations: the code whose memory was moved keeps it, with its age, and the
 * free that follows ends the allocation that the kernel made for the move. No counter changes.
 */
#include "config.h"

#include <string.h>

#include "ledger/moves.h"

/* Could a kernel have written this? The two blocks are apart. */
static bool is_possible_move(const struct ledger *l, const struct kmemtrace_move *move)
{
	uint64_t mask = l->page_size - 1, bytes = move->bytes;

	return move->type_id == KMEMTRACE_TYPE_PAGES && move->ptr && move->old &&
	       bytes && !((move->ptr | move->old | bytes) & mask) &&
	       bytes >> l->page_shift <= KMEMTRACE_MOVE_MAX_PAGES &&
	       bytes <= -move->ptr && bytes <= -move->old &&
	       move->ptr - move->old >= bytes && move->old - move->ptr >= bytes;
}

static struct frames *frames_of(struct ledger *l, uint64_t pfn)
{
	return &l->shards[shard_of(pfn)].frames;
}

/* Swap all that is known of the allocations; what is known of the frames stays. */
static void swap(struct slot *a, struct slot *b)
{
	struct slot old = *a;

	a->time = b->time;
	a->kind = b->kind;
	a->cpu = b->cpu;
	a->type = b->type;
	a->snapshot = b->snapshot;
	b->time = old.time;
	b->kind = old.kind;
	b->cpu = old.cpu;
	b->type = old.type;
	b->snapshot = old.snapshot;
}

/* Swap the allocations of frames, of one chunk each. */
static void swap_frames(struct ledger *l, uint64_t pfn, uint64_t old, uint64_t nr)
{
	struct slot copy[CHUNK_FRAMES], *slots;
	uint64_t i;

	/* The slots of one chunk may go when those of another are looked up. */
	memcpy(copy, frames_get(frames_of(l, old), old), nr * sizeof(*copy));
	slots = frames_get(frames_of(l, pfn), pfn);
	for (i = 0; i < nr; i++)
		if (slot_is_allocated(&copy[i]) && slot_is_allocated(&slots[i]))
			swap(&copy[i], &slots[i]);
	memcpy(frames_get(frames_of(l, old), old), copy, nr * sizeof(*copy));
}

/* Give back memory where all frames of a chunk are alike. */
static void join_frames(struct ledger *l, uint64_t pfn, uint64_t nr)
{
	struct block_part part;
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++) {
		part = block_part(pfn, nr, i);
		if (!part.nr)
			break;
		frames_join(frames_of(l, part.pfn), frame_local(part.pfn), part.nr);
	}
}

/* Return how many frames from a frame on are in its chunk. */
static uint64_t rest_of_chunk(uint64_t pfn)
{
	return CHUNK_FRAMES - pfn % CHUNK_FRAMES;
}

/**
 * moves_take - take a record of pages that were moved
 * @l: the ledger; no other thread uses it
 * @rec: the record
 *
 * Return: false if no kernel could have written it.
 */
bool moves_take(struct ledger *l, const struct record *rec)
{
	const struct kmemtrace_move *move = (const void *)rec->ev;
	uint64_t pfn = move->ptr >> l->page_shift, old = move->old >> l->page_shift;
	uint64_t nr = move->bytes >> l->page_shift, i, n;

	if (!is_possible_move(l, move))
		return false;
	for (i = 0; i < nr; i += n) {
		n = nr - i;
		if (n > rest_of_chunk(pfn + i))
			n = rest_of_chunk(pfn + i);
		if (n > rest_of_chunk(old + i))
			n = rest_of_chunk(old + i);
		swap_frames(l, pfn + i, old + i, n);
	}
	join_frames(l, pfn, nr);
	join_frames(l, old, nr);
	return true;
}
