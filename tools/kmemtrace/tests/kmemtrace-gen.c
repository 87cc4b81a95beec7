// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-gen: write a valid random trace. The same arguments give the same
 * trace on every machine. Byte order, word size and ABI version change the format
 * only: the events of slab objects and pages are the same. Version 2 has more
 * records.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/packet.h"
#include "common/with.h"
#include "dir-operand.h"
#include "read/event.h"
#include "sink.h"

#define PAGE_SIZE	4096
#define NR_SITES	300
#define NR_ORDERS	4
/* The last sites are in a module. */
#define FIRST_MODULE_SITE	280
#define SITE_SPACING	0x80
/* Offset of a call site in its function. */
#define SITE_OFFSET	0x2c

#define TICK_NS		4000000

static uint64_t opt_events = 100000;
static uint64_t opt_cpus = 2;
static uint64_t opt_seed = 1;
static uint64_t opt_live = 10000;
static uint64_t opt_pages = 5;
static enum byte_order opt_order = ORDER_LITTLE;
static uint64_t opt_bits = 64;
static uint64_t opt_skew;
static uint64_t opt_abi = 1;
static uint64_t opt_subbuf = 458752;
static uint64_t opt_before;
static uint64_t opt_cycles;
static uint64_t opt_fallback = UINT64_MAX;
static bool opt_compress;
static uint64_t opt_flush;
static uint64_t opt_pause = 1000;
static uint64_t opt_sample = 1;
static const char *opt_with;
static unsigned int with;

static const uint32_t sizes[] = {
	8, 16, 32, 64, 96, 128, 192, 256, 512, 640, 1024, 2048, 4096, 8192,
};

/* Call paths of each site, tasks, and memory cgroups but the root. */
#define NR_PATHS	4
#define NR_TASKS	24
/* The task of kmemtrace itself. */
#define OWN_TASK	7
#define NR_CGROUPS	4
#define MAX_DEPTH	12
#define ROOT_CGROUP	1

#define NR_SIZES	(sizeof(sizes) / sizeof(*sizes))

/**
 * struct heap - addresses of one size
 * @free: freed addresses, reused last in, first out
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

/**
 * struct stream - the stream of one CPU
 * @out: its file
 * @bytes: written
 * @left: bytes of the current sub-buffer
 * @sequence: number of the next one
 * @cycles: timestamps of the current one are cycles
 * @task: number of the task that runs, 0: the idle task
 */
struct stream {
	struct sink out;
	uint64_t bytes, left, sequence;
	bool cycles;
	unsigned int task;
};

struct gen {
	uint64_t random, who_random;
	uint64_t time;
	bool is_named[NR_SITES * NR_PATHS];
	unsigned int cpu;
	struct stream *streams;
	struct heap slab[NR_SIZES], pages[NR_ORDERS];
	uint64_t next_slab, next_page;
	struct live objects, blocks;
	uint64_t slab_frames;
	uint64_t flushed;
	bool is_over;
};

static void write_metadata(const char *dir, const struct gen *g);

/* splitmix64 */
static uint64_t draw_from(uint64_t *state, uint64_t below)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

static uint64_t draw(struct gen *g, uint64_t below)
{
	return draw_from(&g->random, below);
}

