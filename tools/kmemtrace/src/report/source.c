// SPDX-License-Identifier: GPL-2.0
/*
 * File and line of an address, from the debug information of a vmlinux and of modules.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include "common/context.h"
#include "common/intern.h"
#include "common/lookup.h"
#include "common/memory.h"
#include "common/text.h"
#include "kmemtrace-records.h"
#include "report/debuginfo.h"
#include "report/relocate.h"
#include "report/source.h"

/* Depth of blocks in each other, and functions inlined in each other, that a search looks at. */
#define MAX_DEPTH	64

/* Notes of the file among which the build id must be. */
#define MAX_NOTES	1024

/**
 * struct inlined - addresses at which a function is inlined
 * @begin: the first
 * @end: behind the last one
 * @file: number of the file that calls it
 * @line: line of the call
 * @die: place of its DIE
 * @depth: how many blocks it is in
 * @outer: 1 + number of the smallest one before that these addresses may be in; 0: none
 */
struct inlined {
	Dwarf_Addr begin, end;
	uint64_t file, line;
	Dwarf_Off die;
	size_t depth, outer;
};

/**
 * struct unit - a compilation unit
 * @offset: place of its DIE
 * @is_read: what follows is known
 * @has_lines: its line table may be read
 * @inlined: what is inlined in it, by address
 * @nr: entries of @inlined
 */
struct unit {
	Dwarf_Off offset;
	bool is_read, has_lines;
	struct inlined *inlined;
	size_t nr;
};

/**
 * struct unit_range - addresses of a compilation unit
 * @begin: the first
 * @end: behind the last
 * @unit: number of the unit
 */
struct unit_range {
	Dwarf_Addr begin, end;
	size_t unit;
};

/**
 * struct source_file - a file of the line tables
 * @name: its name, as libdw has it, and the directory of the compiler
 * @path: its path in the tree
 * @is_wrapper: it is one of wrappers[]
 */
struct source_file {
	const char *name[2];
	const char *path;
	bool is_wrapper;
};

/**
 * struct source_module - a file that may have the debug information of a module
 * @name: name of the module
 * @path: the file
 * @source: it once it is open; NULL: it is not, or has no debug information
 * @is_tried: it was opened
 */
struct source_module {
	char *name, *path;
	struct source *source;
	bool is_tried;
};

/**
 * struct source - an open vmlinux, or a module
 * @path: for messages
 * @fd: its descriptor
 * @elf: its ELF handle
 * @dwarf: its debug information
 * @info: what may be read of that
 * @slide: difference between the running kernel's addresses and the vmlinux's, from KASLR
 * @tree: the directory of the kernel's sources, with a slash at its end
 * @units: all compilation units
 * @nr_units: their number
 * @ranges: their addresses, in order
 * @nr_ranges: entries of @ranges
 * @files: the files that call sites are in
 * @nr_files: entries of @files
 * @by_name: finds a file by its name and directory
 * @paths: the paths of files, each once
 * @has_cut: a path was too long
 * @functions: of a module, its functions
 * @modules: the files of modules, by name
 * @nr_modules: entries of @modules
 * @nameless: modules of call sites for which there is no file; messages name them once
 * @nr_nameless: entries of @nameless
 * @trace: its trace, whose relations have file and line
 * @last_site: the call site of the last source_find(); 0: there was none
 * @last: what that found
 */
