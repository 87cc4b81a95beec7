/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IMPORT_BOUNDED_H
#define IMPORT_BOUNDED_H

#include <stdio.h>
#include <sys/types.h>

#include "import/reader.h"

uint64_t bounded_measure(struct foreign *file, uint64_t *hole);
uint64_t bounded_disk(const struct foreign *file);
int bounded_limit_memory(const struct foreign *file);
int bounded_tempfile(void);
FILE *bounded_start(const struct foreign_reader *reader, const struct foreign *file, pid_t *pid);
int bounded_end(pid_t pid, char *why, size_t size);

#endif /* IMPORT_BOUNDED_H */