/* Draw who does something: the events are the same without that. */
static uint64_t draw_who(struct gen *g, uint64_t below)
{
	return draw_from(&g->who_random, below);
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

/* ---- records ---- */

/* The counter of cycles began before the trace. */
static uint64_t timestamp_of(const struct stream *s, uint64_t ns)
{
	uint64_t seconds = ns / 1000000000, rest = ns % 1000000000;

	if (!s->cycles)
		return ns;
	return seconds * opt_cycles + rest * opt_cycles / 1000000000 + 123456789;
}

static void write_bytes(struct stream *s, const void *bytes, size_t size)
{
	sink_write(&s->out, bytes, size);
	s->bytes += size;
	s->left -= size;
}

/* Records of one CPU and moment, in the order of the calls. */
static void write_record(struct gen *g, unsigned int cpu, void *record,
			 const void *tail, size_t tail_size)
{
	struct kmemtrace_event *ev = record;
	char rec[EVENT_MAX_SIZE];

	ev->event_size = sizeof(*ev) + tail_size;
	ev->timestamp = timestamp_of(&g->streams[cpu],
				     g->time + cpu * opt_skew);
	event_encode(ev, opt_order, rec);
	if (tail_size)
		memcpy(rec + sizeof(*ev), tail, tail_size);
	write_bytes(&g->streams[cpu], rec, ev->event_size);
}

static void pad(struct stream *s, uint64_t size)
{
	char rec[EVENT_MAX_SIZE];
	struct kmemtrace_event ev = { .event_id = KMEMTRACE_EVENT_PAD };

	for (; size; size -= ev.event_size) {
		ev.event_size = size < sizeof(rec) ? size : sizeof(rec);
		memset(rec, 0, sizeof(rec));
		event_encode(&ev, opt_order, rec);
		write_bytes(s, rec, ev.event_size);
	}
}

/* Each three tasks are a process. */
static void write_task(struct gen *g, unsigned int cpu)
{
	unsigned int task = g->streams[cpu].task;
	struct kmemtrace_task rec = {
		.event_id = KMEMTRACE_EVENT_TASK,
		.pid = task ? 100 + task : 0,
		.tgid = task ? 100 + task - (task - 1) % 3 : 0,
		.start = task * 1000,
	};

	if (task == OWN_TASK)
		snprintf(rec.comm, sizeof(rec.comm), "kmemtraced");
	else if (task)
		snprintf(rec.comm, sizeof(rec.comm), "%s%u", (task - 1) % 3 ? "thread" : "main",
			 task % 100);
	else
		snprintf(rec.comm, sizeof(rec.comm), "swapper/%u", cpu % 1000);
	write_record(g, cpu, &rec, rec.comm, sizeof(rec.comm));
}

static void begin_subbuf(struct gen *g, unsigned int cpu)
{
	struct stream *s = &g->streams[cpu];
	struct kmemtrace_clock clock = {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.cpu = cpu,
		.monotonic = g->time + 1000,
		.sequence = s->sequence++,
		.uncertainty = opt_skew * (opt_cpus - 1),
	};

	s->cycles = opt_cycles && clock.sequence < opt_fallback;
	if (s->cycles) {
		clock.clock = KMEMTRACE_CLOCK_CYCLES;
		clock.frequency = opt_cycles;
	}
	if (opt_cycles)
		clock.error = 1;
	/* The clock ticks at first, as early in a boot. */
	if (opt_cycles && clock.sequence < 2) {
		clock.monotonic -= clock.monotonic % TICK_NS;
		clock.frequency = 0;
		clock.error = TICK_NS;
	}
	s->left = opt_subbuf;
	write_record(g, cpu, &clock, NULL, 0);
	if (with & WITH_TASK)
		write_task(g, cpu);
}

/* A stream of version 1 has records only. */
static void emit_record(struct gen *g, unsigned int cpu, void *record,
			const void *tail, size_t tail_size)
{
	struct stream *s = &g->streams[cpu];

	if (opt_abi > 1 && EVENT_MIN_SIZE + tail_size > s->left) {
		pad(s, s->left);
		begin_subbuf(g, cpu);
	}
	write_record(g, cpu, record, tail, tail_size);
}

/* A flush ends the sub-buffers of all CPUs, as kmemtraced asks for once a second. */
static void flush(struct gen *g)
{
	uint64_t i;

	if (!opt_flush || g->time < g->flushed + opt_flush)
		return;
	for (i = 0; i < opt_cpus; i++) {
		if (opt_abi > 1)
			pad(&g->streams[i], -g->streams[i].bytes % PAGE_SIZE);
		sink_flush(&g->streams[i].out);
		g->streams[i].left = 0;
	}
	g->flushed = g->time;
	write_metadata(SINK_STDOUT, g);
}

static void pass_time(struct gen *g)
{
	g->time += 50 + draw(g, opt_pause);
	flush(g);
}

/* ---- who allocates ---- */

static uint32_t site_of(uint64_t call_site)
{
	uint64_t symbol = call_site - SITE_OFFSET;

	if (symbol >= module_base())
		return FIRST_MODULE_SITE + (symbol - module_base()) / SITE_SPACING;
	return (symbol - text_base() - 0x1000) / SITE_SPACING;
}

/* Say what a call path is, the first time that it is used. */
static void emit_stack(struct gen *g, unsigned int cpu, uint32_t site, uint32_t path)
{
	const uint32_t number = site * NR_PATHS + path, depth = 1 + number * 7 % MAX_DEPTH;
	char frames[MAX_DEPTH][8];
	uint32_t i;

	if (g->is_named[number])
		return;
	g->is_named[number] = true;
	for (i = 0; i < depth; i++)
		event_encode_word(site_symbol((site + i * (i + path)) % NR_SITES) + SITE_OFFSET,
				  opt_order, frames[i]);
	emit_record(g, cpu, &(struct kmemtrace_stack) {
		.event_id = KMEMTRACE_EVENT_STACK,
		.depth = depth,
		.stack = 1 + number,
		.is_cut = depth == MAX_DEPTH,
	}, frames, depth * sizeof(*frames));
}

/* Let another task run, now and then. */
static void switch_tasks(struct gen *g, unsigned int cpu)
{
	struct stream *s = &g->streams[cpu];

	if (draw_who(g, 20))
		return;
	s->task = draw_who(g, 8) ? draw_who(g, NR_TASKS) + 1 : 0;
	if (s->left < sizeof(struct kmemtrace_task)) {
		pad(s, s->left);
		begin_subbuf(g, cpu);
	} else {
		write_task(g, cpu);
	}
}

/* Write an allocation or a failure, and who caused it. Return bytes of @tail with @cache. */
static size_t add_who(struct gen *g, unsigned int cpu, const struct kmemtrace_event *ev,
		      uint64_t cache, char tail[16])
{
	const uint32_t site = site_of(ev->call_site), path = draw_who(g, NR_PATHS);
	uint64_t context = draw_who(g, 10), who = 0;

	if (with & WITH_TASK)
		switch_tasks(g, cpu);
	if (with & WITH_STACK) {
		emit_stack(g, cpu, site, path);
		who = 1 + site * NR_PATHS + path;
	}
	if (context == KMEMTRACE_CONTEXT_OWN && with & WITH_TASK &&
	    g->streams[cpu].task != OWN_TASK)
		context = KMEMTRACE_CONTEXT_TASK;
	if (context <= KMEMTRACE_CONTEXT_OWN)
		who |= context << KMEMTRACE_WHO_CONTEXT_SHIFT;
	event_encode_word(cache, opt_order, tail);
	event_encode_word(who, opt_order, tail + 8);
	return 16;
}

static void emit_cgroup(struct gen *g, uint64_t number, uint8_t op)
{
	char path[16] = "/";

	if (number != ROOT_CGROUP)
		snprintf(path, sizeof(path), "/cgroup%u", (unsigned int)number);
	emit_record(g, g->cpu, &(struct kmemtrace_cgroup) {
		.event_id = KMEMTRACE_EVENT_CGROUP,
		.op = op,
		.is_removed = op == KMEMTRACE_CGROUP_REMOVED,
		.cgroup = number,
		.parent = number == ROOT_CGROUP ? 0 : ROOT_CGROUP,
	}, path, sizeof(path));
}

/* Charge memory, that of some call sites. */
static void charge(struct gen *g, unsigned int cpu, const struct kmemtrace_event *ev)
{
	if (!(with & WITH_CGROUP) || site_of(ev->call_site) % 4 != 1)
		return;
	emit_record(g, cpu, &(struct kmemtrace_charge) {
		.event_id = KMEMTRACE_EVENT_CHARGE,
		.type_id = ev->type_id,
		.node = -1,
		.cgroup = ROOT_CGROUP + draw_who(g, NR_CGROUPS + 1),
		.ptr = ev->ptr,
		.bytes = ev->type_id == KMEMTRACE_TYPE_PAGES ? ev->bytes_alloc : 0,
	}, NULL, 0);
}

/* Write an event that is not of a slab object. */
static void emit_event(struct gen *g, unsigned int cpu, struct kmemtrace_event *ev)
{
	bool is_alloc = ev->event_id == KMEMTRACE_EVENT_ALLOC;
	char tail[16] = "";
	size_t size = 0;

	if (with && (is_alloc || ev->event_id == KMEMTRACE_EVENT_FAILED))
		size = add_who(g, cpu, ev, 0, tail);
	emit_record(g, cpu, ev, tail, size);
	if (is_alloc && ev->type_id == KMEMTRACE_TYPE_PAGES)
		charge(g, cpu, ev);
}

static void put(struct gen *g, unsigned int cpu, struct kmemtrace_event *ev)
{
	emit_event(g, cpu, ev);
	pass_time(g);
}

/*
 * Write an event of a slab object of @size bytes, unless it is not in the sample. The record ends
 * with the address of its cache.
 */
static void put_object(struct gen *g, unsigned int cpu, struct kmemtrace_event *ev,
		       uint32_t size, uint64_t cache)
{
	size_t tail_size = cache && opt_abi > 1 ? 8 : 0;
	char tail[16] = "";

	event_encode_word(cache, opt_order, tail);
	if (size >= PAGE_SIZE || kmemtrace_in_sample(ev->ptr, opt_sample)) {
		if (with && cache) {
			charge(g, cpu, ev);
			tail_size = add_who(g, cpu, ev, cache, tail);
		}
		emit_record(g, cpu, ev, tail, tail_size);
	}
	pass_time(g);
}

/* ---- slab objects ---- */

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

/* Each size has one cache for all interfaces: the kernel merges equal caches. */
static uint64_t cache_of(uint8_t class)
{
	return base(UINT64_C(0xffff888000100000), 0xc0100000) + class * 256;
}

static void alloc_object(struct gen *g)
{
	uint32_t site = draw_site(g);
	uint8_t class = site * 5 % NR_SIZES;
	uint32_t size = sizes[class];
	struct object obj = { .site = site, .cpu = g->cpu, .class = class };

	obj.ptr = take(&g->slab[class], &g->next_slab, size);
	g->objects.objects[g->objects.nr++] = obj;
	put_object(g, g->cpu, &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_ALLOC,
		.type_id = type_of(site),
		.node = -1,
		.call_site = site_symbol(site) + SITE_OFFSET,
		.ptr = obj.ptr,
		.bytes_req = type_of(site) == KMEMTRACE_TYPE_CACHE ? size :
			     size - draw(g, size / 4),
		.bytes_alloc = size,
		.gfp_flags = 0xcc0,
	}, size, cache_of(class));
}

