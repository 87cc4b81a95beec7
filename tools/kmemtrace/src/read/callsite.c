// SPDX-License-Identifier: GPL-2.0
/*
 * How call sites are written.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/text.h"
#include "read/callsite.h"

/* The module, "kernel" for the kernel itself, NULL where nothing is known. */
const char *callsite_module(const struct symbol_ref *ref)
{
	if (ref->module)
		return ref->module;
	return ref->name ? "kernel" : NULL;
}

/* " [module]", nothing for the kernel itself */
static void print_in_brackets(const char *module, FILE *out)
{
	if (!module)
		return;
	fputs(" [", out);
	text_print(module, out);
	putc(']', out);
}

/* "kmalloc_user+0x12 [module]", or the address of what has no symbol */
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

/* Instead of a name that isn't known. */
static void print_unknown(const char *note, FILE *out)
{
	fprintf(out, "(%s)", note ? note : "no symbol");
}

/*
 * What the compiler made of a function, such as f.part.0 and f.constprop.1, is
 * that function still; the next build has others.
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

/* "kmalloc_user [module]" */
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
