/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits that only large traces reach; a fuzzer's traces are small.
 */
#ifndef KMEMTRACE_LIMIT_H
#define KMEMTRACE_LIMIT_H

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define IS_FUZZED	1
#else
#define IS_FUZZED	0
#endif

#define LIMIT(usual, fuzzing)	(IS_FUZZED ? (fuzzing) : (usual))

#endif /* KMEMTRACE_LIMIT_H */
