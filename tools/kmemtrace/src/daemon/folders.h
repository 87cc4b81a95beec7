/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain of traces: each one begins where the one before ended.
 */
#ifndef COLLECTOR_FOLDERS_H
#define COLLECTOR_FOLDERS_H

#include <stdbool.h>
#include <sys/types.h>

/* Room for the number of a trace, which is the name of its directory. */
#define FOLDERS_NAME	16

/**
 * struct folders - the directory of a chain
 * @path: its name; NULL: there is no chain
 * @dir: the directory
 * @keep: how many traces stay; 0: all
 * @number: of the current trace
 * @dropped: traces up to this number are gone
 * @writer: the process that writes the books for the current trace; 0: there is none
 */
struct folders {
	const char	*path;
	int		dir;
	unsigned long	keep;
	unsigned long	number;
	unsigned long	dropped;
	pid_t		writer;
};

int folders_open(struct folders *c, const char *path);
int folders_create(const struct folders *c);
void folders_forget(struct folders *c, int dir);
void folders_remove(const struct folders *c, int dir);
void folders_go_on(struct folders *c);
bool folders_take_books(struct folders *c, bool wait);
char *folders_path(const struct folders *c, unsigned long number);

#endif /* COLLECTOR_FOLDERS_H */
