// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-gen: write a valid random trace. The same arguments give the same
 * trace on every machine; byte order and word size change how it is written,
 * not what it says.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "dir-operand.h"
#include "event.h"
#include "memory.h"

#define PAGE_SIZE	4096
#define NR_SITES	300
#define NR_ORDERS	4
/* The last sites are in a module. */
#define FIRST_MODULE_SITE	280
#define SITE_SPACING	0x80
/* Where in its function the call of a site returns to. */
#define SITE_OFFSET	0x2c

static uint64_t opt_events = 100000;
static uint64_t opt_cpus = 2;
static uint64_t opt_seed = 1;
static uint64_t opt_live = 10000;
static uint64_t opt_pages = 5;
static enum byte_order opt_order = ORDER_LITTLE;
static uint64_t opt_bits = 64;
static uint64_t opt_skew;

static const uint32_t sizes[] = {
	8, 16, 32, 64, 96, 128, 192, 256, 512, 640, 1024, 2048, 4096, 8192,
};

#define NR_SIZES	(sizeof(sizes) / sizeof(*sizes))

/**
 * struct heap - addresses of one size
 * @free: addresses that were freed, used again last in, first out
 * @nr: of @free
 * @room: of @free
 */
struct heap {
	uint64_t *free;
	size_t nr, room;
};

struct object {
	uint64_t ptr;
	uint32_t site;
	uint16_t cpu;
	uint8_t class;
};

struct live {
	struct object *objects;
	size_t nr;
};

struct gen {
	uint64_t random;
	uint64_t time;
	unsigned int cpu;
	FILE **out;
	uint64_t *bytes;
	struct heap slab[NR_SIZES], pages[NR_ORDERS];
	uint64_t next_slab, next_page;
	struct live objects, blocks;
};

/* splitmix64 */
static uint64_t draw(struct gen *g, uint64_t below)
{
	uint64_t z = g->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

static uint64_t base(uint64_t wide, uint64_t narrow)
{
	return opt_bits == 64 ? wide : narrow;
}

static uint64_t text_base(void)
{
	return base(UINT64_C(0xffffffff81000000), 0xc1000000);
}

static uint64_t module_base(void)
{
	return base(UINT64_C(0xffffffffc0200000), 0xf8000000);
}

static uint64_t site_symbol(uint32_t site)
{
	if (site < FIRST_MODULE_SITE)
		return text_base() + 0x1000 + site * SITE_SPACING;
	return module_base() + (site - FIRST_MODULE_SITE) * SITE_SPACING;
}

static void put(struct gen *g, unsigned int cpu, struct kmemtrace_event *ev)
{
	char rec[sizeof(*ev)];

	ev->event_size = sizeof(*ev);
	ev->timestamp = g->time + cpu * opt_skew;
	g->time += 50 + draw(g, 1000);
	event_encode(ev, opt_order, rec);
	if (fwrite(rec, sizeof(rec), 1, g->out[cpu]) != 1)
		err(EXIT_UNUSABLE, "write");
	g->bytes[cpu] += sizeof(rec);
}

static uint64_t take(struct heap *h, uint64_t *next, uint64_t size)
{
	uint64_t ptr = *next;

	if (h->nr)
		return h->free[--h->nr];
	*next += size;
	return ptr;
}

static void give_back(struct heap *h, uint64_t ptr)
{
	if (h->nr == h->room) {
		h->room = h->room ? 2 * h->room : 64;
		h->free = must_realloc(h->free, h->room, sizeof(*h->free));
	}
	h->free[h->nr++] = ptr;
}

/* A few sites make most allocations; each has its size and its API. */
static uint32_t draw_site(struct gen *g)
{
	return draw(g, 1 + draw(g, 1 + draw(g, NR_SITES)));
}

static uint8_t type_of(uint32_t site)
{
	return site % 3 ? KMEMTRACE_TYPE_KMALLOC : KMEMTRACE_TYPE_CACHE;
}

static void alloc_object(struct gen *g)
{
	uint32_t site = draw_site(g);
	uint8_t class = site * 5 % NR_SIZES;
	uint32_t size = sizes[class];
	struct object obj = { .site = site, .cpu = g->cpu, .class = class };

	obj.ptr = take(&g->slab[class], &g->next_slab, size);
	g->objects.objects[g->objects.nr++] = obj;
	put(g, g->cpu, &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_ALLOC,
		.type_id = type_of(site),
		.node = -1,
		.call_site = site_symbol(site) + SITE_OFFSET,
		.ptr = obj.ptr,
		.bytes_req = type_of(site) == KMEMTRACE_TYPE_CACHE ? size :
			     size - draw(g, size / 4),
		.bytes_alloc = size,
		.gfp_flags = 0xcc0,
	});
}

/* Remove one at random. */
static struct object draw_live(struct gen *g, struct live *live)
{
	size_t i = draw(g, live->nr);
	struct object obj = live->objects[i];

	live->objects[i] = live->objects[--live->nr];
	return obj;
}

