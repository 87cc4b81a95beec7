// SPDX-License-Identifier: GPL-2.0
/*
 * A call site: its names, and how to show it.
 */
#include "config.h"

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

/* Print "kmalloc_user+0x12 [module] inline.h:123 < file.c:45". */
void print_site(const struct report *r, uint64_t addr, FILE *out)
{
	const struct site site = site_find(r, addr);

	if (site.note) {
		fprintf(out, "(%s)", site.note);
		return;
	}
	callsite_print(addr, &site.ref, out);
	fputs(site.which, out);
	if (site.line.file) {
		putc(' ', out);
		text_print(site.line.file, out);
		fprintf(out, ":%d", site.line.line);
		if (site.line.callers) {
			fputs(" < ", out);
			text_print(site.line.callers, out);
		}
	}
}
