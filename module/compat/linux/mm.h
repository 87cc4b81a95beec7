/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of newer kernels. */
#ifndef _COMPAT_LINUX_MM_H
#define _COMPAT_LINUX_MM_H

#include_next <linux/mm.h>

#ifndef KMEMTRACE_HAS_VM_FLAGS_MOD
static inline void vm_flags_mod(struct vm_area_struct *vma, unsigned long set,
				unsigned long clear)
{
	mmap_assert_write_locked(vma->vm_mm);
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#endif /* _COMPAT_LINUX_MM_H */
