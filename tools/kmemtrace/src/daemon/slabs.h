/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_SLABS_H
#define KMEMTRACED_SLABS_H

int slabs_save(int dir, const char *sysfs);

#endif /* KMEMTRACED_SLABS_H */
