// SPDX-License-Identifier: GPL-2.0
/*
 * cpus.c - relations of CPUs and NUMA nodes
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "common/number.h"
#include "linux/kmemtrace.h"
#include "relations/columns.h"

/* ---- CPUs ---- */

static int fill_cpus(struct kmemtrace_relation *r)
{
	const struct trace *t = &r->trace->t;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < t->dir.nr_cpus; i++)
		ret = relation_add(r, &t->cpus[i]);
	return ret;
}

/* Sets the part of its buffer that was not read when the metadata was written. */
static bool get_unread(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		       struct kmemtrace_field *value)
{
	const struct tracedir *dir = &r->trace->t.dir;
	uint64_t size, nr, unread;

	(void)arg;
	if (!tracedir_meta_u64(dir, "subbuf_size", &size) ||
	    !tracedir_meta_u64(dir, "n_subbufs", &nr) || !size || !nr ||
	    !tracedir_meta_cpu(dir, "unread.cpu", ((const struct cpu_summary *)row)->cpu, &unread))
		return false;
	value->real = (double)unread / ((double)size * (double)nr);
	return true;
}

static int fill_losses(struct kmemtrace_relation *r)
{
	const struct trace *t = &r->trace->t;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < trace_losses_kept(t); i++)
		ret = relation_add(r, &t->losses[i]);
	return ret;
}

static const struct column cpu_columns[] = {
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, MEMBER(struct cpu_summary, cpu), "its number", KEY),
	COLUMN("is_present", "present", BOOL, NO_UNIT, MEMBER(struct cpu_summary, present),
	       "its stream is there"),
	COLUMN("events", "events", NUMBER, COUNT, MEMBER(struct cpu_summary, events),
	       "allocations, frees and failures"),
	COLUMN("lost_events", "lost", NUMBER, COUNT, MEMBER(struct cpu_summary, lost_events),
	       "events that the kernel lost on it"),
	COLUMN("lost_bytes", "lost bytes", NUMBER, BYTES, MEMBER(struct cpu_summary, lost),
	       "bytes that the kernel lost on it"),
	COLUMN("subbufs_before", "before", NUMBER, COUNT,
	       MEMBER(struct cpu_summary, subbufs_before),
	       "sub-buffers before the first one in the stream"),
	COLUMN("subbufs_missing", "missing", NUMBER, COUNT,
	       MEMBER(struct cpu_summary, subbufs_missing),
	       "sub-buffers that are missing in the stream"),
	COLUMN("unread_ratio", "unread", REAL, RATIO, .get = get_unread,
	       "while it is being recorded: part of the buffer that was not read yet", MAYBE),
};

static const struct column loss_columns[] = {
	COLUMN("cpu", "CPU", NUMBER, NO_UNIT, MEMBER(struct loss, cpu),
	       "CPU that lost the events", KEY),
	COLUMN("until_ns", "until", SIGNED, TIME, TIME_AT(struct loss, until),
	       "from when on events were recorded again", KEY),
	COLUMN("since_ns", "since", SIGNED, TIME, TIME_IF(struct loss, since),
	       "time of the first that found no room", MAYBE),
	COLUMN("lost_events", "lost", NUMBER, COUNT, MEMBER(struct loss, records),
	       "how many"),
	COLUMN("nested", "nested", NUMBER, COUNT, MEMBER(struct loss, nested),
	       "how many of them came in an NMI"),
};

/**
 * struct pair_row - frees on another CPU than the allocation
 * @space: the allocator
 * @alloc_cpu: CPU of the allocations
 * @free_cpu: CPU of the frees
 * @frees: how many
 * @bytes: bytes that they freed
 */
struct pair_row {
	int space;
	unsigned int alloc_cpu, free_cpu;
	uint64_t frees, bytes;
};

static struct pair_row pair_of(int space, const struct row *row)
{
	return (struct pair_row) {
		.space = space,
		.alloc_cpu = row->key >> 16,
		.free_cpu = row->key & 0xffff,
		.frees = row->remote,
		.bytes = row->alloc,
	};
}

