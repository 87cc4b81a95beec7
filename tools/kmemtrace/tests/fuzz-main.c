// SPDX-License-Identifier: GPL-2.0
/*
 * Run fuzz.c for the inputs in FILE..., without a fuzzing engine.
 */
#include "config.h"

#include <err.h>
#include <stdio.h>

#include "common/memory.h"
#include "fuzz.h"

#define MAX_SIZE	(1 << 20)

int main(int argc, char **argv)
{
	uint8_t *data;
	size_t size;
	FILE *f;
	int i;

	LLVMFuzzerInitialize(&argc, &argv);
	for (i = 1; i < argc; i++) {
		fprintf(stderr, "%s\n", argv[i]);
		f = fopen(argv[i], "re");
		if (!f)
			err(EXIT_UNUSABLE, "%s", argv[i]);
		/* Each input has memory of its own: a sanitizer then sees a read behind its end. */
		data = must_calloc(1, MAX_SIZE);
		size = fread(data, 1, MAX_SIZE, f);
		fclose(f);
		data = must_realloc(data, size ? size : 1, 1);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	return EXIT_SUCCESS;
}
