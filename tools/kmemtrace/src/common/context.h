/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The context of one trace: the receiver of its messages, and its first error.
 */
#ifndef KMEMTRACE_CONTEXT_H
#define KMEMTRACE_CONTEXT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct context - the messages and the error of one trace
 * @say: receives each message, without a newline; NULL: print it to the standard error,
 *	after the name of the program
 * @arg: for @say
 * @interrupt: context_check() asks it now and then during long work; true ends the work.
 *	NULL: nothing ends it
 * @interrupt_arg: for @interrupt
 * @error: the first error that makes the trace unusable, as -errno; 0: none
 * @has_cut: a name was longer than its limit, and is cut
 *
 * An error stays. A function that fails records it here, returns it, and leaves its
 * structures fit to be freed; its results are never used. Threads may
 * share a context.
 */
struct context {
	void (*say)(void *arg, const char *text);
	void *arg;
	bool (*interrupt)(void *arg);
	void *interrupt_arg;
	_Atomic int error;
	_Atomic bool has_cut;
};

/*
 * Bytes of the names in a trace, as they are printed. A kernel has symbols of 511 bytes at most,
 * and the recorder writes as much of the path of a cgroup, and less of the name of a slab cache.
 */
#define MAX_KERNEL_NAME	511
/* A kernel of 32 bits has names of modules of 59 bytes, one of 64 bits has 55. */
#define MAX_MODULE_NAME	59

void context_say(const struct context *ctx, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void context_say_errno(const struct context *ctx, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int context_fail(struct context *ctx, int error);
int context_check(struct context *ctx);
void context_cut(struct context *ctx, char *name, size_t max);
void *context_realloc(struct context *ctx, void *old, size_t nr, size_t size);
void *context_calloc(struct context *ctx, size_t nr, size_t size);
void *context_large(struct context *ctx, size_t bytes);
size_t context_whole(size_t bytes);
void *context_zeroed(struct context *ctx, size_t bytes);
void context_free_zeroed(void *old, size_t bytes);
void *context_grow_list(struct context *ctx, void *list, size_t nr, size_t size);

/* Return the error that makes the trace unusable, as -errno; 0: none. */
static inline int context_error(const struct context *ctx)
{
	return atomic_load_explicit(&ctx->error, memory_order_relaxed);
}

#endif /* KMEMTRACE_CONTEXT_H */
