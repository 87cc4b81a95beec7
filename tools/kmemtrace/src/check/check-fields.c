// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of the ABI for fields that several records have, and what is found.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/check-fields.h"
#include "common/abi.h"
#include "common/number.h"

/* Findings of one rule in one file that are printed; further ones are counted. */
#define MAX_REPEAT	5

/* Return the rule, which the stream may not have broken before. */
static struct broken_rule *rule_of(struct check *c, const char *name)
{
	struct broken_rule *rule = c->broken;

	for (; rule < c->broken + c->nr_broken; rule++)
		if (!strcmp(rule->name, name))
			return rule;
	assert(c->nr_broken < MAX_RULES);
	c->nr_broken++;
	*rule = (struct broken_rule) { .name = name };
	return rule;
}

/**
 * finding - report that the current record breaks a rule
 * @c: the stream
 * @name: the rule
 * @fmt: as for printf(): the value that was found, and the expected one
 */
void finding(struct check *c, const char *name, const char *fmt, ...)
{
	struct broken_rule *rule = rule_of(c, name);
	va_list ap;

	rule->offset = c->offset;
	if (rule->nr++ >= MAX_REPEAT)
		return;
	printf("%s: offset %" PRIu64 ": %s: ", c->name, c->offset, name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* Return whether there is a finding about a field of the current record. */
static bool is_reported(const struct check *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->nr_broken; i++)
		if (c->broken[i].offset == c->offset && !strcmp(c->broken[i].name, name))
			return true;
	return false;
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
	const struct broken_rule *rule;
	uint64_t sum = 0;

	for (rule = c->broken; rule < c->broken + c->nr_broken; rule++) {
		sum += rule->nr;
		if (rule->nr > MAX_REPEAT)
			printf("%s: %s: %s\n", c->name, rule->name,
			       COUNT(rule->nr - MAX_REPEAT, "more finding", "more findings"));
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
		finding(c, "event_size", "%u, expected %zu or more in ABI version %u",
			ev->event_size, size, c->abi);
}

/* Check an address. @expected: what it should be; NULL: it may be 0 */
void check_address(struct check *c, const char *rule, uint64_t address, const char *expected)
{
	if (!address && expected)
		finding(c, rule, "NULL, expected %s", expected);
	if (c->machine && c->machine->word_bits == 32 && address > UINT32_MAX)
		finding(c, rule, "%#" PRIx64 ", expected an address of 32 bits",
			address);
}

/* Check that a page begins at an address. */
void check_page_address(struct check *c, const char *rule, uint64_t ptr)
{
	if (ptr % page_size(c))
		finding(c, rule, "%#" PRIx64 ", expected the start of a page of %" PRIu64 " bytes",
			ptr, page_size(c));
}

/* Check for whole pages, at least one. */
void check_page_bytes(struct check *c, const char *rule, uint64_t bytes)
{
	if (!bytes || bytes % page_size(c))
		finding(c, rule, "%" PRIu64 ", expected whole pages of %" PRIu64 " bytes",
			bytes, page_size(c));
}

/* Check that a field is 0; @at: where in the record it is. */
void check_zero(struct check *c, size_t at, uint64_t value)
{
	if (value)
		finding(c, "zero", "%#" PRIx64 " at byte %zu of the record, expected 0",
			value, at);
}

void check_node(struct check *c, int node, int min)
{
	if (node < min || node >= MAX_NODES)
		finding(c, "node", "%d, expected %d to %d", node, min, MAX_NODES - 1);
}

void check_32_bits(struct check *c, const char *rule, uint64_t flags)
{
	if (flags > UINT32_MAX)
		finding(c, rule, "%#" PRIx64 ", expected 32 bits", flags);
}

static void check_cpu_number(struct check *c, int64_t cpu)
{
	if (c->cpu < 0)
		c->cpu = cpu;
	if (cpu != c->cpu)
		finding(c, "cpu", "%" PRId64 ", expected the %" PRId64 " of this stream", cpu,
			c->cpu);
}

/* ---- fields by their kind ---- */

static void check_zeros(struct check *c, const void *raw, const struct record_field *f)
{
	struct record_field word = { .offset = f->offset, .size = f->size };

	if (f->size % sizeof(uint64_t) == 0)
		word.size = sizeof(uint64_t);
	for (; word.offset < f->offset + f->size; word.offset += word.size)
		check_zero(c, word.offset, record_number(raw, &word));
}

static void check_choice(struct check *c, const struct record_field *f, uint64_t number)
{
	const struct record_value *v = f->values;

	for (; v->name; v++)
		if (v->number == number)
			return;
	finding(c, f->name, "%" PRIu64 ", expected %u to %u", number, f->values->number,
		v[-1].number);
}

/* Check a text, which is the rest of the record unless it has a fixed size. */
static void check_text(struct check *c, const struct record_field *f, const char *text,
		       size_t size)
{
	size_t len = strnlen(text, size), i;

	if (!f->size && (!size || size % 8 || text[size - 1])) {
		finding(c, f->name, "%zu bytes, expected words whose last byte is 0", size);
		return;
	}
	if (len == size)
		finding(c, f->name, "no byte is 0, expected the end of the name");
	if (!len && !f->size)
		finding(c, f->name, "empty");
	for (i = 0; f->kind == KIND_NAME && i < len; i++) {
		if (text[i] >= ' ' && text[i] <= '~')
			continue;
		finding(c, f->name, "byte %#x, expected a printable character",
			(unsigned char)text[i]);
		break;
	}
	for (i = len; i < size && !text[i]; i++)
		;
	if (i < size)
		finding(c, f->name, "byte %#x behind its end, expected 0",
			(unsigned char)text[i]);
}

static void check_number(struct check *c, const struct record_field *f, int64_t number)
{
	switch (f->kind) {
	case KIND_PAGES:
		check_page_bytes(c, f->name, number);
		break;
	case KIND_BOOL:
		if ((uint64_t)number > 1)
			finding(c, f->name, "%" PRId64 ", expected 0 or 1", number);
		break;
	case KIND_CPU:
		check_cpu_number(c, number);
		break;
	case KIND_NODE:
	case KIND_NODE_OR_NONE:
		check_node(c, number, f->kind == KIND_NODE ? 0 : -1);
		break;
	case KIND_ADDRESS:
		check_address(c, f->name, number, "an address");
		break;
	case KIND_SLAB_CACHE:
		check_address(c, f->name, number, "the address of a cache");
		break;
	case KIND_SITE:
		check_address(c, f->name, number, NULL);
		break;
	case KIND_FLAGS:
		check_32_bits(c, f->name, number);
		break;
	case KIND_CHOICE:
		check_choice(c, f, number);
		break;
	case KIND_CONSTANT:
		if (number != f->constant)
			finding(c, f->name, "%" PRId64 ", expected %d", number, f->constant);
		break;
	default:
		break;
	}
}

/**
 * check_fields - check the fields of a record by their kind
 * @c: the stream
 * @rec: the record
 * @f: its fields; one that has a finding already is left out
 */
void check_fields(struct check *c, const struct kmemtrace_record *rec,
		  const struct record_field *f)
{
	for (; f->name; f++) {
		if (f->kind <= KIND_WORDS || rec->raw_size < f->offset + f->size ||
		    is_reported(c, f->name))
			continue;
		switch (f->kind) {
		case KIND_TEXT:
		case KIND_NAME:
			check_text(c, f, (const char *)rec->raw + f->offset,
				   f->size ? f->size : rec->raw_size - f->offset);
			break;
		case KIND_ZEROS:
			check_zeros(c, rec->raw, f);
			break;
		default:
			check_number(c, f, record_number(rec->raw, f));
		}
	}
}
