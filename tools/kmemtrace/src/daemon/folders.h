/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain of traces: each one begins where the one before ended.
 */
#ifndef COLLECTOR_FOLDERS_H
#define COLLECTOR_FOLDERS_H

#include <stdbool.h>
#include <sys/types.h>

/* Room for the number of a trace, which is the name of its directory. */
#define FOLDERS_NAME	24

/**
 * struct folders - the directory of a chain
 * @path: its name
 * @dir: the directory
 * @keep: how many traces stay; 0: all
 * @number: of the current trace
 * @next: of the one that folders_create() made
 * @writer: the process that writes the books for the current trace; 0: there is none
 */
struct folders {
	const char	*path;
	int		dir;
	unsigned long	keep;
	unsigned long	number, next;
	pid_t		writer;
};

int folders_open(struct folders *f, const char *path, bool force);
int folders_create(struct folders *f);
void folders_remove(const struct folders *f, int dir);
bool folders_go_on(struct folders *f, int before, int dir);
bool folders_take_books(struct folders *f);
void folders_give_up(const struct folders *f);
char *folders_path(const struct folders *f);

#endif /* COLLECTOR_FOLDERS_H */
