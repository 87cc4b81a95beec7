/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits that only large traces reach; a fuzzer's traces are small.
 */
#ifndef KMEMTRACE_LIMIT_H
#define KMEMTRACE_LIMIT_H

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define LIMIT(usual, fuzzing)	(fuzzing)
#else
#define LIMIT(usual, fuzzing)	(usual)
#endif

#endif /* KMEMTRACE_LIMIT_H */
