// SPDX-License-Identifier: GPL-2.0
/*
 * timemap.c - convert cycles, or another clock, to nanoseconds of CLOCK_MONOTONIC
 *
 * Each sub-buffer begins with a pair of both times. All CPUs share the clock, so the pairs
 * of all CPUs make one map. Times between two pairs are interpolated. Early in a boot
 * CLOCK_MONOTONIC advances in ticks: pairs of that phase are left out, and times before the
 * first good pair are extrapolated from it with the frequency, which the kernel knows best
 * at the end.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "linux/kmemtrace.h"
#include "read/timemap.h"

/* Between two pairs lie at least 1000 times their errors. */
#define MIN_STEP_NS	1000000
#define MIN_STEP_FACTOR	1000
/* A pair with this error is no tick. */
#define GOOD_ERROR_NS	100000
/* A rate may be wrong by one part in this number. */
#define GOOD_RATE	100000

/* While a trace is followed: the distance of pairs, and how many are kept. */
#define FOLLOW_STEP_NS	100000000
#define FOLLOW_MAX	1024

/**
 * timemaps_add_pair - add a moment that a stream has on both clocks
 * @maps: zeroed before the first pair; timemaps_close() it also after an error
 * @ctx: the context of the trace
 * @clock: the clock of @pair->time, below TIMEMAP_CLOCKS
 * @pair: the moment; its rate is ignored
 * @frequency: units of @pair->time per second, as known at that moment; 0: unknown
 *
 * Return: 0 or -errno.
 */
int timemaps_add_pair(struct timemaps *maps, struct context *ctx, unsigned int clock,
		      const struct timepair *pair, uint64_t frequency)
{
	struct timemap *map = &maps->of[clock];
	struct timepair *pairs;

	pairs = context_grow_list(ctx, map->pairs, map->nr, sizeof(*pairs));
	if (!pairs)
		return -ENOMEM;
	map->pairs = pairs;
	pairs[map->nr++] = *pair;
	if (frequency && pair->time >= map->known_at) {
		map->frequency = frequency;
		map->known_at = pair->time;
	}
	return context_check(ctx);
}

static int by_time(const void *left, const void *right)
{
	const struct timepair *a = left, *b = right;

	return a->time < b->time ? -1 : a->time > b->time;
}

/* Return the smallest distance, in nanoseconds, at which two pairs determine the rate. */
static uint64_t min_step(const struct timepair *pair)
{
	if (pair->uncertainty > UINT64_MAX / 2 / MIN_STEP_FACTOR)
		return UINT64_MAX / 2;
	if (pair->uncertainty > MIN_STEP_NS / MIN_STEP_FACTOR)
		return pair->uncertainty * MIN_STEP_FACTOR;
	return MIN_STEP_NS;
}

/* Return whether a pair is late enough after another on both clocks. */
static bool is_step(const struct timepair *before, const struct timepair *pair)
{
	return pair->time != before->time && pair->ns > before->ns &&
	       pair->ns - before->ns >= min_step(pair);
}

/* Return the largest error of a pair that is good enough, if the best one has this error. */
static uint64_t limit_of(uint64_t best)
{
	if (best < GOOD_ERROR_NS)
		return GOOD_ERROR_NS;
	return best > UINT64_MAX / 2 ? UINT64_MAX : 2 * best;
}

/*
 * Leave out pairs that are much worse than the best one, too close to the one before, or
 * in another order on the other clock. At least one pair stays.
 */
static void choose_pairs(struct timemap *map)
{
	uint64_t limit = UINT64_MAX;
	size_t i, nr = 0;

	for (i = 0; i < map->nr; i++)
		if (map->pairs[i].error < limit)
			limit = map->pairs[i].error;
	limit = limit_of(limit);
	for (i = 0; i < map->nr; i++) {
		const struct timepair *pair = &map->pairs[i];

		if (pair->error > limit ||
		    (nr && !is_step(&map->pairs[nr - 1], pair)))
			continue;
		map->pairs[nr++] = *pair;
		if (pair->error > map->error)
			map->error = pair->error;
	}
	map->nr = nr;
}

static double rate_between(const struct timepair *a, const struct timepair *b)
{
	return (double)(b->ns - a->ns) / (b->time - a->time);
}

/* Return whether the pairs are so far apart that their rate is better than the kernel's. */
static bool knows_rate(const struct timemap *map)
{
	uint64_t span = map->pairs[map->nr - 1].ns - map->pairs[0].ns;

	return span / GOOD_RATE > 2 * map->error;
}

