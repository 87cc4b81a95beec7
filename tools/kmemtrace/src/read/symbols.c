// SPDX-License-Identifier: GPL-2.0
/*
 * symbols.c - names for the addresses of a trace, from its kallsyms and modules files
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/symbols.h"

/*
 * The largest function of a kernel: an address further behind a symbol is in code without
 * symbols.
 */
#define MAX_FUNCTION	(1 << 20)
#define NO_MODULE	UINT32_MAX

/* Bytes; a large kernel has 20 MB of symbols. */
#define MAX_KALLSYMS	(256 << 20)
#define MAX_MODULES	(4 << 20)

/* Lines between two calls of context_check(). */
#define CHECK_LINES	1024

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Cut the next word off a line; NULL: there is none. */
static char *next_word(char **line)
{
	char *word = *line, *end;

	while (is_blank(*word))
		word++;
	for (end = word; *end && !is_blank(*end);)
		end++;
	*line = end + !!*end;
	*end = '\0';
	return end > word ? word : NULL;
}

static bool parse_whole_number(const char *word, int base, uint64_t *value)
{
	char *end;

	if (!word || !isxdigit((unsigned char)*word))
		return false;
	*value = strtoull(word, &end, base);
	return !*end;
}

/* Call @parse for each line, until it fails. */
static int each_line(struct symbols *s, struct context *ctx, struct text text,
		     int (*parse)(struct symbols *s, struct context *ctx, char *line))
{
	size_t nr = 0;
	char *line;
	int ret = 0;

	while (!ret && (line = text_line(&text))) {
		ret = parse(s, ctx, line);
		if (!ret && ++nr % CHECK_LINES == 0)
			ret = context_check(ctx);
	}
	return ret;
}

/* ---- kallsyms ---- */

/* Bytes of a line of kallsyms, about. */
#define LINE_BYTES	40

/* Make room for so many symbols. */
static int resize_symbols(struct symbols *s, struct context *ctx, size_t room)
{
	struct symbol *table = context_large(ctx, room * sizeof(*table));

	if (!table)
		return -ENOMEM;
	if (s->nr)
		memcpy(table, s->table, s->nr * sizeof(*table));
	free(s->table);
	s->table = table;
	s->room = room;
	return 0;
}

static int add_symbol(struct symbols *s, struct context *ctx, const struct symbol *sym)
{
	if (s->nr == s->room && resize_symbols(s, ctx, 2 * s->room))
		return -ENOMEM;
	s->table[s->nr++] = *sym;
	return 0;
}

/* One more than the value of each hexadecimal digit; 0: it is none. */
static const uint8_t digits[UINT8_MAX + 1] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7,
	['7'] = 8, ['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14,
	['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15,
	['F'] = 16,
};

/* Parse a word of 1 to 16 hexadecimal digits: a large kernel has millions of them. */
static bool parse_address(const char *word, uint64_t *addr)
{
	const unsigned char *at = (const unsigned char *)word;

	for (*addr = 0; digits[*at] && !(*addr >> 60); at++)
		*addr = *addr << 4 | (uint64_t)(digits[*at] - 1);
	return !*at && *word;
}

/* "[module]"; return its offset in the text, or NO_MODULE */
static uint32_t parse_module(const struct symbols *s, struct context *ctx, char *word)
{
	if (!word || word[0] != '[' || !word[1] || word[1] == ']')
		return NO_MODULE;
	word[strcspn(word, "]")] = '\0';
	context_cut(ctx, word + 1, MAX_MODULE_NAME);
	return word + 1 - s->text;
}

/* Return whether it is a label inside a function, as modules of riscv and arm have them. */
static bool is_label(const char *name)
{
	return *name == '$' || (name[0] == '.' && name[1] == 'L') ||
	       (name[0] == 'L' && name[1] == '0');
}

/* "ffffffff81000000 T _text" or "ffffffffc0000000 t init_it	[module]" */
static int parse_symbol(struct symbols *s, struct context *ctx, char *line)
{
	const char *addr = next_word(&line), *type = next_word(&line);
	char *name = next_word(&line);
	struct symbol sym;

	if (!name || is_label(name) || !parse_address(addr, &sym.addr))
		return 0;
	if (!sym.addr) {
		s->hidden = true;
		return 0;
	}
	context_cut(ctx, name, MAX_KERNEL_NAME);
	sym.code = strchr("tTwW", *type);
	sym.name = name - s->text;
	while (is_blank(*line))
		line++;
	sym.module = parse_module(s, ctx, line);
	return add_symbol(s, ctx, &sym);
}

/* At one address, code comes first, then the order of the file decides. */
static int by_symbol_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->code != y->code)
		return x->code ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Return how many symbols are in order before the first that isn't. */
static size_t count_sorted(const struct symbols *s)
{
	size_t i;

	for (i = 1; i < s->nr; i++)
		if (by_symbol_address(&s->table[i - 1], &s->table[i]) > 0)
			return i;
	return s->nr;
}

