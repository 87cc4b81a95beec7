// SPDX-License-Identifier: GPL-2.0
/*
 * Compress a file as kmemtraced -z does: kmemtrace-zst BYTES FILE makes FILE.zst of
 * frames of so many bytes, and removes FILE.
 */
#include "config.h"

#include <err.h>
#include <stdio.h>
#include <unistd.h>

#include "common/memory.h"
#include "daemon/compress.h"

static void put(const void *data, size_t len, FILE *to)
{
	if (fwrite(data, 1, len, to) != len)
		err(EXIT_UNUSABLE, "write");
}

int main(int argc, char **argv)
{
	size_t n, size = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	struct compressor *c = compressor_new(size);
	char *data = must_calloc(1, size + 1);
	char name[4096];
	FILE *from, *to;
	const void *frame;

	if (!size || !c)
		errx(EXIT_UNUSABLE, "need BYTES and FILE");
	snprintf(name, sizeof(name), "%s.zst", argv[2]);
	from = fopen(argv[2], "r");
	to = fopen(name, "w");
	if (!from || !to)
		err(EXIT_UNUSABLE, "%s", argv[2]);
	while ((n = fread(data, 1, size, from))) {
		n = compressor_frame(c, data, n, &frame);
		put(frame, n, to);
		compressor_keep(c);
	}
	n = compressor_table(c, &frame);
	put(frame, n, to);
	if (fclose(to) || unlink(argv[2]))
		err(EXIT_UNUSABLE, "%s", name);
	fclose(from);
	compressor_free(c);
	free(data);
	return 0;
}
