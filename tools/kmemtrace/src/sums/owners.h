/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The owners of the live memory of one allocator at its peak.
 *
 * With many kinds and many peaks, counting all kinds at each peak takes too long. So live
 * memory is counted once, and later effects are logged: a peak is a place in the log. When
 * the log is so long that counting again is cheaper, it closes until the next peak.
 */
#ifndef KMEMTRACE_OWNERS_H
#define KMEMTRACE_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"

/**
 * struct owners - the owners at the peak; zeroed memory, but for @ctx, has none
 * @ctx: the context that receives an error
 */
struct owners {
	struct context *ctx;

	/* private: objects or frames by kind at the beginning of the log */
	int64_t *nr;
	uint32_t nr_kinds, room_kinds;
	struct owners_entry {
		uint32_t kind;
		int32_t nr;
	} *log;
	size_t nr_log, max_log, room_log, peak;
	bool is_open;
};

int64_t *owners_count(struct owners *o, uint32_t nr_kinds);
int64_t *owners_add(struct owners *o, uint32_t nr_kinds);
void owners_undo(struct owners *o, uint32_t kind, int32_t nr);
bool owners_follow(struct owners *o, size_t nr);
void owners_log(struct owners *o, uint32_t kind, int32_t nr);
void owners_peak(struct owners *o);
void owners_update(struct owners *o);
void owners_end(struct owners *o);
void owners_free(struct owners *o);

/* Return the objects or frames of a kind that were live at the peak, after owners_update(). */
static inline int64_t owners_of(const struct owners *o, uint32_t kind)
{
	return kind < o->nr_kinds ? o->nr[kind] : 0;
}

#endif /* KMEMTRACE_OWNERS_H */
