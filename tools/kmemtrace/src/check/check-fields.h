/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the ABI for fields that several records have, and what is found.
 */
#ifndef KMEMTRACE_CHECK_FIELDS_H
#define KMEMTRACE_CHECK_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/numbers.h"
#include "common/records.h"
#include "kmemtrace-records.h"
#include "linux/kmemtrace.h"

/* Rules that one stream may break. */
#define MAX_RULES	64

/**
 * struct broken_rule - a rule that a stream breaks
 * @name: the field that the rule is about
 * @nr: how often
 * @offset: where in the stream the last record is that breaks it
 */
struct broken_rule {
	const char *name;
	uint64_t nr;
	uint64_t offset;
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
 * @broken: the rules that it breaks, by the first finding
 * @nr_broken: entries of @broken
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
	struct broken_rule broken[MAX_RULES];
	size_t nr_broken;
	int64_t last;
};

__attribute__((format(printf, 3, 4)))
void finding(struct check *c, const char *name, const char *fmt, ...);
uint64_t check_summary(const struct check *c);

uint64_t page_size(const struct check *c);
void check_size(struct check *c, const struct kmemtrace_event *ev, size_t size);
void check_node(struct check *c, int node, int min);
void check_32_bits(struct check *c, const char *rule, uint64_t flags);
void check_address(struct check *c, const char *rule, uint64_t address, const char *expected);
void check_page_address(struct check *c, const char *rule, uint64_t ptr);
void check_page_bytes(struct check *c, const char *rule, uint64_t bytes);
void check_zero(struct check *c, size_t at, uint64_t value);

void check_fields(struct check *c, const struct kmemtrace_record *rec,
		  const struct record_field *fields);

#define CHECK_ZERO(c, rec, field) \
	check_zero(c, offsetof(typeof(*(rec)), field), (rec)->field)

#endif /* KMEMTRACE_CHECK_FIELDS_H */
