// SPDX-License-Identifier: GPL-2.0
/*
 * moment.c - keep the figures of a moment. kmemtrace.h describes the functions.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-objects.h"
#include "api/handle.h"
#include "ledger/total.h"
#include "relations/moment.h"

int kmemtrace_moment_take(const struct kmemtrace_trace *trace, const struct kmemtrace_moment *last,
			  struct kmemtrace_moment **moment)
{
	const struct ledger *l = &trace->t.ledger;
	struct kmemtrace_moment *m;
	uint32_t i;

	*moment = NULL;
	if (!trace->is_read)
		return -ENODATA;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	*m = (struct kmemtrace_moment) {
		.trace = trace,
		.time = trace->summary.last,
		.rows = calloc(l->kinds.nr + 1, sizeof(*m->rows)),
		.oldest = calloc(l->kinds.nr + 1, sizeof(*m->oldest)),
		.nr = l->kinds.nr,
		.owners = 1,
	};
	if (!m->rows || !m->oldest) {
		kmemtrace_moment_drop(m);
		return -ENOMEM;
	}
	for (i = 0; i < m->nr; i++) {
		m->rows[i] = total_row(l, i);
		m->oldest[i] = m->rows[i].live && last && i < last->nr ? last->oldest[i] : INT64_MAX;
	}
	*moment = m;
	return 0;
}

int kmemtrace_moment_find_oldest(struct kmemtrace_moment *moment, enum kmemtrace_space space)
{
	return api_find_oldest(moment->trace, space, moment->oldest);
}

struct kmemtrace_moment *kmemtrace_moment_keep(struct kmemtrace_moment *moment)
{
	moment->owners++;
	return moment;
}

void kmemtrace_moment_drop(struct kmemtrace_moment *moment)
{
	if (!moment || --moment->owners)
		return;
	free(moment->rows);
	free(moment->oldest);
	free(moment);
}