/* Remove one at random. */
static struct object draw_live(struct gen *g, struct live *live)
{
	size_t i = draw(g, live->nr);
	struct object obj = live->objects[i];

	live->objects[i] = live->objects[--live->nr];
	return obj;
}

/* One free in eight happens on another CPU. */
static unsigned int free_cpu(struct gen *g, const struct object *obj)
{
	return draw(g, 8) ? obj->cpu : draw(g, opt_cpus);
}

static void free_object(struct gen *g)
{
	struct object obj = draw_live(g, &g->objects);

	give_back(&g->slab[obj.class], obj.ptr);
	put_object(g, free_cpu(g, &obj), &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_FREE,
		.type_id = type_of(obj.site),
		.node = -1,
		.call_site = site_symbol(obj.site) + 2 * SITE_OFFSET,
		.ptr = obj.ptr,
	}, sizes[obj.class], 0);
}

/* ---- pages ---- */

/*
 * If no block of that order is free, split a larger one: the memory of a machine does not
 * grow with the trace.
 */
static uint64_t take_block(struct gen *g, unsigned int order)
{
	unsigned int from = order;
	uint64_t ptr;

	while (from < NR_ORDERS && !g->pages[from].nr)
		from++;
	if (from == NR_ORDERS)
		from = order;
	ptr = take(&g->pages[from], &g->next_page, (uint64_t)PAGE_SIZE << from);
	while (from-- > order)
		give_back(&g->pages[from], ptr + ((uint64_t)PAGE_SIZE << from));
	return ptr;
}

