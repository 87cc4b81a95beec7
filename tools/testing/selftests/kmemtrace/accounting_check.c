// SPDX-License-Identifier: GPL-2.0
/*
 * accounting_check TRACE FOLDER: compare the live memory by a trace with the kernel's
 * own figures, to the byte.
 *
 * FOLDER holds these figures: "constants" and "counts" of kmemtrace_load, "cpu_events"
 * of kmemtrace, "offlined", the number of pages that were taken offline, "migrates", the
 * percentage of migrated pages that must have records, and "before" and "after", which
 * accounting_snap wrote at two moments of the trace. For a trace from boot, "before" is
 * empty, and "tags" is a copy of kmemtrace_tags, made shortly before "after".
 * accounting_check writes two files there: "untagged", the pages of memblock, for the next
 * trace, and "sites", the charge of each call site of a trace from boot.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kselftest.h"
#include "accounting_books.h"
#include "accounting_stream.h"

/* Nanoseconds, more than the clock of the records differs from CLOCK_MONOTONIC. */
#define SLACK	20000000ULL

static const char * const space_names[] = {
	[SLAB]		= "slab",
	[PAGES]		= "pages",
	[PERCPU]	= "per-CPU",
	[VMALLOC]	= "vmalloc",
};

static_assert(ARRAY_SIZE(space_names) == NR_SPACES, "a name for each");

static const char * const reason_names[] = {
	[AS_IT_IS]	= "charged",
	[NO_TAGS_CACHE]	= "of caches without tags",
	[NO_TAGS_GFP]	= "allocated without a tag",
	[IN_PAGES]	= "charged as pages",
	[FIRST_CHUNK]	= "in the first chunk of per-CPU memory",
	[FROM_BOOT]	= "older than tags",
};

static_assert(ARRAY_SIZE(reason_names) == NR_REASONS, "a name for each");

