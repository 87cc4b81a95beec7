// SPDX-License-Identifier: GPL-2.0
/*
 * api_check TRACE ROWS TIMES: check that the trace in the folder TRACE has exactly
 * the events of kmemtrace_api, which ran each row of the file ROWS TIMES times.
 *
 * One TAP result for each row: the number of ALLOC and FREE events, and the call site,
 * type, sizes, gfp flags and node of each event.
 */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/kmemtrace.h>

#include "../kselftest.h"

#define MODULE		"[kmemtrace_api]"
#define MAX_ROWS	64

struct row {
	char name[40];
	unsigned int alloc_type, free_type;
	unsigned long allocs, frees;
	uint64_t bytes_req, bytes_alloc;
	unsigned int gfp;
	int node;
	int elsewhere;
	unsigned long seen_allocs, seen_frees;
	char wrong[200];
};

struct symbol {
	uint64_t addr;
	struct row *row;	/* NULL: the function belongs to no row */
	bool alloc;
};

/*
 * A live object or page frame: a node of a search tree. The tree has also those of
 * other callers, so that a second ALLOC of the same address is found.
 */
struct live {
	uint64_t key;
	struct row *row;	/* NULL: another caller allocated it */
};

static struct row rows[MAX_ROWS];
static unsigned int nr_rows;
static struct symbol *symbols;
static size_t nr_symbols;
static struct kmemtrace_event *events;
static size_t nr_events;
static void *live_by_allocator[KMEMTRACE_TYPE_VMALLOC + 1];
static uint64_t page_size;

static FILE *open_or_exit(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file)
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	return file;
}

static void *grow(void *array, size_t n, size_t size)
{
	array = realloc(array, n * size);
	if (!array)
		ksft_exit_fail_msg("no memory\n");
	return array;
}

static void read_rows(const char *path)
{
	FILE *file = open_or_exit(path);
	struct row *row = rows;

	while (row < rows + MAX_ROWS &&
	       fscanf(file, "%39s %u %u %lu %lu %" SCNu64 " %" SCNu64 " %x %d %d",
		      row->name, &row->alloc_type, &row->free_type,
		      &row->allocs, &row->frees, &row->bytes_req,
		      &row->bytes_alloc, &row->gfp, &row->node,
		      &row->elsewhere) == 10)
		row++;
	nr_rows = row - rows;
	fclose(file);
}

