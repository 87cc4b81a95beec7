// SPDX-License-Identifier: GPL-2.0
/*
 * View: NUMA nodes: the node of the memory, that of the CPU, and the requested one.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "common/abi.h"
#include "common/memory.h"
#include "report/format.h"
#include "report/view.h"

/* Stands for an unknown node. */
#define UNKNOWN		MAX_NODES
/* Stands for no node, where an allocation may request one. */
#define NO_NODE		(-1)

/**
 * struct flow - allocations with the same nodes
 * @asked: requested node, or NO_NODE
 * @cpu_node: node of the CPU, or UNKNOWN
 * @node: node of the memory, or UNKNOWN
 * @allocs: how many
 * @bytes: allocated bytes
 */
struct flow {
	int asked;
	unsigned int cpu_node, node;
	uint64_t allocs, bytes;
};

/**
 * struct matrix - the allocations of one allocator
 * @flows: sorted by nodes
 * @nr: entries of @flows
 * @before: allocations before the trace reported more than one node
 * @frees: frees of known memory
 * @remote: those of @frees by a CPU of another node
 */
struct matrix {
	struct flow *flows;
	size_t nr;
	uint64_t before;
	uint64_t frees, remote;
};

static unsigned int node_of_cpu(const struct report *r, unsigned int cpu)
{
	const char *value;
	char key[32], *end;
	unsigned long node;

	snprintf(key, sizeof(key), "node.cpu%u", cpu);
	value = kmemtrace_metadata(r->trace, key);
	if (!value || !isdigit((unsigned char)*value))
		return UNKNOWN;
	node = strtoul(value, &end, 10);
	return *end || node >= MAX_NODES ? UNKNOWN : node;
}

static unsigned int memory_node(int node)
{
	return node == NO_NODE ? UNKNOWN : (unsigned int)node;
}

/* Return the node on which the memory should be. */
static unsigned int wanted_node(const struct flow *f)
{
	return f->asked == NO_NODE ? f->cpu_node : (unsigned int)f->asked;
}

static bool is_elsewhere(const struct flow *f)
{
	return f->node != UNKNOWN && wanted_node(f) != UNKNOWN &&
	       f->node != wanted_node(f);
}

/* Return whether two flows are in the same line of the text. */
static bool same_line(const struct flow *x, const struct flow *y)
{
	return x->asked == y->asked && x->cpu_node == y->cpu_node;
}

