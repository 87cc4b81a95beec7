/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a stream, from a compressed or an uncompressed file.
 */
#ifndef KMEMTRACE_INPUT_H
#define KMEMTRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "read/decoder.h"
#include "read/files.h"

struct seekable;

/**
 * enum input_fault - why a stream ends early
 * @INPUT_OK: it does not
 * @INPUT_CUT: its file has no table of frames, and may end within a frame
 * @INPUT_DAMAGED: a frame can't be decompressed
 */
enum input_fault {
	INPUT_OK,
	INPUT_CUT,
	INPUT_DAMAGED,
};

/**
 * struct input - the file of a stream
 * @size: bytes of the stream, as the file says, or those that arrived so far
 * @grows: more of them may arrive
 * @fault: why the stream ends early; valid once its last byte was read
 * @fault_at: offset of the fault in the file
 */
struct input {
	uint64_t size;
	bool grows;
	enum input_fault fault;
	uint64_t fault_at;

	/* private: */
	struct context *ctx;
	struct file file;
	struct decoder *decoder;
	struct seekable *zst;
};

int input_open(struct input *in, struct context *ctx, struct files *files,
	       const char *name, struct decoder *decoder);
int input_open_arriving(struct input *in, struct context *ctx, struct files *files,
			const char *name, struct decoder *decoder);
int input_update(struct input *in, bool grows);
bool input_detach(struct input *in);
uint64_t input_kept(const struct input *in, uint64_t offset);
ssize_t input_read(struct input *in, void *buf, size_t len, uint64_t offset);
ssize_t input_peek(struct input *in, void *buf, size_t len, uint64_t offset);
void input_close(struct input *in);

#endif /* KMEMTRACE_INPUT_H */
