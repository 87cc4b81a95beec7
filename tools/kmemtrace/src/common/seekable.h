/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seekable format of zstd: frames, and a skippable frame behind them with a table of
 * their sizes. The source of zstd describes it in
 * contrib/seekable_format/zstd_seekable_compression_format.md. All numbers are
 * little-endian.
 */
#ifndef KMEMTRACE_SEEKABLE_H
#define KMEMTRACE_SEEKABLE_H

#include <stdint.h>

/* A frame holds a sub-buffer. The kernel allows 16 MB; the default are 448 KB. */
#define SEEKABLE_MAX_LOG	24
#define SEEKABLE_MAX_FRAME	(1u << SEEKABLE_MAX_LOG)

#define SEEKABLE_HEADER_MAGIC	UINT32_C(0x184d2a5e)
#define SEEKABLE_FOOTER_MAGIC	UINT32_C(0x8f92eab1)

/* Bits of a descriptor: entries have checksums; bits without a meaning. */
#define SEEKABLE_CHECKSUMS	0x80
#define SEEKABLE_UNUSED		0x03

/* Before the table; @size are the bytes that follow. */
struct seekable_header {
	uint32_t magic;
	uint32_t size;
};

/* A frame: its bytes, and those of its contents. */
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
