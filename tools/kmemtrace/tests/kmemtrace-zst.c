// SPDX-License-Identifier: GPL-2.0
/*
 * Compress a file as kmemtraced -z does: kmemtrace-zst BYTES FILE makes FILE.zst of frames of so
 * many bytes, and removes FILE. kmemtrace-zst -s BYTES FILE ends a frame where the sub-buffer does,
 * too: the stream is in the byte order of this machine.
 */
#include "config.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "linux/kmemtrace.h"
#include "daemon/compress.h"

static void put(const void *data, size_t len, FILE *to)
{
	if (fwrite(data, 1, len, to) != len)
		err(EXIT_UNUSABLE, "write");
}

/* Return how many of the bytes are before the next sub-buffer: it begins a page, with a clock. */
static size_t subbuf_end(const char *data, size_t len)
{
	struct kmemtrace_clock clock;
	size_t at;

	for (at = 4096; at + sizeof(clock) <= len; at += 4096) {
		memcpy(&clock, data + at, sizeof(clock));
		if (clock.event_id == KMEMTRACE_EVENT_CLOCK && clock.event_size == sizeof(clock))
			return at;
	}
	return len;
}

int main(int argc, char **argv)
{
	bool by_subbuf = argc == 4 && !strcmp(argv[1], "-s");
	size_t n, read, size = argc == 3 + by_subbuf ? strtoul(argv[1 + by_subbuf], NULL, 10) : 0;
	struct compressor *c = compressor_new(size);
	char *data = must_calloc(1, size + 1);
	char name[4096];
	FILE *from, *to;
	const void *frame;

	if (!size || !c)
		errx(EXIT_UNUSABLE, "need BYTES and FILE");
	snprintf(name, sizeof(name), "%s.zst", argv[argc - 1]);
	from = fopen(argv[argc - 1], "r");
	to = fopen(name, "w");
	if (!from || !to)
		err(EXIT_UNUSABLE, "%s", argv[argc - 1]);
	while ((read = fread(data, 1, size, from))) {
		n = by_subbuf ? subbuf_end(data, read) : read;
		if (fseek(from, (long)n - (long)read, SEEK_CUR))
			err(EXIT_UNUSABLE, "seek");
		n = compressor_frame(c, data, n, &frame);
		put(frame, n, to);
		compressor_keep(c);
	}
	n = compressor_table(c, &frame);
	put(frame, n, to);
	if (fclose(to) || unlink(argv[argc - 1]))
		err(EXIT_UNUSABLE, "%s", name);
	fclose(from);
	compressor_free(c);
	free(data);
	return 0;
}
