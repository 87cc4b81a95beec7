/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the programs that write the streams that a table on the standard input describes.
 *
 * A line begins with the number of a CPU; what follows is the program's. "CPU raw HEX" writes
 * these bytes. A '#' begins a comment.
 */
#ifndef KMEMTRACE_ASM_H
#define KMEMTRACE_ASM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/options.h"
#include "read/event.h"

/* The byte order to write, from --order. */
extern enum byte_order asm_order;

/* The options that all of these programs have. */
#define ASM_OPT_ORDER \
	{ 'o', "order", "ORDER", "byte order, little or big (default: little)", asm_set_order }

/* Writes the record of a line, whose words asm_word() returns. Return 0 or -EINVAL. */
typedef int asm_line(FILE *f, unsigned int cpu, const char *word);

int asm_set_order(const char *value);
const char *asm_word(void);
size_t asm_text(char *text, const char *word);
int asm_main(const struct program *prog, int argc, char **argv, asm_line *line);

#endif /* KMEMTRACE_ASM_H */
