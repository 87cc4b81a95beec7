// SPDX-License-Identifier: GPL-2.0
/*
 * runs.c - runs of chunks in a treap: a search tree by chunk number, which random ranks
 * keep balanced whatever the order of the insertions
 */
#include "config.h"

#include <stddef.h>

#include "ledger/runs.h"

/* Split a tree: those before @chunk go to @left, all others to @right. */
static void split_runs(struct frame_run *tree, uint64_t chunk, struct frame_run **left,
		       struct frame_run **right)
{
	while (tree) {
		if (tree->first < chunk) {
			*left = tree;
			left = &tree->right;
			tree = tree->right;
		} else {
			*right = tree;
			right = &tree->left;
			tree = tree->left;
		}
	}
	*left = NULL;
	*right = NULL;
}

/* Join two trees; all of @left are before those of @right. */
static void merge(struct frame_run **tree, struct frame_run *left, struct frame_run *right)
{
	while (left && right) {
		if (left->rank > right->rank) {
			*tree = left;
			tree = &left->right;
			left = left->right;
		} else {
			*tree = right;
			tree = &right->left;
			right = right->left;
		}
	}
	*tree = left ? left : right;
}

/* Return the link to the topmost run on the way to @chunk with a lower rank, or to it. */
static struct frame_run **link_of(struct runs *r, uint64_t chunk, uint32_t rank)
{
	struct frame_run **link = &r->root;

	while (*link && (*link)->first != chunk && (*link)->rank >= rank)
		link = chunk < (*link)->first ? &(*link)->left : &(*link)->right;
	return link;
}

/* Add a run that overlaps no other. */
void runs_insert(struct runs *r, struct frame_run *run)
{
	struct frame_run **link;

	/* Marsaglia's xorshift */
	r->random ^= r->nr | 1;
	r->random ^= r->random << 13;
	r->random ^= r->random >> 17;
	r->random ^= r->random << 5;
	run->rank = r->random >> 1;
	link = link_of(r, run->first, run->rank);
	split_runs(*link, run->first, &run->left, &run->right);
	*link = run;
	r->nr++;
}

/* Remove a run; it isn't freed. */
void runs_remove(struct runs *r, struct frame_run *run)
{
	struct frame_run **link = link_of(r, run->first, 0);

	merge(link, run->left, run->right);
	r->nr--;
}

/* Return the run with @chunk, or NULL. */
struct frame_run *runs_find(const struct runs *r, uint64_t chunk)
{
	struct frame_run *run = r->root;

	while (run && (chunk < run->first || chunk > run_last(run)))
		run = chunk < run->first ? run->left : run->right;
	return run;
}

/* Return the first run that begins at @chunk or after it, or NULL. */
struct frame_run *runs_next(const struct runs *r, uint64_t chunk)
{
	struct frame_run *run = r->root, *next = NULL;

	while (run) {
		if (run->first >= chunk) {
			next = run;
			run = run->left;
		} else {
			run = run->right;
		}
	}
	return next;
}
