// SPDX-License-Identifier: GPL-2.0
/*
 * File and line of an address, from the debug information of a vmlinux.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "common/memory.h"
#include "common/text.h"
#include "kmemtrace-records.h"
#include "report/source.h"

/* Most functions inlined in each other that a search looks at. */
#define MAX_INLINED	64

/**
 * struct unit_range - addresses of a compilation unit
 * @begin: the first
 * @end: behind the last
 * @unit: place of the unit's DIE
 */
struct unit_range {
	Dwarf_Addr begin, end;
	Dwarf_Off unit;
};

/**
 * struct source - an open vmlinux
 * @path: for messages
 * @fd: its descriptor
 * @elf: its ELF handle
 * @dwarf: its debug information
 * @slide: difference between the running kernel's addresses and the vmlinux's, from KASLR
 * @tree: the directory of the kernel's sources, with a slash at its end
 * @normalized: tsearch()'s tree of normalized paths
 * @units: addresses of all compilation units, in order
 * @nr_units: their number
 * @has_units: the list was made
 * @trace: its trace, whose relations have file and line
 * @last_site: the call site of the last source_find(); 0: there was none
 * @last: what that found
 */
struct source {
	const char *path;
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	uint64_t slide;
	char *tree;
	void *normalized;
	struct unit_range *units;
	size_t nr_units;
	bool has_units;
	struct kmemtrace_trace *trace;
	uint64_t last_site;
	struct source_line last;
};

/* Headers whose inline functions only call another allocation function. */
static const char * const wrappers[] = {
	"include/linux/slab.h",
	"include/linux/gfp.h",
	"include/linux/mm.h",
	"include/linux/string.h",
	"include/linux/pagemap.h",
	"include/asm-generic/pgalloc.h",
};

static int check_build_id(const struct source *s, const char *expected)
{
	const unsigned char *bits;
	const void *note;
	char hex[129];
	ssize_t len, i;

	if (!expected) {
		warnx("%s: the trace has no build id: can't tell whether this is its kernel",
		      s->path);
		return 0;
	}
	len = dwelf_elf_gnu_build_id(s->elf, &note);
	if (len <= 0 || (size_t)len >= sizeof(hex) / 2) {
		warnx("%s: has no build id: can't tell whether this is the traced kernel",
		      s->path);
		return 0;
	}
	bits = note;
	for (i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", bits[i]);
	if (!strcmp(hex, expected))
		return 0;
	warnx("%s: is not the traced kernel: its build id is %s, the trace's %s",
	      s->path, hex, expected);
	return -EINVAL;
}

static int elf_symbol(Elf *elf, const char *name, uint64_t *addr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	GElf_Sym sym;
	Elf_Data *data;
	size_t i, nr;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_SYMTAB ||
		    !shdr.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		nr = shdr.sh_size / shdr.sh_entsize;
		for (i = 0; data && i < nr && gelf_getsym(data, i, &sym); i++) {
			const char *s = elf_strptr(elf, shdr.sh_link,
						   sym.st_name);

			if (s && !strcmp(s, name)) {
				*addr = sym.st_value;
				return 0;
			}
		}
	}
	return -ENOENT;
}

/* Find the difference between the addresses of the running kernel and of the vmlinux. */
static int find_slide(struct source *s, const struct kmemtrace_trace *trace)
{
	static const char * const names[] = { "_stext", "_text" };
	uint64_t linked, running;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (elf_symbol(s->elf, names[i], &linked) ||
		    kmemtrace_symbol_address(trace, names[i], &running))
			continue;
		s->slide = running - linked;
		return 0;
	}
	warnx("%s: it or the trace's kallsyms lacks _stext: can't find the address at which the kernel ran",
	      s->path);
	return -ENOENT;
}

static int open_elf(struct source *s)
{
	int ret;

	s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0) {
		ret = -errno;
		warn("%s: open", s->path);
		return ret;
	}
	elf_version(EV_CURRENT);
	s->elf = elf_begin(s->fd, ELF_C_READ_MMAP, NULL);
	if (!s->elf || elf_kind(s->elf) != ELF_K_ELF) {
		warnx("%s: not an ELF file", s->path);
		return -ENOEXEC;
	}
	return 0;
}

/* Get the compilation unit at *@off, and move *@off to the next. False: there is none. */
static bool next_unit(struct source *s, Dwarf_Off *off, Dwarf_Die *cu)
{
	Dwarf_Off next, at = *off;
	size_t size;

	if (dwarf_nextcu(s->dwarf, at, &next, &size, NULL, NULL, NULL))
		return false;
	*off = next;
	return dwarf_offdie(s->dwarf, at + size, cu);
}

