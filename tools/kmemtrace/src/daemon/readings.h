/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_READINGS_H
#define KMEMTRACED_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/counters.h"
#include "daemon/changes.h"
#include "daemon/store.h"

/**
 * struct readings - readings of the kernel's counters, and the file that has them
 * @proc: the directory /proc
 * @missing: why a table is not read, -errno; 0: it is
 * @rows: the rows
 * @time: CLOCK_MONOTONIC of the last reading, in nanoseconds
 * @seconds: CLOCK_REALTIME of it
 * @place: where the file goes
 * @store: the file
 * @full_bytes: text of the last full reading
 * @delta_bytes: text of the readings since then
 * @is_full_due: the next reading is a full one, because the last one could not be saved
 * @text_bytes: text of all readings
 * @saved: readings that were saved
 * @unsaved: readings that could not be saved
 */
struct readings {
	int		proc;
	int		missing[NR_COUNTER_TABLES];
	struct changes	rows;
	uint64_t	time;
	uint64_t	seconds;
	struct store_place	place;
	struct store	*store;
	uint64_t	full_bytes;
	uint64_t	delta_bytes;
	bool		is_full_due;
	uint64_t	text_bytes;
	uint64_t	saved;
	uint64_t	unsaved;
};

int readings_open(struct readings **readings, const char *proc);
size_t readings_nr_tables(const struct readings *r);
int readings_create(struct readings *r, const struct store_place *place);
int readings_read(struct readings *r);
int readings_save(struct readings *r);
int readings_finish(struct readings *r);
void readings_close(struct readings *r);

#endif /* KMEMTRACED_READINGS_H */