struct source {
	char *path;
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	struct debuginfo info;
	uint64_t slide;
	char *tree;
	struct unit *units;
	size_t nr_units;
	struct unit_range *ranges;
	size_t nr_ranges;
	struct source_file *files;
	uint32_t nr_files;
	struct lookup by_name;
	struct intern paths;
	bool has_cut;
	struct relocated functions;
	struct source_module *modules;
	size_t nr_modules;
	const char **nameless;
	size_t nr_nameless;
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

/* Return the bytes of the build id, and set @id to it; 0: there is none. */
static size_t find_build_id(Elf *elf, const unsigned char **id)
{
	size_t left = MAX_NOTES, at, next, name, desc;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;
	GElf_Nhdr note;

	while ((scn = elf_nextscn(elf, scn)) && left) {
		data = gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_NOTE ?
		       elf_getdata(scn, NULL) : NULL;
		left--;
		for (at = 0; data && left && (next = gelf_getnote(data, at, &note, &name, &desc));
		     at = next, left--) {
			if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
			    memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")))
				continue;
			*id = (unsigned char *)data->d_buf + desc;
			return note.n_descsz;
		}
	}
	return 0;
}

static int check_build_id(const struct source *s, const char *expected)
{
	const unsigned char *bits;
	char hex[129];
	size_t len, i;

	if (!expected) {
		warnx("%s: the trace has no build id: can't tell whether this is its kernel",
		      s->path);
		return 0;
	}
	len = find_build_id(s->elf, &bits);
	if (!len || len >= sizeof(hex) / 2) {
		warnx("%s: has no build id: can't tell whether this is the traced kernel",
		      s->path);
		return 0;
	}
	for (i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", bits[i]);
	if (!strcmp(hex, expected))
		return 0;
	warnx("%s: is not the traced kernel: its build id is %s, the trace's %s",
	      s->path, hex, expected);
	return -EINVAL;
}

/* Return the table of symbols; NULL: there is none. A linker writes only one. */
static Elf_Scn *symbol_section(Elf *elf, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, shdr) && shdr->sh_type == SHT_SYMTAB && shdr->sh_entsize)
			break;
	return scn;
}

