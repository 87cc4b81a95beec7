// SPDX-License-Identifier: GPL-2.0
/*
 * Read any input as kmemtrace-import does, and check what it wrote as kmemtrace-check does: it may
 * not be larger than the manual says. An input is a perf.data or a trace.dat; if it does not begin
 * like one, the items of a reader.
 *
 * libtracecmd does not survive every trace.dat: it reads them in a process of its own, as always.
 *
 * A fuzzing engine calls this file (see scripts/fuzz); fuzz-main.c calls it for known files.
 */
#include "config.h"

#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "daemon/outdir.h"
#include "fuzz.h"
#include "import/bounded.h"
#include "import/output.h"
#include "import/reader.h"
#include "kmemtrace.h"

static char *work;
static int dir;

/* What was written has to be streams that a reader can read to their end. */
static void check_trace(uint64_t events)
{
	struct kmemtrace_trace *trace;

	if (kmemtrace_open(&trace, work, NULL) || kmemtrace_read(trace))
		errx(EXIT_FAILURE, "the trace can't be read");
	if (kmemtrace_get_summary(trace)->events > events)
		errx(EXIT_FAILURE, "the trace has more events than were written");
	kmemtrace_close(trace);
}

static bool begins_with(const struct foreign_reader *reader, const uint8_t *data, size_t size)
{
	return size >= reader->magic_size && !memcmp(data, reader->magic, reader->magic_size);
}

/* Return what a perf.data has, as items in memory. */
static char *items_of_perfdata(const uint8_t *data, size_t size, enum byte_order order, size_t *len)
{
	char *items;
	FILE *to = open_memstream(&items, len);

	if (!to)
		out_of_memory();
	if (!perfdata_read(data, size, order, -1, to))
		item_value(to, ITEM_END, 0);
	if (fclose(to))
		out_of_memory();
	return items;
}

static FILE *open_memory(const void *data, size_t size)
{
	FILE *from = fmemopen((void *)data, size, "r");

	if (!from)
		err(EXIT_FAILURE, "fmemopen");
	return from;
}

/* Store what a reader finds. */
static void store(struct imported_trace *o, FILE *from)
{
	o->source = "perf.data";
	o->streams.dir = dir;
	if (!output_read(o, from) && !output_end(o))
		check_trace(output_events(o));
	fclose(from);
}

static void store_perfdata(struct imported_trace *o, const uint8_t *data, size_t size,
			   enum byte_order order)
{
	size_t len;
	char *items = items_of_perfdata(data, size, order, &len);

	store(o, open_memory(items, len));
	free(items);
}

static void store_tracedat(struct imported_trace *o, struct foreign *file)
{
	char why[128];
	pid_t pid;
	FILE *from = bounded_start(&reader_tracedat, file, &pid);

	if (!from)
		err(EXIT_FAILURE, "fork");
	store(o, from);
	kill(pid, SIGKILL);
	bounded_end(pid, why, sizeof(why));
}

/* Return the bytes of a trace. */
static uint64_t bytes_of_trace(void)
{
	DIR *entries = opendir(work);
	const struct dirent *entry;
	uint64_t bytes = 0;
	struct stat st;

	if (!entries)
		err(EXIT_FAILURE, "%s", work);
	while ((entry = readdir(entries)))
		if (!fstatat(dir, entry->d_name, &st, 0) && S_ISREG(st.st_mode))
			bytes += st.st_size;
	closedir(entries);
	return bytes;
}

/* Return an input as a file. */
static struct foreign file_of(const uint8_t *data, size_t size)
{
	struct foreign file = { .size = size, .symbols = -1 };
	uint64_t hole;

	file.fd = memfd_create("input", MFD_CLOEXEC);
	if (file.fd < 0 || write(file.fd, data, size) != (ssize_t)size)
		err(EXIT_FAILURE, "memfd");
	bounded_measure(&file, &hole);
	return file;
}

/* ---- entry points of the engine ---- */

/* libtraceevent leaks memory of damaged formats. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *tmp = getenv("TMPDIR");

	(void)argc;
	(void)argv;
	if (asprintf(&work, "%s/kmemtrace-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0 ||
	    !mkdtemp(work))
		err(EXIT_UNUSABLE, "no temporary directory");
	dir = open(work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		err(EXIT_UNUSABLE, "%s", work);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct imported_trace *o;
	struct foreign file;

	if (!size)
		return 0;
	file = file_of(data, size);
	o = must_calloc(1, sizeof(*o));
	o->streams.room = bounded_disk(&file);
	if (begins_with(&reader_perfdata_little, data, size))
		store_perfdata(o, data, size, ORDER_LITTLE);
	else if (begins_with(&reader_perfdata_big, data, size))
		store_perfdata(o, data, size, ORDER_BIG);
	else if (begins_with(&reader_tracedat, data, size))
		store_tracedat(o, &file);
	else
		store(o, open_memory(data, size));
	output_free(o);
	free(o);
	if (bytes_of_trace() > bounded_disk(&file))
		errx(EXIT_FAILURE, "the trace has more bytes than it may");
	close(file.fd);
	outdir_clear(dir);
	return 0;
}
