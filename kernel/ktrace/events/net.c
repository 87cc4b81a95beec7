// SPDX-License-Identifier: GPL-2.0
/* Markers of the network. */
#include <linux/markers/net.h>

DEFINE_MARKER(net_transmit);
DEFINE_MARKER(net_receive);
DEFINE_MARKER(napi_poll);
DEFINE_MARKER(socket_send);
DEFINE_MARKER(socket_receive);
