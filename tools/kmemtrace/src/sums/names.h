/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names, each of an owner, and a number for each.
 */
#ifndef KMEMTRACE_SUMS_NAMES_H
#define KMEMTRACE_SUMS_NAMES_H

#include <stdint.h>

#include "common/context.h"

/**
 * struct names - a hash of names; only @ctx must be set
 * @ctx: the context that receives an error
 */
struct names {
	struct context *ctx;

	/* private: 2^bits slots, where no text stands for none */
	struct names_slot {
		uint64_t hash;
		const char *text;
		uint32_t owner, value;
	} *slots;
	unsigned int bits;
	uint32_t nr;
	uint64_t seed;
};

uint32_t *names_value(struct names *n, uint32_t owner, const char *text);
void names_free(struct names *n);

#endif /* KMEMTRACE_SUMS_NAMES_H */