static void __attribute__((format(printf, 2, 3)))
result(bool equal, const char *format, ...)
{
	va_list args;

	printf(equal ? "ok " : "not ok ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* ---- the kernel's own figures ---- */

/* A file that accounting_snap copied, with the times before and after the copy. */
struct reading {
	uint64_t before, after;
	char *text;
};

static char *read_file(const char *folder, const char *name)
{
	size_t size = 0, room = 1 << 20;
	char path[4096], *text;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (!file)
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	text = malloc(room);
	while (text && (size += fread(text + size, 1, room - size, file)) == room)
		text = realloc(text, room *= 2);
	if (!text)
		ksft_exit_fail_msg("no memory\n");
	text[size] = '\0';
	fclose(file);
	return text;
}

/* Return the copy of the file @path from the output of accounting_snap. */
static struct reading find_reading(const char *snapshot, const char *path)
{
	struct reading reading = { };
	char line[512];
	const char *at, *end;

	snprintf(line, sizeof(line), "== %s ", path);
	at = strstr(snapshot, line);
	if (!at || sscanf(at + strlen(line), "%" SCNu64 " %" SCNu64,
			  &reading.before, &reading.after) != 2)
		ksft_exit_fail_msg("no reading of %s\n", path);
	at = strchr(at, '\n') + 1;
	end = strstr(at, "\n== ");
	reading.text = strndup(at, end ? (size_t)(end + 1 - at) : strlen(at));
	return reading;
}

static bool has_reading(const char *snapshot, const char *path)
{
	char line[512];

	snprintf(line, sizeof(line), "== %s ", path);
	return strstr(snapshot, line);
}

/* Call @line for each line of a text. */
static void read_lines(const char *text,
		       void (*line)(void *data, const char *line), void *data)
{
	while (*text) {
		const char *end = strchrnul(text, '\n');
		char *copy = strndup(text, end - text);

		line(data, copy);
		free(copy);
		text = *end ? end + 1 : end;
	}
}

/* Return the growth of a number behind a word of a file that was copied twice. */
static int64_t number_growth(const char *before, const char *after, const char *path,
			     const char *word)
{
	const char *snapshots[2] = { before, after };
	int64_t values[2] = { };

	for (int i = 0; i < 2; i++) {
		struct reading reading = { };
		const char *at;

		if (!snapshots[i] || !*snapshots[i])
			continue;
		reading = find_reading(snapshots[i], path);
		at = strstr(reading.text, word);
		values[i] = at ? strtoll(at + strlen(word), NULL, 10) : 0;
		free(reading.text);
	}
	return values[1] - values[0];
}

/* ---- the error of a sample ---- */

/* So many standard errors don't occur by chance. */
#define NR_ERRORS	4

/*
 * Return the largest error of an estimate. @squares: the sum of the squares of what each sampled
 * object adds to it. @least: what objects may add without any of them being in the sample.
 */
static int64_t sample_error(const struct books *books, double squares, int64_t least)
{
	const double one_of = books->one_of;

	if (one_of == 1)
		return 0;
	return one_of * least + NR_ERRORS * sqrt(one_of * (one_of - 1) * squares);
}

/* ---- changes during a reading ---- */

/*
 * Changes of one call site or one cache while a file was copied. The copy may contain
 * any of the sums.
 */
struct blur {
	struct blur *next;
	uint64_t key;
	unsigned int changes;
	int64_t sum, min, max;
};

static struct blur *find_blur(struct blur **blurs, uint64_t key)
{
	struct blur *blur = *blurs;

	while (blur && blur->key != key)
		blur = blur->next;
	if (!blur) {
		blur = calloc(1, sizeof(*blur));
		blur->key = key;
		blur->next = *blurs;
		*blurs = blur;
	}
	return blur;
}

static void add_blur(struct blur **blurs, uint64_t key, int64_t by)
{
	struct blur *blur = find_blur(blurs, key);

	blur->changes++;
	blur->sum += by;
	if (blur->sum < blur->min)
		blur->min = blur->sum;
	if (blur->sum > blur->max)
		blur->max = blur->sum;
}

enum when { BEFORE, BESIDE, AFTER };

static enum when when(uint64_t time, const struct reading *reading)
{
	if (time + SLACK < reading->before)
		return BEFORE;
	return time > reading->after + SLACK ? AFTER : BESIDE;
}

/* ---- events: as many records as calls of the probes ---- */

static const struct stream *stream_of(const struct streams *streams,
				      unsigned int cpu)
{
	for (unsigned int i = 0; i < streams->nr; i++)
		if (streams->cpus[i].cpu == cpu)
			return &streams->cpus[i];
	return NULL;
}

/* A CPU without records may have no stream. */
static void compare_events(const struct streams *streams, const char *folder)
{
	char *text = read_file(folder, "cpu_events"), *line = text;
	uint64_t all = 0, lost = 0, counted;
	unsigned int cpu, cpus = 0;
	bool equal = true;
	int used;

	while (sscanf(line, "cpu%u %" SCNu64 "%n", &cpu, &counted, &used) == 2) {
		const struct stream *stream = stream_of(streams, cpu);
		uint64_t events = stream ? stream->events : 0;
		uint64_t missing = stream ? stream->lost : 0;

		line += used + 1;
		cpus++;
		all += counted;
		lost += missing;
		if (events + missing == counted)
			continue;
		equal = false;
		printf("cpu%u: %" PRIu64 " events, %" PRIu64
		       " lost, the kernel counted %" PRIu64 "\n",
		       cpu, events, missing, counted);
	}
	if (cpus < streams->nr)
		ksft_exit_fail_msg("cpu_events lacks a CPU\n");
	result(equal, "events: %" PRIu64 ", and %" PRIu64 " lost", all, lost);
	free(text);
}

/* ---- moves: as many pages as the kernel has migrated between two readings ---- */

/*
 * Pages of MOVE records, and as many as the kernel migrated. Those during a reading, @blurred,
 * may be in its figure or not. The kernel counts a page as migrated, without a move, if its
 * owner frees it meanwhile: so only @least_percent of the pages must have records.
 */
struct moves {
	struct reading from, to;
	uint64_t pages, blurred;
	uint64_t migrated, least_percent;
};

static void open_moves(struct moves *moves, const char *before, const char *after)
{
	if (*before)
		moves->from = find_reading(before, "/proc/vmstat");
	moves->to = find_reading(after, "/proc/vmstat");
	moves->migrated = number_growth(before, after, "/proc/vmstat",
					"\npgmigrate_success ");
}

/* Without a first reading, all moves since the begin of the trace count. */
static void add_to_moves(struct moves *moves, const struct kmemtrace_event *event,
			 uint64_t time, uint64_t page_size)
{
	enum when first = moves->from.text ? when(time, &moves->from) : AFTER;
	enum when last = when(time, &moves->to);
	uint64_t pages;

	if (event->event_id != KMEMTRACE_EVENT_MOVE || first == BEFORE ||
	    last == AFTER)
		return;
	pages = ((const struct kmemtrace_move *)event)->bytes / page_size;
	if (first == BESIDE || last == BESIDE)
		moves->blurred += pages;
	else
		moves->pages += pages;
}

static void compare_moves(const struct moves *moves)
{
	uint64_t migrated = moves->migrated;

	result(moves->pages <= migrated &&
	       (moves->pages + moves->blurred) * 100 >= migrated * moves->least_percent,
	       "moves: %" PRIu64 " pages, the kernel migrated %" PRIu64,
	       moves->pages, migrated);
}

/* ---- files of sysfs about a cache ---- */

/* Read the numbers in a sysfs file of a cache; without the file they are 0. */
static void read_slab_file(const char *snapshot, const char *name, const char *file,
			   int *first, int *second)
{
	struct reading reading;
	char path[200];

	*first = 0;
	*second = 0;
	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/%s ", name, file);
	if (!strstr(snapshot, path))
		return;
	path[strlen(path) - 1] = '\0';
	reading = find_reading(snapshot, path);
	if (sscanf(reading.text, "%d(%d", first, second) < 1)
		*first = 0;
	free(reading.text);
}

static int64_t slab_number(const char *snapshot, const char *name, const char *file)
{
	int first, unused;

	read_slab_file(snapshot, name, file, &first, &unused);
	return first;
}

/* Return the number of sheaves of a cache, which kernels before 6.18 don't have. */
static int64_t sheaves_of(const char *snapshot, const char *name)
{
	return slab_number(snapshot, name, "sheaf_alloc") -
	       slab_number(snapshot, name, "sheaf_free");
}

/*
 * Return the number of objects that wait in the sheaves of a cache, and in @room the most
 * that there can be. SLUB's statistics lack allocations from a sheaf that its user
 * prefilled, so the number may be too large.
 */
static int64_t in_sheaves(const char *snapshot, const char *name, int64_t *room)
{
	*room = sheaves_of(snapshot, name) *
		slab_number(snapshot, name, "sheaf_capacity");
	if (!*room)
		return 0;
	return slab_number(snapshot, name, "sheaf_refill") +
	       slab_number(snapshot, name, "free_fastpath") +
	       slab_number(snapshot, name, "free_rcu_sheaf") -
	       slab_number(snapshot, name, "alloc_fastpath") -
	       slab_number(snapshot, name, "sheaf_flush");
}

/*
 * ---- allocinfo: the bytes that profiling charged between two readings; on kernels
 * without it, pages: the bytes of all allocated pages ----
 */

#define ALLOCINFO	"/proc/allocinfo"
#define ALL_PAGES	"/sys/kernel/debug/kmemtrace_load/pages"
#define GIGANTIC	"/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages"

/* Addresses of a function, from @start to before @end. */
struct range {
	uint64_t start, end;
};

/* Changes from one reading to the next, of charges or only of the number of pages. */
struct span {
	struct reading from, to;
	bool only_pages;
	int64_t offlined;	/* bytes of pages that are neither free nor allocated */
	int64_t charged[NR_SPACES];
	int64_t objects[NR_REASONS], bytes[NR_REASONS];
	/* bytes in kmalloc caches without tags, live or freed */
	int64_t sheaves, older_live, older_freed;
	int64_t uncharged;	/* sheaves, at least */
	struct range sheaf_function;
	struct range zsmalloc_function;
	int64_t zsmalloc_moved;	/* pages of zsmalloc */
	struct blur *first, *last;
};

static bool in_range(const struct range *range, uint64_t addr)
{
	return addr - range->start < range->end - range->start;
}

/*
 * Sum up sheaves in caches without tags, and older objects there that may be sheaves if the
 * kernel has sheaves.
 */
static void add_sheaf(struct span *span, const struct change *change)
{
	if (!span->sheaf_function.end || change->space != SLAB ||
	    change->reason != NO_TAGS_CACHE)
		return;
	if (in_range(&span->sheaf_function, change->site))
		span->sheaves += change->bytes;
	else if (!change->site && strstr(change->cache->name, "kmalloc"))
		*(change->bytes > 0 ? &span->older_live : &span->older_freed) +=
			change->bytes;
}

/* Without a first reading, the span begins with the trace. */
static void add_to_span(struct span *span, const struct change *change)
{
	const uint64_t tag = change->site * NR_SPACES + change->space;
	const int64_t charge = !span->only_pages ? change->charge * change->weight :
			       change->space == PAGES ? change->bytes : 0;
	enum when first = span->from.text ? when(change->time, &span->from) : AFTER;
	enum when last = when(change->time, &span->to);

	if (first == BEFORE || last == AFTER)
		return;
	if (change->moved) {
		span->zsmalloc_moved += change->charge < 0 &&
					in_range(&span->zsmalloc_function,
						 change->site);
		return;
	}
	if (charge && first == BESIDE)
		add_blur(&span->first, tag, charge);
	else if (charge && last == BESIDE)
		add_blur(&span->last, tag, charge);
	else
		span->charged[change->space] += charge;
	if (change->charged)
		*change->charged += change->charge;
	span->objects[change->reason] += change->objects * change->weight;
	span->bytes[change->reason] += change->bytes * change->weight;
	add_sheaf(span, change);
}

static void add_tag(void *data, const char *line)
{
	int64_t bytes, *sum = data;

	if (sscanf(line, "%" SCNd64, &bytes) == 1)
		*sum += bytes;
}

static int64_t bytes_of(const struct reading *reading)
{
	int64_t sum = 0;

	if (reading->text)
		read_lines(reading->text, add_tag, &sum);
	return sum;
}

/*
 * In 6.12, pgalloc_tag_copy() subtracts the number of pages of a migrated folio, and
 * not the number of bytes. Fixed in 6.13 by "mm/codetag: swap tags when migrate pages".
 * Pages of zsmalloc are not in folios.
 */
static int64_t migration_excess(const struct span *span, const struct moves *moves,
				const struct constants *constants)
{
	int64_t pages = moves->pages + moves->blurred;

	if (!constants->migrated_charged_twice)
		return 0;
	if (pages > (int64_t)moves->migrated)
		pages = moves->migrated;
	pages -= span->zsmalloc_moved;
	if (pages)
		printf("%" PRId64 " pages migrated, the kernel charged each twice\n",
		       pages);
	return pages * (constants->page_size - 1);
}

/*
 * Add the changes during a reading: the first reading may have seen the earlier ones
 * already, and the last reading may have missed the later ones.
 */
static void add_blurs(const struct span *span, int64_t *least, int64_t *most)
{
	for (const struct blur *blur = span->first; blur; blur = blur->next) {
		printf("during the first reading: %u changes by %#" PRIx64 "\n",
		       blur->changes, blur->key / NR_SPACES);
		*least += blur->sum - blur->max;
		*most += blur->sum - blur->min;
	}
	for (const struct blur *blur = span->last; blur; blur = blur->next) {
		printf("during the last reading: %u changes by %#" PRIx64 "\n",
		       blur->changes, blur->key / NR_SPACES);
		*least += blur->min;
		*most += blur->max;
	}
}

static void explain_span(const struct span *span)
{
	for (int space = 0; space < NR_SPACES; space++)
		printf("%s: %+" PRId64 " bytes charged\n", space_names[space],
		       span->charged[space]);
	for (int reason = 0; reason < NR_REASONS; reason++)
		if (span->objects[reason])
			printf("%s: %+" PRId64 " objects of %+" PRId64 " bytes\n",
			       reason_names[reason], span->objects[reason],
			       span->bytes[reason]);
}

static uint64_t anomalies(const struct books *books)
{
	uint64_t all = 0;

	for (int space = 0; space < NR_SPACES; space++) {
		if (books->unknown[space] || books->twice[space])
			printf("%s: %" PRIu64 " freed that were not live, %"
			       PRIu64 " live twice\n", space_names[space],
			       books->unknown[space], books->twice[space]);
		all += books->unknown[space] + books->twice[space];
	}
	return all;
}

/* memblock allocated the gigantic pages of the boot: the trace has no event of them. */
static int64_t gigantic_bytes(const char *after)
{
	struct reading reading;
	int64_t nr;

	if (!has_reading(after, GIGANTIC))
		return 0;
	reading = find_reading(after, GIGANTIC);
	nr = strtoll(reading.text, NULL, 10);
	free(reading.text);
	return nr << 30;
}

static void open_span(struct span *span, const char *before, const char *after)
{
	const char *figure;

	span->only_pages = !has_reading(after, ALLOCINFO);
	figure = span->only_pages ? ALL_PAGES : ALLOCINFO;
	if (*before)
		span->from = find_reading(before, figure);
	span->to = find_reading(after, figure);
}

/* Return the size of the slot that kmalloc() takes for these bytes. */
static int64_t kmalloc_size(const struct books *books, uint64_t bytes)
{
	const struct cache *cache;
	uint64_t size = UINT64_MAX;

	for (cache = books->caches; cache; cache = cache->next)
		if (cache->flags & books->constants.slab_kmalloc &&
		    cache->size >= bytes && cache->size < size)
			size = cache->size;
	return size;
}

/* Return the bytes of the sheaves of kmalloc caches. The kernel doesn't charge them. */
static int64_t uncharged_sheaves(const struct books *books, const char *snapshot)
{
	const uint64_t header = 3 * sizeof(void *) + 2 * sizeof(int);
	const struct cache *cache;
	int64_t bytes = 0;

	for (cache = books->caches; snapshot && cache; cache = cache->next) {
		const int64_t sheaves = sheaves_of(snapshot, cache->name);

		if (cache->flags & books->constants.slab_kmalloc && sheaves)
			bytes += sheaves *
				 kmalloc_size(books, header + sizeof(void *) *
					      slab_number(snapshot, cache->name,
							  "sheaf_capacity"));
	}
	return bytes;
}

/*
 * Take the growth of the sheaves that the kernel doesn't charge from both sums. Sheaves in
 * caches without tags are not in the sums; older objects there may be sheaves or not.
 */
static void subtract_sheaves(struct span *span, const struct books *books,
			     const char *before, const char *after, int64_t *least,
			     int64_t *most)
{
	const int64_t bytes = uncharged_sheaves(books, after) -
			      uncharged_sheaves(books, before) - span->sheaves;

	const int64_t fewest = bytes - span->older_live;
	const int64_t largest = bytes - span->older_freed;

	if (fewest || largest)
		printf("%+" PRId64 " to %+" PRId64 " bytes of sheaves are not charged\n",
		       fewest, largest);
	*least -= largest;
	*most -= fewest;
	span->uncharged = fewest;
}

/* A sample may have none of the objects that make so many bytes. */
#define FEW_BYTES	8192

/* Return the largest difference of the sums that is not a fault. */
static int64_t compare_allocinfo(struct span *span,
				 const struct books *books,
				 const struct moves *moves, const char *before,
				 const char *after)
{
	int64_t migrated = span->only_pages ? 0 :
			   migration_excess(span, moves, &books->constants);
	int64_t least = migrated, most, kernel, residual, error;
	uint64_t free = older_but_free(books);

	for (int space = 0; space < NR_SPACES; space++)
		least += span->charged[space];
	if (span->only_pages)
		least += span->offlined;
	most = least;
	if (!span->only_pages)
		subtract_sheaves(span, books, before, after, &least, &most);
	add_blurs(span, &least, &most);
	error = sample_error(books, charged_squares(books), FEW_BYTES);
	least -= error;
	most += error;
	explain_span(span);
	kernel = bytes_of(&span->to) - bytes_of(&span->from);
	if (span->only_pages && books->from_boot)
		kernel -= gigantic_bytes(after);
	residual = kernel < least ? kernel - least :
		   kernel > most ? kernel - most : 0;
	if (free)
		printf("%" PRIu64 " pages older than the trace are free, without an event\n",
		       free);
	result(!residual && !anomalies(books) && !free,
	       "%s: %+" PRId64 " bytes, the books agree within %" PRId64
	       " bytes, residual %" PRId64,
	       span->only_pages ? "pages" : "allocinfo", kernel, most - least,
	       residual);
	return most - least + migrated;
}

/* ---- slabinfo: live objects of each cache ---- */

/*
 * SLUB's statistics may lack some objects from the beginning of the boot. And a sheaf may be
 * filled or flushed while the files are read.
 */
#define SKEW	2

struct slabs {
	struct reading reading;
	const char *snapshot;	/* from slabinfo on: what was read with it */
	uint64_t shrunk;	/* time when the caches were shrunk */
	struct blur *blurs;	/* by cache */
	const struct books *books;
	unsigned int caches, within, wrong;
};

/* An object of KFENCE is in no slab of its cache. */
static void add_to_slabs(struct slabs *slabs, const struct change *change)
{
	enum when moment = when(change->time, &slabs->reading);

	if (change->space != SLAB || !change->cache || change->kfence ||
	    moment == AFTER)
		return;
	if (change->objects < 0 && change->time >= slabs->shrunk)
		change->cache->freed -= change->objects * change->weight;
	if (moment == BEFORE)
		change->cache->objects += change->objects * change->weight;
	else
		add_blur(&slabs->blurs, (uintptr_t)change->cache,
			 change->objects * change->weight);
}

/* slabinfo doesn't distinguish caches of one name, so add them up. */
static void count_objects(struct slabs *slabs, const char *name,
			  int64_t *least, int64_t *most, int64_t *freed)
{
	const struct cache *cache;

	*least = 0;
	*most = 0;
	*freed = 0;
	for (cache = slabs->books->caches; cache; cache = cache->next) {
		const struct blur *blur;

		if (cache->gone || strcmp(cache->name, name))
			continue;
		blur = find_blur(&slabs->blurs, (uintptr_t)cache);
		*least += cache->objects + blur->min;
		*most += cache->objects + blur->max;
		*freed += cache->freed;
	}
}

/*
 * Return the most free objects that slabinfo may count as active: those in the slabs
 * of CPUs. A CPU has the slab that it allocates from, and a list of partial slabs. The
 * file cpu_slabs counts partial slabs too, except on a CPU that has no other.
 */
static int64_t on_cpus(const char *snapshot, const char *name, int objects)
{
	int slabs_nr, partial_objects, partial_slabs, unused;

	read_slab_file(snapshot, name, "cpu_slabs", &slabs_nr, &unused);
	read_slab_file(snapshot, name, "slabs_cpu_partial", &partial_objects,
		       &partial_slabs);
	return (int64_t)(slabs_nr + partial_slabs) * objects;
}

/*
 * The same of SLAB: each CPU has an array of free objects, as each node has for each other
 * node, and the objects that the CPUs of a node share.
 */
static int64_t in_arrays(const struct constants *constants, int limit, int shared)
{
	return (int64_t)limit * (constants->possible_cpus +
				 constants->nodes * (constants->nodes - 1)) + shared;
}

static void compare_cache(void *data, const char *line)
{
	static const char row[] =
		"%127s %" SCNd64 " %*d %" SCNu64
		" %d %*d : tunables %d %*d %*d : slabdata %*d %*d %d";
	struct slabs *slabs = data;
	int64_t active, least, most, room, freed, waiting, sheaves, capacity, error;
	int objects, limit, shared;
	uint64_t size;
	char name[128];

	if (sscanf(line, row, name, &active, &size, &objects, &limit, &shared) != 6)
		return;
	count_objects(slabs, name, &least, &most, &freed);
	room = on_cpus(slabs->snapshot, name, objects) +
	       in_arrays(&slabs->books->constants, limit, shared);
	/* slabinfo counts the free objects in sheaves as active. */
	waiting = in_sheaves(slabs->snapshot, name, &sheaves);
	capacity = slab_number(slabs->snapshot, name, "sheaf_capacity");
	if (waiting >= 0 && waiting <= sheaves + capacity)
		active -= waiting;
	else
		room += sheaves;
	if (capacity) {
		least -= capacity + SKEW;
		room += capacity + SKEW;
	}
	/* KASAN keeps freed objects in quarantine until the cache is shrunk. */
	if (slabs->books->constants.quarantine)
		room += freed;
	if (size < slabs->books->constants.page_size) {
		/* The sample has about so many of the objects, each of which counts as one. */
		error = sample_error(slabs->books, (double)active / slabs->books->one_of, 1);
		least -= error;
		most += error;
	}
	slabs->caches++;
	if (active >= least && active <= most)
		return;
	if (active > most && active <= most + room) {
		slabs->within++;
		return;
	}
	slabs->wrong++;
	printf("%s: %" PRId64 " objects live", name, least);
	if (most != least)
		printf(" to %" PRId64, most);
	printf(", the kernel counts %" PRId64 ", up to %" PRId64
	       " may be free on CPUs or in quarantine\n", active, room);
}

/*
 * Return the time when the last file about a cache was read. Objects that change until
 * then may be in these files, or not.
 */
static uint64_t last_slab_file(const char *snapshot, uint64_t time)
{
	uint64_t before, after;

	while ((snapshot = strstr(snapshot, "\n== /sys/kernel/slab/"))) {
		snapshot++;
		if (sscanf(snapshot, "== %*s %" SCNu64 " %" SCNu64, &before, &after) == 2 &&
		    after > time)
			time = after;
	}
	return time;
}

static void compare_slabinfo(struct slabs *slabs)
{
	if (!slabs->reading.text)
		return;
	read_lines(slabs->reading.text, compare_cache, slabs);
	result(!slabs->wrong && slabs->caches >= 50,
	       "slabinfo: %u caches equal, %u within the slabs of CPUs, %u wrong",
	       slabs->caches - slabs->within - slabs->wrong, slabs->within,
	       slabs->wrong);
}

/* ---- failures and caches: as many as kmemtrace_load counted ---- */

#define MODULE	"[kmemtrace_load]"

/* A function of the module, with the number of its records. */
struct function {
	struct function *next;
	uint64_t addr;
	char name[64];
	uint64_t failed[NR_SPACES], created;
};

struct module {
	struct function *functions;
	uint64_t destroyed;
	char *before, *after;
};

static void add_function(void *data, const char *line)
{
	struct module *module = data;
	struct function *function;
	char type;

	/* Modules of riscv have symbols that are labels, or name an instruction set. */
	if (!strstr(line, MODULE) || strstr(line, " .L") || strstr(line, " $"))
		return;
	function = calloc(1, sizeof(*function));
	if (sscanf(line, "%" SCNx64 " %c %63s", &function->addr, &type,
		   function->name) != 3)
		ksft_exit_fail_msg("kallsyms: %s\n", line);
	function->next = module->functions;
	module->functions = function;
}

/* Return the function of the module that contains a return address, or NULL. */
static struct function *function_of(const struct module *module, uint64_t site)
{
	struct function *found = NULL, *function;

	for (function = module->functions; function; function = function->next)
		if (function->addr < site && site - function->addr < 4096 &&
		    (!found || function->addr > found->addr))
			found = function;
	return found;
}

static void add_to_module(struct module *module,
			  const struct kmemtrace_event *event)
{
	static const enum space spaces[] = {
		[KMEMTRACE_TYPE_KMALLOC] = SLAB,
		[KMEMTRACE_TYPE_CACHE] = SLAB,
		[KMEMTRACE_TYPE_PAGES] = PAGES,
		[KMEMTRACE_TYPE_PERCPU] = PERCPU,
		[KMEMTRACE_TYPE_VMALLOC] = VMALLOC,
	};
	const struct kmemtrace_cache *cache = (const void *)event;
	struct function *function;

	if (event->event_id != KMEMTRACE_EVENT_FAILED &&
	    event->event_id != KMEMTRACE_EVENT_CACHE)
		return;
	function = function_of(module, event->call_site);
	if (!function)
		return;
	if (event->event_id == KMEMTRACE_EVENT_FAILED)
		function->failed[spaces[event->type_id]]++;
	else if (cache->op == KMEMTRACE_CACHE_CREATED)
		function->created++;
	else if (!strcmp(cache->name, "kmemtrace_load_c"))
		module->destroyed++;
}

static uint64_t count_in(const char *text, const char *name)
{
	char line[80];
	const char *at;

	snprintf(line, sizeof(line), "\n%s ", name);
	at = strstr(text, line);
	if (!at)
		ksft_exit_fail_msg("counts: no %s\n", name);
	return strtoull(at + strlen(line), NULL, 10);
}

/* Return the growth of a counter of the module. */
static uint64_t growth(const struct module *module, const char *name)
{
	return count_in(module->after, name) - count_in(module->before, name);
}

/* Compare the failures of a function attempt_ALLOCATOR_COUNT. */
static bool compare_attempt(const struct module *module,
			    const struct function *function, uint64_t *all)
{
	static const char * const allocators[] = {
		[SLAB] = "slab", [PAGES] = "pages", [PERCPU] = "percpu",
		[VMALLOC] = "vmalloc",
	};
	char allocator[16], count[48];
	uint64_t refused, failed;
	int space = 0;

	if (sscanf(function->name, "attempt_%15[a-z]_%47[a-z_]",
		   allocator, count) != 2)
		return true;
	while (strcmp(allocators[space], allocator))
		space++;
	refused = growth(module, count);
	failed = function->failed[space];
	*all += refused;
	if (failed == refused)
		return true;
	printf("%s: %" PRIu64 " failures, the module counted %" PRIu64 "\n",
	       count, failed, refused);
	return false;
}

static void compare_failures(const struct module *module)
{
	const struct function *function;
	unsigned int attempts = 0;
	bool equal = true;
	uint64_t all = 0;

	for (function = module->functions; function; function = function->next) {
		attempts += !strncmp(function->name, "attempt_", 8);
		equal &= compare_attempt(module, function, &all);
	}
	result(equal && attempts, "failures: %" PRIu64 " of %u kinds", all,
	       attempts);
}

static uint64_t odd_objects(const struct books *books)
{
	const struct cache *cache;
	uint64_t all = 0;

	for (cache = books->caches; cache; cache = cache->next) {
		if (cache->odd)
			printf("%s: %" PRIu64 " objects of a wrong size or type\n",
			       cache->name, cache->odd);
		all += cache->odd;
	}
	return all;
}

static void compare_caches(const struct module *module, const struct books *books)
{
	uint64_t odd = odd_objects(books);
	uint64_t wanted = growth(module, "caches_created");
	uint64_t alone = growth(module, "caches_alone"), created = 0;
	const struct function *function;

	for (function = module->functions; function; function = function->next)
		if (!strcmp(function->name, "load_caches"))
			created += function->created;
	result(created == wanted && module->destroyed == alone && !odd,
	       "caches: %" PRIu64 " created and %" PRIu64 " destroyed, of %" PRIu64
	       " and %" PRIu64 "; %" PRIu64 " objects contradict their cache",
	       created, module->destroyed, wanted, alone, odd);
}

/* Return the addresses of a function; no address, if the kernel does not have it. */
static struct range find_function(const char *kallsyms, const char *name)
{
	struct range range = { };
	char end_of_line[64];
	const char *at;

	snprintf(end_of_line, sizeof(end_of_line), " %s\n", name);
	at = strstr(kallsyms, end_of_line);
	if (!at)
		return range;
	range.end = strtoull(at + strlen(end_of_line), NULL, 16);
	while (at > kallsyms && at[-1] != '\n')
		at--;
	range.start = strtoull(at, NULL, 16);
	return range;
}

/* Find the functions that allocate sheaves and, perhaps inlined, pages of zsmalloc. */
static void find_functions(struct span *span, const char *trace)
{
	char *kallsyms = read_file(trace, "kallsyms");

	span->sheaf_function = find_function(kallsyms, "__alloc_empty_sheaf");
	span->zsmalloc_function = find_function(kallsyms, "alloc_zspage");
	if (!span->zsmalloc_function.end)
		span->zsmalloc_function = find_function(kallsyms, "zs_malloc");
	free(kallsyms);
}

static void open_module(struct module *module, const char *trace,
			const char *folder)
{
	char *kallsyms = read_file(trace, "kallsyms");

	read_lines(kallsyms, add_function, module);
	free(kallsyms);
	module->before = read_file(folder, "counts.before");
	module->after = read_file(folder, "counts.after");
}

/* ---- sites: the charge of each, for scripts/check.d/accounting.d/sites ---- */

/* A call site, or the tag of a page that is older than the trace. */
struct site {
	uint64_t addr;
	const char *name;
	int64_t charge;
};

struct sites {
	void *tree;
	const struct books *books;
	uint64_t until;
	FILE *file;
};

static int compare_sites(const void *left, const void *right)
{
	const struct site *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void add_to_sites(struct sites *sites, const struct change *change)
{
	struct site wanted = { .addr = change->site, .name = "" }, **found, *site;
	const struct tag *tag;

	if (!sites->file || !change->charge || change->time > sites->until)
		return;
	if (!change->site) {
		tag = change->space == PAGES ?
		      find_tag(sites->books, change->ptr) : NULL;
		wanted.name = tag && tag->site ? tag->site : "older objects";
	}
	found = tsearch(&wanted, &sites->tree, compare_sites);
	if (found && *found == &wanted) {
		*found = malloc(sizeof(wanted));
		if (*found)
			**found = wanted;
	}
	site = found ? *found : NULL;
	if (!site)
		ksft_exit_fail_msg("no memory\n");
	site->charge += change->charge;
}

static void print_site(const void *node, VISIT visit, void *data)
{
	const struct site *site = *(const struct site * const *)node;

	if (visit == postorder || visit == leaf)
		fprintf(data, "%#" PRIx64 " %" PRId64 " %s\n", site->addr,
			site->charge, site->name);
}

static void open_sites(struct sites *sites, const char *folder,
		       const struct books *books, uint64_t until)
{
	char path[4096];

	if (!books->from_boot)
		return;
	snprintf(path, sizeof(path), "%s/sites", folder);
	sites->file = fopen(path, "w");
	if (!sites->file)
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	sites->books = books;
	sites->until = until;
}

static void close_sites(const struct sites *sites, int64_t uncharged,
			int64_t tolerance)
{
	if (!sites->file)
		return;
	fprintf(sites->file, "tolerance %" PRId64 "\n", tolerance);
	fprintf(sites->file, "0 %" PRId64 " mm/slub.c __alloc_empty_sheaf\n",
		-uncharged);
	twalk_r(sites->tree, print_site, sites->file);
	if (fclose(sites->file))
		ksft_exit_fail_msg("sites: %s\n", strerror(errno));
}

/* ---- all comparisons ---- */

struct check {
	struct span span;
	struct slabs slabs;
	struct sites sites;
};

/*
 * Enter the caches that existed when tracing began. Their records may follow their
 * first objects, but the charge of an object depends on its cache.
 */
static void enter_caches(struct books *books, const char *trace)
{
	const struct kmemtrace_event *event;
	struct streams streams;

	open_streams(&streams, trace);
	while ((event = next_record(&streams)) &&
	       event->event_id != KMEMTRACE_EVENT_SNAPSHOT) {
		const struct kmemtrace_cache *cache = (const void *)event;

		if (event->event_id == KMEMTRACE_EVENT_CACHE &&
		    cache->op == KMEMTRACE_CACHE_THERE)
			enter_record(books, event, 0, NULL, NULL);
	}
}

static void add_change(void *data, const struct change *change)
{
	struct check *check = data;

	add_to_span(&check->span, change);
	add_to_slabs(&check->slabs, change);
	add_to_sites(&check->sites, change);
}

/* Return N of a trace that has one of N slab objects. */
static unsigned int sample_of(const char *trace)
{
	char *metadata = read_file(trace, "metadata");
	const char *at = strstr(metadata, "\nsample: ");
	const unsigned int one_of = at ? strtoul(at + strlen("\nsample: "), NULL, 10) : 1;

	free(metadata);
	return one_of;
}

int main(int argc, char **argv)
{
	const struct kmemtrace_event *event;
	struct check check = { };
	struct moves moves = { };
	struct module module = { };
	struct streams streams;
	char *before, *after;
	struct books books;
	int64_t tolerance;

	if (argc != 3)
		ksft_exit_fail_msg("usage: accounting_check TRACE FOLDER\n");
	before = read_file(argv[2], "before");
	after = read_file(argv[2], "after");
	open_span(&check.span, before, after);
	open_moves(&moves, before, after);
	moves.least_percent = strtoul(read_file(argv[2], "migrates"), NULL, 10);
	if (has_reading(after, "/proc/slabinfo"))
		check.slabs.reading = find_reading(after, "/proc/slabinfo");
	check.slabs.reading.after = last_slab_file(after, check.slabs.reading.after);
	check.slabs.snapshot = strstr(after, "\n== /proc/slabinfo ");
	check.slabs.shrunk = strtod(read_file(argv[2], "shrunk"), NULL) * 1e9;
	check.slabs.books = &books;

	open_books(&books, argv[2], !*before, sample_of(argv[1]));
	check.span.offlined = strtoll(read_file(argv[2], "offlined"), NULL, 10) *
			      books.constants.page_size;
	open_sites(&check.sites, argv[2], &books, check.span.to.before);
	enter_caches(&books, argv[1]);
	open_streams(&streams, argv[1]);
	open_module(&module, argv[1], argv[2]);
	find_functions(&check.span, argv[1]);
	while ((event = next_record(&streams))) {
		uint64_t time = monotonic_time(&streams, event);

		enter_record(&books, event, time, add_change, &check);
		add_to_moves(&moves, event, time, books.constants.page_size);
		add_to_module(&module, event);
	}
	close_books(&books, argv[2]);

	compare_events(&streams, argv[2]);
	tolerance = compare_allocinfo(&check.span, &books, &moves,
				      *before ? before : NULL, after);
	close_sites(&check.sites, check.span.uncharged, tolerance);
	compare_moves(&moves);
	compare_slabinfo(&check.slabs);
	compare_failures(&module);
	compare_caches(&module, &books);
	return EXIT_SUCCESS;
}