static int by_nodes(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	if (x->asked != y->asked)
		return x->asked < y->asked ? -1 : 1;
	if (x->cpu_node != y->cpu_node)
		return x->cpu_node < y->cpu_node ? -1 : 1;
	/* Unknown nodes come first. */
	if ((x->node == UNKNOWN) != (y->node == UNKNOWN))
		return x->node == UNKNOWN ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static void merge_flows(struct matrix *m)
{
	size_t i, nr = 0;

	if (m->nr)
		qsort(m->flows, m->nr, sizeof(*m->flows), by_nodes);
	for (i = 0; i < m->nr; i++) {
		if (nr && !by_nodes(&m->flows[nr - 1], &m->flows[i])) {
			m->flows[nr - 1].allocs += m->flows[i].allocs;
			m->flows[nr - 1].bytes += m->flows[i].bytes;
		} else {
			m->flows[nr++] = m->flows[i];
		}
	}
	m->nr = nr;
}

static void collect(struct matrix *m, const struct report *r, enum kmemtrace_space space)
{
	const struct kmemtrace_row *total = kmemtrace_total(r->trace, space);
	const struct kmemtrace_node_flow *flow;
	const struct kmemtrace_cpu_pair *pair;
	size_t i;

	*m = (struct matrix) { .before = total->allocs, .frees = total->frees };
	for (i = 0; (flow = kmemtrace_get_node_flow(r->trace, space, i)); i++) {
		m->before -= flow->allocs;
		m->flows = must_grow_list(m->flows, m->nr, sizeof(*m->flows));
		m->flows[m->nr++] = (struct flow) {
			.asked = flow->asked_node,
			.cpu_node = node_of_cpu(r, flow->cpu),
			.node = memory_node(flow->node),
			.allocs = flow->allocs,
			.bytes = flow->bytes_alloc,
		};
	}
	merge_flows(m);
	for (i = 0; (pair = kmemtrace_get_cpu_pair(r->trace, space, i)); i++)
		if (node_of_cpu(r, pair->alloc_cpu) != node_of_cpu(r, pair->free_cpu))
			m->remote += pair->frees;
}

static void free_matrix(struct matrix *m)
{
	free(m->flows);
}

/* Find the nodes that have a column: those with memory, and UNKNOWN. */
static void find_columns(const struct report *r, bool *has)
{
	const struct kmemtrace_node_flow *flow;
	int space;
	size_t i;

	for (space = 0; space < NR_SPACES; space++)
		for (i = 0; (flow = kmemtrace_get_node_flow(r->trace, space, i)); i++)
			has[memory_node(flow->node)] = true;
}

static const char *node_name(char *buf, unsigned int node)
{
	return node == UNKNOWN ? "unknown" : format_number(buf, node);
}

static void print_heading(const bool *has, FILE *out)
{
	unsigned int i;

	fprintf(out, "          cpu on   requested allocations elsewhere ");
	for (i = 0; i <= UNKNOWN; i++)
		if (has[i] && i != UNKNOWN)
			fprintf(out, "   node %-3u", i);
	fprintf(out, has[UNKNOWN] ? "    unknown\n" : "\n");
}

/* Print the flows that differ only in the node of the memory. Return the next one. */
static const struct flow *print_flow(enum kmemtrace_space space, const struct flow *first,
				     const struct flow *end, const bool *has, FILE *out)
{
	uint64_t bytes[MAX_NODES + 1] = { 0 }, allocs = 0, sum = 0, elsewhere = 0;
	const struct flow *f;
	char buf[FORMAT_LEN];
	unsigned int i;

	for (f = first; f < end && same_line(f, first); f++) {
		bytes[f->node] += f->bytes;
		allocs += f->allocs;
		sum += f->bytes;
		if (is_elsewhere(f))
			elsewhere += f->bytes;
	}
	fprintf(out, "  %-7s %6s", space_infos[space].name,
		node_name(buf, first->cpu_node));
	fprintf(out, " %11s %11s %9s ", space == KMEMTRACE_SPACE_PAGES ? "?" :
		first->asked == NO_NODE ? "any" : NUMBER(first->asked),
		NUMBER(allocs), sum == bytes[UNKNOWN] ? "-" :
		PERCENT(elsewhere, sum - bytes[UNKNOWN]));
	for (i = 0; i <= UNKNOWN; i++)
		if (has[i])
			fprintf(out, " %10s", bytes[i] ? BYTES(bytes[i]) : "-");
	fputc('\n', out);
	return f;
}

static void print_matrix(const struct matrix *m, enum kmemtrace_space space,
			 const bool *has, FILE *out)
{
	const struct flow *f = m->flows, *end = m->flows + m->nr;

	while (f < end)
		f = print_flow(space, f, end, has, out);
	if (m->before)
		fprintf(out, "  %-7s %6s %11s %11s  before the trace reported nodes\n",
			space_infos[space].name, "", "", NUMBER(m->before));
}

void nodes_text(const struct report *r, FILE *out)
{
	struct matrix all[NR_SPACES];
	bool has[MAX_NODES + 1] = { false };
	int i;

	if (!r->sum->has_nodes)
		return;
	find_columns(r, has);
	print_title(r, out, "Nodes: bytes allocated on each, by node of the CPU and requested node");
	print_heading(has, out);
	for (i = 0; i < NR_SPACES; i++) {
		collect(&all[i], r, i);
		print_matrix(&all[i], i, has, out);
	}
	for (i = 0; i < NR_SPACES; i++) {
		if (space_is_used(r, i))
			fprintf(out, "  %-7s %s of %s frees by a CPU of another node (%s)\n",
				space_infos[i].name, NUMBER(all[i].remote),
				NUMBER(all[i].frees),
				PERCENT(all[i].remote, all[i].frees));
		free_matrix(&all[i]);
	}
}
