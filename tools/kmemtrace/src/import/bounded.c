// SPDX-License-Identifier: GPL-2.0
/*
 * bounded.c - what an import may take, and a process with these limits for its reader
 *
 * The libraries of trace-cmd trust their files. A damaged one may crash them, make them loop
 * or allocate without an end. Here that ends a process, and the caller reports it.
 *
 * All limits come from the bytes that a file has on the disk. No number in the file, nor its
 * size, which a hole makes as large as one likes, is a limit.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "common/tempfile.h"
#include "import/bounded.h"
#include "import/ending.h"
#include "import/item.h"

#define MB	(UINT64_C(1) << 20)

/*
 * Memory, bytes: symbols take 6 times those of their text, which is compressed to a quarter in
 * some files.
 */
#define BASE_MEMORY	(64 * MB)
#define MEMORY_FACTOR	16

/*
 * Disk, bytes: an event has 72 in the trace. In the compressed file of a boot it has 10, in that of
 * a loop that allocates the same again and again 3.
 */
#define BASE_DISK	(16 * MB)
#define DISK_FACTOR	32

/* Processor time: a boot that takes 0.7 s for a MB is the slowest file that was measured. */
#define BASE_SECONDS	20
#define SECONDS_PER_MB	4

/* Bytes of holes that a file may have beside as many as it has of data. */
#define BASE_HOLES	(64 << 10)

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

/* ---- the bytes of a file ---- */

/**
 * bounded_measure - count the bytes that a file has
 * @file: the file, whose size is known; result: its bytes
 * @hole: result: where its largest hole begins, if it has one
 *
 * Where the file system does not tell, there are no holes.
 *
 * Return: bytes of the largest hole, if there is more in holes than a tracer leaves; else 0.
 */
uint64_t bounded_measure(struct foreign *file, uint64_t *hole)
{
	uint64_t at = 0, data, largest = 0;
	off_t next;

	file->bytes = 0;
	while (at < file->size) {
		next = lseek(file->fd, at, SEEK_DATA);
		data = next >= 0 ? (uint64_t)next : errno == ENXIO ? file->size : at;
		if (data - at > largest) {
			largest = data - at;
			*hole = at;
		}
		next = lseek(file->fd, data, SEEK_HOLE);
		at = next > (off_t)data && (uint64_t)next < file->size ? (uint64_t)next :
									file->size;
		file->bytes += data < at ? at - data : 0;
	}
	lseek(file->fd, 0, SEEK_SET);
	return file->size - file->bytes > file->bytes + BASE_HOLES ? largest : 0;
}

/* Return how many bytes a trace may have, and all temporary files together. */
uint64_t bounded_disk(const struct foreign *file)
{
	return BASE_DISK + DISK_FACTOR * file->bytes;
}

/* ---- limits ---- */

static int limit_resource(int resource, uint64_t most)
{
	struct rlimit now, l = { .rlim_cur = most, .rlim_max = most };

	if (!getrlimit(resource, &now) && now.rlim_max < most)
		l = (struct rlimit) { .rlim_cur = now.rlim_max, .rlim_max = now.rlim_max };
	return setrlimit(resource, &l) ? -errno : 0;
}

/**
 * bounded_limit_memory - limit the memory of this process, and of readers that it starts
 * @file: what is imported
 *
 * Return: 0 or -errno.
 */
int bounded_limit_memory(const struct foreign *file)
{
	return HAS_SHADOW ? 0 : limit_resource(RLIMIT_DATA, BASE_MEMORY +
					       MEMORY_FACTOR * file->bytes);
}

/* Bytes that the next temporary file of a reader may have; the last one, which counts then. */
static uint64_t disk_left;
static int last_tempfile = -1;

/**
 * bounded_tempfile - make a temporary file for a reader, in its process
 *
 * All of them together are limited: each is complete when the next one is made.
 *
 * Return: a file descriptor; -1, and errno.
 */
int bounded_tempfile(void)
{
	struct stat st;
	int fd, ret;

	if (last_tempfile >= 0 && !fstat(last_tempfile, &st))
		disk_left -= (uint64_t)st.st_size < disk_left ? (uint64_t)st.st_size : disk_left;
	close(last_tempfile);
	fd = tempfile_create();
	/* The library may close its descriptor before the next file is made. */
	last_tempfile = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	ret = limit_resource(RLIMIT_FSIZE, disk_left);
	if (fd >= 0 && (ret || last_tempfile < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * libtracecmd calls this function instead of the C library's. It would leave its files in /tmp
 * when it crashes, each as large as the file says.
 */
int mkstemp64(char *path)
{
	/* The library removes the file of this name. */
	*path = '\0';
	return bounded_tempfile();
}

static int limit_reader(const struct foreign *file)
{
	int ret;

	disk_left = bounded_disk(file);
	ret = limit_resource(RLIMIT_CPU, BASE_SECONDS + SECONDS_PER_MB * (file->bytes / MB));
	if (!ret)
		ret = limit_resource(RLIMIT_FSIZE, disk_left);
	return ret ? ret : limit_resource(RLIMIT_CORE, 0);
}

/* ---- the process ---- */

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
	FILE *to = file_stream(pipe);
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ending_ignore();
	silence();
	if (!to || limit_reader(file))
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
	if (*pid > 0)
		ending_kills(*pid);
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

	ending_kills(0);
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
		snprintf(why, size, "it has more than a file of this size can have");
	else if (WTERMSIG(status) == SIGBUS)
		snprintf(why, size, "the disk did not give all of it");
	else
		snprintf(why, size, "it crashed (%s)", strsignal(WTERMSIG(status)));
	return -EIO;
}
