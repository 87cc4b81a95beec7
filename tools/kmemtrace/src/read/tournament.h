/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tournament tree: which of several streams has the earliest record.
 *
 * The streams are the leaves. Each inner node keeps the stream that lost there. When the
 * winner goes to its next record, it plays against the losers on its way to the root again.
 * The result can't be predicted, so no branch depends on it: a misprediction would take
 * longer than the rest.
 *
 * Equal times of two streams are ordered by their numbers, which is arbitrary, but the same
 * each time.
 */
#ifndef KMEMTRACE_TOURNAMENT_H
#define KMEMTRACE_TOURNAMENT_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/bits.h"
#include "common/context.h"

/* A stream that has ended comes after all others; an empty node loses against all. */
#define TOURNAMENT_ENDED	(UINT32_C(1) << 31)
#define TOURNAMENT_NOBODY	UINT64_MAX

/**
 * struct player - a stream in the tournament
 * @time: time of its record
 * @rank: its number; TOURNAMENT_ENDED as well: it has no record left
 */
struct player {
	int64_t time;
	uint64_t rank;
};

/**
 * struct tournament - a tournament of streams
 * @first: the winner
 * @losers: those who lost, by inner node
 * @nr: streams
 */
struct tournament {
	struct player first, *losers;
	uint32_t nr;
};

/* Return 0 or -ENOMEM. tournament_free() also after an error. */
static inline int tournament_init(struct tournament *t, struct context *ctx, size_t nr)
{
	size_t i;

	*t = (struct tournament) { .first.rank = TOURNAMENT_NOBODY, .nr = nr };
	t->losers = context_calloc(ctx, nr + 1, sizeof(*t->losers));
	if (!t->losers)
		return -ENOMEM;
	for (i = 0; i <= nr; i++)
		t->losers[i].rank = TOURNAMENT_NOBODY;
	return 0;
}

static inline void tournament_free(struct tournament *t)
{
	free(t->losers);
}

/* Return the player of a stream that is at @time, or has @ended. */
static inline struct player tournament_player(uint32_t nr, int64_t time, bool ended)
{
	return (struct player) {
		.time = ended ? INT64_MAX : time,
		.rank = ended ? nr | TOURNAMENT_ENDED : nr,
	};
}

/* Return the number of a player's stream. */
static inline uint32_t tournament_number(const struct player *p)
{
	return (uint32_t)(p->rank & ~(uint64_t)TOURNAMENT_ENDED);
}

/* Return whether no stream has a record left. */
static inline bool tournament_is_over(const struct tournament *t)
{
	return t->first.rank >= TOURNAMENT_ENDED;
}

static inline bool tournament_before(const struct player *a, const struct player *b)
{
	return (a->time < b->time) |
	       ((a->time == b->time) & (a->rank < b->rank));
}

/* Play a stream against the losers on its way to the root, after its time changed. */
static inline void tournament_play(struct tournament *t, struct player p)
{
	uint32_t i = (tournament_number(&p) + t->nr) / 2;

	for (; i; i /= 2) {
		struct player *loser = &t->losers[i], other = *loser;
		uint64_t mask = mask_of(tournament_before(&other, &p));

		loser->time = choose(mask, p.time, other.time);
		loser->rank = choose(mask, p.rank, other.rank);
		p.time = choose(mask, other.time, p.time);
		p.rank = choose(mask, other.rank, p.rank);
	}
	t->first = p;
}

/* Let a stream enter the tournament: do what tournament_play() does while some nodes are empty. */
static inline void tournament_enter(struct tournament *t, struct player p)
{
	uint32_t i = (tournament_number(&p) + t->nr) / 2;
	struct player other;

	for (; i; i /= 2) {
		other = t->losers[i];
		if (other.rank == TOURNAMENT_NOBODY) {
			t->losers[i] = p;
			return;
		}
		if (tournament_before(&other, &p)) {
			t->losers[i] = p;
			p = other;
		}
	}
	t->first = p;
}

#endif /* KMEMTRACE_TOURNAMENT_H */
