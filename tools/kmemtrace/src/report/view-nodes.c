// SPDX-License-Identifier: GPL-2.0
/*
 * View: NUMA nodes: on which one memory was given, to a CPU of which one, and whether
 * that is the one that was asked for.
 */
#include "config.h"

#include "books/nodes.h"
#include "common/memory.h"
#include "report/format.h"
#include "report/view.h"

/* A node's number, or this for what isn't known, in a place of its own. */
#define UNKNOWN		MAX_NODES

/**
 * struct matrix - the allocations of one namespace
 * @flows: key is node_key(), of the CPU's node instead of the CPU; by key
 * @before: allocations that came before the trace told of more than one node
 * @frees: of something that is no older than the trace
 * @remote: those of them by a CPU of another node
 */
struct matrix {
	struct table flows;
	uint64_t before;
	uint64_t frees, remote;
};

static unsigned int cpu_node(const struct report *r, unsigned int cpu)
{
	uint64_t node;

	if (!tracedir_meta_cpu(&r->trace->dir, "node.cpu", cpu, &node) ||
	    node >= MAX_NODES)
		return UNKNOWN;
	return node;
}

static unsigned int memory_node(uint64_t key)
{
	int node = node_key_node(key);

	return node == NO_NODE ? UNKNOWN : node;
}

/* Which node would have been the right one? */
static unsigned int wanted_node(uint64_t key)
{
	int asked = node_key_asked(key);

	return asked == NO_NODE ? node_key_cpu(key) : (unsigned int)asked;
}

static bool is_elsewhere(uint64_t key)
{
	return memory_node(key) != UNKNOWN && wanted_node(key) != UNKNOWN &&
	       memory_node(key) != wanted_node(key);
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static void collect(struct matrix *m, const struct report *r, enum space space)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct table *t = &s->nodes[space];
	uint32_t i;

	*m = (struct matrix) {
		.flows.ctx = r->trace->ledger.ctx,
		.before = s->totals[space].allocs,
		.frees = s->totals[space].matched,
	};
	for (i = 0; i < t->nr; i++) {
		uint64_t key = t->rows[i].key;

		m->before -= t->rows[i].allocs;
		table_add(&m->flows,
			  node_key(node_key_asked(key),
				   cpu_node(r, node_key_cpu(key)),
				   node_key_node(key)), &t->rows[i]);
	}
	if (m->flows.nr)
		qsort(m->flows.rows, m->flows.nr, sizeof(*m->flows.rows), by_key);
	for (i = 0; i < s->cpus[space].nr; i++) {
		const struct row *pair = &s->cpus[space].rows[i];

		if (cpu_node(r, pair->key >> 16) !=
		    cpu_node(r, pair->key & 0xffff))
			m->remote += pair->remote;
	}
}

static void free_matrix(struct matrix *m)
{
	table_free(&m->flows);
}

/* The nodes that have a column: those with memory, and UNKNOWN. */
static void find_columns(const struct report *r, bool *has)
{
	const struct stats *s = &r->trace->ledger.stats;
	uint32_t i;
	int space;

	for (space = 0; space < NR_SPACES; space++)
		for (i = 0; i < s->nodes[space].nr; i++)
			has[memory_node(s->nodes[space].rows[i].key)] = true;
}

static const char *node_name(char *buf, unsigned int node)
{
	return node == UNKNOWN ? "unknown" : format_number(buf, node);
}

static void print_heading(const bool *has, FILE *out)
{
	unsigned int i;

	fprintf(out, "          cpu on   asked for allocations elsewhere ");
	for (i = 0; i <= UNKNOWN; i++)
		if (has[i] && i != UNKNOWN)
			fprintf(out, "   node %-3u", i);
	fprintf(out, has[UNKNOWN] ? "    unknown\n" : "\n");
}

/* Those from @row on that differ in nothing but the node: one line. Returns the next. */
static const struct row *print_flow(enum space space, const struct row *row,
				    const struct row *end, const bool *has,
				    FILE *out)
{
	uint64_t bytes[MAX_NODES + 1] = { 0 }, allocs = 0, sum = 0, elsewhere = 0;
	uint64_t key = row->key;
	char buf[FORMAT_LEN];
	unsigned int i;

	for (; row < end && row->key >> 16 == key >> 16; row++) {
		bytes[memory_node(row->key)] += row->alloc;
		allocs += row->allocs;
		sum += row->alloc;
		if (is_elsewhere(row->key))
			elsewhere += row->alloc;
	}
	fprintf(out, "  %-7s %6s", space_infos[space].name,
		node_name(buf, node_key_cpu(key)));
	fprintf(out, " %11s %11s %9s ", space == SPACE_PAGES ? "?" :
		node_key_asked(key) == NO_NODE ? "any" :
		NUMBER(node_key_asked(key)),
		NUMBER(allocs), sum == bytes[UNKNOWN] ? "-" :
		PERCENT(elsewhere, sum - bytes[UNKNOWN]));
	for (i = 0; i <= UNKNOWN; i++)
		if (has[i])
			fprintf(out, " %10s", bytes[i] ? BYTES(bytes[i]) : "-");
	fputc('\n', out);
	return row;
}

static void print_matrix(const struct matrix *m, enum space space,
			 const bool *has, FILE *out)
{
	const struct row *row = m->flows.rows, *end = row + m->flows.nr;

	while (row < end)
		row = print_flow(space, row, end, has, out);
	if (m->before)
		fprintf(out, "  %-7s %6s %11s %11s  before the trace told of nodes\n",
			space_infos[space].name, "", "", NUMBER(m->before));
}

void nodes_text(const struct report *r, FILE *out)
{
	struct matrix all[NR_SPACES];
	bool has[MAX_NODES + 1] = { false };
	int i;

	if (!r->trace->ledger.nodes.are_many)
		return;
	find_columns(r, has);
	print_title(r, out, "Nodes: bytes allocated on each, by node of the CPU and node that was asked for");
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

static json_object *flow_json(enum space space, const struct row *row)
{
	json_object *obj = json_object_new_object();

	if (space != SPACE_PAGES)
		json_object_object_add(obj, "asked_node",
			json_object_new_int(node_key_asked(row->key)));
	if (node_key_cpu(row->key) != UNKNOWN)
		add_u64(obj, "cpu_node", node_key_cpu(row->key));
	if (memory_node(row->key) != UNKNOWN)
		add_u64(obj, "node", memory_node(row->key));
	add_u64(obj, "allocs", row->allocs);
	add_u64(obj, "bytes_alloc", row->alloc);
	return obj;
}

static json_object *matrix_json(const struct report *r, enum space space)
{
	json_object *obj = json_object_new_object();
	json_object *list = json_object_new_array();
	struct matrix m;
	uint32_t i;

	collect(&m, r, space);
	for (i = 0; i < m.flows.nr; i++)
		json_object_array_add(list, flow_json(space, &m.flows.rows[i]));
	json_object_object_add(obj, "allocated", list);
	add_u64(obj, "allocs_before", m.before);
	add_u64(obj, "frees", m.frees);
	add_u64(obj, "frees_by_other_nodes", m.remote);
	free_matrix(&m);
	return obj;
}

json_object *nodes_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, matrix_json);
}