/* Find the directory of the sources: every kernel has an init/main.c in it. */
static void find_tree(struct source *s)
{
	static const char main_c[] = "/init/main.c";
	Dwarf_Off off = 0;
	const char *name;
	Dwarf_Die cu;
	size_t len;

	while (!s->tree && next_unit(s, &off, &cu)) {
		name = dwarf_diename(&cu);
		len = name ? strlen(name) : 0;
		if (len < sizeof(main_c) ||
		    strcmp(name + len + 1 - sizeof(main_c), main_c))
			continue;
		s->tree = strndup(name, len + 2 - sizeof(main_c));
	}
}

static int open_dwarf(struct source *s)
{
	Dwarf_Off off = 0;
	Dwarf_Die cu;

	s->dwarf = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
	if (s->dwarf && next_unit(s, &off, &cu)) {
		find_tree(s);
		return 0;
	}
	warnx("%s: has no debug information (stripped?): no file:line",
	      s->path);
	return -ENODATA;
}

/* Find file and line for a relation. */
static bool find_line(void *source, uint64_t call_site, const char **file, unsigned int *line)
{
	struct source_line found;

	source_find(source, call_site, &found);
	*file = found.file;
	*line = found.line;
	return found.file;
}

/**
 * source_open - open the vmlinux of a trace
 * @source: result
 * @vmlinux: path; must stay valid
 * @build_id: build id of the traced kernel in hex, NULL: unknown
 * @trace: the trace, whose symbols contain the addresses of the running kernel
 *
 * Relations of the trace have file and line until source_close().
 *
 * Return: 0, or -errno after a message. -ENODATA: no debug information.
 */
int source_open(struct source **source, const char *vmlinux,
		const char *build_id, struct kmemtrace_trace *trace)
{
	struct source *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return -ENOMEM;
	s->path = vmlinux;
	ret = open_elf(s);
	if (!ret)
		ret = check_build_id(s, build_id);
	if (!ret)
		ret = open_dwarf(s);
	if (!ret)
		ret = find_slide(s, trace);
	if (ret) {
		source_close(s);
		s = NULL;
	} else {
		s->trace = trace;
		kmemtrace_set_source(trace, &(struct kmemtrace_source) {
			.size = sizeof(struct kmemtrace_source), .find = find_line, .arg = s,
		});
	}
	*source = s;
	return ret;
}

/* Return whether normalize() would not change the path. */
static bool is_normal(const char *name)
{
	return strncmp(name, "./", 2) && !strstr(name, "/./") &&
	       !strstr(name, "/../") && !strstr(name, "//");
}

/* Return the last part of the path from @path to @end. */
static char *last_part(char *path, char *end)
{
	do
		end--;
	while (end > path && end[-1] != '/');
	return end;
}

/*
 * Remove "x/../", "./" and "//" from a path. A relative path keeps the "../" at its
 * beginning, an absolute one does not: the parent of the root is the root.
 */
static void normalize(char *path)
{
	bool from_root = *path == '/';
	char *top = path + from_root, *in = top, *out = top;
	size_t name, part;

	for (; *in; in += part) {
		name = strcspn(in, "/");
		part = name + (in[name] == '/');
		if (!name || (name == 1 && in[0] == '.'))
			continue;
		if (name != 2 || strncmp(in, "..", 2)) {
			memmove(out, in, part);
			out += part;
		} else if (out > top) {
			out = last_part(top, out);
		} else if (!from_root) {
			memmove(out, in, part);
			out += part;
			top = out;
		}
	}
	*out = '\0';
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Return the normalized path: one name for a file. It is valid until source_close(). */
static const char *normalized(struct source *s, const char *name)
{
	char *copy, **kept;

	if (is_normal(name))
		return name;
	copy = strdup(name);
	if (!copy)
		out_of_memory();
	normalize(copy);
	kept = tsearch(copy, &s->normalized, by_name);
	if (!kept)
		out_of_memory();
	if (*kept != copy)
		free(copy);
	return *kept;
}

static bool in_wrapper(struct source *s, const struct source_line *line)
{
	const char *file = line->file ? normalized(s, line->file) : "";
	size_t i, len = strlen(file), n;

	for (i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++) {
		n = strlen(wrappers[i]);
		if (len >= n && !strcmp(file + len - n, wrappers[i]))
			return true;
	}
	return false;
}

/* Return the path below @dir; @file itself if it is elsewhere. */
static const char *below(const char *dir, const char *file)
{
	size_t len = dir ? strlen(dir) : 0, slashes;

	if (!len || strncmp(file, dir, len))
		return file;
	slashes = strspn(file + len, "/");
	return slashes || dir[len - 1] == '/' ? file + len + slashes : file;
}

/* Return the path relative to the tree, or to the directory of the compiler. */
static const char *in_tree(struct source *s, Dwarf_Die *cu, const char *file)
{
	const char *dir, *name = below(s->tree, file);
	Dwarf_Attribute attr;

	if (name == file) {
		dir = dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attr));
		/* The path of the tree may be relative to that directory. */
		name = below(s->tree, below(dir, file));
	}
	return normalized(s, name);
}

