/* SPDX-License-Identifier: GPL-2.0 */
/* COUNT_ARGS() and CONCATENATE() are in <linux/kernel.h> until Linux 6.11. */
#ifndef _LINUX_ARGS_H
#define _LINUX_ARGS_H

#include <linux/kernel.h>

#endif /* _LINUX_ARGS_H */
