/* SPDX-License-Identifier: GPL-2.0 */
/* What a fuzzing engine calls; the names are LLVM's. */
#ifndef KMEMTRACE_FUZZ_H
#define KMEMTRACE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The first byte of an input that is a vmlinux. */
#define FUZZ_ELF	0x7f

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes an input as it likes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed);

/* Of the engine: changes some bytes, which may become more or fewer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* LeakSanitizer's, and asks what to pass over. */
const char *__lsan_default_suppressions(void);

#endif /* KMEMTRACE_FUZZ_H */