static void alloc_block(struct gen *g)
{
	uint32_t site = draw(g, 20);
	struct object obj = { .site = site, .cpu = g->cpu };
	uint64_t size;

	obj.class = draw(g, 4) ? 0 : draw(g, NR_ORDERS);
	size = (uint64_t)PAGE_SIZE << obj.class;
	obj.ptr = take_block(g, obj.class);
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
	put(g, free_cpu(g, obj), &(struct kmemtrace_event) {
		.event_id = KMEMTRACE_EVENT_FREE,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.node = -1,
		.call_site = site_symbol(obj->site) + 2 * SITE_OFFSET,
		.ptr = ptr,
		.bytes_alloc = (uint64_t)PAGE_SIZE << order,
	});
}

/*
 * Half of the larger blocks come back page by page, as after split_page(), and become
 * one again.
 */
static void free_block(struct gen *g)
{
	struct object obj = draw_live(g, &g->blocks);
	unsigned int i;

	give_back(&g->pages[obj.class], obj.ptr);
	if (!obj.class || draw(g, 2)) {
		free_pages(g, &obj, obj.ptr, obj.class);
		return;
	}
	for (i = 0; i < 1U << obj.class; i++)
		free_pages(g, &obj, obj.ptr + i * PAGE_SIZE, 0);
}

/* ---- records of version 2 ---- */

