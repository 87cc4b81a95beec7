/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The markers of the allocators, on a kernel that has none. sites.c calls the probes of a
 * marker where the kernel has a tracepoint or a function instead.
 */
#ifndef _COMPAT_LINUX_MARKER_H
#define _COMPAT_LINUX_MARKER_H

#include <linux/compiler.h>
#include <linux/stringify.h>
#include <linux/types.h>

#define MARKER_PARAMS(...)	__VA_ARGS__
#define MARKER_ARGS(...)	__VA_ARGS__

#define DECLARE_MARKER(_name, _params, _args, _format)			\
	static const char __maybe_unused __marker_format_##_name[] = _format; \
	static const char __maybe_unused __marker_prototype_##_name[] =	\
		__stringify(_params);					\
	typedef void marker_probe_##_name(void *__data, _params);

/* No tracepoint or function stands for a marker of an optional part of the recorder. */
#define DECLARE_MARKER_IF(_option, _name, _params, _args, _format)

#define DEFINE_MARKER(_name)

int marker_probe_register(const char *name, const char *format,
			  const char *prototype, void *probe, void *data);
int marker_probe_remove(const char *name, void *probe, void *data);
void marker_synchronize_unregister(void);

#endif /* _COMPAT_LINUX_MARKER_H */
