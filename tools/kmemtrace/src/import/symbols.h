/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols in libtraceevent.
 */
#ifndef IMPORT_SYMBOLS_H
#define IMPORT_SYMBOLS_H

#include <stdio.h>

struct tep_handle;

int symbols_list(struct tep_handle *tep, FILE *to);
void symbols_parse(struct tep_handle *tep, int from);

#endif /* IMPORT_SYMBOLS_H */
