/* SPDX-License-Identifier: GPL-2.0 */
/* This header has another name until Linux 6.12. */
#ifndef _LINUX_UNALIGNED_H
#define _LINUX_UNALIGNED_H

#include <asm/unaligned.h>

#endif /* _LINUX_UNALIGNED_H */
