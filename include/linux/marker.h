/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers: named hook sites in kernel code, described by a format.
 *
 * A marker is declared once, with its C prototype, and may stand at any number
 * of places. While no probe is registered, a place costs one NOP where the
 * architecture has jump labels and a predicted branch elsewhere, and the
 * arguments are not evaluated. A registered probe receives the arguments by
 * type: called directly where the architecture has static calls, through one
 * pointer elsewhere.
 */
#ifndef _LINUX_MARKER_H
#define _LINUX_MARKER_H

#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/preempt.h>
#include <linux/static_call.h>

/**
 * struct marker - what is known about a marker, in the section "__markers"
 * @name: the name it was declared with
 * @format: one "field conversion" pair an argument, for people and for
 *	consumers that know no prototype
 * @key: true while a probe is registered
 * @call_key: the static call through which the sites reach the probe
 * @call_tramp: its trampoline, NULL where the architecture has none
 * @nop: what the sites reach while there is no probe
 * @data: the first argument of the probe
 *
 * Written under the mutex of kernel/marker.c. A site reads @data with
 * preemption off: it is set before @key turns true, and kept until every site
 * that saw @key true has left.
 */
struct marker {
	const char		*name;
	const char		*format;
	struct static_key_false	key;
	struct static_call_key	*call_key;
	void			*call_tramp;
	void			*nop;
	void			*data;
};

#define MARKER_PARAMS(...)	__VA_ARGS__
#define MARKER_ARGS(...)	__VA_ARGS__

#ifdef CONFIG_MARKERS

extern struct marker __start___markers[];
extern struct marker __stop___markers[];

int marker_probe_register(struct marker *marker, void *probe, void *data);
int marker_probe_unregister(struct marker *marker, void *probe);

/**
 * DECLARE_MARKER - declare a marker and its functions
 * @_name: name
 * @_params: MARKER_PARAMS(type name, ...), the prototype
 * @_args: MARKER_ARGS(name, ...), the names alone
 * @_format: see &struct marker
 *
 * register_marker_<name>() and unregister_marker_<name>() take the probe, a
 * function of (void *data, @_params), and return what marker_probe_register()
 * and marker_probe_unregister() return.
 */
#define DECLARE_MARKER(_name, _params, _args, _format)			\
	static const char __maybe_unused __marker_format_##_name[] = _format; \
	typedef void marker_probe_##_name(void *data, _params);		\
	static inline void __marker_nop_##_name(void *data, _params) { }	\
	extern struct marker __marker_##_name;				\
	DECLARE_STATIC_CALL(marker_##_name, marker_probe_##_name);	\
	static __always_inline bool __marker_enabled_##_name(void)	\
	{								\
		return static_branch_unlikely(&__marker_##_name.key);	\
	}								\
	static __always_inline void __marker_call_##_name(_params)	\
	{								\
		preempt_disable_notrace();				\
		static_call(marker_##_name)(				\
			READ_ONCE(__marker_##_name.data), _args);	\
		preempt_enable_notrace();				\
	}								\
	static inline int						\
	register_marker_##_name(marker_probe_##_name *probe, void *data) \
	{								\
		return marker_probe_register(&__marker_##_name, probe, data); \
	}								\
	static inline int						\
	unregister_marker_##_name(marker_probe_##_name *probe)		\
	{								\
		return marker_probe_unregister(&__marker_##_name, probe); \
	}

/**
 * DEFINE_MARKER - give a declared marker its place, in one source file
 * @_name: name
 */
#define DEFINE_MARKER(_name)						\
	DEFINE_STATIC_CALL(marker_##_name, __marker_nop_##_name);	\
	struct marker __marker_##_name __used __section("__markers")	\
			__aligned(__alignof__(struct marker)) = {	\
		.name		= #_name,				\
		.format		= __marker_format_##_name,		\
		.key		= STATIC_KEY_FALSE_INIT,		\
		.call_key	= &STATIC_CALL_KEY(marker_##_name),	\
		.call_tramp	= STATIC_CALL_TRAMP_ADDR(marker_##_name), \
		.nop		= __marker_nop_##_name,			\
	}

/**
 * EXPORT_MARKER_SYMBOL_GPL - let modules register probes on a marker
 * @_name: name
 */
#define EXPORT_MARKER_SYMBOL_GPL(_name)					\
	EXPORT_SYMBOL_GPL(__marker_##_name)

#else /* !CONFIG_MARKERS */

#define DECLARE_MARKER(_name, _params, _args, _format)			\
	DECLARE_MARKER_STUB(_name, MARKER_PARAMS(_params))
#define DEFINE_MARKER(_name)
#define EXPORT_MARKER_SYMBOL_GPL(_name)

#endif /* CONFIG_MARKERS */

/**
 * DECLARE_MARKER_STUB - declare a marker that compiles to nothing
 * @_name: name
 * @_params: MARKER_PARAMS(type name, ...)
 *
 * For a subsystem that is configured out: its sites need no #ifdef.
 */
#define DECLARE_MARKER_STUB(_name, _params)				\
	static __always_inline bool __marker_enabled_##_name(void)	\
	{								\
		return false;						\
	}								\
	static __always_inline void __marker_call_##_name(_params) { }

/**
 * marker_call - a site of a marker
 * @_name: the marker
 * @...: its arguments, evaluated only while a probe is registered
 *
 * Context: any in which RCU is watching, NMI included; not noinstr code.
 */
#define marker_call(_name, ...)						\
do {									\
	if (__marker_enabled_##_name())					\
		__marker_call_##_name(__VA_ARGS__);			\
} while (0)

#endif /* _LINUX_MARKER_H */
