// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat.c - read a trace.dat of trace-cmd, by libtracecmd
 *
 * Some functions that every version of the library exports are in no public header: those are
 * declared weak here, and what they know is missing where they are.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <trace-cmd.h>

#include "common/memory.h"
#include "common/unseen.h"
#include "import/formats.h"
#include "import/item.h"
#include "import/reader.h"
#include "import/symbols.h"

const char *tracecmd_get_uname(struct tracecmd_input *handle) __attribute__((weak));
const char *tracecmd_get_cpustats(struct tracecmd_input *handle) __attribute__((weak));
const char *tracecmd_get_trace_clock(struct tracecmd_input *handle) __attribute__((weak));
int tracecmd_page_size(struct tracecmd_input *handle) __attribute__((weak));

#define USEC	UINT64_C(1000)
#define TICK	UINT64_C(10000000)

/* The clocks of ftrace, and by how many nanoseconds those of two CPUs may differ. */
static const struct {
	const char *name;
	uint64_t uncertainty;
} clocks[] = {
	{ "local", USEC },
	{ "global", 0 },
	{ "uptime", TICK },
	{ "perf", USEC },
	{ "mono", USEC },
	{ "mono_raw", USEC },
	{ "boot", USEC },
	{ "tai", USEC },
};

/* ---- the machine ---- */

static int read_name_of_clock(struct tracecmd_input *handle, FILE *to)
{
	const char *clock = tracecmd_get_trace_clock ? tracecmd_get_trace_clock(handle) : NULL;
	size_t i;

	/* Old files don't say. */
	if (!clock)
		clock = clocks[0].name;
	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		if (strcmp(clocks[i].name, clock))
			continue;
		item_value(to, ITEM_UNCERTAINTY, clocks[i].uncertainty);
		return 0;
	}
	item_text(to, ITEM_ERROR, "its clock, '%.32s', does not count nanoseconds; record with trace-cmd record -C mono",
		  clock);
	return -EINVAL;
}

/* "Linux HOST RELEASE MACHINE" */
static void read_uname(struct tracecmd_input *handle, FILE *to)
{
	const char *uname = tracecmd_get_uname ? tracecmd_get_uname(handle) : NULL;
	char host[256], release[256], machine[256];

	if (!uname || sscanf(uname, "%*s %255s %255s %255s", host, release, machine) != 3)
		return;
	item_meta(to, META_RELEASE, release);
	item_meta(to, META_MACHINE, machine);
	item_meta(to, META_HOST, host);
}

static int read_machine(struct tracecmd_input *handle, struct formats *f)
{
	char cpus[16];

	f->tep = tracecmd_get_tep(handle);
	f->page_size = tracecmd_page_size ? tracecmd_page_size(handle) : 4096;
	f->cpus = tep_get_cpus(f->tep);
	if (!f->cpus || f->cpus > IMPORT_CPUS || !formats_page_size(f->page_size)) {
		item_text(f->to, ITEM_ERROR, "it has %" PRIu64 " CPUs and pages of %" PRIu64 " bytes",
			  f->cpus, f->page_size);
		return -EINVAL;
	}
	item_value(f->to, ITEM_BIG_ENDIAN, tep_is_file_bigendian(f->tep));
	item_value(f->to, ITEM_WORD_BITS, tep_get_long_size(f->tep) == 4 ? 32 : 64);
	item_value(f->to, ITEM_PAGE_SIZE, f->page_size);
	snprintf(cpus, sizeof(cpus), "0-%d", (int)f->cpus - 1);
	item_meta(f->to, META_CPUS, cpus);
	read_uname(handle, f->to);
	return read_name_of_clock(handle, f->to);
}

/* ---- losses ---- */

/* Lines of the statistics whose sum is what a CPU lost. */
static const char * const losses[] = {
	"overrun: ", "commit overrun: ", "dropped events: ",
};

static uint64_t losses_of(const char *line)
{
	size_t i, len;

	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		len = strlen(losses[i]);
		if (!strncmp(line, losses[i], len))
			return strtoull(line + len, NULL, 10);
	}
	return 0;
}

static void put_losses(FILE *to, uint64_t cpu, uint64_t lost)
{
	if (lost > ITEM_MAX_LOST)
		item_value(to, ITEM_UNSEEN, UNSEEN_LOSSES);
	else if (cpu < IMPORT_CPUS)
		item_lost(to, ITEM_LOST_ALL, cpu, 0, lost);
}

/* The statistics of each CPU are lines, the first of which is "CPU: <n>". */
static void read_losses(struct tracecmd_input *handle, FILE *to)
{
	const char *line = tracecmd_get_cpustats ? tracecmd_get_cpustats(handle) : NULL;
	static const char begin[] = "CPU: ";
	uint64_t lost = 0, cpu = UINT64_MAX;

	if (!line)
		item_value(to, ITEM_UNSEEN, UNSEEN_LOSSES);
	for (; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n");
		if (!strncmp(line, begin, sizeof(begin) - 1)) {
			put_losses(to, cpu, lost);
			cpu = strtoull(line + sizeof(begin) - 1, NULL, 10);
			lost = 0;
		}
		lost += losses_of(line);
	}
	put_losses(to, cpu, lost);
}

/* ---- events ---- */

static void read_tep_record(struct formats *f, const struct tep_record *record)
{
	const struct raw raw = {
		.data = record->data,
		.size = record->size < 0 ? 0 : record->size,
		.cpu = record->cpu,
		.time = record->ts,
	};
	uint64_t missed = record->missed_events;

	/* -1: an unknown number */
	if (missed)
		formats_flush(f);
	if (missed)
		item_lost(f->to, ITEM_LOST, record->cpu, record->ts,
			  missed > ITEM_MAX_LOST ? 0 : missed);
	formats_event(f, &raw);
}

static int read_events(struct tracecmd_input *handle, struct formats *f)
{
	struct tep_record *record;
	uint64_t cpu;

	for (cpu = 0; cpu < f->cpus; cpu++) {
		while ((record = tracecmd_read_data(handle, cpu))) {
			read_tep_record(f, record);
			tracecmd_free_record(record);
		}
		formats_flush(f);
	}
	return 0;
}

static int read_tracedat(const struct foreign *file, FILE *to)
{
	struct formats *f = must_calloc(1, sizeof(*f));
	struct tracecmd_input *handle;
	int ret;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	handle = tracecmd_open_fd(file->fd, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle) {
		item_text(to, ITEM_ERROR, "it is damaged, cut short, or of an unknown version");
		return -EINVAL;
	}
	f->to = to;
	ret = read_machine(handle, f);
	if (!ret) {
		read_losses(handle, to);
		ret = symbols_list(f->tep, to);
	}
	if (!ret) {
		formats_plan(f);
		ret = read_events(handle, f);
	}
	formats_free(f);
	free(f);
	tracecmd_close(handle);
	return ret;
}

static const unsigned char magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

const struct foreign_reader reader_tracedat = {
	.name = "trace.dat",
	.magic = magic,
	.magic_size = sizeof(magic),
	.library = "libtracecmd",
	.read = read_tracedat,
};
