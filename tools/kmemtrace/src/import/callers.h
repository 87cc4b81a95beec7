/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The caller of the page allocator, from a stack trace.
 */
#ifndef IMPORT_CALLERS_H
#define IMPORT_CALLERS_H

#include <stddef.h>
#include <stdint.h>

struct tep_handle;

/* The most return addresses that are looked at. */
#define CALLERS_MAX	64

uint64_t callers_find(struct tep_handle *tep, const uint64_t *stack, size_t nr);

#endif /* IMPORT_CALLERS_H */