static void line_of_address(Dwarf_Die *cu, Dwarf_Addr addr,
			    struct source_line *line)
{
	Dwarf_Line *l = dwarf_getsrc_die(cu, addr);

	if (!l)
		return;
	line->file = dwarf_linesrc(l, NULL, NULL);
	dwarf_lineno(l, &line->line);
}

/* Find the line that calls an inlined function. */
static int line_of_call(Dwarf_Die *cu, Dwarf_Die *inlined,
			struct source_line *line)
{
	Dwarf_Attribute attr;
	Dwarf_Word file, number;
	Dwarf_Files *files;
	size_t nr;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attr),
			    &file) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attr),
			    &number) ||
	    dwarf_getsrcfiles(cu, &files, &nr) || file >= nr)
		return -ENOENT;
	line->file = dwarf_filesrc(files, file, NULL, NULL);
	line->line = number;
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/*
 * List the addresses of all compilation units. Each takes some bytes of the file; a file that
 * claims more of them is damaged, and the rest is left out.
 */
static void list_units(struct source *s)
{
	Dwarf_Addr base, begin, end;
	Dwarf_Off off = 0;
	ptrdiff_t range;
	Dwarf_Die cu;
	size_t room = 0, most = 0;

	elf_rawfile(s->elf, &most);
	s->has_units = true;
	while (next_unit(s, &off, &cu)) {
		range = 0;
		while ((range = dwarf_ranges(&cu, range, &base, &begin, &end)) > 0) {
			if (s->nr_units == most / 8)
				break;
			if (s->nr_units == room) {
				room = room ? 2 * room : 1024;
				s->units = must_realloc(s->units, room, sizeof(*s->units));
			}
			s->units[s->nr_units++] = (struct unit_range) {
				begin, end, dwarf_dieoffset(&cu)
			};
		}
	}
	if (s->nr_units)
		qsort(s->units, s->nr_units, sizeof(*s->units), compare_ranges);
}

/* Find the compilation unit of an address. clang writes no .debug_aranges: search then. */
static bool find_unit(struct source *s, Dwarf_Addr addr, Dwarf_Die *cu)
{
	size_t from = 0, to, middle;

	if (dwarf_addrdie(s->dwarf, addr, cu))
		return true;
	if (!s->has_units)
		list_units(s);
	for (to = s->nr_units; from < to; ) {
		middle = from + (to - from) / 2;
		if (s->units[middle].begin <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from && addr < s->units[from - 1].end &&
	       dwarf_offdie(s->dwarf, s->units[from - 1].unit, cu);
}

/*
 * Replace @die by its child that contains @addr. In the file, each child stands behind the one
 * before. Where a damaged file says otherwise, the search ends, so that it can't run in a circle.
 */
static bool enter_child(Dwarf_Die *die, Dwarf_Addr addr)
{
	Dwarf_Off before = dwarf_dieoffset(die);
	Dwarf_Die child;
	int ret;

	for (ret = dwarf_child(die, &child); !ret; ret = dwarf_siblingof(&child, &child)) {
		if (dwarf_dieoffset(&child) <= before)
			break;
		before = dwarf_dieoffset(&child);
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			if (dwarf_haspc(&child, addr) > 0) {
				*die = child;
				return true;
			}
		}
	}
	return false;
}

/* List the functions that are inlined at @addr, outermost first. Return their number. */
static size_t inlined_at(Dwarf_Die *cu, Dwarf_Addr addr, Dwarf_Die *chain)
{
	Dwarf_Die die = *cu;
	size_t nr = 0;

	while (nr < MAX_INLINED && enter_child(&die, addr))
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
			chain[nr++] = die;
	return nr;
}

/**
 * source_find - find file and line of a call
 * @s: the vmlinux
 * @call_site: a return address of the running kernel; the byte before it is in the call
 * @line: result; for a call in an inline wrapper, the line that calls the wrapper
 */
void source_find(struct source *s, uint64_t call_site, struct source_line *line)
{
	Dwarf_Addr addr = call_site - 1 - s->slide;
	Dwarf_Die cu, chain[MAX_INLINED];
	size_t nr;

	*line = s->last;
	if (call_site && call_site == s->last_site)
		return;
	s->last_site = call_site;
	s->last = *line = (struct source_line) { 0 };
	if (!find_unit(s, addr, &cu))
		return;
	line_of_address(&cu, addr, line);
	if (in_wrapper(s, line)) {
		nr = inlined_at(&cu, addr, chain);
		while (nr && in_wrapper(s, line) && !line_of_call(&cu, &chain[nr - 1], line))
			nr--;
	}
	if (line->file)
		line->file = in_tree(s, &cu, line->file);
	s->last = *line;
}

/* Close a vmlinux. */
void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->trace)
		kmemtrace_set_source(s->trace, NULL);
	dwarf_end(s->dwarf);
	elf_end(s->elf);
	if (s->fd >= 0)
		close(s->fd);
	tdestroy(s->normalized, free);
	free(s->units);
	free(s->tree);
	free(s);
}
