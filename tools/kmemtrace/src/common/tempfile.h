/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_TEMPFILE_H
#define KMEMTRACE_TEMPFILE_H

int tempfile_create(void);

#endif /* KMEMTRACE_TEMPFILE_H */
