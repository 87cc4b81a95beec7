/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the ABI for fields that several records have, and what is found.
 */
#ifndef KMEMTRACE_CHECK_FIELDS_H
#define KMEMTRACE_CHECK_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/numbers.h"
#include "kmemtrace.h"
#include "linux/kmemtrace.h"

/* Each is named after the field that it checks; check-rules.c has the names. */
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
	RULE_FOUND,
	RULE_TAKEN,
	RULE_SAMPLE,
	RULE_PHASE,
	RULE_OLD,
	RULE_WHO,
	RULE_STACK,
	RULE_DEPTH,
	RULE_IS_CUT,
	RULE_FRAMES,
	RULE_TASK,
	RULE_PID,
	RULE_TGID,
	RULE_COMM,
	RULE_IS_REMOVED,
	RULE_CGROUP,
	RULE_PARENT,
	RULE_PATH,
	RULE_TAIL,
	RULE_FRAME,
	RULE_FILE_SIZE,
	NR_RULES
};

/**
 * struct check - the state of one stream's check
 * @name: what messages call the stream
 * @offset: where in the stream the current record is
 * @machine: the traced machine; NULL: a file without a trace
 * @unseen: what its source can't see, bits of enum unseen
 * @is_books: it is the file of the books, see common/booksfile.h
 * @abi: ABI version of the stream; 0: unknown before its first record
 * @cpu: CPU of the stream; -1: unknown, before the first record that has it
 * @records: number of records, without pads
 * @lost: number of records that the stream reports as missing
 * @sequence: number that the next sub-buffer should have
 * @uncertainty: nanoseconds, of the last clock record
 * @monotonic: time of the last clock record
 * @clock: clock of the last clock record; -1: there was none
 * @phase: last phase of the boot that began in the stream; 0: none
 * @with: what the metadata says that events have, see with_bits()
 * @numbers: the numbers of call paths and cgroups, of all streams
 * @generation: how often tracing was switched on again in this stream
 * @has_task: the current sub-buffer has said which task runs
 * @padded: the last record was a pad, which ends a sub-buffer
 * @found: findings by rule
 * @last: time of the last record
 */
struct check {
	const char *name;
	uint64_t offset;
	const struct kmemtrace_machine *machine;
	uint32_t unseen;
	bool is_books;
	unsigned int abi;
	int64_t cpu;
	uint64_t records;
	uint64_t lost;
	uint64_t sequence;
	uint64_t uncertainty, monotonic;
	int clock;
	unsigned int phase;
	unsigned int with;
	struct numbers *numbers;
	uint32_t generation;
	bool has_task;
	bool padded;
	uint64_t found[NR_RULES];
	int64_t last;
};

__attribute__((format(printf, 3, 4)))
void finding(struct check *c, enum rule rule, const char *fmt, ...);
uint64_t check_summary(const struct check *c);

uint64_t page_size(const struct check *c);
void check_size(struct check *c, const struct kmemtrace_event *ev, size_t size);
void check_address(struct check *c, enum rule rule, uint64_t address, const char *expected);
void check_page_address(struct check *c, enum rule rule, uint64_t ptr);
void check_page_bytes(struct check *c, enum rule rule, uint64_t bytes);
void check_zero(struct check *c, size_t at, uint64_t value);

#define CHECK_ZERO(c, rec, field) \
	check_zero(c, offsetof(typeof(*(rec)), field), (rec)->field)

#endif /* KMEMTRACE_CHECK_FIELDS_H */
