/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_COMMAND_H
#define COLLECTOR_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct command - the command that is traced
 * @argv: its arguments; NULL: there is none
 * @pid: its process; 0 once it has ended
 * @go: the pipe that starts it
 */
struct command {
	char	**argv;
	pid_t	pid;
	int	go;
};

bool command_is_there(const char *file);
int command_prepare(struct command *cmd, char **argv, int out);
void command_go(struct command *cmd);
bool command_ended(struct command *cmd);
void command_stop(struct command *cmd);

#endif /* COLLECTOR_COMMAND_H */