/* Merge the first @nr symbols with those after them; both are in order. */
static int merge_symbols(struct symbols *s, struct context *ctx, size_t nr)
{
	size_t left = s->nr - nr, end = s->nr;
	struct symbol *rest = context_realloc(ctx, NULL, left, sizeof(*rest));

	if (!rest)
		return -ENOMEM;
	memcpy(rest, s->table + nr, left * sizeof(*rest));
	while (left) {
		if (nr && by_symbol_address(&s->table[nr - 1], &rest[left - 1]) > 0)
			s->table[--end] = s->table[--nr];
		else
			s->table[--end] = rest[--left];
	}
	free(rest);
	return 0;
}

/* The symbols of the kernel itself are in order, those of modules follow them. */
static int sort_symbols(struct symbols *s, struct context *ctx)
{
	size_t nr = count_sorted(s);

	if (nr == s->nr)
		return 0;
	qsort(s->table + nr, s->nr - nr, sizeof(*s->table), by_symbol_address);
	return merge_symbols(s, ctx, nr);
}

/* Return what was not taken yet of a text; the last line of a file that grows may not be whole. */
static struct text next_whole_lines(struct symbols *s, char *end, bool grows)
{
	struct text text = { .at = s->text + s->taken, .end = end };

	while (grows && text.end > text.at && text.end[-1] != '\n')
		text.end--;
	s->taken = text.end - s->text;
	return text;
}

static int load_kallsyms(struct symbols *s, struct context *ctx, struct files *files)
{
	struct text text = { .at = s->text };
	int ret = files_read_on(files, ctx, "kallsyms", MAX_KALLSYMS, s->taken, &text);

	s->text = text.at;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	text = next_whole_lines(s, text.end, files_grow(files));
	if (!s->room)
		ret = resize_symbols(s, ctx, (text.end - text.at) / LINE_BYTES + 1);
	if (!ret)
		ret = each_line(s, ctx, text, parse_symbol);
	if (!ret)
		ret = sort_symbols(s, ctx);
	/* Absolute symbols of per-CPU data are zero even where no address is hidden. */
	s->hidden = s->hidden && !s->nr;
	return ret;
}

/* ---- modules ---- */

/* "name base_hex size_dec" */
static int parse_module_line(struct symbols *s, struct context *ctx, char *line)
{
	char *name = next_word(&line), *base = next_word(&line);
	struct module *modules;
	uint64_t first, size;

	if (!parse_whole_number(base, 16, &first) || !first ||
	    !parse_whole_number(next_word(&line), 10, &size) || !size)
		return 0;
	/* The end of a module must not wrap around. */
	if (size > UINT64_MAX - first)
		size = UINT64_MAX - first;
	context_cut(ctx, name, MAX_MODULE_NAME);
	modules = context_grow_list(ctx, s->modules, s->nr_modules, sizeof(*modules));
	if (!modules)
		return -ENOMEM;
	s->modules = modules;
	modules[s->nr_modules++] = (struct module) { first, first + size - 1, name };
	return 0;
}

/**
 * struct spans - the addresses between the ends of any modules
 * @bounds: where a span begins and the one before ends
 * @owner: module of each span
 * @next: a span at or after this one that has no owner, or on the way to it
 * @nr: bounds
 */
struct spans {
	uint64_t *bounds;
	struct module *owner;
	size_t *next;
	size_t nr;
};

static int by_number_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void find_bounds(struct spans *spans, const struct symbols *s)
{
	size_t i, nr = 0;

	for (i = 0; i < s->nr_modules; i++) {
		spans->bounds[nr++] = s->modules[i].first;
		spans->bounds[nr++] = s->modules[i].last + 1;
	}
	qsort(spans->bounds, nr, sizeof(*spans->bounds), by_number_value);
	for (i = 0; i < nr; i++)
		if (!i || spans->bounds[i] != spans->bounds[spans->nr - 1])
			spans->bounds[spans->nr++] = spans->bounds[i];
	for (i = 0; i <= spans->nr; i++)
		spans->next[i] = i;
}

static size_t next_free(struct spans *spans, size_t i)
{
	while (spans->next[i] != i) {
		spans->next[i] = spans->next[spans->next[i]];
		i = spans->next[i];
	}
	return i;
}

