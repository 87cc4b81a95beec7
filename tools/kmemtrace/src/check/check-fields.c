// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of the ABI for fields that several records have, and what is found.
 */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "check/check-fields.h"

/* Findings of one rule in one file that are printed; further ones are counted. */
#define MAX_REPEAT	5

static const char * const rule_names[NR_RULES] = {
	[RULE_EVENT_ID] = "event_id",
	[RULE_TYPE_ID] = "type_id",
	[RULE_EVENT_SIZE] = "event_size",
	[RULE_NODE] = "node",
	[RULE_CALL_SITE] = "call_site",
	[RULE_PTR] = "ptr",
	[RULE_BYTES_REQ] = "bytes_req",
	[RULE_BYTES_ALLOC] = "bytes_alloc",
	[RULE_GFP_FLAGS] = "gfp_flags",
	[RULE_TIMESTAMP] = "timestamp",
	[RULE_ZERO] = "zero",
	[RULE_CPU] = "cpu",
	[RULE_RECORDS] = "records",
	[RULE_BYTES] = "bytes",
	[RULE_NESTED] = "nested",
	[RULE_SINCE] = "since",
	[RULE_SEQUENCE] = "sequence",
	[RULE_CLOCK] = "clock",
	[RULE_FREQUENCY] = "frequency",
	[RULE_OP] = "op",
	[RULE_USERS] = "users",
	[RULE_CACHE] = "cache",
	[RULE_OBJECT_SIZE] = "object_size",
	[RULE_SIZE] = "size",
	[RULE_FLAGS] = "flags",
	[RULE_ALIGN] = "align",
	[RULE_NAME] = "name",
	[RULE_OBJECTS] = "objects",
	[RULE_LIVE] = "live",
	[RULE_STATE] = "state",
	[RULE_FOUND] = "found",
	[RULE_TAKEN] = "taken",
	[RULE_SAMPLE] = "sample",
	[RULE_PHASE] = "phase",
	[RULE_OLD] = "old",
	[RULE_WHO] = "who",
	[RULE_STACK] = "stack",
	[RULE_DEPTH] = "depth",
	[RULE_IS_CUT] = "is_cut",
	[RULE_FRAMES] = "frames",
	[RULE_TASK] = "task",
	[RULE_PID] = "pid",
	[RULE_TGID] = "tgid",
	[RULE_COMM] = "comm",
	[RULE_IS_REMOVED] = "is_removed",
	[RULE_CGROUP] = "cgroup",
	[RULE_PARENT] = "parent",
	[RULE_PATH] = "path",
	[RULE_TAIL] = "tail",
	[RULE_FRAME] = "frame",
	[RULE_FILE_SIZE] = "file_size",
};

/**
 * finding - report that the current record breaks a rule
 * @c: the stream
 * @rule: the rule
 * @fmt: as for printf(): the value that was found, and the expected one
 */
void finding(struct check *c, enum rule rule, const char *fmt, ...)
{
	va_list ap;

	if (c->found[rule]++ >= MAX_REPEAT)
		return;
	printf("%s: offset %" PRIu64 ": %s: ", c->name, c->offset, rule_names[rule]);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/**
 * check_summary - count the findings of a stream
 * @c: the stream, after its last record
 *
 * Prints how many findings were not printed.
 *
 * Return: the number of all findings.
 */
uint64_t check_summary(const struct check *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_RULES; i++) {
		sum += c->found[i];
		if (c->found[i] > MAX_REPEAT)
			printf("%s: %s: %" PRIu64 " more findings\n",
			       c->name, rule_names[i],
			       c->found[i] - MAX_REPEAT);
	}
	return sum;
}

/* ---- fields ---- */

/* Return the page size of the traced machine. */
uint64_t page_size(const struct check *c)
{
	return c->machine ? c->machine->page_size : 4096;
}

/* A record may be longer: a reader skips the tail that it does not know. */
void check_size(struct check *c, const struct kmemtrace_event *ev, size_t size)
{
	if (ev->event_size < size)
		finding(c, RULE_EVENT_SIZE, "%u, expected %zu or more in ABI version %u",
			ev->event_size, size, c->abi);
}

/* Check an address. @expected: what it should be; NULL: it may be 0 */
void check_address(struct check *c, enum rule rule, uint64_t address, const char *expected)
{
	if (!address && expected)
		finding(c, rule, "NULL, expected %s", expected);
	if (c->machine && c->machine->word_bits == 32 && address > UINT32_MAX)
		finding(c, rule, "%#" PRIx64 ", expected an address of 32 bits",
			address);
}

/* Check that a page begins at an address. */
void check_page_address(struct check *c, enum rule rule, uint64_t ptr)
{
	if (ptr % page_size(c))
		finding(c, rule, "%#" PRIx64 ", expected the start of a page of %" PRIu64 " bytes",
			ptr, page_size(c));
}

/* Check for whole pages, at least one. */
void check_page_bytes(struct check *c, enum rule rule, uint64_t bytes)
{
	if (!bytes || bytes % page_size(c))
		finding(c, rule, "%" PRIu64 ", expected whole pages of %" PRIu64 " bytes",
			bytes, page_size(c));
}

/* Check that a field is 0; @at: where in the record it is. */
void check_zero(struct check *c, size_t at, uint64_t value)
{
	if (value)
		finding(c, RULE_ZERO, "%#" PRIx64 " at byte %zu of the record, expected 0",
			value, at);
}
