/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_COMPRESS_H
#define COLLECTOR_COMPRESS_H

#include <stddef.h>
#include <sys/types.h>

struct compressor;

struct compressor *compressor_new(size_t max);
size_t compressor_room(const struct compressor *c);
ssize_t compressor_frame(struct compressor *c, const void *data, size_t len,
			 const void **frame);
void compressor_keep(struct compressor *c);
size_t compressor_table(struct compressor *c, const void **table);
void compressor_free(struct compressor *c);

#endif /* COLLECTOR_COMPRESS_H */