/* One free in eight happens where the allocation did not. */
static unsigned int free_cpu(struct gen *g, const struct object *obj)
{
	return draw(g, 8) ? obj->cpu : draw(g, opt_cpus);
}

static void free_object(struct gen *g)
{
	struct object obj = draw_live(g, &g->objects);

	give_back(&g->slab[obj.class], obj.ptr);
	put(g, free_cpu(g, &obj), &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_FREE,
		.type_id = type_of(obj.site),
		.node = -1,
		.call_site = site_symbol(obj.site) + 2 * SITE_OFFSET,
		.ptr = obj.ptr,
	});
}

static void alloc_block(struct gen *g)
{
	uint32_t site = draw(g, 20);
	struct object obj = { .site = site, .cpu = g->cpu };
	uint64_t size;

	obj.class = draw(g, 4) ? 0 : draw(g, NR_ORDERS);
	size = (uint64_t)PAGE_SIZE << obj.class;
	obj.ptr = take(&g->pages[obj.class], &g->next_page, size);
	g->blocks.objects[g->blocks.nr++] = obj;
	put(g, g->cpu, &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_ALLOC,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.node = -1,
		.call_site = site_symbol(site) + SITE_OFFSET,
		.ptr = obj.ptr,
		.bytes_req = size,
		.bytes_alloc = size,
		.gfp_flags = 0xcc0,
	});
}

static void free_pages(struct gen *g, const struct object *obj, uint64_t ptr,
		       unsigned int order)
{
	give_back(&g->pages[order], ptr);
	put(g, free_cpu(g, obj), &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_FREE,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.node = -1,
		.call_site = site_symbol(obj->site) + 2 * SITE_OFFSET,
		.ptr = ptr,
		.bytes_alloc = (uint64_t)PAGE_SIZE << order,
	});
}

/* Half of the larger blocks come back page by page, as after split_page(). */
static void free_block(struct gen *g)
{
	struct object obj = draw_live(g, &g->blocks);
	unsigned int i;

	if (!obj.class || draw(g, 2)) {
		free_pages(g, &obj, obj.ptr, obj.class);
		return;
	}
	for (i = 0; i < 1U << obj.class; i++)
		free_pages(g, &obj, obj.ptr + i * PAGE_SIZE, 0);
}

/* Up to the wanted number of live objects, then about as many of both. */
static bool want_alloc(struct gen *g, const struct live *live, uint64_t wanted)
{
	if (!live->nr)
		return true;
	return live->nr < wanted && draw(g, 4);
}

static void generate(struct gen *g)
{
	uint64_t i;

	g->random = opt_seed;
	g->time = 1000000;
	g->next_slab = base(UINT64_C(0xffff888010000000), 0xc8000000);
	g->next_page = base(UINT64_C(0xffff888001000000), 0xc2000000);
	g->objects.objects = must_calloc(opt_live + 1, sizeof(struct object));
	g->blocks.objects = must_calloc(opt_live + 1, sizeof(struct object));
	for (i = 0; i < opt_events; i++) {
		if (!draw(g, 4))
			g->cpu = draw(g, opt_cpus);
		if (draw(g, 100) >= opt_pages) {
			if (want_alloc(g, &g->objects, opt_live))
				alloc_object(g);
			else
				free_object(g);
		} else {
			if (want_alloc(g, &g->blocks, 1 + opt_live / 20))
				alloc_block(g);
			else
				free_block(g);
		}
	}
}

static FILE *create(const char *dir, const char *name)
{
	char *path;
	FILE *f;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		errx(EXIT_UNUSABLE, "out of memory");
	f = fopen(path, "we");
	if (!f)
		err(EXIT_UNUSABLE, "%s", path);
	free(path);
	return f;
}

static void finish(FILE *f)
{
	if (fclose(f))
		err(EXIT_UNUSABLE, "write");
}

static void write_metadata(const char *dir, const struct gen *g)
{
	FILE *f = create(dir, "metadata");
	uint64_t i;

	fprintf(f, "abi_version: 1\n");
	fprintf(f, "byte_order: %s\n", order_name(opt_order));
	fprintf(f, "word_bits: %" PRIu64 "\n", opt_bits);
	fprintf(f, "page_size: %d\n", PAGE_SIZE);
	fprintf(f, "clock: local_clock\n");
	fprintf(f, "kernel_release: 6.12.0-generated\n");
	fprintf(f, "machine: generated\n");
	fprintf(f, "build_id: 0123456789abcdef0123456789abcdef01234567\n");
	fprintf(f, "cmdline: kmemtrace.enable=yes\n");
	fprintf(f, "cpus: 0-%" PRIu64 "\n", opt_cpus - 1);
	fprintf(f, "subbuf_size: 458752\n");
	fprintf(f, "n_subbufs: 20\n");
	fprintf(f, "start_ns: 1000000\n");
	fprintf(f, "end_ns: %" PRIu64 "\n", g->time);
	for (i = 0; i < opt_cpus; i++)
		fprintf(f, "node.cpu%" PRIu64 ": 0\noverruns.cpu%" PRIu64 ": 0\n",
			i, i);
	fprintf(f, "total_overruns: 0\n");
	for (i = 0; i < opt_cpus; i++)
		fprintf(f, "bytes.cpu%" PRIu64 ": %" PRIu64 "\ndropped.cpu%" PRIu64 ": 0\n",
			i, g->bytes[i], i);
	fprintf(f, "state: complete\n");
	finish(f);
}

