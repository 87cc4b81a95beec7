/* SPDX-License-Identifier: GPL-2.0 */
/*
 * References to counted objects: who takes them, and who keeps them.
 */
#ifndef KMEMTRACE_REFERENCES_H
#define KMEMTRACE_REFERENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/intern.h"
#include "common/lookup.h"
#include "read/event.h"
#include "sums/who.h"

/**
 * struct reference_path - the references to objects of a kind that a call path takes or drops
 * @site: the call site
 * @kind: number of the kind in @kinds of struct references
 * @path: index of the call path, as in struct who
 * @gets: references that it took
 * @puts: references that it dropped
 * @objects: objects to which it took some
 */
struct reference_path {
	uint64_t site;
	uint32_t kind, path;
	uint64_t gets, puts, objects;
};

/**
 * struct holder - the references to an object that a call path takes or drops
 * @path: index of the struct reference_path
 * @gets: references that it took
 * @puts: references that it dropped
 * @since: when it took the first one that it did not drop itself
 */
struct holder {
	uint32_t path;
	uint64_t gets, puts;
	int64_t since;
};

/**
 * struct counted_object - an object that has references
 * @ptr: its address
 * @kind: number of its kind
 * @nr: number of @holders; 0: this is none
 * @before: references that it had before tracing began, as far as known
 * @is_own: a program of kmemtrace took the first reference
 * @holders: who takes and drops references
 */
struct counted_object {
	uint64_t ptr;
	uint32_t kind, nr;
	uint64_t before;
	bool is_own;
	struct holder *holders;

	/* private: of many holders */
	struct lookup by_path;
};

/**
 * struct references - all references, and the objects that have some
 * @kinds: the names of the kinds
 * @paths: call paths, in the order in which they came
 * @nr_paths: entries of @paths
 * @nr_objects: objects that have references now
 */
struct references {
	struct intern kinds;
	struct reference_path *paths;
	uint32_t nr_paths;
	size_t nr_objects;

	/* private: a hash with open addressing, and 2^bits entries */
	struct lookup path_keys;
	struct counted_object *list;
	unsigned int bits;
	uint64_t seed;
};

/**
 * struct held_references - references to an object that a call path took, and nothing dropped
 * @object: the object
 * @path: index of the struct reference_path
 * @nr: how many
 * @since: when the first one was taken
 */
struct held_references {
	const struct counted_object *object;
	uint32_t path;
	uint64_t nr;
	int64_t since;
};

bool references_take(struct references *r, struct who *w, const struct record *rec,
		     unsigned int cpu);
int references_each_held(const struct references *r, const struct who *w,
			 int (*each)(void *arg, const struct held_references *held), void *arg);
void references_free(struct references *r);

#endif /* KMEMTRACE_REFERENCES_H */
