/* SPDX-License-Identifier: GPL-2.0 */
/* An unpatched kernel takes all pages from the node of the caller. */
#ifndef _COMPAT_LINUX_RELAY_H
#define _COMPAT_LINUX_RELAY_H

#include_next <linux/relay.h>

#define relay_open_node(_name, _parent, _subbuf_size, _n_subbufs, _cb, _data, _node) \
	((void)(_node), relay_open(_name, _parent, _subbuf_size, _n_subbufs, _cb, _data))

#endif /* _COMPAT_LINUX_RELAY_H */
