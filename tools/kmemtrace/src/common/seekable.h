/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seekable format of zstd: frames, and a skippable one behind them with a table
 * that says where they are. It is described in zstd's source,
 * contrib/seekable_format/zstd_seekable_compression_format.md. All numbers are
 * little-endian.
 */
#ifndef KMEMTRACE_SEEKABLE_H
#define KMEMTRACE_SEEKABLE_H

#include <stdint.h>

/* A frame is a sub-buffer, of which none is larger. */
#define SEEKABLE_MAX_LOG	22
#define SEEKABLE_MAX_FRAME	(1u << SEEKABLE_MAX_LOG)

#define SEEKABLE_HEADER_MAGIC	UINT32_C(0x184d2a5e)
#define SEEKABLE_FOOTER_MAGIC	UINT32_C(0x8f92eab1)

/* Bits of a descriptor: an entry has a checksum; no meaning. */
#define SEEKABLE_CHECKSUMS	0x80
#define SEEKABLE_UNUSED		0x03

/* Before the table; @size is that of what follows. */
struct seekable_header {
	uint32_t magic;
	uint32_t size;
};

/* A frame: its size, and that of what it holds. */
struct seekable_entry {
	uint32_t stored;
	uint32_t bytes;
};

/* Behind the table, at the end of the file. */
struct seekable_footer {
	uint32_t nr;
	uint8_t descriptor;
	uint32_t magic;
} __attribute__((packed));

#endif /* KMEMTRACE_SEEKABLE_H */
