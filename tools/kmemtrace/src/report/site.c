// SPDX-License-Identifier: GPL-2.0
/*
 * What is known of a call site, and how it is shown.
 */
#include "config.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "format.h"
#include "site.h"
#include "text.h"

/* What an address stands for that is no call site, or NULL. */
const char *site_note(const struct report *r, uint64_t addr)
{
	if (!r->trace->ledger.stats.baseline.begun)
		return NULL;
	if (addr == SITE_SNAPSHOT)
		return "before tracing began";
	return addr == SITE_RESERVED ? "reserved by the boot" : NULL;
}

static struct site find_symbol(const struct report *r, uint64_t addr)
{
	struct site site = { .addr = addr, .note = site_note(r, addr) };

	if (!site.note)
		symbols_find(&r->trace->symbols, addr, &site.ref);
	return site;
}

/* Its strings are the trace's and the vmlinux's. */
struct site site_find(const struct report *r, uint64_t addr)
{
	struct site site = find_symbol(r, addr);

	if (!site.note && r->source)
		source_find(r->source, addr, &site.line);
	return site;
}

/* The module, "kernel" for the kernel itself, NULL where nothing is known. */
const char *site_module(const struct site *site)
{
	if (site->ref.module)
		return site->ref.module;
	return site->ref.name ? "kernel" : NULL;
}

/*
 * What the compiler made of a function, such as f.part.0 and f.constprop.1, is
 * that function still; the next build has others.
 */
void print_site_function(const struct site *site, FILE *out)
{
	char name[512];

	if (!site->ref.name) {
		fprintf(out, "(%s)", site->note ? site->note : "no symbol");
		return;
	}
	text_printable(name, sizeof(name), site->ref.name);
	if (*name)
		name[1 + strcspn(name + 1, ".")] = '\0';
	fputs(name, out);
}

void print_site_module(const struct site *site, FILE *out)
{
	const char *module = site_module(site);

	if (module)
		text_print(module, out);
	else
		fprintf(out, "(%s)", site->note ? site->note : "no symbol");
}

/* As the shell's, or anywhere in the text where it has nothing of such. */
static bool fits(const char *pattern, const char *text)
{
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, text, 0);
	return strstr(text, pattern);
}

/**
 * site_is_wanted - does the report's filter let a call site pass?
 * @r: the report
 * @addr: the call site
 *
 * Nothing is known of what has a note, and nothing fits it.
 */
bool site_is_wanted(const struct report *r, uint64_t addr)
{
	const struct filter *only = &r->only;
	const char *module;
	struct site site;

	if (!only->site && !only->module)
		return true;
	site = find_symbol(r, addr);
	module = site_module(&site);
	return (!only->site ||
		(site.ref.name && fits(only->site, site.ref.name))) &&
	       (!only->module || (module && !strcmp(only->module, module)));
}

/* "kmalloc_user+0x12 [module] file.c:123" */
void print_site(const struct report *r, uint64_t addr, FILE *out)
{
	const struct site site = site_find(r, addr);

	if (site.note) {
		fprintf(out, "(%s)", site.note);
		return;
	}
	if (site.ref.name) {
		text_print(site.ref.name, out);
		fprintf(out, "+%#" PRIx64, site.ref.offset);
	} else {
		fprintf(out, "%#" PRIx64, addr);
	}
	if (site.ref.module) {
		fprintf(out, " [");
		text_print(site.ref.module, out);
		putc(']', out);
	}
	if (site.line.file) {
		putc(' ', out);
		text_print(site.line.file, out);
		fprintf(out, ":%d", site.line.line);
	}
}

/* The same as an object. */
json_object *site_json(const struct report *r, uint64_t addr)
{
	json_object *obj = json_object_new_object();
	const struct site site = site_find(r, addr);

	add_hex(obj, "address", addr);
	add_str(obj, "note", site.note);
	add_str(obj, "symbol", site.ref.name);
	if (site.ref.name)
		add_u64(obj, "offset", site.ref.offset);
	add_str(obj, "module", site.ref.module);
	add_str(obj, "file", site.line.file);
	if (site.line.file)
		add_u64(obj, "line", site.line.line);
	return obj;
}
