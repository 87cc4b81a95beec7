// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-floor sum|hash STREAM...: what reading a trace takes at least. sum reads all records
 * and adds up their addresses. hash also keeps the addresses of live memory in a hash, but orders
 * no events of different CPUs.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/bits.h"
#include "common/memory.h"
#include "read/event.h"

#define BUFFER	65536

/**
 * struct floor - the work
 * @has_hash: keep addresses
 * @sum: of all addresses
 * @events: allocations and frees
 * @table: live addresses, and FREED ones; 2^bits of them, a quarter or more unused
 * @bits: see @table
 * @used: entries of @table that were used
 */
struct floor {
	bool has_hash;
	uint64_t sum, events;
	uint64_t *table;
	unsigned int bits;
	size_t used;
};

/* Memory at the address was freed. Addresses are even. */
#define FREED	1

static bool is_live(uint64_t entry)
{
	return entry && !(entry & FREED);
}

static uint64_t *find(struct floor *f, uint64_t ptr)
{
	const size_t mask = ((size_t)1 << f->bits) - 1;
	size_t at = hash_u64(ptr) >> (64 - f->bits);

	while (f->table[at] && (f->table[at] | FREED) != (ptr | FREED))
		at = (at + 1) & mask;
	return &f->table[at];
}

/* Make a table of those that are live, twice as large if they are many. */
static void clean(struct floor *f)
{
	uint64_t *old = f->table;
	size_t i, live = 0, nr = (size_t)1 << f->bits;

	for (i = 0; i < nr; i++)
		live += is_live(old[i]);
	f->bits += live > nr / 2;
	f->table = must_calloc((size_t)1 << f->bits, sizeof(*f->table));
	for (i = 0; i < nr; i++)
		if (is_live(old[i]))
			*find(f, old[i]) = old[i];
	f->used = live;
	free(old);
}

static void take(struct floor *f, const struct kmemtrace_event *ev)
{
	uint64_t *place;

	f->sum += ev->ptr;
	f->events++;
	if (!f->has_hash || !is_live(ev->ptr))
		return;
	if (f->used >= ((size_t)3 << f->bits) / 4)
		clean(f);
	place = find(f, ev->ptr);
	if (ev->event_id == KMEMTRACE_EVENT_FREE && *place)
		*place |= FREED;
	if (ev->event_id == KMEMTRACE_EVENT_ALLOC) {
		f->used += !*place;
		*place = ev->ptr;
	}
}

static void read_stream(struct floor *f, const char *path)
{
	static alignas(8) unsigned char buf[BUFFER + EVENT_MAX_SIZE];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t size = 0, at = 0, len;
	ssize_t n;

	if (fd < 0)
		err(EXIT_UNUSABLE, "%s", path);
	while ((n = read(fd, buf + size, BUFFER)) > 0) {
		size += n;
		for (at = 0; size - at >= EVENT_PAD_SIZE; at += len) {
			len = event_size(buf + at, ORDER_NATIVE);
			if (!event_size_possible(buf + at, len))
				errx(EXIT_UNUSABLE, "%s: is damaged", path);
			if (len > size - at)
				break;
			if (buf[at] == KMEMTRACE_EVENT_ALLOC || buf[at] == KMEMTRACE_EVENT_FREE)
				take(f, (const void *)(buf + at));
		}
		size -= at;
		memmove(buf, buf + at, size);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	struct floor f = { .has_hash = argc > 1 && !strcmp(argv[1], "hash"), .bits = 16 };
	int i;

	if (argc < 3)
		errx(EXIT_UNUSABLE, "usage: kmemtrace-floor sum|hash STREAM...");
	f.table = must_calloc((size_t)1 << f.bits, sizeof(*f.table));
	for (i = 2; i < argc; i++)
		read_stream(&f, argv[i]);
	printf("%" PRIu64 " events, sum %#" PRIx64 "\n", f.events, f.sum);
	free(f.table);
	return 0;
}
