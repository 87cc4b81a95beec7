// SPDX-License-Identifier: GPL-2.0
/*
 * What a shard leaves behind for the books.
 */
#include "config.h"

#include "books/job.h"
#include "common/memory.h"

/**
 * job_note - something seems to be wrong
 * @j: the job
 * @c: the event that shows it
 * @class: what seems to be wrong
 *
 * Return: the note, whose rest may be filled in until the next one comes.
 */
struct note *job_note(struct job *j, const struct change *c,
		      enum finding_class class)
{
	struct shard *s = j->s;

	if (s->nr_notes == s->room_notes) {
		s->room_notes = s->room_notes ? 2 * s->room_notes : 16;
		s->notes = must_realloc(s->notes, s->room_notes,
					sizeof(*s->notes));
	}
	s->notes[s->nr_notes] = (struct note) {
		.at = j->at,
		.once = c->is_part,
		.finding = {
			.class = class,
			.space = c->space,
			.site = NO_SITE,
			.site2 = job_kind(j, c->kind)->site,
			.ptr = c->ptr,
			.time = c->time,
			.cpu = c->cpu,
			.event = c->event,
			.is_hidden = kind_is_hidden(job_kind(j, c->kind)),
		},
	};
	return &s->notes[s->nr_notes++];
}

/**
 * job_extra - an event does more than one thing
 * @j: the job
 * @effect: what
 */
void job_extra(struct job *j, const struct effect *effect)
{
	struct shard *s = j->s;

	if (s->nr_extras == s->room_extras) {
		s->room_extras = s->room_extras ? 2 * s->room_extras : 16;
		s->extras = must_realloc(s->extras, s->room_extras,
					 sizeof(*s->extras));
	}
	s->extras[s->nr_extras++] = (struct extra) {
		.at = j->at,
		.effect = *effect,
	};
}
