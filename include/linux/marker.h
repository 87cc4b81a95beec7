/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers: named hook sites in kernel code, described by a format.
 *
 * A typed marker is declared once, with its C prototype, and may have any
 * number of sites; an ad-hoc marker is a single line anywhere. While no probe is
 * registered, a site costs one NOP on architectures with jump labels and a
 * predicted branch on others, and its arguments are not evaluated.
 *
 * Probes attach by name. A typed probe receives the arguments of a typed marker
 * unchanged. It is called directly on architectures with static calls, through
 * one pointer on others. A generic probe receives the arguments of any marker
 * as a record, whose fields follow from the format.
 *
 * See Documentation/trace/markers.rst.
 */
#ifndef _LINUX_MARKER_H
#define _LINUX_MARKER_H

#include <linux/args.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/kconfig.h>
#include <linux/marker_defs.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/static_call.h>
#include <linux/stringify.h>
#include <linux/types.h>

struct seq_file;

/**
 * struct marker_type - the part of a marker that only a typed one has
 * @prototype: its parameters, as they are written
 * @call_key: the static call of the sites
 * @call_tramp: its trampoline, NULL on architectures without
 * @nop: target of the static call while there is no probe
 * @iterate: its target while there are several probes
 * @pack: its target while there is one probe, which is generic
 * @event: its target while there is one event; with CONFIG_MARKER_EVENTS
 * @describe: stores the address of the kinds of its arguments, see @kinds of &struct
 *	marker; with CONFIG_MARKER_EVENTS
 */
struct marker_type {
	const char		*prototype;
	struct static_call_key	*call_key;
	void			*call_tramp;
	void			*nop;
	void			*iterate;
	void			*pack;
	void			*event;
	void			*describe;
};

/* The maximum number of arguments of a marker. */
#define MARKER_MAX_ARGS		10
/* The maximum size of a string in a record, with the NUL that ends it. */
#define MARKER_STRING_SIZE	64

/**
 * struct marker_field - one argument in a record
 * @name: the word before the conversion in the format, truncated if necessary; or
 *	"arg0" and so on
 * @offset: bytes from the start of the record; fields may be unaligned
 * @size: bytes of a number, as it is passed: at least those of an int; for a string the
 *	bytes that are reserved for it
 * @is_signed: whether it is a signed number
 * @conversion: the letter of the format: d u x o c p s
 *
 * A string is truncated if necessary, ends with a NUL and is padded with NULs.
 */
struct marker_field {
	char	name[24];
	u16	offset;
	u16	size;
	bool	is_signed;
	char	conversion;
};

/**
 * struct marker_layout - the layout of a marker's records
 * @marker: name of the marker
 * @format: its format
 * @size: bytes of a record
 * @nr_fields: number of @fields
 * @fields: the fields, in the order of the arguments
 */
struct marker_layout {
	const char		*marker;
	const char		*format;
	unsigned int		size;
	unsigned int		nr_fields;
	struct marker_field	fields[MARKER_MAX_ARGS];
};

/**
 * typedef marker_generic_probe - a probe that knows no prototype
 * @data: the data that it was registered with
 * @layout: the layout of @record
 * @record: the arguments; valid until the probe returns
 *
 * Context: the context of the site, with preemption off.
 */
typedef void marker_generic_probe(void *data,
				  const struct marker_layout *layout,
				  const void *record);

#define MARKER_PARAMS(...)	__VA_ARGS__
#define MARKER_ARGS(...)	__VA_ARGS__

