// SPDX-License-Identifier: GPL-2.0
/*
 * A call site: its names, and how to show it.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/text.h"
#include "kmemtrace-records.h"
#include "report/format.h"
#include "report/site.h"

/* Return the names of a call site. The strings belong to the trace and the vmlinux. */
struct site site_find(const struct report *r, uint64_t addr)
{
	struct site site = {
		.addr = addr, .note = kmemtrace_site_note(r->trace, addr),
	};

	if (site.note)
		return site;
	site.ref.name = kmemtrace_symbol(r->trace, addr, &site.ref.offset,
					 &site.ref.module);
	kmemtrace_namesake(r->trace, addr, site.which, sizeof(site.which));
	if (r->source)
		source_find(r->source, addr, &site.line);
	return site;
}

void print_site_function(const struct site *site, FILE *out)
{
	callsite_print_function(&site->ref, site->note, out);
	fputs(site->which, out);
}

void print_site_module(const struct site *site, FILE *out)
{
	callsite_print_module(&site->ref, site->note, out);
}

/* Print a line, if there is one, and what is inlined there, if something is. */
void print_source_line(const char *file, uint64_t line, const char *inlined, FILE *out)
{
	if (!file)
		return;
	putc(' ', out);
	text_print(file, out);
	fprintf(out, ":%" PRIu64, line);
	if (!inlined)
		return;
	fputs(" in ", out);
	text_print(inlined, out);
}

/* Print "kmalloc_user+0x12 [module]". */
void print_site_name(const struct site *site, FILE *out)
{
	if (site->note) {
		fprintf(out, "(%s)", site->note);
	} else {
		callsite_print(site->addr, &site->ref, out);
		fputs(site->which, out);
	}
}

/* Print "kmalloc_user+0x12 [module] inline.h:123 in f < file.c:45". */
void print_site(const struct report *r, uint64_t addr, FILE *out)
{
	const struct site site = site_find(r, addr);

	print_site_name(&site, out);
	print_source_line(site.line.file, site.line.line, site.line.inlined, out);
}
