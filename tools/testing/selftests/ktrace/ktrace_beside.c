// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace_beside KMEMTRACE KTRACE BEGIN END: compare a trace of kmemtrace with one of ktrace
 * that was recorded at the same time.
 *
 * On each CPU, a kmalloc() of BEGIN bytes and a later one of END bytes are fences. Between
 * them, both traces must have the same events of each kind. Print their numbers and the
 * differences. A trace is a folder; the kernel is that of this machine.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/kmemtrace.h>
#include <linux/ktrace.h>

#define MAX_CPUS	256
#define NR_IDS		65536

enum kind { KMALLOC, KFREE, CACHE_ALLOC, CACHE_FREE, PAGE_ALLOC, PAGE_FREE, PERCPU_ALLOC,
	    PERCPU_FREE, NR_KINDS };

static const char * const kind_names[NR_KINDS] = {
	"kmalloc", "kfree", "kmem_cache_alloc", "kmem_cache_free", "page_alloc", "page_free",
	"percpu_alloc", "percpu_free",
};

/*
 * The number of events; the sum of the pointers of KMALLOC, and of the bytes of pages and of
 * per-CPU memory.
 */
struct tally {
	uint64_t	events;
	uint64_t	sum;
};

/* A trace, between the fences of a CPU. */
struct window {
	struct tally	tallies[NR_KINDS];
	bool		open;
	bool		closed;
};

static uint64_t fence_begin, fence_end;
static long page_size;

static void fail(const char *what, const char *file)
{
	fprintf(stderr, "ktrace_beside: %s: %s\n", file, what);
	exit(1);
}

static void add(struct window *w, enum kind kind, uint64_t events, uint64_t sum)
{
	if (!w->open || w->closed)
		return;
	w->tallies[kind].events += events;
	w->tallies[kind].sum += sum;
}

/* Add a kmalloc(), which may be a fence. */
static void add_kmalloc(struct window *w, uint64_t ptr, uint64_t bytes)
{
	if (bytes == fence_end)
		w->closed = true;
	add(w, KMALLOC, 1, ptr);
	if (bytes == fence_begin)
		w->open = true;
}

/* ---- kmemtrace ---- */

static void add_kmemtrace(struct window *w, const struct kmemtrace_event *event)
{
	bool alloc = event->event_id != KMEMTRACE_EVENT_FREE;

	switch (event->type_id) {
	case KMEMTRACE_TYPE_KMALLOC:
		if (alloc)
			add_kmalloc(w, event->ptr, event->bytes_req);
		else
			add(w, KFREE, 1, 0);
		break;
	case KMEMTRACE_TYPE_CACHE:
		add(w, alloc ? CACHE_ALLOC : CACHE_FREE, 1, 0);
		break;
	case KMEMTRACE_TYPE_PAGES:
		/* another marker tells of failures */
		if (event->event_id != KMEMTRACE_EVENT_FAILED)
			add(w, alloc ? PAGE_ALLOC : PAGE_FREE, 1, event->bytes_alloc);
		break;
	case KMEMTRACE_TYPE_PERCPU:
		add(w, alloc ? PERCPU_ALLOC : PERCPU_FREE, 1, 0);
		break;
	}
}

static void read_kmemtrace(struct window *w, const char *data, size_t size, const char *file)
{
	const struct kmemtrace_event *event;

	for (; size; data += event->event_size, size -= event->event_size) {
		event = (const void *)data;
		if (size < 8 || event->event_size < 8 || event->event_size > size)
			fail("no record", file);
		if (event->event_id == KMEMTRACE_EVENT_ALLOC ||
		    event->event_id == KMEMTRACE_EVENT_FREE ||
		    event->event_id == KMEMTRACE_EVENT_FAILED)
			add_kmemtrace(w, event);
	}
}

/* ---- ktrace ---- */

/* What the events of an id are, and where their arguments are. */
enum marker { OTHER, M_KMALLOC, M_KFREE, M_ALLOC, M_FREE, M_ALLOC_BULK, M_FREE_BULK,
	      M_PAGE_ALLOC, M_PAGE_FREE, M_PERCPU_ALLOC, M_PERCPU_FREE, NR_MARKERS };

static const char * const marker_names[NR_MARKERS] = {
	"", "kmalloc", "kfree", "kmem_cache_alloc", "kmem_cache_free", "kmem_cache_alloc_bulk",
	"kmem_cache_free_bulk", "page_alloc", "page_free", "percpu_alloc", "percpu_free",
};

static enum marker marker_of[NR_IDS];

static void read_info(const char *folder)
{
	char path[4096], line[4096], name[256];
	unsigned int id;
	FILE *f;

	snprintf(path, sizeof(path), "%s/info", folder);
	f = fopen(path, "r");
	if (!f)
		fail("can't be read", path);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%u %*s %255s", &id, name) == 2 && id < NR_IDS)
			for (int i = 1; i < NR_MARKERS; i++)
				if (!strcmp(name, marker_names[i]))
					marker_of[id] = i;
	fclose(f);
}

