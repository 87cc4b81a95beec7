/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event as text, made of its format and its arguments.
 */
#ifndef KTRACE_MESSAGE_H
#define KTRACE_MESSAGE_H

#include <stdio.h>

#include "ktrace/layout.h"
#include "read/symbols.h"

/**
 * struct message_context - what a text depends on beside the event
 * @symbols: name addresses
 * @word_bits: bits of a pointer
 */
struct message_context {
	const struct symbols *symbols;
	unsigned int word_bits;
};

void message_print(const struct layout *layout, const struct value *values,
		   const struct message_context *mc, FILE *out);

#endif /* KTRACE_MESSAGE_H */
