// SPDX-License-Identifier: GPL-2.0
/*
 * command.c - run the command that is traced
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/command.h"
#include "daemon/msg.h"

/* Return whether execvp() will find a command. */
bool command_is_there(const char *file)
{
	const char *env = getenv("PATH");
	char *path, *dir, *rest, *full;
	bool found = false;

	if (strchr(file, '/'))
		return !access(file, X_OK);
	path = strdup(env ? env : "/bin:/usr/bin");
	rest = path;
	while (!found && (dir = strsep(&rest, ":"))) {
		if (asprintf(&full, "%s/%s", *dir ? dir : ".", file) < 0)
			break;
		found = !access(full, X_OK);
		free(full);
	}
	free(path);
	return found;
}

static void wait_and_exec(char **argv, int wait_fd, int out)
{
	sigset_t none;
	char c;

	/* What it allocates until the exec is the command's as well. */
	prctl(PR_SET_NAME, basename(argv[0]));
	if (dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	if (read(wait_fd, &c, 1) != 1)
		_exit(0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(argv[0], argv);
	say("%s: %s", argv[0], strerror(errno));
	_exit(127);
}

/**
 * command_prepare - start a process that will run the command
 * @cmd: result
 * @argv: the command; NULL: there is none
 * @out: its standard output
 *
 * The process waits for command_go(). It exits if the collector exits before that.
 *
 * Return: 0, or -errno after a message.
 */
int command_prepare(struct command *cmd, char **argv, int out)
{
	int err, fds[2];

	*cmd = (struct command) { .argv = argv };
	if (!argv)
		return 0;
	if (!command_is_there(argv[0])) {
		err = errno == EACCES ? -EACCES : -ENOENT;
		say("%s: %s", argv[0], strerror(-err));
		return err;
	}
	if (pipe2(fds, O_CLOEXEC))
		goto say_errno;
	cmd->pid = fork();
	if (cmd->pid < 0)
		goto say_errno;
	if (!cmd->pid) {
		close(fds[1]);
		wait_and_exec(argv, fds[0], out);
	}
	close(fds[0]);
	cmd->go = fds[1];
	return 0;

say_errno:
	err = -errno;
	say("%s: %s", argv[0], strerror(-err));
	return err;
}

/**
 * command_go - start the command
 * @cmd: the command
 */
void command_go(struct command *cmd)
{
	int err;

	if (!cmd->pid)
		return;
	err = file_write_all(cmd->go, "", 1);
	if (err)
		say("%s: %s", cmd->argv[0], strerror(-err));
	close(cmd->go);
}

/**
 * command_ended - check whether the command has ended, print how
 * @cmd: the command
 *
 * Return: true the first time after its end.
 */
bool command_ended(struct command *cmd)
{
	int status;

	if (!cmd->pid || waitpid(cmd->pid, &status, WNOHANG) != cmd->pid)
		return false;
	cmd->pid = 0;
	if (WIFSIGNALED(status))
		say("%s: killed by signal %d (%s)", cmd->argv[0],
		    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		say("%s: exit status %d", cmd->argv[0], WEXITSTATUS(status));
	return true;
}

/**
 * command_stop - send SIGTERM to a command that still runs
 * @cmd: the command
 */
void command_stop(struct command *cmd)
{
	if (!command_ended(cmd) && cmd->pid)
		kill(cmd->pid, SIGTERM);
}
