/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counts of each CPU at the end of a trace: its file overflow.
 */
#ifndef KTRACE_OVERFLOW_H
#define KTRACE_OVERFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/reasons.h"
#include "read/tracedir.h"

/**
 * struct overflow_cpu - the counts of a CPU
 * @cpu: its number
 * @events: events since tracing was switched on, recorded or lost
 * @lost: those that were lost
 * @bytes: their bytes
 */
struct overflow_cpu {
	unsigned int cpu;
	uint64_t events, lost, bytes;
};

/**
 * struct overflow - the counts of all CPUs
 * @cpus: by number
 * @nr: entries of @cpus
 * @has_file: there is a file
 */
struct overflow {
	struct overflow_cpu *cpus;
	size_t nr;
	bool has_file;
};

int overflow_load(struct overflow *o, const struct tracedir *dir, struct reasons *reasons);
const struct overflow_cpu *overflow_of(const struct overflow *o, unsigned int cpu);
void overflow_free(struct overflow *o);

#endif /* KTRACE_OVERFLOW_H */
