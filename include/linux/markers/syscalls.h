/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of system calls.
 *
 * The markers are called for every system call, whether or not the task is traced.
 */
#ifndef _LINUX_MARKERS_SYSCALLS_H
#define _LINUX_MARKERS_SYSCALLS_H

#include <linux/marker.h>
#include <linux/types.h>

/*
 * A task enters the kernel with system call @nr, and the contents of the six registers of
 * arguments, whether the call uses them or not. Called before ptrace, seccomp and the
 * dispatch to user space: they may change the call, or refuse it. A task of 32 bits in a
 * kernel of 64 bits has the numbers of its own ABI. Not called for calls that the vDSO
 * does in user space.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_SYSCALLS, syscall_entry,
	MARKER_PARAMS(long nr, unsigned long arg0, unsigned long arg1,
		      unsigned long arg2, unsigned long arg3,
		      unsigned long arg4, unsigned long arg5),
	MARKER_ARGS(nr, arg0, arg1, arg2, arg3, arg4, arg5),
	"nr %ld arg0 %lx arg1 %lx arg2 %lx arg3 %lx arg4 %lx arg5 %lx")

/*
 * The system call ends with @ret, before a signal is handled: a call that is restarted ends
 * with one of ERESTART..., and then begins anew. @nr is -1 if there is none any more, as
 * after sigreturn(), and another one if ptrace changed it. Not called for exit() and
 * exit_group(). With the generic entry code, a new task calls it first of all: its
 * clone() returns.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_SYSCALLS, syscall_exit,
	MARKER_PARAMS(long nr, long ret),
	MARKER_ARGS(nr, ret),
	"nr %ld ret %ld")

/* The last six arguments of syscall_entry; needs <asm/syscall.h>. */
#define SYSCALL_MARKER_ARGS(_regs)					\
	syscall_marker_arg(_regs, 0), syscall_marker_arg(_regs, 1),	\
	syscall_marker_arg(_regs, 2), syscall_marker_arg(_regs, 3),	\
	syscall_marker_arg(_regs, 4), syscall_marker_arg(_regs, 5)

#define syscall_marker_arg(_regs, _n)					\
({									\
	unsigned long __args[6];					\
									\
	syscall_get_arguments(current, _regs, __args);			\
	__args[_n];							\
})

#endif /* _LINUX_MARKERS_SYSCALLS_H */