/* The last one that begins comes first, then the order of the file decides. */
static int by_module_begin(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	if (x->first != y->first)
		return x->first > y->first ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Give a module the spans that no module before it took. */
static void take_spans(struct spans *spans, const struct module *module)
{
	const uint64_t *first = bsearch(&module->first, spans->bounds, spans->nr,
					sizeof(*spans->bounds), by_number_value);
	size_t i = next_free(spans, first - spans->bounds);

	while (i < spans->nr && spans->bounds[i] <= module->last) {
		spans->owner[i] = (struct module) {
			spans->bounds[i], spans->bounds[i + 1] - 1, module->name,
		};
		spans->next[i] = i + 1;
		i = next_free(spans, i);
	}
}

/*
 * Modules may overlap: those that were loaded one after the other, and on kernels that
 * place code and data of a module apart, where its code alone begins at its base but its
 * size counts all. Split them where others begin and end, so that each address has one:
 * that which begins next before it.
 */
static int split_modules(struct symbols *s, struct context *ctx)
{
	struct spans spans = {
		.bounds = context_calloc(ctx, 2 * s->nr_modules, sizeof(*spans.bounds)),
		.owner = context_calloc(ctx, 2 * s->nr_modules, sizeof(*spans.owner)),
		.next = context_calloc(ctx, 2 * s->nr_modules + 1, sizeof(*spans.next)),
	};
	int ret = context_error(ctx);
	size_t i, nr = 0;

	if (!ret) {
		find_bounds(&spans, s);
		qsort(s->modules, s->nr_modules, sizeof(*s->modules), by_module_begin);
		for (i = 0; i < s->nr_modules; i++)
			take_spans(&spans, &s->modules[i]);
		for (i = 0; i < spans.nr; i++)
			if (spans.owner[i].name)
				spans.owner[nr++] = spans.owner[i];
		free(s->modules);
		s->modules = spans.owner;
		s->nr_modules = nr;
	} else {
		free(spans.owner);
	}
	free(spans.bounds);
	free(spans.next);
	return ret;
}

static int load_modules(struct symbols *s, struct context *ctx, struct files *files)
{
	struct text text;
	int ret = files_read(files, ctx, "modules", MAX_MODULES, &text);

	free(s->modules);
	free(s->modules_text);
	s->modules = NULL;
	s->nr_modules = 0;
	s->modules_text = text.at;
	if (!ret)
		ret = each_line(s, ctx, text, parse_module_line);
	if (!ret && s->nr_modules)
		ret = split_modules(s, ctx);
	return ret;
}

/**
 * symbols_load - read the symbols of a trace
 * @s: result, zeroed or from the last call, after which lines were appended; symbols_free() it also
 *	after an error
 * @ctx: the context of the trace
 * @files: may have a copy of /proc/kallsyms, and modules: lines "name base_hex size_dec"
 *
 * Return: 0, or -errno after a message.
 */
int symbols_load(struct symbols *s, struct context *ctx, struct files *files)
{
	int ret = load_kallsyms(s, ctx, files);

	return ret ? ret : load_modules(s, ctx, files);
}

/* Undo symbols_load(). */
void symbols_free(struct symbols *s)
{
	free(s->modules);
	free(s->modules_text);
	free(s->table);
	free(s->text);
	*s = (struct symbols) { .nr = 0 };
}

/* ---- look-up ---- */

static const struct module *module_at(const struct symbols *s, uint64_t addr)
{
	size_t low = 0, high = s->nr_modules, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->modules[mid].last < addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == s->nr_modules || s->modules[low].first > addr)
		return NULL;
	return &s->modules[low];
}

/* Return how many symbols are below @addr. */
static size_t symbols_below(const struct symbols *s, uint64_t addr)
{
	size_t low = 0, high = s->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->table[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Return the last symbol at or below @addr, the first of several at one address. */
static const struct symbol *find_symbol(const struct symbols *s, uint64_t addr)
{
	size_t i = symbols_below(s, addr);

	if (i < s->nr && s->table[i].addr == addr)
		return &s->table[i];
	return i ? &s->table[symbols_below(s, s->table[i - 1].addr)] : NULL;
}

/**
 * symbols_at - name an address
 * @s: the symbols
 * @addr: the address
 * @ref: result
 */
void symbols_at(const struct symbols *s, uint64_t addr, struct symbol_ref *ref)
{
	const struct symbol *sym = find_symbol(s, addr);
	const struct module *mod = module_at(s, addr);
	const char *sym_mod = NULL;

	memset(ref, 0, sizeof(*ref));
	if (mod)
		ref->module = mod->name;
	if (!sym || !sym->code || addr - sym->addr >= MAX_FUNCTION)
		return;
	if (sym->module != NO_MODULE)
		sym_mod = s->text + sym->module;
	/* Before a module that left no symbols, the last symbol is another module's. */
	if (mod && (!sym_mod || strcmp(sym_mod, mod->name)))
		return;
	ref->name = s->text + sym->name;
	ref->offset = addr - sym->addr;
	ref->module = sym_mod;
}

/**
 * symbols_find - name a call site
 * @s: the symbols
 * @call_site: a return address
 * @ref: result
 *
 * A function that ends with a call has a return address behind its last byte. So the
 * byte before the return address is looked up.
 */
void symbols_find(const struct symbols *s, uint64_t call_site,
		  struct symbol_ref *ref)
{
	symbols_at(s, call_site - 1, ref);
	if (ref->name)
		ref->offset++;
}

/*
 * Set the address and the names of symbol @i, in the order of addresses; of one that is no code, no
 * name. Return false: there are no more.
 */
bool symbols_get(const struct symbols *s, size_t i, uint64_t *addr, struct symbol_ref *ref)
{
	*ref = (struct symbol_ref) { .name = NULL };
	if (i >= s->nr)
		return false;
	*addr = s->table[i].addr;
	if (!s->table[i].code)
		return true;
	ref->name = s->text + s->table[i].name;
	ref->module = s->table[i].module == NO_MODULE ? NULL : s->text + s->table[i].module;
	return true;
}

/* Find the address of a symbol of the kernel itself; false where it has none. */
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
