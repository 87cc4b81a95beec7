// SPDX-License-Identifier: GPL-2.0
/*
 * Read any input as kmemtrace-import does, and check what it wrote as kmemtrace-check does. An
 * input is a perf.data; if it does not begin like one, the items of a reader.
 *
 * libtracecmd reads a trace.dat in a process of its own: import-hostile.sh tests that.
 *
 * A fuzzing engine calls this file (see scripts/fuzz); fuzz-main.c calls it for known files.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "daemon/outdir.h"
#include "fuzz.h"
#include "import/output.h"
#include "import/reader.h"
#include "kmemtrace.h"

#define MAX_ITEMS	100000

static char *work;
static int dir;

/* Return the items of an input, as a stream. */
static FILE *items_of(const uint8_t *data, size_t size, char **text)
{
	const struct foreign_reader *readers[] = { &reader_perfdata_little, &reader_perfdata_big };
	FILE *to, *from;
	size_t i, len;

	*text = NULL;
	for (i = 0; i < 2; i++) {
		if (size < readers[i]->magic_size ||
		    memcmp(data, readers[i]->magic, readers[i]->magic_size))
			continue;
		to = open_memstream(text, &len);
		if (!to)
			out_of_memory();
		if (!perfdata_read(data, size, i ? ORDER_BIG : ORDER_LITTLE, -1, to))
			item_value(to, ITEM_END, 0);
		if (fclose(to))
			out_of_memory();
		data = (const uint8_t *)*text;
		size = len;
		break;
	}
	from = fmemopen((void *)data, size, "r");
	if (!from)
		err(EXIT_FAILURE, "fmemopen");
	return from;
}

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
	char *text;
	FILE *from;

	if (!size)
		return 0;
	from = items_of(data, size, &text);
	o = must_calloc(1, sizeof(*o));
	o->source = "perf.data";
	o->max_items = MAX_ITEMS;
	o->streams.dir = dir;
	if (!output_read(o, from) && !output_end(o))
		check_trace(output_events(o));
	output_free(o);
	free(o);
	fclose(from);
	free(text);
	outdir_clear(dir);
	return 0;
}
