/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace as one stream, for a pipe. It begins with PACKET_MAGIC and a newline, and is
 * made of packets: a line "<name> <length>", <length> bytes. They belong to the end of
 * the file <name> of the trace directory; those of PACKET_METADATA are all of it. After
 * the last one comes the line PACKET_END.
 */
#ifndef KMEMTRACE_PACKET_H
#define KMEMTRACE_PACKET_H

#define PACKET_MAGIC	"kmemtrace-stream 1"
#define PACKET_METADATA	"metadata"
#define PACKET_END	"end"

/* Bytes of the longest line, and its newline. */
#define PACKET_MAX_LINE	64

#endif /* KMEMTRACE_PACKET_H */
