// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-import: make a trace of what another tracer recorded.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/exit.h"
#include "common/file.h"
#include "common/memory.h"
#include "common/number.h"
#include "common/options.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "import/bounded.h"
#include "import/ending.h"
#include "import/output.h"

/* Bytes; a large kernel has 20 MB of symbols. */
#define MAX_KALLSYMS	(64 << 20)

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
		   "Exit status: 0 written, 2 unusable input or not written, 128 + N: signal N ended it,\n"
		   "and nothing was written.",
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

/* Open a regular file without more holes than a tracer leaves: reading them takes time. */
static int open_foreign(const char *path, struct foreign *file)
{
	uint64_t hole, at;
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
	file->changed = st.st_mtim;
	hole = bounded_measure(file, &at);
	if (!hole)
		return 0;
	say("%s: offset %" PRIu64 ": a hole of %" PRIu64 " bytes, where data was expected; was the file copied in part? Copy all of it",
	    path, at, hole);
	return -EINVAL;
}

/* Return whether a file is not the one any more that was opened. */
static bool has_changed(const struct foreign *file)
{
	struct stat st;

	return fstat(file->fd, &st) || (uint64_t)st.st_size != file->size ||
	       st.st_mtim.tv_sec != file->changed.tv_sec ||
	       st.st_mtim.tv_nsec != file->changed.tv_nsec;
}

/* Open the symbols that the command line names. */
static int open_symbols(struct foreign *file)
{
	struct foreign symbols = { .fd = -1, .size = 0 };
	int ret = opt_kallsyms ? open_foreign(opt_kallsyms, &symbols) : 0;

	file->symbols = symbols.fd;
	if (ret || symbols.size <= MAX_KALLSYMS)
		return ret;
	say("%s: %" PRIu64 " bytes, more than the symbols of any kernel; expected a copy of /proc/kallsyms",
	    opt_kallsyms, symbols.size);
	return -EINVAL;
}

/*
 * Copy the symbols into the trace, and let the reader have the copy. A file of /proc does not say
 * before how many bytes it has.
 */
static int copy_symbols(struct imported_trace *o, struct foreign *file)
{
	FILE *from = fdopen(file->symbols, "r");
	char line[ITEM_MAX_TEXT];
	/* This is no rest of a line that was too long. */
	bool begins = true;
	int ret = 0;

	if (!from)
		out_of_memory();
	o->streams.room = MAX_KALLSYMS;
	while (!ret && fgets(line, sizeof(line), from)) {
		if (begins)
			ret = output_symbol(o, line);
		begins = strchr(line, '\n');
		file->bytes += strlen(line);
	}
	if (!ret && o->kallsyms && fflush(o->kallsyms))
		ret = -errno;
	if (ret) {
		say("%s/kallsyms: %s", o->path, strerror(-ret));
	} else if (ferror(from)) {
		say("%s: not all of it can be read", opt_kallsyms);
		ret = -EIO;
	}
	fclose(from);
	file->symbols = openat(o->streams.dir, "kallsyms", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	o->has_symbols = true;
	return ret;
}

/* Say why a file could not be read. @crash: how its reader ended; "" if by itself */
static void say_failure(const char *path, const struct foreign_reader *reader,
			const struct imported_trace *o, int ret, const char *crash)
{
	if (*o->error)
		say("%s: %s could not read it: %s", path, reader->library, o->error);
	else if (ret == -E2BIG || ret == -ENOMEM)
		say("%s: %s could not read it: it has more than a file of this size can have; is the file damaged?",
		    path, reader->library);
	else if (*crash || !ret || ret == -EPROTO)
		say("%s: %s could not read it: %s; is the file damaged?", path,
		    reader->library, *crash ? crash : "it stopped");
	else
		say("%s: can't be stored in %s: %s", path, o->path, strerror(-ret));
}

/* Read the file in another process, and store what it finds. */
static int import(const char *path, const struct foreign *file, const struct foreign_reader *reader,
		  struct imported_trace *o)
{
	char crash[128] = "";
	pid_t pid;
	FILE *from = bounded_start(reader, file, &pid);
	bool is_read;
	int ret, ended;

	if (!from) {
		say("%s: no process to read it: %s", path, strerror(errno));
		return -EAGAIN;
	}
	ret = output_read(o, from);
	fclose(from);
	if (ret)
		kill(pid, SIGKILL);
	ended = bounded_end(pid, crash, sizeof(crash));
	/* What ended it is this process. */
	if (ret)
		crash[0] = '\0';
	is_read = !ret && !ended && o->is_complete;
	if (is_read)
		ret = output_end(o);
	if (ending_signal())
		say("%s: stopping; nothing is written", strsignal(ending_signal()));
	else if (has_changed(file))
		say("%s: it changed while it was read; wait until it is complete", path);
	else if (ret || !is_read)
		say_failure(path, reader, o, ret, crash);
	else
		return 0;
	return -EINVAL;
}

static void say_result(const struct imported_trace *o)
{
	say("%s: %s, %s lost", o->path, COUNT(output_events(o), "event", "events"),
	    NUMBER(output_lost(o)));
	if (o->streams.doubles)
		say("%s large kmalloc()s were reported twice by the kernel, and count once",
		    NUMBER(o->streams.doubles));
	if (o->streams.late)
		say("%s came too late for their time, and got that of the event before",
		    COUNT(o->streams.late, "event", "events"));
	if (o->cut)
		say("%s longer than a kernel's, and cut", COUNT(o->cut, "name was", "names were"));
}

/* Write the trace into an open folder. */
static int write_trace(const char *path, struct foreign *file,
		       const struct foreign_reader *reader, int dir, const char *dir_path)
{
	struct imported_trace *o = calloc(1, sizeof(*o));
	int ret = o ? 0 : -ENOMEM;

	if (ret) {
		say("%s", strerror(-ret));
		return ret;
	}
	o->source = reader->name;
	o->path = dir_path;
	o->streams.dir = dir;
	if (opt_kallsyms)
		ret = copy_symbols(o, file);
	o->streams.room = bounded_disk(file);
	if (!ret) {
		ret = bounded_limit_memory(file);
		if (ret)
			say("no limit of memory: %s", strerror(-ret));
	}
	if (!ret)
		ret = import(path, file, reader, o);
	if (!ret)
		say_result(o);
	output_free(o);
	free(o);
	return ret;
}

/* Remove a part of a trace, which would be taken for all of it, and its folder if that is new. */
static void remove_part(int dir, const char *path, bool is_new)
{
	int ret = outdir_clear(dir);

	if (!ret && is_new && rmdir(path))
		ret = -errno;
	if (ret)
		say("%s: a part of a trace is left: %s", path, strerror(-ret));
}

int main(int argc, char **argv)
{
	int dir, ret, i = options_parse(&prog, argc, argv);
	const struct foreign_reader *reader;
	struct foreign file;
	bool is_new;

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
	ending_catch();
	is_new = access(argv[i + 1], F_OK);
	dir = outdir_open(argv[i + 1], opt_force);
	if (dir < 0)
		return EXIT_UNUSABLE;
	ret = write_trace(argv[i], &file, reader, dir, argv[i + 1]);
	if (ret)
		remove_part(dir, argv[i + 1], is_new);
	close(dir);
	close(file.fd);
	if (ret && ending_signal())
		return EXIT_SIGNAL + ending_signal();
	return ret ? EXIT_UNUSABLE : EXIT_SUCCESS;
}