static void set_rates(struct timemap *map)
{
	struct timepair *last = &map->pairs[map->nr - 1];
	size_t i;

	if (map->nr > 1 && (!map->frequency || knows_rate(map)))
		map->rate = rate_between(&map->pairs[0], last);
	else if (map->frequency)
		map->rate = 1e9 / map->frequency;
	else
		map->rate = 1;
	for (i = 0; i + 1 < map->nr; i++)
		map->pairs[i].rate = rate_between(&map->pairs[i],
						  &map->pairs[i + 1]);
	last->rate = map->rate;
}

static void warn_of_cycles(const struct tracedir *dir)
{
	const char *clock = tracedir_meta(dir, "clock");

	if (clock && !strcmp(clock, "cycles"))
		context_say(dir->ctx, "%s: no stream says what its cycles are in nanoseconds: one counts as one",
			    dir->name);
}

static void finish_map(struct timemap *map)
{
	if (!map->nr)
		return;
	qsort(map->pairs, map->nr, sizeof(*map->pairs), by_time);
	choose_pairs(map);
	set_rates(map);
}

/* Emit messages about clocks of which no rate is known. */
void timemaps_warn(const struct timemaps *maps, const struct tracedir *dir)
{
	const struct timemap *cycles = &maps->of[KMEMTRACE_CLOCK_CYCLES];

	if (!maps->of[KMEMTRACE_CLOCK_LOCAL].nr && !cycles->nr)
		warn_of_cycles(dir);
	if (cycles->nr == 1 && !cycles->frequency)
		context_say(dir->ctx, "%s: the frequency of its clock is unknown: a cycle counts as a nanosecond",
			    dir->name);
}

/**
 * timemaps_finish - make maps of the pairs of all streams
 * @maps: has the pairs
 */
void timemaps_finish(struct timemaps *maps)
{
	size_t i;

	maps->of[KMEMTRACE_CLOCK_LOCAL].frequency = 1000000000;
	for (i = 0; i < TIMEMAP_CLOCKS; i++)
		finish_map(&maps->of[i]);
}

/* The end in the metadata is not exact. */
#define BOUNDS_SPARE_NS	1000000000

/*
 * Return the time of the timestamp 0, as timespan_ns() does. In a boot, records may come seconds
 * before the kernel knows CLOCK_MONOTONIC.
 */
static int64_t begin_of_clock(const struct timemap *map)
{
	const struct timepair *first = &map->pairs[0];
	const double before = (double)first->time * map->rate;

	/* No clock runs for 146 years: the pair is damaged. */
	if (first->ns > INT64_MAX || before > 0x1p62)
		return INT64_MIN;
	return (int64_t)first->ns - (int64_t)before;
}

/**
 * timemaps_bound - find between which times all records of a trace are
 * @maps: the maps, after timemaps_finish(). Get no bounds where the trace has not ended, or has no
 *	pairs
 * @dir: the trace
 */
void timemaps_bound(struct timemaps *maps, const struct tracedir *dir)
{
	int64_t first = INT64_MAX;
	uint64_t end_ns;
	size_t i;

	for (i = 0; i < TIMEMAP_CLOCKS; i++)
		if (maps->of[i].nr && begin_of_clock(&maps->of[i]) < first)
			first = begin_of_clock(&maps->of[i]);
	if (!tracedir_meta_u64(dir, "end_ns", &end_ns) || end_ns > INT64_MAX - BOUNDS_SPARE_NS ||
	    first > (int64_t)end_ns)
		return;
	maps->has_bounds = true;
	maps->earliest = first;
	maps->latest = (int64_t)end_ns + BOUNDS_SPARE_NS;
}

/* ---- a trace that arrives ---- */

/*
 * Pairs are held until no earlier one can arrive. Then they are chosen in their order, as
 * timemaps_finish() does: so timestamps are converted as in a trace that is stored.
 */

/* A map keeps so many pairs; those in the middle are forgotten then. */
#define MAX_KEPT	8192

/**
 * struct held_pair - a pair that may not be the next one
 * @pair: the pair
 * @clock: its clock
 * @cpu: CPU of the stream that has it
 * @nr: its number among all pairs
 */
struct held_pair {
	struct timepair pair;
	unsigned int clock, cpu;
	uint64_t nr;
};

/* Begin maps of a trace that arrives. */
void timemaps_begin(struct timemaps *maps)
{
	size_t i;

	*maps = (struct timemaps) { .nr_held = 0 };
	for (i = 0; i < TIMEMAP_CLOCKS; i++) {
		maps->of[i].grows = true;
		maps->of[i].best = UINT64_MAX;
	}
	maps->of[KMEMTRACE_CLOCK_LOCAL].frequency = 1000000000;
}

/**
 * timemaps_hold - add a pair of a trace that arrives
 * @maps: the maps
 * @ctx: the context of the trace
 * @clock: the clock of @pair->time, below TIMEMAP_CLOCKS
 * @cpu: CPU of the stream that has it
 * @pair: the moment; its rate is ignored
 * @frequency: as for timemaps_add_pair()
 *
 * Return: 0 or -errno.
 */
