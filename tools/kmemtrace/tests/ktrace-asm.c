// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace-asm: write the streams of ktrace that a table on the standard input describes, valid
 * or not. See asm.h for the lines.
 *
 *	CPU clock SEQUENCE EVENTS TIMESTAMP MONOTONIC [KEY:VALUE...]
 * is a CLOCK. KEY is frequency, clock, error, uncertainty, cpu or size; without it, the clock
 * has nanoseconds, and the CPU of the file.
 *
 *	CPU event ID DELTA [ARGUMENT...]
 * is an event. An ARGUMENT is i:N (4 bytes), w:N (a word, see --bits), q:N (8 bytes) or
 * "TEXT" without blanks, in which "\HH" is any byte. Zeros follow up to a multiple of 8
 * bytes. size:N is the size in the head, which is otherwise the length.
 *
 *	CPU pad BYTES
 * is a PAD.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asm.h"
#include "ktrace/record.h"

/* Bytes of the largest record: the largest multiple of 8 in 16 bits. */
#define MAX_SIZE	65528

static size_t opt_word = 8;

/**
 * struct krecord - a record that is written
 * @head: its head
 * @bytes: the bytes behind the head
 * @len: how many
 * @size: its size in the head; 0: its length
 */
struct krecord {
	struct ktrace_head head;
	char bytes[MAX_SIZE];
	size_t len;
	uint64_t size;
};

static uint64_t number(const char *word)
{
	return strtoull(word, NULL, 0);
}

static void emit(FILE *f, struct krecord *r)
{
	char head[RECORD_HEAD_SIZE];
	size_t len = (r->len + 7) / 8 * 8;

	r->head.size = r->size ? r->size : sizeof(head) + len;
	record_encode_head(&r->head, asm_order, head);
	fwrite(head, sizeof(head), 1, f);
	fwrite(r->bytes, len, 1, f);
}

static int emit_pad(FILE *f)
{
	struct krecord r = { .head.id = KTRACE_ID_PAD };

	r.len = number(asm_word()) - RECORD_HEAD_SIZE;
	if (r.len > sizeof(r.bytes))
		return -EINVAL;
	emit(f, &r);
	return 0;
}

/* Return the value of KEY:VALUE, or NULL if the word has another key. */
static const char *value_of(const char *word, const char *key)
{
	size_t len = strlen(key);

	return strncmp(word, key, len) || word[len] != ':' ? NULL : word + len + 1;
}

static int set_key(struct ktrace_clock *clock, const char *word)
{
	const char *value;

	if ((value = value_of(word, "frequency")))
		clock->frequency = number(value);
	else if ((value = value_of(word, "clock")))
		clock->clock = number(value);
	else if ((value = value_of(word, "error")))
		clock->error = number(value);
	else if ((value = value_of(word, "uncertainty")))
		clock->uncertainty = number(value);
	else if ((value = value_of(word, "cpu")))
		clock->cpu = number(value);
	else if ((value = value_of(word, "size")))
		clock->head.size = number(value);
	else
		return -EINVAL;
	return 0;
}

static int emit_clock(FILE *f, unsigned int cpu)
{
	struct ktrace_clock clock = {
		.head.id = KTRACE_ID_CLOCK, .head.size = sizeof(clock), .cpu = cpu,
	};
	char bytes[UINT16_MAX + 1] = { 0 };
	const char *word;

	clock.sequence = number(asm_word());
	clock.events = number(asm_word());
	clock.timestamp = number(asm_word());
	clock.monotonic = number(asm_word());
	for (word = asm_word(); *word; word = asm_word())
		if (set_key(&clock, word))
			return -EINVAL;
	record_encode_clock(&clock, asm_order, bytes);
	fwrite(bytes, clock.head.size > sizeof(clock) ? clock.head.size : sizeof(clock), 1, f);
	return 0;
}

/* Append a number of 4 or 8 bytes. */
static void add_number(struct krecord *r, const char *value, size_t size)
{
	uint64_t v64 = number(value);
	uint32_t v32 = v64;

	/* Swaps as it does for a reader. */
	v64 = record_load(&v64, sizeof(v64), asm_order);
	v32 = record_load(&v32, sizeof(v32), asm_order);
	memcpy(r->bytes + r->len, size == sizeof(v32) ? (void *)&v32 : &v64, size);
	r->len += size;
}

static int add_argument(struct krecord *r, const char *word)
{
	const char *value;

	if (r->len + strlen(word) + 8 > sizeof(r->bytes))
		return -EINVAL;
	if (*word == '"')
		r->len += asm_text(r->bytes + r->len, word);
	else if ((value = value_of(word, "size")))
		r->size = number(value);
	else if ((value = value_of(word, "i")))
		add_number(r, value, 4);
	else if ((value = value_of(word, "w")))
		add_number(r, value, opt_word);
	else if ((value = value_of(word, "q")))
		add_number(r, value, 8);
	else
		return -EINVAL;
	return 0;
}

static int emit_event(FILE *f)
{
	struct krecord r = { .len = 0 };
	const char *word;

	r.head.id = number(asm_word());
	r.head.delta = number(asm_word());
	for (word = asm_word(); *word; word = asm_word())
		if (add_argument(&r, word))
			return -EINVAL;
	emit(f, &r);
	return 0;
}

static int emit_line(FILE *f, unsigned int cpu, const char *word)
{
	if (!strcmp(word, "clock"))
		return emit_clock(f, cpu);
	if (!strcmp(word, "event"))
		return emit_event(f);
	return strcmp(word, "pad") ? -EINVAL : emit_pad(f);
}

static int set_bits(const char *value)
{
	opt_word = number(value) / 8;
	return opt_word == 4 || opt_word == 8 ? 0 : -EINVAL;
}

static const struct opt opts[] = {
	ASM_OPT_ORDER,
	{ 'b', "bits", "BITS", "bits of a word, 32 or 64 (default: 64)", set_bits },
	{ 0 }
};

static const struct program prog = {
	.name = "ktrace-asm",
	.operands = "DIR",
	.purpose = "Write the streams that a table on the standard input describes into DIR.",
	.opts = opts,
};

int main(int argc, char **argv)
{
	return asm_main(&prog, argc, argv, emit_line);
}