static struct row *find_row(const char *name)
{
	for (unsigned int i = 0; i < nr_rows; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *sa = a, *sb = b;

	return sa->addr < sb->addr ? -1 : sa->addr > sb->addr;
}

static void add_symbol(uint64_t addr, const char *name)
{
	struct symbol *symbol;

	symbols = grow(symbols, nr_symbols + 1, sizeof(*symbols));
	symbol = &symbols[nr_symbols++];
	symbol->addr = addr;
	symbol->alloc = !strncmp(name, "test_alloc_", 11);
	symbol->row = symbol->alloc ? find_row(name + 11) :
		      !strncmp(name, "test_free_", 10) ? find_row(name + 10) : NULL;
}

static void read_symbols(const char *dir)
{
	char path[4096], line[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	file = open_or_exit(path);
	while (fgets(line, sizeof(line), file)) {
		uint64_t addr;
		char type, name[512];

		/* Modules of riscv have labels inside functions. */
		if (strstr(line, MODULE) && !strstr(line, " .L") &&
		    sscanf(line, "%" SCNx64 " %c %511s", &addr, &type, name) == 3 &&
		    (type == 't' || type == 'T'))
			add_symbol(addr, name);
	}
	fclose(file);
	qsort(symbols, nr_symbols, sizeof(*symbols), compare_symbols);
}

/* A function of a row is small, so 4096 bytes behind its start belong to another. */
static const struct symbol *find_symbol(uint64_t addr)
{
	const struct symbol *found = NULL;

	for (size_t i = 0; i < nr_symbols && symbols[i].addr < addr; i++)
		found = &symbols[i];
	return found && addr - found->addr < 4096 && found->row ? found : NULL;
}

static void read_record(FILE *file, const char *path)
{
	struct kmemtrace_event *event = &events[nr_events];
	size_t head = sizeof(struct kmemtrace_pad);
	size_t rest = sizeof(*event) - head, tail;

	if (event->event_size < head || event->event_size % 8)
		ksft_exit_fail_msg("%s: a record of %u bytes\n", path,
				   event->event_size);
	if (event->event_size - head < rest)
		rest = event->event_size - head;
	tail = event->event_size - head - rest;
	if (fread((char *)event + head, 1, rest, file) != rest ||
	    fseek(file, tail, SEEK_CUR))
		ksft_exit_fail_msg("%s: the last record is cut off\n", path);
	if ((event->event_id == KMEMTRACE_EVENT_ALLOC ||
	     event->event_id == KMEMTRACE_EVENT_FREE) &&
	    event->type_id <= KMEMTRACE_TYPE_VMALLOC)
		nr_events++;
}

/* Keep the common part of all ALLOC and FREE records of a file. */
static void read_events(const char *path)
{
	FILE *file = open_or_exit(path);
	size_t room = nr_events;

	for (;;) {
		if (nr_events == room) {
			room += 65536;
			events = grow(events, room, sizeof(*events));
		}
		if (fread(&events[nr_events], sizeof(struct kmemtrace_pad), 1,
			  file) != 1)
			break;
		read_record(file, path);
	}
	fclose(file);
}

/* By time, then by position, which keeps the order of one CPU. */
static int compare_events(const void *a, const void *b)
{
	const struct kmemtrace_event *ea = *(void * const *)a;
	const struct kmemtrace_event *eb = *(void * const *)b;

	if (ea->timestamp != eb->timestamp)
		return ea->timestamp < eb->timestamp ? -1 : 1;
	return ea < eb ? -1 : ea > eb;
}

static void __attribute__((format(printf, 2, 3)))
wrong(struct row *row, const char *format, ...)
{
	va_list args;

	if (row->wrong[0])
		return;
	va_start(args, format);
	vsnprintf(row->wrong, sizeof(row->wrong), format, args);
	va_end(args);
}

static int compare_live(const void *a, const void *b)
{
	const struct live *la = a, *lb = b;

	return la->key < lb->key ? -1 : la->key > lb->key;
}

static struct live *find(void **root, uint64_t key)
{
	struct live wanted = { .key = key };
	struct live **node = tfind(&wanted, root, compare_live);

	return node ? *node : NULL;
}

/* Enter a free. Return false if the address was not live, else set its row. */
static bool remove_live(void **root, uint64_t key, struct row **row)
{
	struct live *live = find(root, key);

	*row = NULL;
	if (!live)
		return false;
	*row = live->row;
	tdelete(live, root, compare_live);
	free(live);
	return true;
}

/* Enter an allocation. */
static void add_live(void **root, uint64_t key, struct row *row)
{
	struct row *owner;
	struct live *live;

	if (remove_live(root, key, &owner) && (row || owner))
		wrong(row ?: owner, "allocated twice");
	live = grow(NULL, 1, sizeof(*live));
	live->key = key;
	live->row = row;
	tsearch(live, root, compare_live);
}

static void check_alloc(const struct kmemtrace_event *event, struct row *row)
{
	row->seen_allocs++;
	if (event->type_id != row->alloc_type)
		wrong(row, "alloc: type %u", event->type_id);
	if (event->bytes_req != row->bytes_req)
		wrong(row, "alloc: %" PRIu64 " bytes requested",
		      (uint64_t)event->bytes_req);
	if (row->bytes_alloc ? event->bytes_alloc != row->bytes_alloc :
			       event->bytes_alloc < row->bytes_req)
		wrong(row, "alloc: %" PRIu64 " bytes allocated",
		      (uint64_t)event->bytes_alloc);
	if (event->gfp_flags != row->gfp)
		wrong(row, "alloc: gfp flags %#" PRIx64 " instead of %#x",
		      (uint64_t)event->gfp_flags, row->gfp);
	if (event->node != row->node)
		wrong(row, "alloc: node %d", event->node);
}

static void check_free(const struct kmemtrace_event *event, struct row *row)
{
	const struct symbol *site = find_symbol(event->call_site);

	row->seen_frees++;
	if (event->type_id != row->free_type)
		wrong(row, "free: type %u", event->type_id);
	if (!row->elsewhere && (!site || site->row != row))
		wrong(row, "free: call site %#" PRIx64,
		      (uint64_t)event->call_site);
}

/* Return the allocator of an event type: both types of slab objects share one. */
static unsigned int allocator_of(unsigned int type)
{
	return type == KMEMTRACE_TYPE_CACHE ? KMEMTRACE_TYPE_KMALLOC : type;
}

/* Pages are freed one by one or as a block, so each page is entered on its own. */
static uint64_t step_of(const struct kmemtrace_event *event)
{
	if (event->type_id == KMEMTRACE_TYPE_PAGES)
		return page_size;
	return event->bytes_alloc ?: 1;
}

static void check_event(const struct kmemtrace_event *event)
{
	const struct symbol *site = find_symbol(event->call_site);
	bool alloc = event->event_id == KMEMTRACE_EVENT_ALLOC;
	unsigned int allocator = allocator_of(event->type_id);
	void **root = &live_by_allocator[allocator];
	uint64_t step = step_of(event);
	struct row *row = NULL;

	/* A large kmalloc() allocates pages too; its row is about the object. */
	if (site && allocator != allocator_of(site->row->alloc_type))
		site = NULL;
	if (alloc && site && site->alloc) {
		row = site->row;
		check_alloc(event, row);
	}

	for (uint64_t at = 0; at == 0 || at < event->bytes_alloc; at += step) {
		struct row *owner;

		if (alloc) {
			add_live(root, event->ptr + at, row);
		} else if (!remove_live(root, event->ptr + at, &owner)) {
			if (site)
				wrong(site->row, "freed, but not allocated");
		} else if (at == 0 && owner) {
			check_free(event, owner);
		}
	}
}

static void check_events(void)
{
	const struct kmemtrace_event **order = NULL;

	order = grow(order, nr_events + 1, sizeof(*order));
	for (size_t i = 0; i < nr_events; i++)
		order[i] = &events[i];
	qsort(order, nr_events, sizeof(*order), compare_events);
	for (size_t i = 0; i < nr_events; i++)
		check_event(order[i]);
	free(order);
}

int main(int argc, char **argv)
{
	char pattern[4096];
	unsigned long times;
	glob_t files;

	ksft_print_header();
	if (argc != 4)
		ksft_exit_fail_msg("usage: api_check TRACE ROWS TIMES\n");
	times = strtoul(argv[3], NULL, 10);
	page_size = sysconf(_SC_PAGESIZE);
	read_rows(argv[2]);
	ksft_set_plan(nr_rows);
	read_symbols(argv[1]);
	snprintf(pattern, sizeof(pattern), "%s/cpu*.out", argv[1]);
	if (glob(pattern, 0, NULL, &files))
		ksft_exit_fail_msg("%s: no such files\n", pattern);
	for (size_t i = 0; i < files.gl_pathc; i++)
		read_events(files.gl_pathv[i]);
	check_events();

	for (unsigned int i = 0; i < nr_rows; i++) {
		struct row *row = &rows[i];
		bool right = row->seen_allocs == row->allocs * times &&
			     row->seen_frees == row->frees * times &&
			     !row->wrong[0];

		ksft_test_result(right, "%s: %lu ALLOC, %lu FREE%s%s\n",
				 row->name, row->seen_allocs, row->seen_frees,
				 row->wrong[0] ? ", " : "", row->wrong);
	}
	ksft_finished();
}