int timemaps_hold(struct timemaps *maps, struct context *ctx, unsigned int clock,
		  unsigned int cpu, const struct timepair *pair, uint64_t frequency)
{
	struct timemap *map = &maps->of[clock];
	struct held_pair *held = context_grow_list(ctx, maps->held, maps->nr_held, sizeof(*held));

	if (!held)
		return -ENOMEM;
	maps->held = held;
	maps->held[maps->nr_held++] = (struct held_pair) {
		*pair, clock, cpu, maps->nr_pairs++,
	};
	if (pair->error < map->best)
		map->best = pair->error;
	if (frequency && clock != KMEMTRACE_CLOCK_LOCAL && pair->time >= map->known_at) {
		map->frequency = frequency;
		map->known_at = pair->time;
	}
	return 0;
}

/* By clock, then as timemaps_finish() sorts pairs. */
static int by_clock(const void *left, const void *right)
{
	const struct held_pair *a = left, *b = right;

	if (a->clock != b->clock)
		return a->clock < b->clock ? -1 : 1;
	if (a->pair.time != b->pair.time)
		return a->pair.time < b->pair.time ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->nr < b->nr ? -1 : 1;
}

/* Forget the older half of the pairs but the first, if no record needs them any more. */
static void forget_pairs(struct timemap *map, uint64_t needed)
{
	const size_t half = map->nr / 2;

	if (map->nr < MAX_KEPT || map->pairs[half].ns >= needed)
		return;
	map->nr -= half - 1;
	memmove(map->pairs + 1, map->pairs + half, (map->nr - 1) * sizeof(*map->pairs));
}

/* Append a pair to its map, unless it is left out. Return 0 or -ENOMEM. */
static int add_useful_pair(struct timemap *map, struct context *ctx, const struct timepair *pair)
{
	struct timepair *pairs;

	if (pair->error > limit_of(map->best) ||
	    (map->nr && !is_step(&map->pairs[map->nr - 1], pair)))
		return 0;
	pairs = context_grow_list(ctx, map->pairs, map->nr, sizeof(*pairs));
	if (!pairs)
		return -ENOMEM;
	map->pairs = pairs;
	if (map->nr)
		map->pairs[map->nr - 1].rate = rate_between(&map->pairs[map->nr - 1], pair);
	map->pairs[map->nr++] = *pair;
	if (pair->error > map->error)
		map->error = pair->error;
	return 0;
}

/**
 * timemaps_settle - take the pairs that are certain
 * @maps: the maps
 * @ctx: the context of the trace
 * @until: all pairs up to this time have arrived, in nanoseconds
 * @needed: no record from before this time is still to be converted
 *
 * While no pair of a clock is good, others of it are chosen only at the end. Where many pairs must
 * wait, nothing happens until there are half as many more: so each is sorted a few times only.
 *
 * Return: 0 or -errno.
 */
int timemaps_settle(struct timemaps *maps, struct context *ctx, uint64_t until,
		    uint64_t needed)
{
	bool waits[TIMEMAP_CLOCKS];
	size_t i, nr = 0;
	int ret = 0;

	if (maps->nr_held < maps->enough && until != UINT64_MAX)
		return 0;
	if (maps->nr_held)
		qsort(maps->held, maps->nr_held, sizeof(*maps->held), by_clock);
	for (i = 0; i < TIMEMAP_CLOCKS; i++)
		waits[i] = maps->of[i].grows && maps->of[i].best >= GOOD_ERROR_NS;
	for (i = 0; !ret && i < maps->nr_held; i++) {
		const struct held_pair *h = &maps->held[i];

		if (h->pair.ns > until)
			waits[h->clock] = true;
		if (waits[h->clock])
			maps->held[nr++] = *h;
		else
			ret = add_useful_pair(&maps->of[h->clock], ctx, &h->pair);
	}
	maps->nr_held = nr;
	maps->enough = nr + nr / 2;
	for (i = 0; i < TIMEMAP_CLOCKS; i++)
		forget_pairs(&maps->of[i], needed);
	return ret;
}

/**
 * timemaps_end - complete the maps: all pairs have arrived
 * @maps: the maps
 * @dir: the trace
 *
 * Return: 0 or -errno.
 */
int timemaps_end(struct timemaps *maps, const struct tracedir *dir)
{
	size_t i;
	int ret;

	for (i = 0; i < TIMEMAP_CLOCKS; i++)
		maps->of[i].grows = false;
	ret = timemaps_settle(maps, dir->ctx, UINT64_MAX, 0);
	for (i = 0; i < TIMEMAP_CLOCKS; i++)
		if (maps->of[i].nr)
			set_rates(&maps->of[i]);
	timemaps_warn(maps, dir);
	return ret;
}

