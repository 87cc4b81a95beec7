// SPDX-License-Identifier: GPL-2.0
/*
 * bounded.c - run a reader in a process with limits
 *
 * The libraries of trace-cmd trust their files. A damaged one may crash them, make them loop
 * or allocate without an end. Here that ends a process, and the caller reports it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import/bounded.h"
#include "import/item.h"

#define MB	(UINT64_C(1) << 20)

/* Memory, bytes: the symbols of a kernel take 100 MB; compressed files grow tenfold. */
#define BASE_MEMORY	(512 * MB)
#define MEMORY_FACTOR	8

/* Processor time: a boot that takes 0.7 s for a MB is the slowest file that was measured. */
#define BASE_SECONDS	20
#define SECONDS_PER_MB	4

/* Bytes of a temporary file. */
#define BASE_DISK	(256 * MB)

/* The sanitizer reserves all of the address space. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW	1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAS_SHADOW	1
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW	0
#endif

static void limit_resource(int resource, uint64_t most)
{
	struct rlimit now, l = { .rlim_cur = most, .rlim_max = most };

	if (!getrlimit(resource, &now) && now.rlim_max < most)
		l = (struct rlimit) { .rlim_cur = now.rlim_max, .rlim_max = now.rlim_max };
	if (setrlimit(resource, &l))
		_exit(EXIT_FAILURE);
}

static void set_limits(uint64_t size)
{
	if (!HAS_SHADOW)
		limit_resource(RLIMIT_AS, BASE_MEMORY + MEMORY_FACTOR * size);
	limit_resource(RLIMIT_CPU, BASE_SECONDS + SECONDS_PER_MB * (size / MB));
	limit_resource(RLIMIT_FSIZE, BASE_DISK + MEMORY_FACTOR * size);
	limit_resource(RLIMIT_CORE, 0);
}

/* The libraries print what they dislike; errors of the reader are items. */
static void silence(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(EXIT_FAILURE);
}

_Noreturn static void run_reader(const struct foreign_reader *reader,
				 const struct foreign *file, int pipe)
{
	FILE *to = fdopen(pipe, "w");
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	silence();
	set_limits(file->size);
	if (!to)
		_exit(EXIT_FAILURE);
	ret = reader->read(file, to);
	if (!ret)
		item_value(to, ITEM_END, 0);
	_exit(fflush(to) || ferror(to) ? EXIT_FAILURE : EXIT_SUCCESS);
}

/**
 * bounded_start - start a reader
 * @reader: the reader
 * @file: what it reads
 * @pid: result: its process, to be given to bounded_end()
 *
 * Return: its items, to be closed; NULL, and errno.
 */
FILE *bounded_start(const struct foreign_reader *reader, const struct foreign *file, pid_t *pid)
{
	int ends[2], err;
	FILE *from;

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	*pid = fork();
	if (!*pid) {
		close(ends[0]);
		run_reader(reader, file, ends[1]);
	}
	err = errno;
	close(ends[1]);
	from = *pid < 0 ? NULL : fdopen(ends[0], "r");
	if (!from) {
		close(ends[0]);
		errno = err;
	}
	return from;
}

/**
 * bounded_end - end a reader that may still run
 * @pid: its process
 * @why: result: how it ended, if not by itself
 * @size: bytes of @why
 *
 * Return: 0: it ended by itself; -EIO, and @why.
 */
int bounded_end(pid_t pid, char *why, size_t size)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (!WIFSIGNALED(status))
		snprintf(why, size, "it failed");
	else if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
		snprintf(why, size, "it took more time than a file of this size needs");
	else if (WTERMSIG(status) == SIGXFSZ)
		snprintf(why, size, "it wrote more than a file of this size can have");
	else
		snprintf(why, size, "it crashed (%s)", strsignal(WTERMSIG(status)));
	return -EIO;
}