static int fill_cpu_pairs(struct kmemtrace_relation *r)
{
	const struct table *of = r->trace->t.ledger.stats.cpus;
	struct pair_row row;
	uint32_t i;
	int space, ret = 0;

	for (space = 0; space < NR_SPACES; space++) {
		for (i = 0; !ret && i < of[space].nr; i++) {
			row = pair_of(space, &of[space].rows[i]);
			ret = relation_add(r, &row);
		}
	}
	return ret;
}

/* Those with most frees first. */
static int compare_pairs(const void *a, const void *b)
{
	const struct pair_row *x = a, *y = b;

	return x->space - y->space ?: compare_u64(y->frees, x->frees) ?:
	       compare_u64(x->alloc_cpu, y->alloc_cpu) ?:
	       compare_u64(x->free_cpu, y->free_cpu);
}

static const struct column cpu_pair_columns[] = {
	ALLOCATOR(struct pair_row),
	COLUMN("alloc_cpu", "allocated on", NUMBER, NO_UNIT, MEMBER(struct pair_row, alloc_cpu),
	       "CPU of the allocations", KEY),
	COLUMN("free_cpu", "freed on", NUMBER, NO_UNIT, MEMBER(struct pair_row, free_cpu),
	       "CPU of the frees", KEY),
	COLUMN("remote_frees", "frees", NUMBER, COUNT, MEMBER(struct pair_row, frees),
	       "how many"),
	COLUMN("freed_bytes", "bytes", NUMBER, BYTES, MEMBER(struct pair_row, bytes),
	       "bytes that they freed"),
};

/* ---- NUMA nodes ---- */

/**
 * struct flow_row - allocations with the same nodes
 * @space: the allocator
 * @requested: requested node, -1 for none
 * @cpu_node: node of the CPU, -1: unknown
 * @node: node of the memory, -1: unknown
 * @allocs: how many
 * @bytes: bytes that they got
 */
struct flow_row {
	int space;
	int requested, cpu_node, node;
	uint64_t allocs, bytes;
};

/* Return the node of a CPU, or -1. */
static int node_of_cpu(const struct kmemtrace_trace *trace, unsigned int cpu)
{
	const char *value;
	char key[32], *end;
	unsigned long node;

	snprintf(key, sizeof(key), "node.cpu%u", cpu);
	value = kmemtrace_metadata(trace, key);
	if (!value || !isdigit((unsigned char)*value))
		return -1;
	node = strtoul(value, &end, 10);
	return *end || node >= MAX_NODES ? -1 : (int)node;
}

static int compare_flows(const void *a, const void *b)
{
	const struct flow_row *x = a, *y = b;

	return x->space - y->space ?: x->requested - y->requested ?:
	       x->cpu_node - y->cpu_node ?: x->node - y->node;
}

static void add_flow(void *sum, const void *row)
{
	struct flow_row *to = sum;
	const struct flow_row *from = row;

	to->allocs += from->allocs;
	to->bytes += from->bytes;
}

static int fill_nodes(struct kmemtrace_relation *r)
{
	const struct table *of = r->trace->t.ledger.stats.nodes;
	const struct row *from;
	uint32_t i;
	int space, ret = 0;

	for (space = 0; space < NR_SPACES; space++) {
		for (i = 0; !ret && i < of[space].nr; i++) {
			from = &of[space].rows[i];
			ret = relation_add(r, &(struct flow_row) {
				.space = space,
				.requested = node_key_asked(from->key),
				.cpu_node = node_of_cpu(r->trace, node_key_cpu(from->key)),
				.node = node_key_node(from->key),
				.allocs = from->allocs,
				.bytes = from->alloc,
			});
		}
	}
	relation_merge(r, compare_flows, add_flow);
	return ret;
}

static bool get_node(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
		     struct kmemtrace_field *value)
{
	(void)r;
	value->signed_number = *(const int *)((const char *)row + offset);
	return value->signed_number >= 0;
}