static uint64_t number(const char *record, size_t offset, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, record + offset, size);
	return value;
}

/* kmemtrace has no records of kfree(NULL) and kfree(ZERO_SIZE_PTR). */
static bool is_object(uint64_t ptr)
{
	return ptr > 16;
}

static void add_ktrace(struct window *w, const char *r, enum marker marker)
{
	switch (marker) {
	case M_KMALLOC:
		add_kmalloc(w, number(r, 16, 8), number(r, 24, 8));
		break;
	case M_KFREE:
		add(w, KFREE, is_object(number(r, 16, 8)), 0);
		break;
	case M_ALLOC:
		add(w, CACHE_ALLOC, 1, 0);
		break;
	case M_FREE:
		add(w, CACHE_FREE, is_object(number(r, 16, 8)), 0);
		break;
	case M_ALLOC_BULK:
		add(w, CACHE_ALLOC, number(r, 36, 8) ? number(r, 28, 8) : 1, 0);
		break;
	case M_FREE_BULK:
		add(w, number(r, 16, 8) ? CACHE_FREE : KFREE, number(r, 24, 8), 0);
		break;
	case M_PAGE_ALLOC:
		add(w, PAGE_ALLOC, 1, page_size << number(r, 16, 4));
		break;
	case M_PAGE_FREE:
		add(w, PAGE_FREE, 1, page_size << number(r, 16, 4));
		break;
	case M_PERCPU_ALLOC:
		add(w, PERCPU_ALLOC, number(r, 16, 8) || number(r, 24, 8), 0);
		break;
	case M_PERCPU_FREE:
		add(w, PERCPU_FREE, 1, 0);
		break;
	default:
		break;
	}
}

static void read_ktrace(struct window *w, const char *data, size_t size, const char *file)
{
	const struct ktrace_head *head;

	for (; size; data += head->size, size -= head->size) {
		head = (const void *)data;
		if (size < 8 || head->size < 8 || head->size > size)
			fail("no record", file);
		add_ktrace(w, data, marker_of[head->id]);
	}
}

/* ---- comparing ---- */

typedef void reader(struct window *w, const char *data, size_t size, const char *file);

/* Return whether there is a stream of the CPU. */
static bool read_stream(struct window *w, const char *folder, int cpu, reader *read)
{
	char path[4096];
	struct stat st;
	char *data;
	FILE *f;

	memset(w, 0, sizeof(*w));
	snprintf(path, sizeof(path), "%s/cpu%d.out", folder, cpu);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (fstat(fileno(f), &st))
		fail("fstat", path);
	data = malloc(st.st_size + 1);
	if (!data || fread(data, 1, st.st_size, f) != (size_t)st.st_size)
		fail("can't be read", path);
	fclose(f);
	read(w, data, st.st_size, path);
	free(data);
	if (!w->open || !w->closed)
		fail("has not both fences", path);
	return true;
}

/* Return whether both windows are the same, and add the events to @total. */
static bool compare(int cpu, const struct window *a, const struct window *b, uint64_t *total)
{
	bool same = true;

	for (int i = 0; i < NR_KINDS; i++) {
		const struct tally *x = &a->tallies[i], *y = &b->tallies[i];

		total[i] += x->events;
		if (x->events == y->events && x->sum == y->sum)
			continue;
		printf("cpu%d: %s: kmemtrace %" PRIu64 " (%#" PRIx64 "), ktrace %" PRIu64
		       " (%#" PRIx64 ")\n", cpu, kind_names[i], x->events, x->sum,
		       y->events, y->sum);
		same = false;
	}
	return same;
}

int main(int argc, char **argv)
{
	uint64_t total[NR_KINDS] = { 0 };
	struct window a, b;
	bool same = true;
	int cpus = 0;

	if (argc != 5)
		return 2;
	fence_begin = strtoul(argv[3], NULL, 10);
	fence_end = strtoul(argv[4], NULL, 10);
	page_size = sysconf(_SC_PAGESIZE);
	read_info(argv[2]);
	for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (!read_stream(&a, argv[1], cpu, read_kmemtrace))
			continue;
		if (!read_stream(&b, argv[2], cpu, read_ktrace))
			fail("a CPU has no stream", argv[2]);
		same = compare(cpu, &a, &b, total) && same;
		cpus++;
	}
	printf("%d CPUs:", cpus);
	for (int i = 0; i < NR_KINDS; i++)
		printf(" %s %" PRIu64, kind_names[i], total[i]);
	printf("\n");
	return !same || !cpus || total[KMALLOC] < 100;
}