static int elf_symbol(Elf *elf, const char *name, uint64_t *addr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = symbol_section(elf, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t i, nr = data ? shdr.sh_size / shdr.sh_entsize : 0;
	GElf_Sym sym;

	for (i = 0; i < nr && gelf_getsym(data, i, &sym); i++) {
		const char *s = elf_strptr(elf, shdr.sh_link, sym.st_name);

		if (s && !strcmp(s, name)) {
			*addr = sym.st_value;
			return 0;
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
	warnx("%s: it or the trace's kallsyms lacks _stext: can't find the address at which the kernel ran: no file:line",
	      s->path);
	return -ENODATA;
}

/* The table of the sections is at the end of a file, with none behind it. */
static bool is_truncated(Elf *elf)
{
	GElf_Ehdr ehdr;
	size_t size = 0;

	elf_rawfile(elf, &size);
	return gelf_getehdr(elf, &ehdr) &&
	       (ehdr.e_shoff > size || size - ehdr.e_shoff < (size_t)ehdr.e_shnum * ehdr.e_shentsize);
}

static int open_elf(struct source *s)
{
	int ret;

	if (!s->path)
		return -ENOMEM;
	s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0) {
		ret = -errno;
		warn("%s: open", s->path);
		return ret;
	}
	elf_version(EV_CURRENT);
	/* The debug information of modules is changed in memory. */
	s->elf = elf_begin(s->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!s->elf || elf_kind(s->elf) != ELF_K_ELF) {
		warnx("%s: not an ELF file", s->path);
		return -ENOEXEC;
	}
	if (is_truncated(s->elf)) {
		warnx("%s: is truncated: no file:line; copy the file again", s->path);
		return -ENODATA;
	}
	return 0;
}

/* ---- compilation units ---- */

/* The directory of the sources has an init/main.c in every kernel. */
static void look_for_tree(struct source *s, const char *name)
{
	static const char main_c[] = "/init/main.c";
	size_t len = name ? strnlen(name, MAX_KERNEL_NAME) : 0;

	if (!s->tree && len >= sizeof(main_c) &&
	    !strcmp(name + len + 1 - sizeof(main_c), main_c))
		s->tree = strndup(name, len + 2 - sizeof(main_c));
}

static void add_ranges(struct source *s, Dwarf_Die *cu)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t range = 0;

	while ((range = dwarf_ranges(cu, range, &base, &begin, &end)) > 0 &&
	       debuginfo_spend(&s->info, sizeof(*s->ranges))) {
		s->ranges = must_grow_list(s->ranges, s->nr_ranges, sizeof(*s->ranges));
		s->ranges[s->nr_ranges++] = (struct unit_range) { begin, end, s->nr_units };
	}
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* List all compilation units and their addresses. clang writes no .debug_aranges. */
static void list_units(struct source *s)
{
	Dwarf_Off at = 0, next, abbrev;
	Dwarf_Die cu;
	size_t size;

	for (; !dwarf_nextcu(s->dwarf, at, &next, &size, &abbrev, NULL, NULL); at = next) {
		if (!debuginfo_unit(&s->info, abbrev) ||
		    !dwarf_offdie(s->dwarf, at + size, &cu))
			continue;
		look_for_tree(s, dwarf_diename(&cu));
		add_ranges(s, &cu);
		s->units = must_grow_list(s->units, s->nr_units, sizeof(*s->units));
		s->units[s->nr_units++] = (struct unit) { .offset = dwarf_dieoffset(&cu) };
	}
	/* A kernel that was not built in its tree was built in a directory of that. */
	if (!s->tree)
		s->tree = strdup("../");
	if (s->nr_ranges)
		qsort(s->ranges, s->nr_ranges, sizeof(*s->ranges), compare_ranges);
}

static int open_dwarf(struct source *s)
{
	GElf_Ehdr ehdr;

	if (!debuginfo_fits(&s->info, s->elf, s->path))
		return -EINVAL;
	if (gelf_getehdr(s->elf, &ehdr) && ehdr.e_type == ET_REL &&
	    !relocate_open(&s->functions, &s->info, s->elf))
		return -EINVAL;
	s->dwarf = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
	if (s->dwarf && debuginfo_open(&s->info, s->elf)) {
		/* It opens no other file that this one names. */
		dwarf_setalt(s->dwarf, s->dwarf);
		list_units(s);
	}
	if (s->nr_units)
		return 0;
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

static int open_vmlinux_of(struct source *s, const char *build_id,
			   const struct kmemtrace_trace *trace)
{
	int ret = open_elf(s);

	if (!ret)
		ret = check_build_id(s, build_id);
	if (!ret)
		ret = open_dwarf(s);
	return ret ? ret : find_slide(s, trace);
}

/* The same for what is inlined there. */
static bool find_inlined_for_relation(void *source, uint64_t call_site, const char **inlined)
{
	struct source_line found;

	source_find(source, call_site, &found);
	*inlined = found.inlined;
	return found.inlined;
}

/*
 * Open the vmlinux of a trace
 * @source: result
 * @vmlinux: path. NULL: there is none, but add_modules() adds modules
 * @build_id: build id of the traced kernel in hex, NULL: unknown
 * @trace: the trace, whose symbols contain the addresses of the running kernel
 *
 * Relations of the trace have file and line until source_close().
 *
 * Return: 0, or -errno after a message. -ENODATA: no debug information.
 */
static int open_vmlinux_source(struct source **source, const char *vmlinux,
		       const char *build_id, struct kmemtrace_trace *trace)
{
	struct source *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return -ENOMEM;
	s->path = vmlinux ? strdup(vmlinux) : NULL;
	s->fd = -1;
	ret = vmlinux ? open_vmlinux_of(s, build_id, trace) : 0;
	if (ret) {
		source_close(s);
		s = NULL;
	} else {
		s->trace = trace;
		kmemtrace_set_source(trace, &(struct kmemtrace_source) {
			.size = sizeof(struct kmemtrace_source), .find = find_line, .arg = s,
			.find_inlined = find_inlined_for_relation,
		});
	}
	*source = s;
	return ret;
}

/* ---- files ---- */

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

static bool is_wrapper_path(const char *path)
{
	size_t i, len = strlen(path), n;

	for (i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++) {
		n = strlen(wrappers[i]);
		if (len >= n && !strcmp(path + len - n, wrappers[i]))
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

/* Set the path relative to the tree, or to the directory of the compiler: one name for a file. */
static void set_source_path(struct source *s, struct source_file *file)
{
	const char *name = file->name[0], *dir = file->name[1], *in_tree = below(s->tree, name);
	uint64_t number;
	char *path;

	/* The path of the tree may be relative to that directory. */
	if (in_tree == name)
		in_tree = below(s->tree, below(dir, name));
	path = strdup(in_tree);
	if (!path)
		out_of_memory();
	normalize(path);
	file->is_wrapper = is_wrapper_path(path);
	if (text_cut(path, MAX_KERNEL_NAME) && !s->has_cut) {
		warnx("%s: names of files are cut after %d bytes", s->path, MAX_KERNEL_NAME);
		s->has_cut = true;
	}
	number = intern(&s->paths, path, strlen(path));
	if (number == INTERN_NO_MEMORY)
		out_of_memory();
	file->path = s->paths.list[number].bytes;
	free(path);
}

/* Return a file that libdw has named; of NULL one without a path. */
static struct source_file file_of(struct source *s, Dwarf_Die *cu, const char *name)
{
	Dwarf_Attribute attr;
	const char * const key[] = {
		name, dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attr)),
	};
	struct lookup_place place;
	uint32_t i;

	if (!name)
		return (struct source_file) { .path = NULL };
	place = lookup_begin(&s->by_name, key, sizeof(key));
	while ((i = lookup_next(&s->by_name, &place)) != LOOKUP_NONE)
		if (!memcmp(s->files[i].name, key, sizeof(key)))
			return s->files[i];
	s->files = must_grow_list(s->files, s->nr_files, sizeof(*s->files));
	if (!lookup_add(&s->by_name, &place, s->nr_files))
		out_of_memory();
	memcpy(s->files[s->nr_files].name, key, sizeof(key));
	set_source_path(s, &s->files[s->nr_files]);
	return s->files[s->nr_files++];
}

/* ---- inlined functions ---- */

static void add_inlined(struct source *s, struct unit *u, Dwarf_Die *die, size_t depth)
{
	struct inlined in = { .die = dwarf_dieoffset(die), .depth = depth };
	Dwarf_Attribute attr;
	ptrdiff_t range = 0;
	Dwarf_Addr base;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &in.file) ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &in.line))
		return;
	while ((range = dwarf_ranges(die, range, &base, &in.begin, &in.end)) > 0 &&
	       debuginfo_spend(&s->info, sizeof(*u->inlined))) {
		u->inlined = must_grow_list(u->inlined, u->nr, sizeof(*u->inlined));
		u->inlined[u->nr++] = in;
	}
}

