/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_STORE_H
#define COLLECTOR_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sender;

/**
 * struct store_place - where streams are stored
 * @dir: the directory, with a file for each
 * @sender: receives all streams instead; NULL: they go to @dir
 * @compress: compress the streams
 */
struct store_place {
	int		dir;
	struct sender	*sender;
	bool		compress;
};

struct store;

int store_open_file(struct store **store, const struct store_place *place, const char *name,
		    size_t max);
int store_open(struct store **store, const struct store_place *place, int cpu,
	       size_t subbuf_size);
const char *store_name(const struct store *s);
uint64_t store_size(const struct store *s);
void store_bypass_cache(struct store *s);
int store_reserve(struct store *s);
int store_append(struct store *s, const void *data, size_t len);
int store_finish(struct store *s);
int store_close(struct store *s);
void store_remove(struct store *s);

#endif /* COLLECTOR_STORE_H */
