/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace as one stream, for a pipe. It begins with PACKET_MAGIC and a newline. Packets
 * follow: a line "<name> <length>" and <length> bytes, which are appended to the file
 * <name> of the trace. A packet of PACKET_METADATA replaces the file. The line PACKET_END
 * follows the last packet.
 */
#ifndef KMEMTRACE_PACKET_H
#define KMEMTRACE_PACKET_H

#define PACKET_MAGIC	"kmemtrace-stream 1"
#define PACKET_METADATA	"metadata"
#define PACKET_END	"end"

/* Bytes of the longest line, with its newline. */
#define PACKET_MAX_LINE	64

#endif /* KMEMTRACE_PACKET_H */
