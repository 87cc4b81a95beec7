// SPDX-License-Identifier: GPL-2.0
/*
 * Records of references that are taken and dropped.
 *
 * Context of the probes: any, preemption off; no locks, no allocation.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/marker.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/page_ref.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/page_ref.h>
#include <uapi/linux/kmemtrace.h>
#include "address.h"
#include "callsite.h"
#include "kinds.h"
#include "record.h"
#include "refs.h"
#include "who.h"

static_assert(sizeof(struct kmemtrace_reference) == 72);
static_assert(offsetof(struct kmemtrace_reference, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_reference, kind) == 56);

/* ---- the records ---- */

static noinline void kmemtrace_emit_ref(const char *kind,
					unsigned long call_site, u64 object,
					int change, int count)
{
	struct kmemtrace_reference record = {
		.event_id = KMEMTRACE_EVENT_REFERENCE,
		.event_size = sizeof(record),
		.change = change,
		.call_site = call_site,
		.object = object,
		.count = count < 0 ? KMEMTRACE_REF_UNKNOWN : count,
	};

	strscpy(record.kind, kind, sizeof(record.kind));
	/* A tracepoint may call with preemption on: the task stays in the stream of this CPU. */
	preempt_disable_notrace();
	record.who = kmemtrace_who(call_site, __builtin_frame_address(0));
	kmemtrace_write(&record, sizeof(record));
	preempt_enable_notrace();
}

/* @data is the name of the kind. */
static void kmemtrace_probe_ref(void *data, unsigned long call_site,
				const void *object, int change, int count)
{
	if (change)
		kmemtrace_emit_ref(data, call_site,
				   (unsigned long)kasan_reset_tag(object), change,
				   count);
}

/* ---- pages ---- */

#ifdef CONFIG_DEBUG_PAGE_REF
/*
 * Its caller is the probe. The tails of a block are set to 0, which nothing has counted, and some
 * functions add 0 references.
 */
static __always_inline void kmemtrace_page_ref(struct page *page, int change,
					       int count)
{
	if (change)
		kmemtrace_emit_ref("page", kmemtrace_callsite(),
				   kmemtrace_page_ptr(page), change, count);
}

static void probe_page_ref_set(void *data, struct page *page, int v)
{
	kmemtrace_page_ref(page, v, v);
}

/*
 * Return the references to a page that had some, after @v were taken, or dropped. Other CPUs may
 * have dropped some since: the page is not new in any case.
 */
static int kmemtrace_page_count(struct page *page, int v)
{
	return max(page_ref_count(page), v + 1);
}

static void probe_page_ref_mod(void *data, struct page *page, int v)
{
	kmemtrace_page_ref(page, v, kmemtrace_page_count(page, v));
}

/* Without the last reference, the page may have another owner already. */
static void probe_page_ref_mod_and_test(void *data, struct page *page, int v,
					int is_zero)
{
	kmemtrace_page_ref(page, v,
			   is_zero ? 0 : KMEMTRACE_REF_COUNT_UNKNOWN);
}

static void probe_page_ref_mod_and_return(void *data, struct page *page, int v,
					  int count)
{
	kmemtrace_page_ref(page, v, count);
}

static void probe_page_ref_mod_unless(void *data, struct page *page, int v,
				      int is_done)
{
	if (is_done)
		kmemtrace_page_ref(page, v, kmemtrace_page_count(page, v));
}

static void probe_page_ref_freeze(void *data, struct page *page, int v,
				  int is_done)
{
	if (is_done)
		kmemtrace_page_ref(page, -v, 0);
}

static void probe_page_ref_unfreeze(void *data, struct page *page, int v)
{
	kmemtrace_page_ref(page, v, v);
}

#define KMEMTRACE_PAGE_PROBE(_name)					\
	{ &__tracepoint_##_name, probe_##_name }

static const struct {
	struct tracepoint	*tracepoint;
	void			*probe;
} kmemtrace_page_probes[] = {
	KMEMTRACE_PAGE_PROBE(page_ref_set),
	KMEMTRACE_PAGE_PROBE(page_ref_mod),
	KMEMTRACE_PAGE_PROBE(page_ref_mod_and_test),
	KMEMTRACE_PAGE_PROBE(page_ref_mod_and_return),
	KMEMTRACE_PAGE_PROBE(page_ref_mod_unless),
	KMEMTRACE_PAGE_PROBE(page_ref_freeze),
	KMEMTRACE_PAGE_PROBE(page_ref_unfreeze),
};

/* Remove the first @nr probes. */
static void kmemtrace_remove_page_probes(unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(kmemtrace_page_probes[nr].tracepoint,
					    kmemtrace_page_probes[nr].probe,
					    NULL);
	tracepoint_synchronize_unregister();
}

static int kmemtrace_add_page_probes(void)
{
	int ret;

	for (int i = 0; i < ARRAY_SIZE(kmemtrace_page_probes); i++) {
		ret = tracepoint_probe_register(kmemtrace_page_probes[i].tracepoint,
						kmemtrace_page_probes[i].probe,
						NULL);
		if (!ret)
			continue;
		kmemtrace_remove_page_probes(i);
		return ret;
	}
	return 0;
}

static void kmemtrace_remove_pages(void)
{
	kmemtrace_remove_page_probes(ARRAY_SIZE(kmemtrace_page_probes));
}
#else
static int kmemtrace_add_page_probes(void)
{
	return 0;
}

static void kmemtrace_remove_pages(void) { }
#endif

/* ---- all kinds ---- */

static void kmemtrace_remove_ref(char *kind)
{
	if (kmemtrace_kind_is_page(kind))
		kmemtrace_remove_pages();
	else
		marker_probe_remove(kmemtrace_marker_of_kind(kind).name,
				    kmemtrace_probe_ref, kind);
}

/**
 * kmemtrace_unregister_refs - take the probes from the chosen kinds
 *
 * Context: task, may sleep. marker_synchronize_unregister() waits for those that run.
 */
void kmemtrace_unregister_refs(void)
{
	for (int i = 0; i < KMEMTRACE_MAX_KINDS; i++)
		if (*kmemtrace_kinds[i])
			kmemtrace_remove_ref(kmemtrace_kinds[i]);
}

static int kmemtrace_add_ref(char *kind)
{
	if (kmemtrace_kind_is_page(kind))
		return kmemtrace_add_page_probes();
	return marker_probe_register(kmemtrace_marker_of_kind(kind).name,
				     KMEMTRACE_REF_FORMAT,
				     __stringify(KMEMTRACE_REF_PARAMS),
				     kmemtrace_probe_ref, kind);
}

/**
 * kmemtrace_register_refs - give the chosen kinds their probes
 *
 * Context: task, or the boot CPU.
 * Return: 0 or -errno; no kind has a probe then.
 */
int kmemtrace_register_refs(void)
{
	int ret;

	for (int i = 0; i < KMEMTRACE_MAX_KINDS; i++) {
		ret = *kmemtrace_kinds[i] ? kmemtrace_add_ref(kmemtrace_kinds[i]) : 0;
		if (!ret)
			continue;
		while (i--)
			if (*kmemtrace_kinds[i])
				kmemtrace_remove_ref(kmemtrace_kinds[i]);
		return ret;
	}
	return 0;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "refs_test.c"
#endif
