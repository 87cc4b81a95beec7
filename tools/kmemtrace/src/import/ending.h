/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signals that end an import.
 */
#ifndef IMPORT_ENDING_H
#define IMPORT_ENDING_H

#include <sys/types.h>

void ending_catch(void);
void ending_ignore(void);
void ending_kills(pid_t pid);
int ending_signal(void);

#endif /* IMPORT_ENDING_H */
