/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The initcalls and boot parameters of the recorder, as functions that main.c calls. No
 * guard: <linux/module.h> defines initcalls as well.
 */
#undef core_initcall
#undef late_initcall
#undef early_param

#define KMEMTRACE_INITCALL(_fn)						\
	int __init kmemtrace_call_##_fn(void);				\
	int __init kmemtrace_call_##_fn(void)				\
	{								\
		return _fn();						\
	}

#define core_initcall(_fn)	KMEMTRACE_INITCALL(_fn)
#define late_initcall(_fn)	KMEMTRACE_INITCALL(_fn)

#define early_param(_name, _fn)						\
	int __init kmemtrace_call_##_fn(char *arg);			\
	int __init kmemtrace_call_##_fn(char *arg)			\
	{								\
		return _fn(arg);					\
	}
