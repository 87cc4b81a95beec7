/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that a fuzzing engine calls; LLVM has given their names. */
#ifndef KMEMTRACE_FUZZ_H
#define KMEMTRACE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The first byte of an input that is a vmlinux. */
#define FUZZ_ELF	0x7f

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Change an input. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed);

/* A function of the engine: change, insert or remove some bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* LeakSanitizer calls this to know which leaks to ignore. */
const char *__lsan_default_suppressions(void);

#endif /* KMEMTRACE_FUZZ_H */
