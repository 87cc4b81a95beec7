// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: traces that are still being recorded. kmemtrace.h describes the
 * functions.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/api-lists.h"
#include "api/api.h"

int kmemtrace_open_live(struct kmemtrace_trace **trace,
			const struct kmemtrace_options *options)
{
	struct kmemtrace_trace *new;
	int ret;

	*trace = NULL;
	ret = api_new_trace(&new, options);
	if (ret)
		return ret;
	new->is_used = true;
	new->live = calloc(1, sizeof(*new->live));
	ret = new->live ? live_open(new->live, &new->t,
				    new->options.name ? new->options.name : "stream") : -ENOMEM;
	if (ret) {
		kmemtrace_close(new);
		return ret;
	}
	*trace = new;
	return 0;
}

int kmemtrace_feed(struct kmemtrace_trace *trace, const void *bytes, size_t size)
{
	int ret = kmemtrace_error(trace);

	if (!trace->live)
		return -EINVAL;
	if (!ret)
		ret = spool_put(trace->live->a.spool, bytes, size);
	return ret ? context_fail(&trace->t.ctx, ret) : 0;
}

int kmemtrace_feed_end(struct kmemtrace_trace *trace)
{
	if (!trace->live)
		return -EINVAL;
	spool_end(trace->live->a.spool);
	return kmemtrace_error(trace);
}

static void describe_live(struct kmemtrace_trace *trace)
{
	const struct live *live = trace->live;
	const struct spool *s = live->a.spool;

	trace->arrived = (struct kmemtrace_live) {
		.size = sizeof(trace->arrived),
		.received = s->read,
		.waiting = live_waiting(live),
		.waits_for = live->is_begun ? merge_waits_for(&live->a.merge) : -1,
		.was_forced = live->was_forced,
		.is_over = s->is_over,
		.is_cut = s->is_cut,
	};
}

int kmemtrace_update(struct kmemtrace_trace *trace)
{
	int ret = kmemtrace_error(trace);
	bool was_done;

	if (!trace->live)
		return -EINVAL;
	if (ret)
		return ret;
	was_done = trace->live->is_done && trace->is_read;
	ret = was_done ? 1 : live_update(trace->live);
	if (ret > 0 && !was_done) {
		api_free_lists(trace);
		reasons_free(&trace->doubts);
		if (api_sum_up(trace))
			ret = -ENOMEM;
	}
	if (kmemtrace_error(trace))
		ret = kmemtrace_error(trace);
	if (ret < 0)
		return context_fail(&trace->t.ctx, ret);
	trace->is_read = ret;
	describe_live(trace);
	return ret;
}

const struct kmemtrace_live *kmemtrace_get_live(const struct kmemtrace_trace *trace)
{
	return trace->live ? &trace->arrived : NULL;
}
