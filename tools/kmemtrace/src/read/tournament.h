/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tournament tree: which of several streams has the earliest record.
 *
 * The streams are the leaves. Each inner node keeps the stream that lost there. When the
 * winner goes to its next record, it plays against the losers on its way to the root again.
 * The result can't be predicted, so no branch depends on it: a misprediction would take
 * longer than the rest.
 *
 * A stream plays with a key: the time of its record since a base, and its number in the lower
 * bits. So equal times of two streams are ordered by their numbers, which is arbitrary, but
 * the same each time. Times that are too far from the base share the largest key; all keys
 * get a new base before one of these wins.
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

/* An empty node loses against all. */
#define TOURNAMENT_NOBODY	UINT64_MAX

/**
 * struct tournament - a tournament of streams
 * @first: key of the winner
 * @base: the time of keys that are numbers alone; no record is before it
 * @losers: keys of those who lost, by inner node
 * @times: of the records, by stream, for tournament_begin() and tournament_step()
 * @has_ended: by stream; the time of such a stream means nothing
 * @far: the largest time since the base in a key; a stream that has ended has one more
 * @nr: streams
 * @bits: of their numbers
 * @mask: @bits set
 */
struct tournament {
	uint64_t first;
	int64_t base;
	uint64_t *losers;
	int64_t *times;
	bool *has_ended;
	uint64_t far;
	uint32_t nr, bits, mask;
};

/* Return 0 or -ENOMEM. tournament_free() also after an error. */
static inline int tournament_init(struct tournament *t, struct context *ctx, size_t nr)
{
	const uint32_t bits = 64 - __builtin_clzll(nr | 1);

	*t = (struct tournament) {
		.first = TOURNAMENT_NOBODY,
		.far = (UINT64_MAX >> bits) - 1,
		.nr = nr,
		.bits = bits,
		.mask = (UINT32_C(1) << bits) - 1,
	};
	t->losers = context_calloc(ctx, nr + 1, sizeof(*t->losers));
	t->times = context_calloc(ctx, nr + 1, sizeof(*t->times));
	t->has_ended = context_calloc(ctx, nr + 1, sizeof(*t->has_ended));
	return t->losers && t->times && t->has_ended ? 0 : -ENOMEM;
}

static inline void tournament_free(struct tournament *t)
{
	free(t->losers);
	free(t->times);
	free(t->has_ended);
}

/* Return the key of a stream. */
static inline uint64_t tournament_key(const struct tournament *t, uint32_t i)
{
	uint64_t since = t->times[i] < t->base ? 0 : (uint64_t)t->times[i] - (uint64_t)t->base;

	if (since > t->far)
		since = t->far;
	return (t->has_ended[i] ? t->far + 1 : since) << t->bits | i;
}

/* Return the number of the winner. */
static inline uint32_t tournament_winner(const struct tournament *t)
{
	return t->first & t->mask;
}

/* Return whether no stream has a record left. */
static inline bool tournament_is_over(const struct tournament *t)
{
	return t->first >> t->bits > t->far;
}

/* Play a stream against the losers on its way to the root. */
static ALWAYS_INLINE void tournament_play_key(struct tournament *t, uint64_t key)
{
	uint64_t *const losers = t->losers, other, lost;
	size_t i = (tournament_winner(t) + t->nr) / 2;

	for (; i; i /= 2) {
		other = losers[i];
		lost = other > key ? other : key;
		losers[i] = lost;
		key ^= other ^ lost;
	}
	t->first = key;
}

/* Let a stream play for the first time: it stays at the first node that is empty. */
static inline void tournament_enter(struct tournament *t, uint32_t number)
{
	uint64_t key = tournament_key(t, number), other;
	uint32_t i = (number + t->nr) / 2;

	for (; i; i /= 2) {
		other = t->losers[i];
		t->losers[i] = other > key && other != TOURNAMENT_NOBODY ? other : key;
		if (other == TOURNAMENT_NOBODY)
			return;
		key = other > key ? key : other;
	}
	t->first = key;
}

/* Let all streams play from the beginning, with keys since the earliest record. */
static inline void tournament_begin(struct tournament *t)
{
	uint32_t i;

	t->base = INT64_MAX;
	for (i = 0; i < t->nr; i++)
		if (!t->has_ended[i] && t->times[i] < t->base)
			t->base = t->times[i];
	for (i = 0; i <= t->nr; i++)
		t->losers[i] = TOURNAMENT_NOBODY;
	for (i = 0; i < t->nr; i++)
		tournament_enter(t, i);
}

/* Set the time of a stream before tournament_begin(). */
static inline void tournament_set(struct tournament *t, uint32_t i, int64_t time, bool has_ended)
{
	t->times[i] = time;
	t->has_ended[i] = has_ended;
}

/*
 * Let the winner play with the time of its next record, or out of the race. Return whether the
 * new winner is too far from the base: then tournament_begin() must follow, after
 * tournament_set() for the streams that played with tournament_play_soon().
 */
static inline bool tournament_step(struct tournament *t, int64_t time, bool has_ended)
{
	const uint32_t i = tournament_winner(t);

	tournament_set(t, i, time, has_ended);
	tournament_play_key(t, tournament_key(t, i));
	return t->first >> t->bits == t->far;
}

/* The same for streams that never play with tournament_play_soon(). */
static inline void tournament_play(struct tournament *t, int64_t time, bool has_ended)
{
	if (tournament_step(t, time, has_ended))
		tournament_begin(t);
}

/**
 * tournament_play_soon - let the winner play with a time that is not before its last one
 * @t: the tournament
 * @time: of its next record
 *
 * @t->times does not get the time.
 *
 * Return: false, with nothing done, if the time is too far from the base.
 */
static ALWAYS_INLINE bool tournament_play_soon(struct tournament *t, int64_t time)
{
	const uint64_t since = (uint64_t)time - (uint64_t)t->base;

	if (since >= t->far)
		return false;
	tournament_play_key(t, since << t->bits | tournament_winner(t));
	return true;
}

#endif /* KMEMTRACE_TOURNAMENT_H */
