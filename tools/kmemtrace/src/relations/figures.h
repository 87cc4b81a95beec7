/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of groups of allocations: a row here is a figure in all programs and formats.
 *
 * FIGURE(name, heading, unit, is_sampled, value, help):
 * @name: in all programs and formats
 * @heading: for people
 * @unit: enum kmemtrace_unit
 * @is_sampled: in a sample, it has a standard error
 * @value: what a kind of allocations adds to it: an expression of @row, struct row, and @kind,
 *	struct kmemtrace_kind
 * @help: what it is: the words before a colon complete "call sites by"
 */
#ifndef KMEMTRACE_FIGURES_H
#define KMEMTRACE_FIGURES_H

#define FIGURES(FIGURE)									\
	FIGURE(live_bytes, "live bytes", BYTES, true, row->live_alloc,			\
	       "bytes live at the end")				\
	FIGURE(live, "live", COUNT, true, row->live,					\
	       "objects live at the end: of pages, single pages")			\
	FIGURE(live_bytes_req, "live requested", BYTES, false, row->live_req,		\
	       "bytes that the live memory requested")					\
	FIGURE(allocs, "allocations", COUNT, true, row->allocs,				\
	       "allocations")								\
	FIGURE(bytes_req, "requested", BYTES, false, row->req,				\
	       "bytes requested")					\
	FIGURE(bytes, "allocated", BYTES, true, row->alloc,				\
	       "bytes allocated: those that the allocations got")					\
	FIGURE(frees, "frees", COUNT, false, row->frees,				\
	       "frees: of these allocations, or of memory that is older than the trace; of pages, of blocks") \
	FIGURE(remote_frees, "remote", COUNT, false, row->remote,			\
	       "frees on another CPU: not on that of the allocation")			\
	FIGURE(peak_bytes, "peak", BYTES, false, row->peak,				\
	       "bytes live at the peak: when most of the allocator's memory was live")		\
	FIGURE(avoidable, "avoidable", BYTES, false,					\
	       figure_avoidable(kind, row->allocs, row->alloc),				\
	       "bytes avoidable: those wasted that a slab cache for each step of sizes would avoid")	\
	FIGURE(live_avoidable, "live avoidable", BYTES, false,				\
	       figure_avoidable(kind, row->live, row->live_alloc),			\
	       "live bytes avoidable: those of the live memory")

#define FIGURE_ENUM(name, heading, unit, is_sampled, value, help)	FIGURE_##name,

enum figure {
	FIGURES(FIGURE_ENUM)
	NR_FIGURES
};

#define ERROR_ENUM_true(name)		ERROR_OF_##name,
#define ERROR_ENUM_false(name)
#define ERROR_ENUM(name, heading, unit, is_sampled, value, help)	ERROR_ENUM_##is_sampled(name)

/* The figures that have a standard error in a sample. */
enum figure_error {
	FIGURES(ERROR_ENUM)
	NR_ERRORS
};

#endif /* KMEMTRACE_FIGURES_H */
