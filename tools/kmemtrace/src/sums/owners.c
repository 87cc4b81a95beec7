// SPDX-License-Identifier: GPL-2.0
/*
 * owners.c - the owners of live memory at its peak
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sums/kinds.h"
#include "sums/owners.h"

/* Minimum entries of the log, and the number of kinds for each entry beyond that. */
#define MIN_LOG		64
#define KINDS_PER_ENTRY	8

/* Make room for more kinds; new ones own nothing. Returns false without memory. */
static bool make_room_for_owners(struct owners *o, uint32_t nr_kinds)
{
	uint32_t room = nr_kinds + nr_kinds / 2;
	int64_t *nr;

	if (nr_kinds > o->room_kinds) {
		nr = context_realloc(o->ctx, o->nr, room, sizeof(*nr));
		if (!nr)
			return false;
		o->nr = nr;
		o->room_kinds = room;
	}
	if (nr_kinds > o->nr_kinds) {
		memset(o->nr + o->nr_kinds, 0, (nr_kinds - o->nr_kinds) * sizeof(*o->nr));
		o->nr_kinds = nr_kinds;
	}
	return true;
}

/* Count the first entries of the log, up to the last peak, and remove them. */
static void fold(struct owners *o)
{
	size_t i;

	if (!o->peak)
		return;
	for (i = 0; i < o->peak; i++)
		if (make_room_for_owners(o, o->log[i].kind + 1))
			o->nr[o->log[i].kind] += o->log[i].nr;
	o->nr_log -= o->peak;
	memmove(o->log, o->log + o->peak, o->nr_log * sizeof(*o->log));
	o->peak = 0;
}

static bool open_log(struct owners *o, uint32_t nr_kinds)
{
	size_t max = nr_kinds / KINDS_PER_ENTRY + MIN_LOG;
	struct owners_entry *log;

	o->nr_log = 0;
	o->peak = 0;
	o->max_log = max;
	o->is_open = false;
	if (max > o->room_log) {
		log = context_realloc(o->ctx, o->log, 2 * max, sizeof(*log));
		if (!log)
			return false;
		o->log = log;
		o->room_log = 2 * max;
	}
	o->is_open = true;
	return true;
}

/**
 * owners_count - begin to count the memory that is live now
 * @o: the owners; the log begins anew
 * @nr_kinds: how many kinds there are
 *
 * Return: an array of the objects or frames of each kind, to be filled in by the caller;
 *	NULL without memory.
 */
int64_t *owners_count(struct owners *o, uint32_t nr_kinds)
{
	if (!make_room_for_owners(o, nr_kinds) || !open_log(o, nr_kinds))
		return NULL;
	return o->nr;
}

/**
 * owners_add - add memory that was live from the begin on
 * @o: the owners
 * @nr_kinds: how many kinds there are
 *
 * Return: an array of the objects or frames of each kind, to which the caller adds; NULL
 *	without memory.
 */
int64_t *owners_add(struct owners *o, uint32_t nr_kinds)
{
	fold(o);
	return make_room_for_owners(o, nr_kinds) ? o->nr : NULL;
}

/* Undo an effect that is in the count, but came after the peak; then log it. */
void owners_undo(struct owners *o, uint32_t kind, int32_t nr)
{
	if (kind == NO_KIND || kind >= o->nr_kinds)
		return;
	o->nr[kind] -= nr;
	owners_log(o, kind, nr);
}

/**
 * owners_follow - check whether effects can be logged
 * @o: the owners
 * @nr: how many effects there are at most
 *
 * Return: false if there is no room. Then the log is closed, and the caller counts live
 *	memory at the next peak.
 */
bool owners_follow(struct owners *o, size_t nr)
{
	if (o->is_open && nr > o->max_log - o->nr_log)
		fold(o);
	if (o->is_open && nr > o->max_log - o->nr_log)
		o->is_open = false;
	return o->is_open;
}

/* Log an effect. If there is no room, the log is closed. */
void owners_log(struct owners *o, uint32_t kind, int32_t nr)
{
	if (kind == NO_KIND || !o->is_open)
		return;
	if (o->nr_log == o->max_log)
		o->is_open = false;
	else
		o->log[o->nr_log++] = (struct owners_entry) { kind, nr };
}

/* The peak is here, after all effects that are logged. */
void owners_peak(struct owners *o)
{
	o->peak = o->nr_log;
}

/* Count all effects up to the peak. */
void owners_update(struct owners *o)
{
	fold(o);
}

/* The same, and log no more. */
void owners_end(struct owners *o)
{
	owners_update(o);
	o->is_open = false;
}

/* Free all memory. */
void owners_free(struct owners *o)
{
	free(o->nr);
	free(o->log);
	*o = (struct owners) { .ctx = o->ctx };
}
