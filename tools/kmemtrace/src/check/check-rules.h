/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the ABI for one record after another of a stream.
 */
#ifndef KMEMTRACE_CHECK_RULES_H
#define KMEMTRACE_CHECK_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "read/reader.h"
#include "read/tracedir.h"

/* Each is named after the field that it is about; check-rules.c has the names. */
enum rule {
	RULE_EVENT_ID,
	RULE_TYPE_ID,
	RULE_EVENT_SIZE,
	RULE_NODE,
	RULE_CALL_SITE,
	RULE_PTR,
	RULE_BYTES_REQ,
	RULE_BYTES_ALLOC,
	RULE_GFP_FLAGS,
	RULE_TIMESTAMP,
	RULE_ZERO,
	RULE_CPU,
	RULE_RECORDS,
	RULE_BYTES,
	RULE_NESTED,
	RULE_SINCE,
	RULE_SEQUENCE,
	RULE_CLOCK,
	RULE_FREQUENCY,
	RULE_OP,
	RULE_USERS,
	RULE_CACHE,
	RULE_OBJECT_SIZE,
	RULE_SIZE,
	RULE_FLAGS,
	RULE_ALIGN,
	RULE_NAME,
	RULE_OBJECTS,
	RULE_LIVE,
	RULE_STATE,
	RULE_PHASE,
	RULE_TAIL,
	RULE_FRAME,
	RULE_FILE_SIZE,
	NR_RULES
};

/**
 * struct check - the state of one stream's check
 * @r: the stream
 * @dir: what is known of the trace, or NULL for a lone file
 * @abi: ABI version of the stream, 0 before its first record
 * @cpu: whose stream it is, -1 before the first record of a file whose name
 *	doesn't tell
 * @records: seen, pads aside
 * @lost: records that the stream says are missing
 * @sequence: what the next clock has to say
 * @uncertainty: nanoseconds, of the last clock
 * @monotonic: of the last clock
 * @clock: what timestamps count, of the last clock; -1 before that
 * @phase: of the boot, the last one that has begun in it; 0: none has
 * @padded: the last one was a pad, which ends a sub-buffer
 * @found: findings by rule
 * @last: time of the record before
 */
struct check {
	struct reader *r;
	const struct tracedir *dir;
	unsigned int abi;
	int64_t cpu;
	uint64_t records;
	uint64_t lost;
	uint64_t sequence;
	uint64_t uncertainty, monotonic;
	int clock;
	unsigned int phase;
	bool padded;
	uint64_t found[NR_RULES];
	int64_t last;
};

__attribute__((format(printf, 3, 4)))
void finding(struct check *c, enum rule rule, const char *fmt, ...);
void check_record(struct check *c, const struct record *rec);
void check_pad(struct check *c, const struct record *pad);
uint64_t check_summary(const struct check *c);

#endif /* KMEMTRACE_CHECK_RULES_H */
