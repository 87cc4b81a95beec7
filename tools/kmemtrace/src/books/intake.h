/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The intake of the ledger: from records to changes in a batch.
 */
#ifndef KMEMTRACE_INTAKE_H
#define KMEMTRACE_INTAKE_H

#include "books/memo.h"

/**
 * enum intake_answer - what intake_add() did with a record
 * @INTAKE_TAKEN: took it
 * @INTAKE_FULL: nothing: the batch has no room for it
 * @INTAKE_ALONE: nothing: it is for ledger_event(), after all records before it
 * @INTAKE_CHARGED: nothing: it is for intake_add() once more, after ledger_charge(), after all
 *	records before it
 */
enum intake_answer {
	INTAKE_TAKEN,
	INTAKE_FULL,
	INTAKE_ALONE,
	INTAKE_CHARGED,
};

int intake_init(struct ledger *l);
enum intake_answer intake_add_any(struct ledger *l, struct batch *b,
				  const struct record *rec, unsigned int cpu,
				  int64_t time);

/**
 * intake_add - add a record to a batch if it is a change, else take it
 * @l: the ledger; other threads may work on the shards of another batch
 * @b: the batch
 * @rec: the record
 * @cpu: CPU of its stream
 * @time: when, not before that of the record before
 *
 * Nearly all records have a memo, there is room for them, and they are one change.
 *
 * Return: see enum intake_answer.
 */
static ALWAYS_INLINE enum intake_answer intake_add(struct ledger *l, struct batch *b,
						   const struct record *rec, unsigned int cpu,
						   int64_t time)
{
	const uint32_t step = request_step(rec->ev->bytes_req);
	const struct memo *m = memo_at(l, rec->ev, step, 0);

	if (rec->tail_size < l->quick_tail && memo_is_of(m, l, rec, step, 0) &&
	    memo_add(l, b, rec->ev, m, cpu, time))
		return INTAKE_TAKEN;
	return intake_add_any(l, b, rec, cpu, time);
}

#endif /* KMEMTRACE_INTAKE_H */
