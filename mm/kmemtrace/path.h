/* SPDX-License-Identifier: GPL-2.0 */
/* The call path of an allocation. */
#ifndef _MM_KMEMTRACE_PATH_H
#define _MM_KMEMTRACE_PATH_H

#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

/**
 * struct kmemtrace_path - return addresses, from the call site of an event outwards
 * @hash: of all of @frames; never 0
 * @depth: number of @frames
 * @is_cut: outer callers are missing
 * @frames: the addresses
 */
struct kmemtrace_path {
	u64		hash;
	unsigned int	depth;
	bool		is_cut;
	unsigned long	frames[KMEMTRACE_MAX_FRAMES];
};

/* Functions of the allocator are between a probe and the call site; no more than so many. */
#define KMEMTRACE_MAX_PASSED	16

int kmemtrace_path_init(void);
void kmemtrace_path_exit(void);
void kmemtrace_path_walk(struct kmemtrace_path *path, unsigned long call_site,
			 unsigned long *frame);

/* Add an address to the hash of a path. Paths of other addresses, or of less, differ. */
static __always_inline u64 kmemtrace_path_hash(u64 hash, unsigned long addr)
{
	/* The factor is odd, and a constant that fits an instruction of x86-64. */
	return (hash ^ addr) * 0xffffffff9e3779b9ULL;
}

#endif /* _MM_KMEMTRACE_PATH_H */