static void write_symbols(const char *dir)
{
	FILE *f = create(dir, "kallsyms");
	uint32_t i;

	fprintf(f, "%0*" PRIx64 " T _stext\n", (int)opt_bits / 4, text_base());
	for (i = 0; i < NR_SITES; i++)
		fprintf(f, "%0*" PRIx64 " t site_%u%s\n", (int)opt_bits / 4,
			site_symbol(i), i,
			i < FIRST_MODULE_SITE ? "" : "\t[generated]");
	fprintf(f, "%0*" PRIx64 " R __start_rodata\n", (int)opt_bits / 4,
		text_base() + 0x100000);
	finish(f);

	f = create(dir, "modules");
	fprintf(f, "generated 0x%" PRIx64 " 16384\n", module_base());
	finish(f);
}

/* What a report must find live at the end. */
static void print_live(const struct gen *g)
{
	uint64_t bytes = 0, pages = 0;
	size_t i;

	for (i = 0; i < g->objects.nr; i++)
		bytes += sizes[g->objects.objects[i].class];
	for (i = 0; i < g->blocks.nr; i++)
		pages += UINT64_C(1) << g->blocks.objects[i].class;
	printf("slab %zu %" PRIu64 "\npages %" PRIu64 " %" PRIu64 "\n",
	       g->objects.nr, bytes, pages, pages * PAGE_SIZE);
}

static int set_number(const char *value, uint64_t min, uint64_t max,
		      uint64_t *result)
{
	char *end;

	errno = 0;
	*result = strtoull(value, &end, 10);
	if (errno || *end || end == value || *result < min || *result > max)
		return -EINVAL;
	return 0;
}

static int set_events(const char *value)
{
	return set_number(value, 0, UINT32_MAX, &opt_events);
}

static int set_cpus(const char *value)
{
	return set_number(value, 1, 1000, &opt_cpus);
}

static int set_seed(const char *value)
{
	return set_number(value, 0, UINT64_MAX, &opt_seed);
}

static int set_live(const char *value)
{
	return set_number(value, 1, UINT32_MAX, &opt_live);
}

static int set_pages(const char *value)
{
	return set_number(value, 0, 100, &opt_pages);
}

static int set_order(const char *value)
{
	opt_order = !strcmp(value, "big") ? ORDER_BIG : ORDER_LITTLE;
	return opt_order == ORDER_BIG || !strcmp(value, "little") ? 0 : -EINVAL;
}

static int set_bits(const char *value)
{
	return set_number(value, 32, 64, &opt_bits) || opt_bits % 32;
}

static int set_skew(const char *value)
{
	return set_number(value, 0, UINT32_MAX, &opt_skew);
}

static const struct opt opts[] = {
	{ 'e', "events", "N", "how many events, about (default: 100000)", set_events },
	{ 'c', "cpus", "N", "on how many CPUs (default: 2)", set_cpus },
	{ 's', "seed", "N", "of the random numbers (default: 1)", set_seed },
	{ 'l', "live", "N", "slab objects live at a time, at most (default: 10000)", set_live },
	{ 'p', "pages", "N", "percent of events on pages, about (default: 5)", set_pages },
	{ 'o', "order", "ORDER", "byte order, little or big (default: little)", set_order },
	{ 'b', "bits", "N", "of a word, 32 or 64 (default: 64)", set_bits },
	{ 'k', "skew", "NS", "how late each CPU's clock is against the one before (default: 0)", set_skew },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-gen",
	.operands = "DIR",
	.purpose = "Write a valid random trace into DIR, and what is live at its end, in objects or\n"
		   "pages and in bytes, to the standard output.",
	.opts = opts,
};

int main(int argc, char **argv)
{
	const char *dir = dir_operand(&prog, argc, argv);
	struct gen g = { 0 };
	char name[32];
	uint64_t i;

	g.out = must_calloc(opt_cpus, sizeof(*g.out));
	g.bytes = must_calloc(opt_cpus, sizeof(*g.bytes));
	for (i = 0; i < opt_cpus; i++) {
		snprintf(name, sizeof(name), "cpu%" PRIu64 ".out", i);
		g.out[i] = create(dir, name);
	}
	generate(&g);
	for (i = 0; i < opt_cpus; i++)
		finish(g.out[i]);
	write_metadata(dir, &g);
	write_symbols(dir);
	print_live(&g);

	for (i = 0; i < NR_SIZES; i++)
		free(g.slab[i].free);
	for (i = 0; i < NR_ORDERS; i++)
		free(g.pages[i].free);
	free(g.objects.objects);
	free(g.blocks.objects);
	free(g.out);
	free(g.bytes);
	return EXIT_SUCCESS;
}
