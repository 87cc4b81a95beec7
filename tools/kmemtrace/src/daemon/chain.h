/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain of traces: each one begins where the one before ended.
 */
#ifndef COLLECTOR_CHAIN_H
#define COLLECTOR_CHAIN_H

#include <stdbool.h>
#include <sys/types.h>

/* Room for the number of a trace, which is the name of its directory. */
#define CHAIN_NAME	16

/**
 * struct chain - the directory of a chain
 * @path: its name; NULL: there is no chain
 * @dir: the directory
 * @keep: how many traces stay; 0: all
 * @number: of the current trace
 * @dropped: traces up to this number are gone
 * @writer: the process that writes the books for the current trace; 0: there is none
 */
struct chain {
	const char	*path;
	int		dir;
	unsigned long	keep;
	unsigned long	number;
	unsigned long	dropped;
	pid_t		writer;
};

int chain_open(struct chain *c, const char *path);
int chain_create(const struct chain *c);
void chain_forget(struct chain *c, int dir);
void chain_remove(const struct chain *c, int dir);
void chain_go_on(struct chain *c);
bool chain_take_books(struct chain *c, bool wait);
char *chain_path(const struct chain *c, unsigned long number);

#endif /* COLLECTOR_CHAIN_H */
