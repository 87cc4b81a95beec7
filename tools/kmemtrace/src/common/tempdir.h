/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_TEMPDIR_H
#define KMEMTRACE_TEMPDIR_H

char *tempdir_create(void);
int tempfile_create(void);

#endif /* KMEMTRACE_TEMPDIR_H */
