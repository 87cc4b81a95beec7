// SPDX-License-Identifier: GPL-2.0
/*
 * Names for the addresses of a trace: from its kallsyms and modules files.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/memory.h"
#include "read/symbols.h"

/*
 * No function of a kernel is this large: a site further behind its symbol lies
 * in code whose symbols are gone.
 */
#define MAX_FUNCTION	(1 << 20)
#define NO_MODULE	UINT32_MAX

/* Strings live in one block, since there are hundreds of thousands. */
static int add_text(struct symbols *s, const char *str, uint32_t *at)
{
	size_t len = strlen(str) + 1;
	char *text;

	if (s->text_len + len > s->text_size) {
		s->text_size = 2 * (s->text_size + len);
		text = s->text_size > UINT32_MAX ? NULL :
		       realloc(s->text, s->text_size);
		if (!text)
			return -ENOMEM;
		s->text = text;
	}
	memcpy(s->text + s->text_len, str, len);
	*at = s->text_len;
	s->text_len += len;
	return 0;
}

static int add_symbol(struct symbols *s, const struct symbol *sym)
{
	struct symbol *table = grow_list(s->table, s->nr, sizeof(*table));

	if (!table)
		return -ENOMEM;
	s->table = table;
	table[s->nr++] = *sym;
	return 0;
}

/* "ffffffff81000000 T _text" or "ffffffffc0000000 t init_it	[module]" */
static int parse_symbol(struct symbols *s, const char *line, uint32_t *last_mod)
{
	struct symbol sym = { .module = NO_MODULE };
	char name[512], module[64], type;
	int n, ret;

	n = sscanf(line, "%" SCNx64 " %c %511s [%63[^]]]", &sym.addr, &type,
		   name, module);
	if (n < 3)
		return 0;
	if (!sym.addr) {
		s->hidden = true;
		return 0;
	}
	sym.code = strchr("tTwW", type);
	ret = add_text(s, name, &sym.name);
	if (!ret && n == 4) {
		/* Symbols of one module follow each other. */
		if (*last_mod == NO_MODULE ||
		    strcmp(s->text + *last_mod, module))
			ret = add_text(s, module, last_mod);
		sym.module = *last_mod;
	}
	return ret ? ret : add_symbol(s, &sym);
}

/* Code first among equals, then the order of the file. */
static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->code != y->code)
		return x->code ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

static int load_kallsyms(struct symbols *s, FILE *f)
{
	uint32_t last_mod = NO_MODULE;
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&line, &size, f) > 0)
		ret = parse_symbol(s, line, &last_mod);
	free(line);
	if (s->nr)
		qsort(s->table, s->nr, sizeof(*s->table), by_address);
	/* Absolute symbols of per-CPU data may be zero at any time. */
	s->hidden = s->hidden && !s->nr;
	return ret;
}

/* "name base_hex size_dec" */
static int load_modules(struct symbols *s, FILE *f)
{
	struct module mod, *modules;
	char *line = NULL, name[64];
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&line, &size, f) > 0) {
		if (sscanf(line, "%63s %" SCNx64 " %" SCNu64, name, &mod.base,
			   &mod.size) != 3 || !mod.base)
			continue;
		modules = realloc(s->modules,
				  (s->nr_modules + 1) * sizeof(*modules));
		mod.name = strdup(name);
		if (modules)
			s->modules = modules;
		if (!modules || !mod.name) {
			free(mod.name);
			ret = -ENOMEM;
			break;
		}
		modules[s->nr_modules++] = mod;
	}
	free(line);
	return ret;
}

/* Read a file with @load; one that is not there is an empty one. */
static int load_file(struct symbols *s, const char *path,
		     int (*load)(struct symbols *s, FILE *f))
{
	FILE *f;
	int ret = file_open_stream(path, &f);

	if (!f)
		return ret;
	ret = load(s, f);
	fclose(f);
	return ret;
}

/**
 * symbols_load - read the symbols of a trace
 * @s: result; symbols_free() it also after an error
 * @kallsyms: path of a copy of /proc/kallsyms; need not exist
 * @modules: path of lines "name base_hex size_dec"; need not exist
 *
 * Return: 0, or -errno after a message.
 */
int symbols_load(struct symbols *s, const char *kallsyms, const char *modules)
{
	int ret;

	memset(s, 0, sizeof(*s));
	ret = load_file(s, kallsyms, load_kallsyms);
	if (!ret)
		ret = load_file(s, modules, load_modules);
	return ret;
}

/* Give back what symbols_load() took. */
void symbols_free(struct symbols *s)
{
	size_t i;

	for (i = 0; i < s->nr_modules; i++)
		free(s->modules[i].name);
	free(s->modules);
	free(s->table);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

static const struct module *find_module(const struct symbols *s, uint64_t addr)
{
	size_t i;

	for (i = 0; i < s->nr_modules; i++)
		if (addr - s->modules[i].base < s->modules[i].size)
			return &s->modules[i];
	return NULL;
}

/* The last symbol at or below @addr; of several at one address the first. */
static const struct symbol *find_symbol(const struct symbols *s, uint64_t addr)
{
	size_t lo = 0, hi = s->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->table[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	for (lo--; lo > 0 && s->table[lo - 1].addr == s->table[lo].addr; lo--)
		;
	return &s->table[lo];
}

/**
 * symbols_find - name a call site
 * @s: the symbols
 * @call_site: a return address
 * @ref: result
 *
 * A return address may lie behind the last byte of its function, when that
 * ends in a call: what counts is the byte before it.
 */
void symbols_find(const struct symbols *s, uint64_t call_site,
		  struct symbol_ref *ref)
{
	const struct symbol *sym = find_symbol(s, call_site - 1);
	const struct module *mod = find_module(s, call_site - 1);
	const char *sym_mod = NULL;

	memset(ref, 0, sizeof(*ref));
	if (mod)
		ref->module = mod->name;
	if (!sym || !sym->code || call_site - sym->addr > MAX_FUNCTION)
		return;
	if (sym->module != NO_MODULE)
		sym_mod = s->text + sym->module;
	/* In a module that left no symbols, the last one of another is near. */
	if (mod && (!sym_mod || strcmp(sym_mod, mod->name)))
		return;
	ref->name = s->text + sym->name;
	ref->offset = call_site - sym->addr;
	ref->module = sym_mod;
}

/* The address of a symbol of the kernel itself; false without it. */
bool symbols_address(const struct symbols *s, const char *name, uint64_t *addr)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		if (s->table[i].module != NO_MODULE ||
		    strcmp(s->text + s->table[i].name, name))
			continue;
		*addr = s->table[i].addr;
		return true;
	}
	return false;
}
