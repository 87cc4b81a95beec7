/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTRACE_JUDGE_H
#define KTRACE_JUDGE_H

#include "ktrace/trace.h"

int ktrace_judge(struct ktrace *t);

#endif /* KTRACE_JUDGE_H */
