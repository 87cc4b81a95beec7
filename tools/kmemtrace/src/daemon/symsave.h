/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_SYMSAVE_H
#define COLLECTOR_SYMSAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct saved_module - a module that was there at some time
 * @line: "name base size", as written to modules
 * @saved: a symbol of it is in kallsyms
 * @present: it was still there after its symbols were saved
 */
struct saved_module {
	char	*line;
	bool	saved, present;
};

/**
 * struct symsave - the symbols of a kernel whose modules come and go
 * @dir: the trace directory, which holds kallsyms and modules
 * @kallsyms_fd: the file, open to append
 * @modules_fd: the file, open to append
 * @uevents: netlink socket that announces new modules; -1: there is none, look for them
 * @kernel_bytes: size of the kernel's own part of /proc/kallsyms
 * @ahead: /proc/kallsyms, read almost to the end of that part
 * @ahead_error: why @ahead could not be opened, -errno; 0: it could
 * @modules: in the order in which they were seen
 * @n: how many of them
 */
struct symsave {
	int		dir;
	int		kallsyms_fd;
	int		modules_fd;
	int		uevents;
	size_t		kernel_bytes;
	FILE		*ahead;
	int		ahead_error;
	struct saved_module	*modules;
	size_t		n;
};

int symsave_begin(struct symsave *s, int dir);
int symsave_uevent(struct symsave *s);
int symsave_update(struct symsave *s);
int symsave_move(struct symsave *s, int dir);
void symsave_end(struct symsave *s);

#endif /* COLLECTOR_SYMSAVE_H */