/*
 * Move @at on to the sibling. In the file, each one stands behind the one before. Where a damaged
 * file says otherwise, they end, so that the search can't run in a circle.
 */
static bool next_sibling(struct source *s, Dwarf_Die *at)
{
	const Dwarf_Off before = dwarf_dieoffset(at);

	return debuginfo_spend(&s->info, 1) && !dwarf_siblingof(at, at) &&
	       dwarf_dieoffset(at) > before;
}

/* List what is inlined in a unit. */
static void list_inlined(struct source *s, struct unit *u, Dwarf_Die *cu)
{
	Dwarf_Die dies[MAX_DEPTH];
	size_t depth = 0;
	bool is_block;
	int tag;

	if (dwarf_child(cu, &dies[0]))
		return;
	for (;;) {
		tag = dwarf_tag(&dies[depth]);
		is_block = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			   tag == DW_TAG_inlined_subroutine;
		if (tag == DW_TAG_inlined_subroutine)
			add_inlined(s, u, &dies[depth], depth);
		if (is_block && depth + 1 < MAX_DEPTH &&
		    !dwarf_child(&dies[depth], &dies[depth + 1])) {
			depth++;
			continue;
		}
		while (!next_sibling(s, &dies[depth]))
			if (!depth--)
				return;
	}
}

