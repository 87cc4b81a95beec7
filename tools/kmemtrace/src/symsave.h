/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_SYMSAVE_H
#define KMEMTRACED_SYMSAVE_H

#include <stddef.h>

/**
 * struct symsave - the symbols of a kernel whose modules come and go
 * @dir: the trace directory, which holds kallsyms and modules
 * @uevents: netlink socket that tells of new modules; -1: have to look
 * @known: lines written to modules, without newline
 * @n: how many of them
 */
struct symsave {
	int	dir;
	int	uevents;
	char	**known;
	size_t	n;
};

int symsave_begin(struct symsave *s, int dir);
int symsave_uevent(struct symsave *s);
int symsave_update(struct symsave *s);
void symsave_end(struct symsave *s);

#endif /* KMEMTRACED_SYMSAVE_H */
