// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites as text.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/callsite.h"
#include "common/text.h"

/* Return the module, "kernel" for the kernel itself, NULL if it is unknown. */
const char *callsite_module(const struct symbol_ref *ref)
{
	if (ref->module)
		return ref->module;
	return ref->name ? "kernel" : NULL;
}

/* Print " [module]", nothing for the kernel itself. */
static void print_in_brackets(const char *module, FILE *out)
{
	if (!module)
		return;
	fputs(" [", out);
	text_print(module, out);
	putc(']', out);
}

/* Print "kmalloc_user+0x12 [module]", or the address where there is no symbol. */
void callsite_print(uint64_t addr, const struct symbol_ref *ref, FILE *out)
{
	if (ref->name) {
		text_print(ref->name, out);
		fprintf(out, "+%#" PRIx64, ref->offset);
	} else {
		fprintf(out, "%#" PRIx64, addr);
	}
	print_in_brackets(ref->module, out);
}

/* Print what stands for an unknown name. */
static void print_unknown(const char *note, FILE *out)
{
	fprintf(out, "(%s)", note ? note : "no symbol");
}

/*
 * Print the function without the suffix of a part that the compiler made, such as f.part.0
 * or f.constprop.1: the next build has other suffixes.
 */
void callsite_print_function(const struct symbol_ref *ref, const char *note,
			     FILE *out)
{
	char name[512];

	if (!ref->name) {
		print_unknown(note, out);
		return;
	}
	text_printable(name, sizeof(name), ref->name);
	if (*name)
		name[1 + strcspn(name + 1, ".")] = '\0';
	fputs(name, out);
}

/* Print "kmalloc_user [module]". */
void callsite_print_full(const struct symbol_ref *ref, const char *note,
			 FILE *out)
{
	callsite_print_function(ref, note, out);
	print_in_brackets(ref->module, out);
}

void callsite_print_module(const struct symbol_ref *ref, const char *note,
			   FILE *out)
{
	const char *module = callsite_module(ref);

	if (module)
		text_print(module, out);
	else
		print_unknown(note, out);
}
