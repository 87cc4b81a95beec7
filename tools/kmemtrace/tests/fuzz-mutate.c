// SPDX-License-Identifier: GPL-2.0
/*
 * Change a stream for the fuzzing engine: mostly inside of a packet, and correct the length of
 * the packet, or inside of a record, and keep the length of the record. Otherwise readers would
 * reject most inputs at their first packet or record.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/packet.h"
#include "fuzz.h"
#include "read/event.h"

#define MAX_PACKETS	64

/**
 * struct packet - a part of an input
 * @name: name of its file, with the space behind it
 * @name_len: length of @name
 * @at: offset of its line
 * @data: offset of its contents
 * @len: length of its contents
 */
struct packet {
	const char *name;
	size_t name_len;
	size_t at, data, len;
};

/* Find the packet at @p->at. */
static bool find_packet(const uint8_t *data, size_t size, struct packet *p)
{
	const char *line = (const char *)data + p->at;
	const char *end = memchr(line, '\n', size - p->at);
	const char *space = end ? memchr(line, ' ', end - line) : NULL;
	char number[24] = "";

	if (!space || (size_t)(end - space) > sizeof(number))
		return false;
	memcpy(number, space + 1, end - space - 1);
	p->name = line;
	p->name_len = space + 1 - line;
	p->data = end + 1 - (const char *)data;
	p->len = strtoull(number, NULL, 10);
	return p->len <= size - p->data;
}

/* Choose a packet by a random number. */
static bool choose_packet(const uint8_t *data, size_t size, unsigned int seed,
			  struct packet *result)
{
	struct packet packets[MAX_PACKETS];
	size_t nr = 0, at = sizeof(PACKET_MAGIC);

	while (nr < MAX_PACKETS && at < size) {
		packets[nr].at = at;
		if (!find_packet(data, size, &packets[nr]))
			break;
		at = packets[nr].data + packets[nr].len;
		nr++;
	}
	if (nr)
		*result = packets[seed % nr];
	return nr;
}

/* Change some bytes in place. */
static void mutate_in_place(uint8_t *data, size_t size, unsigned int seed)
{
	size_t at = size / 8 ? seed % (size / 8) * 8 : 0;
	uint8_t copy[EVENT_MIN_SIZE];
	size_t len = size - at < sizeof(copy) ? size - at : sizeof(copy);

	memcpy(copy, data + at, len);
	LLVMFuzzerMutate(copy, len, len);
	memcpy(data + at, copy, len);
}

/* Change the contents of a packet, and correct the length in its line. */
static size_t mutate_packet(uint8_t *data, size_t size, size_t max_size,
			    const struct packet *p)
{
	size_t rest = size - p->data - p->len, room = max_size - size, len, n;
	uint8_t *copy = must_calloc(1, p->len + room + rest + 1);
	char line[2 * PACKET_MAX_LINE];

	memcpy(copy, data + p->data, p->len);
	/* The number of the length may get more digits. */
	len = LLVMFuzzerMutate(copy, p->len,
			       p->len + (room > 20 ? room - 20 : 0));
	memcpy(copy + len, data + p->data + p->len, rest);
	n = snprintf(line, sizeof(line), "%.*s%zu\n", (int)p->name_len,
		     p->name, len);
	if (n < sizeof(line) && p->at + n + len + rest <= max_size) {
		memcpy(data + p->at, line, n);
		memcpy(data + p->at + n, copy, len + rest);
		size = p->at + n + len + rest;
	}
	free(copy);
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	struct packet p;

	if (seed % 8 == 0 || (size && *data == FUZZ_ELF) ||
	    !choose_packet(data, size, seed / 64, &p))
		return LLVMFuzzerMutate(data, size, max_size);
	if (seed % 8 < 4 && p.len) {
		mutate_in_place(data + p.data, p.len, seed / 8);
		return size;
	}
	return mutate_packet(data, size, max_size, &p);
}