/* What has other inlined functions in it comes before them. */
static int by_inlined_address(const void *a, const void *b)
{
	const struct inlined *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Find what each one is inlined in. */
static void find_outer(struct unit *u)
{
	size_t i, outer = 0;

	if (u->nr)
		qsort(u->inlined, u->nr, sizeof(*u->inlined), by_inlined_address);
	for (i = 0; i < u->nr; outer = ++i) {
		while (outer && u->inlined[outer - 1].end <= u->inlined[i].begin)
			outer = u->inlined[outer - 1].outer;
		u->inlined[i].outer = outer;
	}
}

/* ---- call sites ---- */

/* Find the unit of an address, whose line table may be read. Read the unit, unless that was done. */
static struct unit *find_unit(struct source *s, Dwarf_Addr addr, Dwarf_Die *cu)
{
	size_t from = 0, to, middle;
	struct unit *u;

	for (to = s->nr_ranges; from < to; ) {
		middle = from + (to - from) / 2;
		if (s->ranges[middle].begin <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || addr >= s->ranges[from - 1].end)
		return NULL;
	u = &s->units[s->ranges[from - 1].unit];
	if (!dwarf_offdie(s->dwarf, u->offset, cu))
		return NULL;
	if (!u->is_read) {
		u->is_read = true;
		u->has_lines = debuginfo_lines(&s->info, cu);
		if (u->has_lines)
			list_inlined(s, u, cu);
		find_outer(u);
	}
	return u->has_lines ? u : NULL;
}

/* Return the file of an address, and set the line; without a path: they are unknown. */
static struct source_file file_of_address(struct source *s, Dwarf_Die *cu, Dwarf_Addr addr, int *line)
{
	Dwarf_Line *l = dwarf_getsrc_die(cu, addr);

	if (!l || dwarf_lineno(l, line))
		return (struct source_file) { .path = NULL };
	return file_of(s, cu, dwarf_linesrc(l, NULL, NULL));
}

/* Return the file whose line calls an inlined function, and set the line, in the same way. */
static struct source_file file_of_call(struct source *s, Dwarf_Die *cu, const struct inlined *in,
				       int *line)
{
	Dwarf_Files *files;
	size_t nr;

	if (dwarf_getsrcfiles(cu, &files, &nr) || in->file >= nr)
		return (struct source_file) { .path = NULL };
	*line = in->line;
	return file_of(s, cu, dwarf_filesrc(files, in->file, NULL, NULL));
}

/* Print the name of an inlined function. It may be in another unit, which is not read for it. */
static void print_inlined_name(struct source *s, const struct inlined *in, FILE *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, origin;
	const char *name = NULL;

	if (dwarf_offdie(s->dwarf, in->die, &die) && dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
	    dwarf_whatform(&attr) != DW_FORM_ref_addr && dwarf_formref_die(&attr, &origin))
		name = dwarf_formstring(dwarf_attr(&origin, DW_AT_name, &attr));
	fprintf(out, "%.*s", MAX_KERNEL_NAME, name ? name : "(no name)");
}

/* Return 1 + number of the last inlined function that begins at @addr or before; 0: none. */
static size_t last_inlined(const struct unit *u, Dwarf_Addr addr)
{
	size_t from = 0, to = u->nr, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (u->inlined[middle].begin <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Return a text about what is inlined; NULL: it is empty. */
static const char *intern_inlined(struct source *s, FILE *out, char **text)
{
	uint64_t number;

	if (!out || fclose(out))
		out_of_memory();
	text_cut(*text, MAX_KERNEL_NAME);
	number = **text ? intern(&s->paths, *text, strlen(*text)) : 0;
	if (number == INTERN_NO_MEMORY)
		out_of_memory();
	return **text ? s->paths.list[number].bytes : NULL;
}

/*
 * Find file and line of an address of a file: that of the innermost inlined function which is no
 * wrapper. Then this function, and the lines that call it and those around it, each with its
 * function. Functions that call each other in one line, as those of a system call, are one.
 */
static void find_in_file(struct source *s, Dwarf_Addr addr, struct source_line *line)
{
	struct source_file file = { .path = NULL }, caller;
	const struct inlined *in;
	char *text = NULL;
	const struct unit *u;
	size_t i, steps = 0, size;
	Dwarf_Die cu;
	FILE *out;
	int at, last;

	u = find_unit(s, addr, &cu);
	if (u)
		file = file_of_address(s, &cu, addr, &line->line);
	if (!file.path)
		return;
	line->file = file.path;
	last = line->line;
	out = open_memstream(&text, &size);
	for (i = last_inlined(u, addr); i && out && steps++ < MAX_DEPTH; i = in->outer) {
		in = &u->inlined[i - 1];
		if (addr >= in->end)
			continue;
		caller = file_of_call(s, &cu, in, &at);
		if (!caller.path)
			break;
		if (file.is_wrapper) {
			line->file = caller.path;
			line->line = at;
		} else if (caller.path != file.path || at != last) {
			fputs(ftell(out) ? " in " : "", out);
			print_inlined_name(s, in, out);
			fprintf(out, " < %s:%d", caller.path, at);
		}
		file = caller;
		last = at;
	}
	line->inlined = intern_inlined(s, out, &text);
	free(text);
}

/* ---- modules ---- */

/* Return how many bytes of the name of a file are the name of a module; 0: it is none. */
static size_t module_name_bytes(const char *file)
{
	static const char * const ends[] = { ".ko", ".ko.debug" };
	const size_t len = strlen(file);
	size_t i, end;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		end = strlen(ends[i]);
		if (len > end && !strcmp(file + len - end, ends[i]))
			return len - end;
	}
	return 0;
}

/* Return whether a path is that of modules: of a folder, or of one. */
static bool is_of_modules(const char *path)
{
	struct stat st;

	return module_name_bytes(path) || (!stat(path, &st) && S_ISDIR(st.st_mode));
}

static void add_module_file(struct source *s, const char *path, const char *file)
{
	const size_t len = module_name_bytes(file);
	struct source_module *m;
	char *c;

	if (!len)
		return;
	s->modules = must_grow_list(s->modules, s->nr_modules, sizeof(*s->modules));
	m = &s->modules[s->nr_modules++];
	*m = (struct source_module) { .name = strndup(file, len), .path = strdup(path) };
	if (!m->name || !m->path)
		out_of_memory();
	/* The kernel's names have no other. */
	for (c = m->name; *c; c++)
		if (*c == '-')
			*c = '_';
}

static int by_module_name(const void *a, const void *b)
{
	const struct source_module *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * Add the file of a module, or those in a folder
 * @s: the vmlinux
 * @path: the file, or the folder and all below it
 *
 * A file is opened when a call site is in its module.
 *
 * Return: 0, or -errno after a message.
 */
static int add_modules(struct source *s, const char *path)
{
	char * const paths[] = { (char *)path, NULL };
	const size_t before = s->nr_modules;
	FTS *fts = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int ret = fts ? 0 : -errno;

	while (!ret && (entry = fts_read(fts))) {
		if (entry->fts_info == FTS_F)
			add_module_file(s, entry->fts_path, entry->fts_name);
		else if (entry->fts_info == FTS_NS || entry->fts_info == FTS_ERR ||
			 entry->fts_info == FTS_DNR)
			ret = entry->fts_errno ? -entry->fts_errno : -EIO;
	}
	if (fts)
		fts_close(fts);
	if (ret) {
		errno = -ret;
		warn("%s", path);
	}
	if (!ret && s->nr_modules == before)
		warnx("%s: has no module: no file is named *.ko or *.ko.debug", path);
	if (s->nr_modules)
		qsort(s->modules, s->nr_modules, sizeof(*s->modules), by_module_name);
	return ret;
}

/**
 * source_open_files - open a vmlinux and files of modules
 * @source: result; NULL: there are no such files
 * @files: the files
 * @trace: the trace
 *
 * Without debug information of the kernel, that of modules remains, unless @files->is_needed.
 *
 * Return: 0, or -errno after a message.
 */
int source_open_files(struct source **source, const struct source_files *files,
		      struct kmemtrace_trace *trace)
{
	const char *build_id = kmemtrace_metadata(trace, "build_id");
	size_t i;
	int ret;

	*source = NULL;
	if (!files->vmlinux && !files->nr_modules)
		return 0;
	ret = open_vmlinux_source(source, files->vmlinux, build_id, trace);
	if (ret == -ENODATA && !files->is_needed)
		ret = files->nr_modules ? open_vmlinux_source(source, NULL, build_id, trace) : 0;
	for (i = 0; !ret && *source && i < files->nr_modules; i++)
		ret = add_modules(*source, files->modules[i]);
	return ret;
}

/* Take the argument of an option: a module, or a folder of modules. Return false: it is neither. */
bool source_take_modules(struct source_files *files, const char *path)
{
	if (!is_of_modules(path))
		return false;
	files->modules = must_grow_list(files->modules, files->nr_modules,
					sizeof(*files->modules));
	files->modules[files->nr_modules++] = path;
	return true;
}

/* A module has no build id in a trace, but it says which kernel it is for. */
static int check_vermagic(const struct source *s, const struct kmemtrace_trace *trace)
{
	const char *release = kmemtrace_metadata(trace, "kernel_release");
	const char *magic = relocate_modinfo(s->elf, "vermagic");
	const size_t len = magic ? strcspn(magic, " ") : 0;

	if (!release || !magic || (strlen(release) == len && !strncmp(release, magic, len)))
		return 0;
	warnx("%s: is for the kernel %.*s, not for the traced one, %s", s->path, (int)len, magic,
	      release);
	return -EINVAL;
}

/* A file may have another name than its module; older kernels don't say its name. */
static int check_module_name(const struct source *s, const char *expected)
{
	const char *name = relocate_modinfo(s->elf, "name");

	if (!name || !strcmp(name, expected))
		return 0;
	warnx("%s: is the module %s, not %s", s->path, name, expected);
	return -EINVAL;
}

/* Open the file of a module. Return NULL after a message. */
static struct source *open_module(const struct source *of, const char *path, const char *name)
{
	struct source *s = must_calloc(1, sizeof(*s));

	s->path = strdup(path);
	s->fd = -1;
	s->tree = of->tree ? strdup(of->tree) : NULL;
	if (!open_elf(s) && !check_module_name(s, name) && !check_vermagic(s, of->trace) &&
	    !open_dwarf(s))
		return s;
	source_close(s);
	return NULL;
}

/* Note that there is no file of a module, whose name stays valid until the trace is closed. */
static void add_nameless(struct source *s, const char *module)
{
	size_t i;

	for (i = 0; i < s->nr_nameless; i++)
		if (!strcmp(s->nameless[i], module))
			return;
	s->nameless = must_grow_list(s->nameless, s->nr_nameless, sizeof(*s->nameless));
	s->nameless[s->nr_nameless++] = module;
}

/* Say which modules have no file, if some have been given. */
static void say_nameless(const struct source *s)
{
	size_t i, len;
	char *text;
	FILE *out;

	if (!s->nr_modules || !s->nr_nameless)
		return;
	out = open_memstream(&text, &len);
	for (i = 0; out && i < s->nr_nameless; i++)
		fprintf(out, "%s%s", i ? ", " : "", s->nameless[i]);
	if (!out || fclose(out))
		out_of_memory();
	warnx("no file:line for call sites in these modules, as no file is named like them: %s",
	      text);
	free(text);
}

/* Return the debug information of a module; NULL: there is none. */
static struct source *source_of_module(struct source *s, const char *name)
{
	const struct source_module key = { .name = (char *)name };
	struct source_module *m = s->nr_modules ? bsearch(&key, s->modules, s->nr_modules, sizeof(key),
							  by_module_name) : NULL;

	if (!m)
		add_nameless(s, name);
	/* A module may have several files, of which one has debug information. */
	while (m && m > s->modules && !by_module_name(m - 1, &key))
		m--;
	for (; m && m < s->modules + s->nr_modules && !by_module_name(m, &key); m++) {
		if (!m->is_tried)
			m->source = open_module(s, m->path, name);
		m->is_tried = true;
		if (m->source)
			return m->source;
	}
	return NULL;
}

/* Find file and line of a call site, by its function if that is in a module. */
static void find_by_name(struct source *s, uint64_t call_site, struct source_line *line)
{
	const char *module, *function;
	uint64_t offset, addr;
	struct source *of;

	function = kmemtrace_symbol(s->trace, call_site, &offset, &module);
	of = module ? source_of_module(s, module) : NULL;
	if (!module)
		find_in_file(s, call_site - 1 - s->slide, line);
	else if (of && function && relocate_find(&of->functions, function, &addr))
		find_in_file(of, addr + offset - 1, line);
}

/**
 * source_find - find file and line of a call
 * @s: the vmlinux
 * @call_site: a return address of the running kernel; the byte before it is in the call
 * @line: result; for a call in an inline wrapper, the line that calls the wrapper
 *
 * Each unit and each file is read once, when the first call site needs it.
 */
void source_find(struct source *s, uint64_t call_site, struct source_line *line)
{
	*line = s->last;
	if (call_site && call_site == s->last_site)
		return;
	s->last_site = call_site;
	s->last = *line = (struct source_line) { 0 };
	find_by_name(s, call_site, line);
	s->last = *line;
}

/* Close a vmlinux and its modules. */
void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->trace)
		kmemtrace_set_source(s->trace, NULL);
	say_nameless(s);
	free(s->nameless);
	while (s->nr_modules) {
		s->nr_modules--;
		source_close(s->modules[s->nr_modules].source);
		free(s->modules[s->nr_modules].name);
		free(s->modules[s->nr_modules].path);
	}
	free(s->modules);
	relocate_close(&s->functions);
	dwarf_end(s->dwarf);
	elf_end(s->elf);
	if (s->fd >= 0)
		close(s->fd);
	while (s->nr_units)
		free(s->units[--s->nr_units].inlined);
	debuginfo_close(&s->info);
	lookup_free(&s->by_name);
	intern_free(&s->paths);
	free(s->units);
	free(s->ranges);
	free(s->files);
	free(s->tree);
	free(s->path);
	free(s);
}
