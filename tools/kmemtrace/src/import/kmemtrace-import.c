// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-import: make a trace of what another tracer recorded.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/exit.h"
#include "common/file.h"
#include "common/number.h"
#include "common/options.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "import/bounded.h"
#include "import/output.h"

/* Items of a file: 16 for each byte, as compressed files have; symbols, and some more. */
#define ITEMS_PER_BYTE	16
#define BASE_ITEMS	(1 << 22)

static const struct foreign_reader * const readers[] = {
	&reader_perfdata_big,
	&reader_perfdata_little,
	&reader_tracedat,
};

#define NR_READERS	(sizeof(readers) / sizeof(*readers))

static bool opt_force;
static const char *opt_kallsyms;

static int allow_to_replace(const char *value)
{
	(void)value;
	opt_force = true;
	return 0;
}

static int set_kallsyms(const char *value)
{
	opt_kallsyms = value;
	return *value ? 0 : -EINVAL;
}

static const struct opt opts[] = {
	{ 'f', "force", NULL, "overwrite the trace in DIR", allow_to_replace },
	{ 'k', "kallsyms", "FILE", "take the symbols from FILE, a copy of /proc/kallsyms",
	  set_kallsyms },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-import",
	.operands = "FILE DIR",
	.purpose = "Make a trace in DIR of the allocations and frees in FILE, a trace.dat of trace-cmd\n"
		   "or a perf.data of perf.\n"
		   "Exit status: 0 written, 2 unusable input or not written.",
	.opts = opts,
};

/* Find out which tracer wrote a file. */
static const struct foreign_reader *find_reader(const char *path, const struct foreign *file)
{
	unsigned char begin[16];
	ssize_t len = file_read_at(file->fd, begin, sizeof(begin), 0);
	size_t i;

	for (i = 0; i < NR_READERS; i++)
		if (len >= (ssize_t)readers[i]->magic_size &&
		    !memcmp(begin, readers[i]->magic, readers[i]->magic_size))
			return readers[i];
	if (len < 0)
		say("%s: %s", path, strerror(-len));
	else
		say("%s: offset 0: neither a trace.dat of trace-cmd nor a perf.data of perf", path);
	return NULL;
}

static int open_foreign(const char *path, struct foreign *file)
{
	struct stat st;

	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0 || fstat(file->fd, &st)) {
		say("%s: %s", path, strerror(errno));
		return -EINVAL;
	}
	if (!S_ISREG(st.st_mode)) {
		say("%s: not a regular file", path);
		return -EINVAL;
	}
	file->size = st.st_size;
	return 0;
}

/* Open the symbols that the command line names. */
static int open_symbols(struct foreign *file)
{
	file->symbols = opt_kallsyms ? open(opt_kallsyms, O_RDONLY | O_CLOEXEC) : -1;
	if (!opt_kallsyms || file->symbols >= 0)
		return 0;
	say("%s: %s", opt_kallsyms, strerror(errno));
	return -EINVAL;
}

/* Copy the symbols into the folder of the trace. */
static int copy_symbols(int from, int dir)
{
	int to = outdir_create(dir, "kallsyms"), ret = to < 0 ? to : 0;
	uint64_t at = 0;
	char buf[1 << 16];
	ssize_t len;

	while (!ret && (len = file_read_at(from, buf, sizeof(buf), at))) {
		ret = len < 0 ? len : file_write_all(to, buf, len);
		at += len;
	}
	if (to >= 0 && close(to) && !ret)
		ret = -errno;
	if (ret)
		say("%s: %s", opt_kallsyms, strerror(-ret));
	return ret;
}

/* Say why a file could not be read. @crash: how its reader ended; "" if by itself */
static void say_failure(const char *path, const struct foreign_reader *reader,
			const struct imported_trace *o, int ret, const char *crash)
{
	if (*o->error)
		say("%s: %s could not read it: %s", path, reader->library, o->error);
	else if (ret == -E2BIG)
		say("%s: %s could not read it: it finds more events than a file of this size has",
		    path, reader->library);
	else if (*crash || !ret || ret == -EPROTO)
		say("%s: %s could not read it: %s; is the file damaged?", path,
		    reader->library, *crash ? crash : "it stopped");
	else
		say("%s: can't be stored: %s", path, strerror(-ret));
}

/* Read the file in another process, and store what it finds. */
static int import(const char *path, const struct foreign *file, const struct foreign_reader *reader,
		  struct imported_trace *o)
{
	char crash[128] = "";
	pid_t pid;
	FILE *from = bounded_start(reader, file, &pid);
	int ret, ended;

	if (!from) {
		say("%s: no process to read it: %s", path, strerror(errno));
		return -EAGAIN;
	}
	ret = output_read(o, from);
	fclose(from);
	ended = bounded_end(pid, crash, sizeof(crash));
	if (!ret && !ended && o->is_complete)
		return 0;
	/* What ended it is this process, which closed the pipe. */
	if (ret)
		crash[0] = '\0';
	say_failure(path, reader, o, ret, crash);
	return -EINVAL;
}

static void say_result(const char *path, const struct imported_trace *o)
{
	say("%s: %s events, %s lost", path, NUMBER(output_events(o)), NUMBER(output_lost(o)));
	if (o->streams.doubles)
		say("%s large kmalloc()s were reported twice by the kernel, and count once",
		    NUMBER(o->streams.doubles));
	if (o->streams.late)
		say("%s events came too late for their time, and got that of the event before",
		    NUMBER(o->streams.late));
}

/* Write the trace into an open folder. */
static int write_trace(const char *path, const struct foreign *file,
		       const struct foreign_reader *reader, int dir, const char *dir_path)
{
	struct imported_trace *o = calloc(1, sizeof(*o));
	int ret = o ? 0 : -ENOMEM;

	if (ret) {
		say("%s", strerror(-ret));
		return ret;
	}
	o->source = reader->name;
	o->max_items = ITEMS_PER_BYTE * file->size + BASE_ITEMS;
	o->has_symbols = opt_kallsyms;
	o->streams.dir = dir;
	if (opt_kallsyms)
		ret = copy_symbols(file->symbols, dir);
	if (!ret)
		ret = import(path, file, reader, o);
	if (!ret) {
		ret = output_end(o);
		if (ret)
			say("%s: %s", dir_path, strerror(-ret));
	}
	if (!ret)
		say_result(dir_path, o);
	output_free(o);
	free(o);
	return ret;
}

int main(int argc, char **argv)
{
	int dir, ret, i = options_parse(&prog, argc, argv);
	const struct foreign_reader *reader;
	struct foreign file;

	if (i < 0)
		return EXIT_UNUSABLE;
	if (i + 2 != argc) {
		say("expected a FILE and a DIR; try '%s --help'", prog.name);
		return EXIT_UNUSABLE;
	}
	if (open_foreign(argv[i], &file) || open_symbols(&file))
		return EXIT_UNUSABLE;
	reader = find_reader(argv[i], &file);
	if (!reader)
		return EXIT_UNUSABLE;
	dir = outdir_open(argv[i + 1], opt_force);
	if (dir < 0)
		return EXIT_UNUSABLE;
	ret = write_trace(argv[i], &file, reader, dir, argv[i + 1]);
	/* A part of a trace would be taken for all of it. */
	if (ret)
		outdir_clear(dir);
	close(dir);
	close(file.fd);
	return ret ? EXIT_UNUSABLE : EXIT_SUCCESS;
}