/* The page allocator records no requested node. */
static bool get_requested(const struct kmemtrace_relation *r, const void *row, unsigned int offset,
			  struct kmemtrace_field *value)
{
	return get_node(r, row, offset, value) &&
	       ((const struct flow_row *)row)->space != KMEMTRACE_SPACE_PAGES;
}

#define NODE_AT(member)	.get = get_node, .arg = offsetof(struct flow_row, member)

static const struct column node_columns[] = {
	ALLOCATOR(struct flow_row),
	{ .name = "requested_node", .heading = "requested", .type = KMEMTRACE_SIGNED,
	  .get = get_requested, .arg = offsetof(struct flow_row, requested), KEY, MAYBE,
	  .help = "node that the allocations requested; none: any, or unknown" },
	COLUMN("cpu_node", "cpu on", SIGNED, NO_UNIT, NODE_AT(cpu_node),
	       "node of the CPU", KEY, MAYBE),
	COLUMN("node", "node", SIGNED, NO_UNIT, NODE_AT(node),
	       "node of the memory", KEY, MAYBE),
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct flow_row, allocs),
	       "allocations since the record of a second node"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, MEMBER(struct flow_row, bytes),
	       "bytes that they got"),
};

/**
 * struct node_frees_row - frees of an allocator by node
 * @space: the allocator
 * @before: allocations before the trace reported more than one node
 * @frees: frees of known memory
 * @remote: those of them by a CPU of another node
 */
struct node_frees_row {
	int space;
	uint64_t before, frees, remote;
};

static int add_node_frees(struct kmemtrace_relation *r, int space)
{
	const struct stats *stats = &r->trace->t.ledger.stats;
	const struct table *flows = &stats->nodes[space], *pairs = &stats->cpus[space];
	struct node_frees_row row = {
		.space = space,
		.before = stats->totals[space].allocs,
		.frees = stats->totals[space].matched,
	};
	struct pair_row pair;
	uint32_t i;

	for (i = 0; i < flows->nr; i++)
		row.before -= flows->rows[i].allocs;
	for (i = 0; i < pairs->nr; i++) {
		pair = pair_of(space, &pairs->rows[i]);
		if (node_of_cpu(r->trace, pair.alloc_cpu) != node_of_cpu(r->trace, pair.free_cpu))
			row.remote += pair.frees;
	}
	return relation_add(r, &row);
}

static int fill_node_frees(struct kmemtrace_relation *r)
{
	int space, ret = 0;

	for (space = 0; !ret && r->trace->summary.has_nodes && space < NR_SPACES; space++)
		ret = add_node_frees(r, space);
	return ret;
}

static const struct column node_frees_columns[] = {
	ALLOCATOR(struct node_frees_row),
	COLUMN("allocs_before", "before", NUMBER, COUNT, MEMBER(struct node_frees_row, before),
	       "allocations before the trace reported more than one node"),
	COLUMN("frees", "frees", NUMBER, COUNT, MEMBER(struct node_frees_row, frees),
	       "frees of known memory"),
	COLUMN("frees_by_other_nodes", "remote", NUMBER, COUNT,
	       MEMBER(struct node_frees_row, remote), "those by a CPU of another node"),
};

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(INFO("cpus", "CPUs: their events and losses."),
	     cpu_columns, struct cpu_summary, fill_cpus, NULL),
	LIST(INFO("losses", "The first losses: when events were lost."),
	     loss_columns, struct loss, fill_losses, NULL),
	LIST(INFO("cpu_pairs", "Frees on another CPU than the allocation, by both CPUs."),
	     cpu_pair_columns, struct pair_row, fill_cpu_pairs, compare_pairs),
	LIST(INFO("nodes", "Allocations by NUMA nodes of the memory, of the CPU and requested."),
	     node_columns, struct flow_row, fill_nodes, compare_flows),
	LIST(INFO("node_frees", "Frees by a CPU of another NUMA node."),
	     node_frees_columns, struct node_frees_row, fill_node_frees, NULL),
};

RELATIONS(cpu_relations, list);