/* _m(arg) for each argument, in order */
#define __MARKER_MAP_0(_m)
#define __MARKER_MAP_1(_m, _a)		_m(_a)
#define __MARKER_MAP_2(_m, _a, ...)	_m(_a) __MARKER_MAP_1(_m, __VA_ARGS__)
#define __MARKER_MAP_3(_m, _a, ...)	_m(_a) __MARKER_MAP_2(_m, __VA_ARGS__)
#define __MARKER_MAP_4(_m, _a, ...)	_m(_a) __MARKER_MAP_3(_m, __VA_ARGS__)
#define __MARKER_MAP_5(_m, _a, ...)	_m(_a) __MARKER_MAP_4(_m, __VA_ARGS__)
#define __MARKER_MAP_6(_m, _a, ...)	_m(_a) __MARKER_MAP_5(_m, __VA_ARGS__)
#define __MARKER_MAP_7(_m, _a, ...)	_m(_a) __MARKER_MAP_6(_m, __VA_ARGS__)
#define __MARKER_MAP_8(_m, _a, ...)	_m(_a) __MARKER_MAP_7(_m, __VA_ARGS__)
#define __MARKER_MAP_9(_m, _a, ...)	_m(_a) __MARKER_MAP_8(_m, __VA_ARGS__)
#define __MARKER_MAP_10(_m, _a, ...)	_m(_a) __MARKER_MAP_9(_m, __VA_ARGS__)
#define __MARKER_MAP(_m, ...)						\
	CONCATENATE(__MARKER_MAP_, COUNT_ARGS(__VA_ARGS__))(_m, ##__VA_ARGS__)

/* The same, with _m(number, arg): the numbers count down to 1. */
#define __MARKER_COUNT_0(_m)
#define __MARKER_COUNT_1(_m, _a)	_m(1, _a)
#define __MARKER_COUNT_2(_m, _a, ...)	_m(2, _a) __MARKER_COUNT_1(_m, __VA_ARGS__)
#define __MARKER_COUNT_3(_m, _a, ...)	_m(3, _a) __MARKER_COUNT_2(_m, __VA_ARGS__)
#define __MARKER_COUNT_4(_m, _a, ...)	_m(4, _a) __MARKER_COUNT_3(_m, __VA_ARGS__)
#define __MARKER_COUNT_5(_m, _a, ...)	_m(5, _a) __MARKER_COUNT_4(_m, __VA_ARGS__)
#define __MARKER_COUNT_6(_m, _a, ...)	_m(6, _a) __MARKER_COUNT_5(_m, __VA_ARGS__)
#define __MARKER_COUNT_7(_m, _a, ...)	_m(7, _a) __MARKER_COUNT_6(_m, __VA_ARGS__)
#define __MARKER_COUNT_8(_m, _a, ...)	_m(8, _a) __MARKER_COUNT_7(_m, __VA_ARGS__)
#define __MARKER_COUNT_9(_m, _a, ...)	_m(9, _a) __MARKER_COUNT_8(_m, __VA_ARGS__)
#define __MARKER_COUNT_10(_m, _a, ...)	_m(10, _a) __MARKER_COUNT_9(_m, __VA_ARGS__)
#define __MARKER_COUNT(_m, ...)						\
	CONCATENATE(__MARKER_COUNT_, COUNT_ARGS(__VA_ARGS__))(_m, ##__VA_ARGS__)

/*
 * An argument as 64 bits, extended according to its own type: a pointer by way of
 * unsigned long, an array as the pointer that it decays to. typeof() refuses a
 * bit-field, but takes the type of the conditional expression.
 */
#ifndef __CHECKER__
#define __marker_slot(_arg)						\
({									\
	__auto_type __arg = 1 ? (_arg) : (_arg);			\
	(__force u64)(typeof(__builtin_choose_expr(			\
		__builtin_classify_type(__arg) == 5, 0UL, __arg)))__arg; \
})
#else
#define __marker_slot(_arg)	((__force u64)(_arg))
#endif
#define __MARKER_SLOT(_arg)	__marker_slot(_arg),
/* At least one slot, for markers without arguments. */
#define __MARKER_SLOTS(...)	{ __MARKER_MAP(__MARKER_SLOT, ##__VA_ARGS__) 0 }

/* Never called; makes the compiler compare the arguments with the format. */
static inline __printf(1, 2) void __marker_check(const char *format, ...) { }

#ifdef CONFIG_MARKERS

#ifdef CONFIG_MARKER_EVENTS
#include <linux/marker_event.h>
#else
#define __MARKER_EVENT_FUNCTIONS(_name, _params, _args)			\
	static inline bool						\
	__marker_record_##_name(const struct marker_event *__event, _params) \
	{								\
		return false;						\
	}
#define __MARKER_EVENT_TYPE(_name)
#endif

extern struct marker __start___markers[];
extern struct marker __stop___markers[];

int marker_probe_register(const char *name, const char *format,
			  const char *prototype, void *probe, void *data);
int marker_probe_unregister(const char *name, void *probe, void *data);
int marker_probe_remove(const char *name, void *probe, void *data);
int marker_generic_register(const char *name, const char *format,
			    marker_generic_probe *probe, void *data);
int marker_generic_unregister(const char *name, marker_generic_probe *probe,
			      void *data);

bool marker_is_known(const char *name);
void marker_show_names(struct seq_file *m, const char *prefix);

void marker_deliver(const void *generic, const u64 *slots);
void marker_hit(const struct marker *marker, const u64 *slots);
void marker_deliver_event(const struct marker *marker,
			  const struct marker_event *event, const u64 *slots);

/**
 * marker_synchronize_unregister - wait for all probes that run
 *
 * When this returns, probes that were removed with marker_probe_remove() do not
 * run any more. Their module may be unloaded.
 *
 * Context: task, may sleep.
 */
static inline void marker_synchronize_unregister(void)
{
	synchronize_rcu();
}

/*
 * A site where RCU is not watching is a bug, as for a tracepoint. objtool does not
 * know the targets of a static call, but it sees this call leave noinstr code.
 */
static __always_inline void __marker_check_rcu(void)
{
	if (IS_ENABLED(CONFIG_PROVE_RCU) ||
	    IS_ENABLED(CONFIG_NOINSTR_VALIDATION))
		WARN_ONCE(!rcu_is_watching(), "marker where RCU isn't watching");
}

/**
 * struct marker_func - one registered probe
 * @func: the probe; NULL in the element that ends an array
 * @data: its first argument; for a generic probe or an event the data of
 *	marker_deliver()
 * @prototype: parameters of a typed probe; NULL for a generic one or an event
 * @event: the event, else NULL
 */
struct marker_func {
	void				*func;
	void				*data;
	const char			*prototype;
	const struct marker_event	*event;
};

/**
 * DECLARE_MARKER - declare a typed marker and its functions
 * @_name: name
 * @_params: MARKER_PARAMS(type name, ...), the prototype, at least one parameter
 * @_args: MARKER_ARGS(name, ...), the names alone
 * @_format: see &struct marker; the compiler checks it against the arguments
 *	(clang from version 16 on)
 *
 * Declares register_marker_<name>(), unregister_marker_<name>() and
 * remove_marker_<name>(). They take a probe, a function of (void *data,
 * @_params), and its data, and return the same as marker_probe_register(),
 * marker_probe_unregister() and marker_probe_remove(). They need the name of the
 * marker, but not its symbol.
 */
#define DECLARE_MARKER(_name, _params, _args, _format)			\
	static const char __maybe_unused __marker_format_##_name[] = _format; \
	static const char __maybe_unused __marker_prototype_##_name[] =	\
		__stringify(_params);					\
	enum { __marker_nr_args_##_name = COUNT_ARGS(_args) };		\
	typedef void marker_probe_##_name(void *__data, _params);	\
	extern struct marker __marker_##_name;				\
	DECLARE_STATIC_CALL(marker_##_name, marker_probe_##_name);	\
	static inline void __marker_nop_##_name(void *__data, _params)	\
	{								\
		if (0)							\
			__marker_check(_format, _args);			\
	}								\
	static inline void __marker_pack_##_name(void *__data, _params)	\
	{								\
		u64 __slots[] = __MARKER_SLOTS(_args);			\
									\
		marker_deliver(__data, __slots);			\
	}								\
	__MARKER_EVENT_FUNCTIONS(_name, MARKER_PARAMS(_params),		\
				 MARKER_ARGS(_args))			\
	static inline void __marker_iterate_##_name(void *__data, _params) \
	{								\
		const struct marker_func *__func =			\
			rcu_dereference_raw(__marker_##_name.funcs);	\
									\
		for (; __func && __func->func; __func++) {		\
			if (__func->prototype)				\
				((marker_probe_##_name *)__func->func)(	\
					__func->data, _args);		\
			else if (!__marker_record_##_name(__func->event, \
							  _args))	\
				__marker_pack_##_name(__func->data, _args); \
		}							\
	}								\
	static __always_inline bool __marker_enabled_##_name(void)	\
	{								\
		return static_branch_unlikely(&__marker_##_name.key);	\
	}								\
	static __always_inline void __marker_call_##_name(_params)	\
	{								\
		__marker_check_rcu();					\
		preempt_disable_notrace();				\
		static_call(marker_##_name)(				\
			READ_ONCE(__marker_##_name.data), _args);	\
		preempt_enable_notrace();				\
	}								\
	static inline int						\
	register_marker_##_name(marker_probe_##_name *probe, void *data) \
	{								\
		return marker_probe_register(#_name, _format,		\
					     __marker_prototype_##_name, \
					     probe, data);		\
	}								\
	static inline int						\
	unregister_marker_##_name(marker_probe_##_name *probe, void *data) \
	{								\
		return marker_probe_unregister(#_name, probe, data);	\
	}								\
	static inline int						\
	remove_marker_##_name(marker_probe_##_name *probe, void *data)	\
	{								\
		return marker_probe_remove(#_name, probe, data);	\
	}

#define __MARKER_INIT(_name, _format, _type, _nr_args, _kinds)		\
	__used __section("__markers")					\
	__aligned(__alignof__(struct marker)) = {			\
		.name		= _name,				\
		.format		= _format,				\
		.key		= STATIC_KEY_FALSE_INIT,		\
		.type		= _type,				\
		.nr_args	= _nr_args,				\
		.kinds		= _kinds,				\
	}

/**
 * DEFINE_MARKER - define a declared marker, in one source file
 * @_name: name
 */
#define DEFINE_MARKER(_name)						\
	DEFINE_STATIC_CALL(marker_##_name, __marker_nop_##_name);	\
	static const struct marker_type __marker_type_##_name = {	\
		.prototype	= __marker_prototype_##_name,		\
		.call_key	= &STATIC_CALL_KEY(marker_##_name),	\
		.call_tramp	= STATIC_CALL_TRAMP_ADDR(marker_##_name), \
		.nop		= __marker_nop_##_name,			\
		.iterate	= __marker_iterate_##_name,		\
		.pack		= __marker_pack_##_name,		\
		__MARKER_EVENT_TYPE(_name)				\
	};								\
	struct marker __marker_##_name					\
		__MARKER_INIT(#_name, __marker_format_##_name,		\
			      &__marker_type_##_name,			\
			      __marker_nr_args_##_name, NULL)

/**
 * EXPORT_MARKER_SYMBOL_GPL - export a typed marker, so that modules can call it
 * @_name: name
 *
 * Registering a probe needs no export.
 */
#define EXPORT_MARKER_SYMBOL_GPL(_name)					\
	EXPORT_SYMBOL_GPL(__marker_##_name);				\
	EXPORT_STATIC_CALL_GPL(marker_##_name)

/**
 * trace_mark - a site of an ad-hoc marker
 * @_name: name, an identifier: subsystem_event
 * @_format: see &struct marker, a literal; the compiler checks it against the
 *	arguments
 * @...: the arguments, at most %MARKER_MAX_ARGS, evaluated only while a probe
 *	is registered
 *
 * Needs no declaration. All sites of a name must have the same format.
 *
 * Context: any in which RCU is watching, NMI included; not noinstr code.
 */
#ifdef CONFIG_MARKER_EVENTS
#define trace_mark(_name, _format, ...)					\
do {									\
	static const u8 __marker_kinds[] = __MARKER_KINDS(__VA_ARGS__);	\
	static struct marker __marker_site				\
		__MARKER_INIT(#_name, _format, NULL,			\
			      COUNT_ARGS(__VA_ARGS__), __marker_kinds);	\
									\
	if (0)								\
		__marker_check(_format, ##__VA_ARGS__);			\
	if (static_branch_unlikely(&__marker_site.key)) {		\
		__label__ __bad, __done;				\
		__MARKER_COUNT(__MARKER_VALUE, ##__VA_ARGS__)		\
		struct marker_event_slot __slot;			\
		unsigned long __flags;					\
									\
		__marker_check_rcu();					\
		raw_local_irq_save(__flags);				\
		__slot = marker_event_reserve_site(&__marker_site,	\
				__MARKER_EVENT_SIZE(__VA_ARGS__));	\
		if (unlikely(!__slot.head))				\
			goto __done;					\
		__MARKER_FILL(__slot, __MARKER_EVENT_SIZE(__VA_ARGS__), \
			      __MARKER_COUNT(__MARKER_STORE_VALUE,	\
					     ##__VA_ARGS__), ##__VA_ARGS__); \
		if (0) {						\
__bad: __maybe_unused;							\
			marker_event_abandon(__slot,			\
				__MARKER_EVENT_SIZE(__VA_ARGS__));	\
			__slot.cpu = NULL;				\
		}							\
__done:									\
		raw_local_irq_restore(__flags);				\
		if (unlikely(!__slot.cpu)) {				\
			u64 __slots[] = {				\
				__MARKER_COUNT(__MARKER_SLOT_VALUE,	\
					       ##__VA_ARGS__) 0 };	\
									\
			marker_hit(&__marker_site, __slots);		\
		}							\
	}								\
} while (0)
#else
#define trace_mark(_name, _format, ...)					\
do {									\
	static struct marker __marker_site				\
		__MARKER_INIT(#_name, _format, NULL,			\
			      COUNT_ARGS(__VA_ARGS__), NULL);		\
									\
	if (0)								\
		__marker_check(_format, ##__VA_ARGS__);			\
	if (static_branch_unlikely(&__marker_site.key)) {		\
		u64 __slots[] = __MARKER_SLOTS(__VA_ARGS__);		\
									\
		__marker_check_rcu();					\
		marker_hit(&__marker_site, __slots);			\
	}								\
} while (0)
#endif

#else /* !CONFIG_MARKERS */

#define DECLARE_MARKER(_name, _params, _args, _format)			\
	DECLARE_MARKER_STUB(_name, MARKER_PARAMS(_params))
#define DEFINE_MARKER(_name)
#define EXPORT_MARKER_SYMBOL_GPL(_name)

#define trace_mark(_name, _format, ...)					\
do {									\
	if (0)								\
		__marker_check(_format, ##__VA_ARGS__);			\
} while (0)

static inline void marker_synchronize_unregister(void) { }

#endif /* CONFIG_MARKERS */

/**
 * DECLARE_MARKER_STUB - declare a typed marker that compiles to nothing
 * @_name: name
 * @_params: MARKER_PARAMS(type name, ...)
 *
 * For the header of a subsystem that is configured out: its sites need no #ifdef.
 */
#define DECLARE_MARKER_STUB(_name, _params)				\
	static __always_inline bool __marker_enabled_##_name(void)	\
	{								\
		return false;						\
	}								\
	static __always_inline void __marker_call_##_name(_params) { }

#define __DECLARE_MARKER_0(_name, _params, _args, _format)		\
	DECLARE_MARKER_STUB(_name, MARKER_PARAMS(_params))
#define __DECLARE_MARKER_1(_name, _params, _args, _format)		\
	DECLARE_MARKER(_name, MARKER_PARAMS(_params), MARKER_ARGS(_args), _format)

/**
 * DECLARE_MARKER_IF - DECLARE_MARKER(), or a stub without an option
 * @_option: a bool symbol of Kconfig with its prefix
 * @_name: name; must not be a macro
 * @_params: MARKER_PARAMS(type name, ...)
 * @_args: MARKER_ARGS(name, ...)
 * @_format: see DECLARE_MARKER()
 */
#define DECLARE_MARKER_IF(_option, _name, _params, _args, _format)	\
	CONCATENATE(__DECLARE_MARKER_, IS_BUILTIN(_option))		\
		(_name, MARKER_PARAMS(_params), MARKER_ARGS(_args), _format)

/**
 * marker_call - a site of a typed marker
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
