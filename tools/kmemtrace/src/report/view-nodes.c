// SPDX-License-Identifier: GPL-2.0
/*
 * View: NUMA nodes: the node of the memory, that of the CPU, and the requested one.
 */
#include "config.h"

#include <string.h>

#include "common/abi.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Stands for an unknown node of memory or of a CPU, and for no requested node. */
#define NONE	MAX_NODES

/**
 * struct node_line - the allocations of an allocator with the same node of the CPU and requested node
 * @space: the allocator
 * @requested: requested node, or NONE
 * @cpu_node: node of the CPU, or NONE
 * @allocs: how many
 * @bytes: their bytes by node of the memory
 * @all: all of these bytes
 * @elsewhere: those on another node than that where they should be
 */
struct node_line {
	enum kmemtrace_space space;
	unsigned int requested, cpu_node;
	uint64_t allocs, bytes[MAX_NODES + 1], all, elsewhere;
};

static unsigned int node_of(struct kmemtrace_relation *flow, const char *column)
{
	const uint64_t node = has_cell(flow, column) ? cell_number(flow, column) : NONE;

	return node < NONE ? node : NONE;
}

/* Add a row to a line. Return false: it belongs to another one. */
static bool add_node_flow(struct node_line *line, struct kmemtrace_relation *flow)
{
	const unsigned int node = node_of(flow, "node"), cpu_node = node_of(flow, "cpu_node");
	const unsigned int requested = node_of(flow, "requested_node");
	const unsigned int wanted = requested == NONE ? cpu_node : requested;
	const uint64_t bytes = cell_number(flow, "bytes");

	if (line->allocs && (line->space != cell_number(flow, "allocator") ||
			     line->requested != requested || line->cpu_node != cpu_node))
		return false;
	line->space = cell_number(flow, "allocator");
	line->requested = requested;
	line->cpu_node = cpu_node;
	line->allocs += cell_number(flow, "allocs");
	line->bytes[node] += bytes;
	line->all += bytes;
	if (node != NONE && wanted != NONE && node != wanted)
		line->elsewhere += bytes;
	return true;
}

static void print_line(const struct node_line *line, const bool *has, struct text_table *t)
{
	char heading[32];
	unsigned int i;

	fputs(space_infos[line->space].name, text_cell(t, -7, ""));
	fputs(line->cpu_node == NONE ? "unknown" : NUMBER(line->cpu_node),
	      text_cell(t, 0, "cpu on"));
	fputs(line->space == KMEMTRACE_SPACE_PAGES ? "?" : line->requested == NONE ? "any" :
	      NUMBER(line->requested), text_cell(t, 0, "requested"));
	fputs(NUMBER(line->allocs), text_cell(t, 0, "allocations"));
	fputs(line->all == line->bytes[NONE] ? "-" : PERCENT(line->elsewhere, line->all -
	      line->bytes[NONE]), text_cell(t, 0, "elsewhere"));
	for (i = 0; i <= NONE; i++) {
		if (!has[i])
			continue;
		snprintf(heading, sizeof(heading), i == NONE ? "unknown" : "node %u", i);
		fputs(line->bytes[i] ? BYTES(line->bytes[i]) : "-", text_cell(t, 9, heading));
	}
	text_line_end(t);
}

static void print_before(struct kmemtrace_relation *frees, enum kmemtrace_space space,
			 struct text_table *t)
{
	kmemtrace_relation_rewind(frees);
	while (kmemtrace_relation_next(frees)) {
		if (cell_number(frees, "allocator") != space ||
		    !cell_number(frees, "allocs_before"))
			continue;
		fputs(space_infos[space].name, text_cell(t, -7, ""));
		text_columns(t, frees, "allocs_before=allocations");
		fputs("before the trace reported nodes", text_cell(t, -1, ""));
		text_line_end(t);
	}
}

/* Print the lines of an allocator; rows of a line follow each other. */
static void print_nodes_of(struct kmemtrace_relation *flows, enum kmemtrace_space space,
			   const bool *has, struct text_table *t)
{
	struct node_line line = { .allocs = 0 };

	kmemtrace_relation_rewind(flows);
	while (kmemtrace_relation_next(flows)) {
		if (cell_number(flows, "allocator") != space || add_node_flow(&line, flows))
			continue;
		print_line(&line, has, t);
		line = (struct node_line) { .allocs = 0 };
		add_node_flow(&line, flows);
	}
	if (line.allocs)
		print_line(&line, has, t);
}

void nodes_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *flows, *frees;
	struct text_table t = { .r = r, .out = out };
	bool has[MAX_NODES + 1] = { false };
	int i;

	if (!r->sum->has_nodes)
		return;
	flows = relation_of(r, "nodes");
	frees = relation_of(r, "node_frees");
	print_title(r, out, "Nodes: bytes allocated on each, by node of the CPU and requested node");
	while (kmemtrace_relation_next(flows))
		has[node_of(flows, "node")] = true;
	while (text_table_pass(&t)) {
		for (i = 0; i < NR_SPACES; i++) {
			print_nodes_of(flows, i, has, &t);
			print_before(frees, i, &t);
		}
	}
	kmemtrace_relation_rewind(frees);
	while (kmemtrace_relation_next(frees)) {
		const enum kmemtrace_space space = cell_number(frees, "allocator");
		const uint64_t all = cell_number(frees, "frees");
		const uint64_t remote = cell_number(frees, "frees_by_other_nodes");

		if (r->is_used[space])
			fprintf(out, "  %-7s %s of %s frees by a CPU of another node (%s)\n",
				space_infos[space].name, NUMBER(remote), NUMBER(all),
				PERCENT(remote, all));
	}
	kmemtrace_relation_close(frees);
	kmemtrace_relation_close(flows);
}