static void emit_cache(struct gen *g, uint8_t class, uint8_t op,
		       const char *prefix)
{
	char tail[8 + 32] = { 0 };
	int len = sprintf(tail + 8, "%s-%u", prefix, sizes[class]);
	bool there = op == KMEMTRACE_CACHE_THERE;

	event_encode_word(8, opt_order, tail);
	emit_record(g, 0, &(struct kmemtrace_cache) {
		.event_id = KMEMTRACE_EVENT_CACHE,
		.op = op,
		.users = there ? 1 : 2,
		.call_site = there ? 0 : site_symbol(class),
		.cache = cache_of(class),
		.object_size = sizes[class],
		.size = sizes[class],
	}, tail, 8 + (len + 8) / 8 * 8);
}

/* One object in four is free already. */
static void emit_slab(struct gen *g, uint8_t class, unsigned int nr)
{
	uint64_t live = 0, ptr, first = g->next_slab;
	char tail[8];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		ptr = take(&(struct heap) { 0 }, &g->next_slab, sizes[class]);
		if (i % 4 == 3) {
			give_back(&g->slab[class], ptr);
			continue;
		}
		live |= UINT64_C(1) << i;
		g->objects.objects[g->objects.nr++] = (struct object) {
			.ptr = ptr, .site = i, .class = class,
		};
	}
	event_encode_word(live, opt_order, tail);
	emit_record(g, 0, &(struct kmemtrace_snapshot_slab) {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_CACHE,
		.cache = cache_of(class),
		.ptr = first,
		.object_size = sizes[class],
		.size = sizes[class],
		.objects = nr,
	}, tail, sizeof(tail));
}

static void emit_frames(struct gen *g, uint64_t state, uint64_t ptr,
			uint64_t nr)
{
	emit_record(g, 0, &(struct kmemtrace_snapshot_pages) {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.state = state,
		.ptr = ptr,
		.found = 1,
		.bytes = nr * PAGE_SIZE,
	}, NULL, 0);
}

