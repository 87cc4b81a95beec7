/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call paths: a list, and the tree that they form.
 */
#ifndef KMEMTRACE_PATHS_H
#define KMEMTRACE_PATHS_H

#include <stdbool.h>

#include "report/figures.h"
#include "report/site.h"

/* Most frames of a call path: those of the kernel, and one that is no address. */
#define PATHS_MAX_DEPTH	33

/* Frames that are no address. */
#define FRAME_MORE	0
#define FRAME_UNKNOWN	1
#define NR_NO_FRAMES	2

/**
 * struct call_path - a call path of one allocator
 * @figures: its figures
 * @frames: numbers of its frames, the outermost caller first
 * @depth: number of @frames
 * @is_rest: it is below the list, see kmemtrace_relation_is_rest()
 * @calls: its calls
 */
struct call_path {
	struct figures figures;
	uint32_t *frames;
	size_t depth;
	bool is_rest;

	/* private: until the frames have numbers */
	struct calls calls;
};

/**
 * struct frame_name - what a frame is called
 * @addr: its address; of frames with the same name, that of one of them
 * @name: name as --group-by says; NULL: each address is a frame
 */
struct frame_name {
	uint64_t addr;
	char *name;
};

/**
 * struct call_paths - the call paths of an allocator
 * @r: the report
 * @list: the call paths, in the order of the report, the rest last
 * @nr: entries of @list
 * @names: by number of the frame
 * @nr_names: entries of @names
 */
struct call_paths {
	const struct report *r;
	struct call_path *list;
	size_t nr;
	struct frame_name *names;
	uint32_t nr_names;

	/* private: */
	uint32_t *frames;
};

/**
 * struct path_node - a frame in the tree of call paths
 * @frame: number of the frame
 * @all: sum of the call paths through it
 * @own: what lists are sorted by, of those that end there
 * @is_end: some end there
 * @is_shown: one of the first call paths goes through it, or the rest
 * @is_rest: it is the rest
 * @child: the first of the frames below it, 0: none; the largest one comes first
 * @next: the next frame below the one above
 */
struct path_node {
	uint32_t frame;
	struct figures all;
	uint64_t own;
	bool is_end, is_shown, is_rest;
	uint32_t child, next;
};

/**
 * struct path_tree - the tree of call paths
 * @nodes: its nodes; the first one is the root, which is no frame
 * @nr: entries of @nodes
 */
struct path_tree {
	struct path_node *nodes;
	uint32_t nr;
};

void paths_collect(struct call_paths *p, const struct report *r, enum kmemtrace_space space);
void paths_free(struct call_paths *p);
void paths_print_frame(const struct call_paths *p, uint32_t frame, FILE *out);

void path_tree_make(struct path_tree *t, const struct call_paths *p, bool is_bottom_up,
		    size_t limit);
void path_tree_free(struct path_tree *t);

#endif /* KMEMTRACE_PATHS_H */