/* ---- a trace that is still being recorded ---- */

/* Return whether a pair says more about the clock than the last one of @map. */
static bool is_news(const struct timemap *map, const struct timepair *pair)
{
	const struct timepair *last = &map->pairs[map->nr - 1];

	return (pair->error <= GOOD_ERROR_NS || pair->error <= last->error) &&
	       is_step(last, pair) && pair->ns - last->ns >= FOLLOW_STEP_NS;
}

/* The first good pair replaces those of the early boot. */
static bool replaces_all(const struct timemap *map, const struct timepair *pair)
{
	return map->pairs[map->nr - 1].error > GOOD_ERROR_NS &&
	       pair->error < map->pairs[map->nr - 1].error;
}

/**
 * timemaps_follow - take over a pair of times while records are being converted
 * @maps: zeroed before the first pair; timemaps_close() it also after an error
 * @ctx: the context of the trace
 * @clock: the clock of @pair->time, below TIMEMAP_CLOCKS
 * @pair: the moment; its rate is ignored
 * @frequency: as for timemaps_add_pair()
 *
 * Memory is bounded: pairs follow each other at a distance, and the oldest are forgotten.
 * Times that were converted stay as they are.
 */
void timemaps_follow(struct timemaps *maps, struct context *ctx, unsigned int clock,
		     const struct timepair *pair, uint64_t frequency)
{
	struct timemap *map = &maps->of[clock];

	if (!map->pairs)
		map->pairs = context_calloc(ctx, FOLLOW_MAX, sizeof(*map->pairs));
	if (!map->pairs)
		return;
	if (map->nr && replaces_all(map, pair))
		map->nr = 0;
	else if (map->nr && !is_news(map, pair))
		return;
	if (map->nr == FOLLOW_MAX) {
		map->nr /= 2;
		memmove(map->pairs, map->pairs + map->nr, map->nr * sizeof(*pair));
	}
	map->pairs[map->nr++] = *pair;
	map->error = pair->error;
	map->frequency = clock == KMEMTRACE_CLOCK_LOCAL ? 1000000000 : frequency;
	set_rates(map);
}

/* ---- conversion ---- */

/* Return the last pair that isn't later than @time, or the first; try @hint first. */
static size_t find_pair(const struct timemap *map, size_t hint, uint64_t time)
{
	size_t low = 0, high = map->nr, mid;

	if (hint < map->nr && map->pairs[hint].time <= time &&
	    (hint + 1 == map->nr || time < map->pairs[hint + 1].time))
		return hint;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (map->pairs[mid].time <= time)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/**
 * timemap_ns - convert a timestamp
 * @map: map of its clock, not empty
 * @hint: any number; passed again, it makes conversions of near times faster
 * @time: the timestamp
 *
 * Return: nanoseconds of CLOCK_MONOTONIC, which do not decrease where @time does not.
 */
int64_t timemap_ns(const struct timemap *map, size_t *hint, uint64_t time)
{
	const struct timepair *pair;
	double ns;

	*hint = find_pair(map, *hint, time);
	pair = &map->pairs[*hint];
	ns = (double)(int64_t)(time - pair->time) *
	     (time < pair->time ? map->rate : pair->rate);
	/* The stream may be damaged. */
	if (!(ns > -0x1p62 && ns < 0x1p62))
		return ns > 0 ? INT64_MAX : INT64_MIN;
	return (int64_t)(pair->ns + (uint64_t)(int64_t)ns);
}

/**
 * timemap_span - find the timestamps that are converted like another one
 * @map: map of the clock, not empty
 * @hint: from timemap_ns() of that timestamp
 *
 * Return: the timestamps from the pair of @hint to the next one.
 */
struct timespan timemap_span(const struct timemap *map, size_t hint)
{
	const struct timepair *pair = &map->pairs[hint];
	struct timespan span = {
		.begin = pair->time,
		.length = UINT64_C(1) << 56,
		.ns = pair->ns,
		.rate = pair->rate,
	};

	if (hint + 1 < map->nr && pair[1].time - pair->time < span.length)
		span.length = pair[1].time - pair->time;
	if (hint + 1 == map->nr && map->grows)
		span.length = 0;
	/* Longer spans could overflow, which timemap_ns() checks. */
	if (!(pair->rate > 0 && (double)span.length * pair->rate < 0x1p62))
		span.length = 0;
	return span;
}

void timemaps_close(struct timemaps *maps)
{
	for (size_t i = 0; i < TIMEMAP_CLOCKS; i++)
		free(maps->of[i].pairs);
	free(maps->held);
}
