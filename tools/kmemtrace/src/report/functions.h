/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of a kernel over the traces of one boot.
 */
#ifndef KMEMTRACE_FUNCTIONS_H
#define KMEMTRACE_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kmemtrace.h"

#define WHICH_MAX	32

/**
 * struct function - a function
 * @start: its address in the last trace that has it
 * @which: which of the functions of its name it is there, such as " (1 of 2)", or ""
 * @has_namesakes: a trace has other functions of its name
 * @is_guess: it was at another address before, and so may be another function of its name
 */
struct function {
	uint64_t start;
	char which[WHICH_MAX];
	bool has_namesakes, is_guess;

	/* private: its name, the next one of it, the next one that is gone, and whether it is */
	struct name *name;
	struct function *next, *next_gone;
	bool is_gone;
};

/**
 * struct functions - all functions; zeros are none
 */
struct functions {
	/* private: by name, by address, and how many traces there were */
	void *names, *starts;
	unsigned int trace;
};

void functions_next_trace(struct functions *f);
struct function *functions_find(struct functions *f, const struct kmemtrace_trace *trace,
				uint64_t call_site);
void functions_free(struct functions *f);

#endif /* KMEMTRACE_FUNCTIONS_H */
