// SPDX-License-Identifier: GPL-2.0
/*
 * Write streams that a table describes: lines, words and files.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asm.h"
#include "common/memory.h"
#include "dir-operand.h"

#define MAX_CPUS	16

enum byte_order asm_order = ORDER_LITTLE;

static FILE *out[MAX_CPUS];

static FILE *stream(const char *dir, unsigned int cpu)
{
	char *path;

	if (cpu >= MAX_CPUS)
		errx(EXIT_UNUSABLE, "cpu%u: too large", cpu);
	if (out[cpu])
		return out[cpu];
	if (asprintf(&path, "%s/cpu%u.out", dir, cpu) < 0)
		errx(EXIT_UNUSABLE, "out of memory");
	out[cpu] = fopen(path, "we");
	if (!out[cpu])
		err(EXIT_UNUSABLE, "%s", path);
	free(path);
	return out[cpu];
}

int asm_set_order(const char *value)
{
	asm_order = !strcmp(value, "big") ? ORDER_BIG : ORDER_LITTLE;
	return asm_order == ORDER_BIG || !strcmp(value, "little") ? 0 : -EINVAL;
}

/* Return the next word of the line, "" at its end. */
const char *asm_word(void)
{
	const char *word = strtok(NULL, " \t");

	return word ? word : "";
}

/* Write the quoted text to @text; return its length, including the final 0. */
size_t asm_text(char *text, const char *word)
{
	unsigned int byte;
	size_t len = 0;

	for (word++; *word && *word != '"'; word++) {
		byte = (unsigned char)*word;
		if (sscanf(word, "\\%2x", &byte) == 1)
			word += 2;
		text[len++] = byte;
	}
	return len + 1;
}

static int emit_raw(FILE *f)
{
	const char *hex = asm_word();
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		putc((int)byte, f);
	return 0;
}

static int assemble(const char *dir, char *text, asm_line *line)
{
	const char *word;
	unsigned int cpu;

	text[strcspn(text, "#\n")] = '\0';
	word = strtok(text, " \t");
	if (!word)
		return 0;
	cpu = strtoul(word, NULL, 0);
	word = asm_word();
	if (!strcmp(word, "raw"))
		return emit_raw(stream(dir, cpu));
	return *word ? line(stream(dir, cpu), cpu, word) : -EINVAL;
}

/* Write the streams into the folder that the command line names. Return the exit status. */
int asm_main(const struct program *prog, int argc, char **argv, asm_line *line)
{
	const char *dir = dir_operand(prog, argc, argv);
	unsigned int nr = 0, cpu;
	char text[4096];

	while (fgets(text, sizeof(text), stdin)) {
		nr++;
		if (assemble(dir, text, line))
			errx(EXIT_UNUSABLE, "line %u: makes no sense", nr);
	}
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (out[cpu] && fclose(out[cpu]))
			err(EXIT_UNUSABLE, "cpu%u: write", cpu);
	return EXIT_SUCCESS;
}
