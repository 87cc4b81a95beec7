/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of the network: devices and sockets.
 */
#ifndef _LINUX_MARKERS_NET_H
#define _LINUX_MARKERS_NET_H

#include <linux/marker.h>

/*
 * The driver of device @name got a packet of @len bytes, with the header of the link.
 * @protocol is ETH_P_... . @ret is NETDEV_TX_...: if not 0, the packet is sent again later.
 * Called for each device that a packet passes, a VLAN and the device below it for example.
 * Not called for packets that bypass the queues: those of netpoll, pktgen, XDP, and
 * of packet sockets with PACKET_QDISC_BYPASS.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_NET, net_transmit,
	MARKER_PARAMS(const char *name, unsigned int len,
		      unsigned int protocol, int ret),
	MARKER_ARGS(name, len, protocol, ret),
	"name %s len %u protocol %x ret %d")

/*
 * A packet of @len bytes, without the header of the link, comes from device @name. Called
 * once for each packet, after packets are merged (GRO), and before generic XDP, taps and
 * protocols see it. Called again if another device receives it anew, as a bridge or a
 * tunnel does, but not for a VLAN. Not called for packets that the driver's XDP program
 * drops or takes.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_NET, net_receive,
	MARKER_PARAMS(const char *name, unsigned int len,
		      unsigned int protocol),
	MARKER_ARGS(name, len, protocol),
	"name %s len %u protocol %x")

/*
 * The driver of device @name, "(null)" if there is none, was polled and received @work
 * packets of at most @budget. Netpoll polls with a budget of 0, to clean up only.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_NET, napi_poll,
	MARKER_PARAMS(const char *name, int work, int budget),
	MARKER_ARGS(name, work, budget),
	"name %s work %d budget %d")

/*
 * A message was sent through a socket: @ret is the number of bytes or an error. @family is
 * AF_..., @type SOCK_... . Called for all ways to send, those of the kernel included;
 * once for each message of sendmmsg(), and for each piece of sendfile(). Not called if a
 * security module refuses, and for sendmsg_locked() of a protocol.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_NET, socket_send,
	MARKER_PARAMS(unsigned int family, unsigned int type,
		      unsigned int protocol, int ret),
	MARKER_ARGS(family, type, protocol, ret),
	"family %u type %u protocol %u ret %d")

/*
 * A message was received from a socket: @ret is the number of bytes or an error. Not
 * called if a security module refuses, and for splice() of protocols with a
 * splice_read() of their own.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_NET, socket_receive,
	MARKER_PARAMS(unsigned int family, unsigned int type,
		      unsigned int protocol, int ret),
	MARKER_ARGS(family, type, protocol, ret),
	"family %u type %u protocol %u ret %d")

/* The arguments of a socket that both have; needs <net/sock.h>. */
#define SOCKET_MARKER_ARGS(_sock)					\
	READ_ONCE((_sock)->sk->sk_family), (_sock)->type,		\
	READ_ONCE((_sock)->sk->sk_protocol)

#endif /* _LINUX_MARKERS_NET_H */
