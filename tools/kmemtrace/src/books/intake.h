/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The intake of the ledger: from records to changes in a batch.
 */
#ifndef KMEMTRACE_INTAKE_H
#define KMEMTRACE_INTAKE_H

#include "books/state.h"

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
enum intake_answer intake_add(struct ledger *l, struct batch *b,
			      const struct record *rec, unsigned int cpu,
			      int64_t time);

#endif /* KMEMTRACE_INTAKE_H */