/* Slabs of all sizes in turn for all objects, and their pages. */
static void emit_slabs(struct gen *g)
{
	uint64_t left, nr, first = g->next_slab;
	uint8_t class = 0;

	for (left = opt_before; left; left -= nr) {
		nr = left < 64 ? left : 64;
		emit_slab(g, class, nr);
		class = (class + 1) % NR_SIZES;
	}
	g->next_slab = (g->next_slab + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
	g->slab_frames = (g->next_slab - first) / PAGE_SIZE;
	if (g->slab_frames)
		emit_frames(g, KMEMTRACE_FRAMES_LIVE, first, g->slab_frames);
}

static void emit_blocks(struct gen *g)
{
	uint64_t i, nr = opt_before / 20, first = g->next_page;

	for (i = 0; i < nr; i++)
		g->blocks.objects[g->blocks.nr++] = (struct object) {
			.ptr = take(&(struct heap) { 0 }, &g->next_page,
				    PAGE_SIZE),
			.site = i % NR_SITES,
		};
	if (nr)
		emit_frames(g, KMEMTRACE_FRAMES_LIVE, first, nr);
	emit_frames(g, KMEMTRACE_FRAMES_FREE, g->next_page, 64);
	emit_frames(g, KMEMTRACE_FRAMES_RESERVED,
		    base(UINT64_C(0xffff888000000000), 0xc0000000), 16);
}

/* An area of per-CPU memory or of vmalloc, number @i. */
static struct kmemtrace_event area(uint8_t id, uint8_t type, uint64_t i)
{
	bool is_percpu = type == KMEMTRACE_TYPE_PERCPU;
	bool is_free = id == KMEMTRACE_EVENT_FREE;
	uint64_t size = is_percpu ? opt_cpus * 64 : 3 * PAGE_SIZE;
	uint64_t first = is_percpu ?
			 base(UINT64_C(0xffffe8ffff000000), 0xf0000000) :
			 base(UINT64_C(0xffffc90000000000), 0xf4000000);

	return (struct kmemtrace_event) {
		.event_id = id,
		.type_id = type,
		.node = -1,
		.call_site = site_symbol(type) + SITE_OFFSET,
		.ptr = first + i % 256 * 4 * PAGE_SIZE,
		.bytes_req = is_free ? 0 : size - size / 8,
		.bytes_alloc = is_free && !is_percpu ? 0 : size,
		.gfp_flags = is_free ? 0 : 0xcc0,
	};
}

static void emit_area(struct gen *g, uint8_t id, uint8_t type, uint64_t i)
{
	struct kmemtrace_event ev = area(id, type, i);

	emit_event(g, g->cpu, &ev);
}

/* The snapshot: caches and cgroups, then all live memory. */
static void emit_snapshot(struct gen *g)
{
	uint8_t class;
	uint64_t i;

	for (i = 0; with & WITH_CGROUP && i <= NR_CGROUPS; i++)
		emit_cgroup(g, ROOT_CGROUP + i, KMEMTRACE_CGROUP_THERE);

	for (class = 0; class < NR_SIZES; class++)
		emit_cache(g, class, KMEMTRACE_CACHE_THERE, "generated");
	emit_slabs(g);
	emit_blocks(g);
	emit_area(g, KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_PERCPU, 0);
	emit_area(g, KMEMTRACE_EVENT_SNAPSHOT, KMEMTRACE_TYPE_VMALLOC, 0);
	emit_record(g, 0, &(struct kmemtrace_snapshot_end) {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_END,
	}, NULL, 0);
	for (class = 0; class < 3; class++)
		emit_cache(g, class, KMEMTRACE_CACHE_CREATED, "alias");
}

/* The phases of a boot, each a fifth of the trace. Draws no random number. */
static void emit_phase(struct gen *g, uint64_t i)
{
	const uint64_t fifth = opt_events / KMEMTRACE_PHASE_INIT;

	if (fifth && i % fifth == 0 && i / fifth < KMEMTRACE_PHASE_INIT)
		emit_record(g, g->cpu, &(struct kmemtrace_phase) {
			.event_id = KMEMTRACE_EVENT_PHASE,
			.phase = KMEMTRACE_PHASE_ARMED + i / fifth,
			.cpu = g->cpu,
		}, NULL, 0);
}

/* Now and then, events of other allocators and failures. Draws no random number. */
static void emit_others(struct gen *g, uint64_t i)
{
	const uint64_t nr = 1 + i / 1000;
	uint8_t id;

	if (i % 500)
		return;
	id = i % 1000 ? KMEMTRACE_EVENT_FREE : KMEMTRACE_EVENT_ALLOC;
	emit_area(g, id, KMEMTRACE_TYPE_PERCPU, nr);
	emit_area(g, id, KMEMTRACE_TYPE_VMALLOC, nr);
	if (i % 1000)
		emit_event(g, g->cpu, &(struct kmemtrace_event) {
			.event_id = KMEMTRACE_EVENT_FAILED,
			.type_id = KMEMTRACE_TYPE_PAGES,
			.node = -1,
			.call_site = site_symbol(1) + SITE_OFFSET,
			.bytes_req = 1024 * PAGE_SIZE,
			.gfp_flags = 0xcc0,
		});
}

/* ---- the trace ---- */

/* Allocate up to the wanted number of live objects, then allocate and free alike. */
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
	g->who_random = ~opt_seed;
	g->time = 1000000;
	g->flushed = g->time;
	/* The distance leaves room for millions of objects. */
	g->next_slab = base(UINT64_C(0xffff888010000000), 0xc8000000);
	g->next_page = base(UINT64_C(0xffff900001000000), 0xc2000000);
	g->objects.objects = must_calloc(opt_live + opt_before + 1,
					 sizeof(struct object));
	g->blocks.objects = must_calloc(opt_live + opt_before + 1,
					sizeof(struct object));
	if (opt_abi > 1)
		emit_snapshot(g);
	for (i = 0; i < opt_events; i++) {
		if (!draw(g, 4))
			g->cpu = draw(g, opt_cpus);
		if (opt_abi > 1) {
			emit_phase(g, i);
			emit_others(g, i);
		}
		if (with & WITH_CGROUP && i == opt_events / 2)
			emit_cgroup(g, ROOT_CGROUP + NR_CGROUPS, KMEMTRACE_CGROUP_REMOVED);
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

/* The last sub-buffer of a CPU ends with a whole page. */
static void finish_stream(struct stream *s)
{
	if (opt_abi > 1)
		pad(s, -s->bytes % PAGE_SIZE);
	sink_close(&s->out);
}

/* Write a whole file, which is one packet. */
static void write_file(const char *dir, const char *name,
		       void (*print)(FILE *f, const struct gen *g),
		       const struct gen *g)
{
	struct sink out;
	char *text;
	size_t len;
	FILE *f;

	f = open_memstream(&text, &len);
	if (!f)
		err(EXIT_UNUSABLE, "open_memstream");
	print(f, g);
	if (fclose(f))
		err(EXIT_UNUSABLE, "open_memstream");
	sink_open(&out, dir, name, len, false);
	sink_write(&out, text, len);
	sink_close(&out);
	free(text);
}

static void print_metadata(FILE *f, const struct gen *g)
{
	uint64_t i;

	fprintf(f, "abi_version: %" PRIu64 "\n", opt_abi);
	fprintf(f, "byte_order: %s\n", order_name(opt_order));
	fprintf(f, "word_bits: %" PRIu64 "\n", opt_bits);
	fprintf(f, "page_size: %d\n", PAGE_SIZE);
	fprintf(f, "clock: %s\n", opt_cycles ? "cycles" : "local_clock");
	fprintf(f, "kernel_release: 6.12.0-generated\n");
	fprintf(f, "machine: generated\n");
	fprintf(f, "build_id: 0123456789abcdef0123456789abcdef01234567\n");
	fprintf(f, "cmdline: kmemtrace.enable=yes\n");
	fprintf(f, "cpus: 0-%" PRIu64 "\n", opt_cpus - 1);
	fprintf(f, "subbuf_size: %" PRIu64 "\n", opt_subbuf);
	fprintf(f, "n_subbufs: 20\n");
	fprintf(f, "start_ns: 1000000\n");
	if (opt_sample > 1)
		fprintf(f, "sample: %" PRIu64 "\n", opt_sample);
	if (with)
		fprintf(f, "with: %s\n", opt_with);
	if (g->is_over)
		fprintf(f, "end_ns: %" PRIu64 "\n", g->time);
	else
		fprintf(f, "flushed_ns: %" PRIu64 "\n", g->flushed);
	for (i = 0; i < opt_cpus; i++)
		fprintf(f, "node.cpu%" PRIu64 ": 0\noverruns.cpu%" PRIu64 ": 0\n",
			i, i);
	for (i = 0; opt_abi > 1 && i < opt_cpus; i++)
		fprintf(f, "lost.cpu%" PRIu64 ": 0\n", i);
	fprintf(f, "total_overruns: 0\n");
	for (i = 0; !g->is_over && i < opt_cpus; i++)
		fprintf(f, "unread.cpu%" PRIu64 ": %" PRIu64 "\n", i, (i + 1) * opt_subbuf);
	for (i = 0; g->is_over && i < opt_cpus; i++)
		fprintf(f, "bytes.cpu%" PRIu64 ": %" PRIu64 "\ndropped.cpu%" PRIu64 ": 0\n",
			i, g->streams[i].bytes, i);
	fprintf(f, "state: %s\n", g->is_over ? "complete" : "running");
}

static void write_metadata(const char *dir, const struct gen *g)
{
	write_file(dir, "metadata", print_metadata, g);
}

static void print_symbols(FILE *f, const struct gen *g)
{
	uint32_t i;

	(void)g;
	fprintf(f, "%0*" PRIx64 " T _stext\n", (int)opt_bits / 4, text_base());
	for (i = 0; i < NR_SITES; i++)
		fprintf(f, "%0*" PRIx64 " t site_%u%s\n", (int)opt_bits / 4,
			site_symbol(i), i,
			i < FIRST_MODULE_SITE ? "" : "\t[generated]");
	fprintf(f, "%0*" PRIx64 " R __start_rodata\n", (int)opt_bits / 4,
		text_base() + 0x100000);
}

static void print_modules(FILE *f, const struct gen *g)
{
	(void)g;
	fprintf(f, "generated 0x%" PRIx64 " 16384\n", module_base());
}

static void write_symbols(const char *dir, const struct gen *g)
{
	write_file(dir, "kallsyms", print_symbols, g);
	write_file(dir, "modules", print_modules, g);
}

/* Each cache has its name and an alias. */
static void print_slabs(FILE *f, const struct gen *g)
{
	size_t i;

	(void)g;
	for (i = 0; i < NR_SIZES; i++)
		fprintf(f, "generated-%u :%07u\nolder-%u :%07u\n", sizes[i],
			sizes[i], sizes[i], sizes[i]);
}

/* Print the live memory that a report must find at the end. */
static void print_live(FILE *f, const struct gen *g)
{
	uint64_t bytes = 0, pages = 0;
	size_t i;

	for (i = 0; i < g->objects.nr; i++)
		bytes += sizes[g->objects.objects[i].class];
	for (i = 0; i < g->blocks.nr; i++)
		pages += UINT64_C(1) << g->blocks.objects[i].class;
	pages += g->slab_frames;
	fprintf(f, "slab %zu %" PRIu64 "\npages %" PRIu64 " %" PRIu64 "\n",
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

static int set_abi(const char *value)
{
	return set_number(value, 1, KMEMTRACE_ABI_VERSION, &opt_abi);
}

static int set_subbuf(const char *value)
{
	return set_number(value, PAGE_SIZE, 1 << 20, &opt_subbuf) ||
	       opt_subbuf % PAGE_SIZE;
}

static int set_before(const char *value)
{
	return set_number(value, 0, 1 << 20, &opt_before);
}

static int set_fallback(const char *value)
{
	return set_number(value, 1, UINT64_MAX, &opt_fallback);
}

static int set_cycles(const char *value)
{
	return set_number(value, 1000000, UINT64_C(1) << 34, &opt_cycles);
}

static int set_flush(const char *value)
{
	return set_number(value, 1, UINT64_MAX / 2, &opt_flush);
}

static int set_pause(const char *value)
{
	return set_number(value, 1, 1000000000, &opt_pause);
}

static int set_sample(const char *value)
{
	return set_number(value, 1, 65536, &opt_sample) || opt_sample & (opt_sample - 1);
}

static int set_with(const char *value)
{
	opt_with = value;
	with = with_bits(value);
	return with ? 0 : -EINVAL;
}

static int set_compress(const char *value)
{
	(void)value;
	opt_compress = true;
	return 0;
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
	{ 'a', "abi", "N", "ABI version, 1 or 2 (default: 1)", set_abi },
	{ 'S', "subbuf", "BYTES", "of a sub-buffer, whole pages (default: 458752)", set_subbuf },
	{ 'B', "before", "N", "slab objects that version 2 has a snapshot of (default: 0)", set_before },
	{ 'F', "fallback", "N", "from the Nth sub-buffer of each CPU on, nanoseconds in spite of --cycles", set_fallback },
	{ 'C', "cycles", "HZ", "timestamps of version 2 are cycles of this frequency (default: nanoseconds)", set_cycles },
	{ 'f', "flush", "NS", "flush all CPUs each time so much time has passed; needs -", set_flush },
	{ 't', "pause", "NS", "between two events, 50 ns longer at most (default: 1000)", set_pause },
	{ 'n', "sample", "N", "write one of N slab objects below a page, a power of two (default: 1)", set_sample },
	{ 'w', "with", "WHAT", "also write stack, task, cgroup, separated by commas; needs version 2", set_with },
	{ 'z', "compress", NULL, "the streams, as kmemtraced -z does", set_compress },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-gen",
	.operands = "DIR|-",
	.purpose = "Write a valid random trace into DIR, and what is live at its end, in objects or\n"
		   "pages and in bytes, to the standard output; for -, the trace to the standard\n"
		   "output, as kmemtraced -o - does, and what is live to the standard error.",
	.opts = opts,
};

int main(int argc, char **argv)
{
	const char *dir = dir_operand(&prog, argc, argv);
	bool is_packets = !strcmp(dir, SINK_STDOUT);
	struct gen g = { 0 };
	char name[32];
	uint64_t i;

	if (with && opt_abi == 1)
		errx(EXIT_UNUSABLE, "--with needs --abi 2");
	if (opt_flush && !is_packets)
		errx(EXIT_UNUSABLE, "--flush needs -");
	/* A trace is no text: see common/terminal.c. */
	if (is_packets)
		stdout = fdopen(STDOUT_FILENO, "w");
	if (!stdout)
		err(EXIT_UNUSABLE, "standard output");
	if (is_packets)
		puts(PACKET_MAGIC);
	if (opt_flush)
		write_symbols(dir, &g);
	g.streams = must_calloc(opt_cpus, sizeof(*g.streams));
	for (i = 0; i < opt_cpus; i++) {
		snprintf(name, sizeof(name), "cpu%" PRIu64 ".out", i);
		sink_open(&g.streams[i].out, dir, name, opt_subbuf,
			  opt_compress);
	}
	if (opt_flush)
		write_metadata(dir, &g);
	generate(&g);
	for (i = 0; i < opt_cpus; i++)
		finish_stream(&g.streams[i]);
	g.is_over = true;
	write_metadata(dir, &g);
	if (!opt_flush)
		write_symbols(dir, &g);
	write_file(dir, "slabs", print_slabs, &g);
	if (is_packets)
		puts(PACKET_END);
	print_live(is_packets ? stderr : stdout, &g);

	for (i = 0; i < NR_SIZES; i++)
		free(g.slab[i].free);
	for (i = 0; i < NR_ORDERS; i++)
		free(g.pages[i].free);
	free(g.objects.objects);
	free(g.blocks.objects);
	free(g.streams);
	if (fflush(stdout))
		err(EXIT_UNUSABLE, "standard output");
	return EXIT_SUCCESS;
}
