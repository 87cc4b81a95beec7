// SPDX-License-Identifier: GPL-2.0
/*
 * debuginfo.c - look at debug information before libdw does
 *
 * libdw believes what a file says. A few bytes can refer to what others refer to, too: units to
 * long lists of abbreviations, entries to long lists of addresses, files to directories with long
 * names, which libdw copies for each file. Each of them costs steps, and the bytes of the file are
 * the measure of how many there may be. A compiler's files don't come near that.
 */
#include "config.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "common/memory.h"
#include "report/debuginfo.h"

/* Bytes that each byte of the file may become when it is unpacked, and steps for each of those. */
#define UNPACKED_TIMES	16
#define STEP_TIMES	32
/* More of both, for small files. */
#define SPARE		(UINT64_C(1) << 18)

/*
 * Steps for bytes that libdw keeps in memory: of a unit, for each byte of its abbreviations, and for
 * each byte of a line table.
 */
#define UNIT_STEPS	1024
#define ABBREV_STEPS	16
#define LINE_STEPS	16

/* Attributes of an entry, and bytes of the name of a directory or a file. */
#define MAX_ATTRIBUTES	128
#define MAX_PATH	4095

/* ---- steps ---- */

/* Return false, the first time after a message. */
static bool leave_out_debuginfo(struct debuginfo *d)
{
	if (!d->is_told)
		warnx("%s: damaged: parts of its debug information are left out, and the lines of call sites",
		      d->path);
	d->is_told = true;
	return false;
}

/* Take steps. Return false after a message where there are not so many left. */
bool debuginfo_spend(struct debuginfo *d, uint64_t steps)
{
	if (steps > d->left)
		return leave_out_debuginfo(d);
	d->left -= steps;
	return true;
}

/* ---- sections ---- */

static const char *name_of_section(Elf *elf, const GElf_Shdr *shdr)
{
	size_t names;
	const char *name = elf_getshdrstrndx(elf, &names) ? NULL :
						elf_strptr(elf, names, shdr->sh_name);

	return name ? name : "";
}

/* Return the bytes of a section once it is unpacked. */
static uint64_t unpacked_size(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data;
	GElf_Chdr chdr;
	uint64_t size;

	if (shdr->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &chdr) ? chdr.ch_size : 0;
	if (strncmp(name_of_section(elf, shdr), ".zdebug", 7))
		return 0;
	data = elf_rawdata(scn, NULL);
	if (!data || data->d_size < 12)
		return 0;
	memcpy(&size, (char *)data->d_buf + 4, sizeof(size));
	return be64toh(size);
}

/**
 * debuginfo_fits - see whether a file has so many bytes that its sections may be unpacked
 * @d: result, for debuginfo_close()
 * @elf: the file
 * @path: its path, which stays valid
 *
 * Return: true, or false after a message.
 */
bool debuginfo_fits(struct debuginfo *d, Elf *elf, const char *path)
{
	uint64_t unpacked = 0, bytes;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t size = 0;

	elf_rawfile(elf, &size);
	*d = (struct debuginfo) { .path = path };
	while ((scn = elf_nextscn(elf, scn))) {
		bytes = gelf_getshdr(scn, &shdr) ? unpacked_size(elf, scn, &shdr) : 0;
		if (bytes > UNPACKED_TIMES * size + SPARE - unpacked) {
			warnx("%s: damaged: its sections are compressed to less than a part in %d",
			      path, UNPACKED_TIMES);
			return false;
		}
		unpacked += bytes;
	}
	d->left = STEP_TIMES * (size + unpacked) + SPARE;
	return true;
}

static Elf_Data *find_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	const char *found;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		found = gelf_getshdr(scn, &shdr) ? name_of_section(elf, &shdr) : "";
		/* ".debug_line", or compressed as ".zdebug_line" */
		if (*found && !strcmp(found + 1 + (found[1] == 'z'), name))
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

/* ---- reading ---- */

/**
 * struct bytes_left - what is left of a section
 * @at: the next byte
 * @end: behind the last one
 * @is_bad: there were too few, or they made no sense
 * @is_big: numbers have their highest byte first
 */
struct bytes_left {
	const unsigned char *at, *end;
	bool is_bad, is_big;
};

/* Skip bytes. Return where they begin, or NULL. */
static const unsigned char *skip_bytes(struct bytes_left *b, uint64_t nr)
{
	const unsigned char *at = b->at;

	b->is_bad |= nr > (uint64_t)(b->end - at);
	if (b->is_bad)
		return NULL;
	b->at += nr;
	return at;
}

static uint64_t read_fixed(struct bytes_left *b, unsigned int size)
{
	const unsigned char *at = skip_bytes(b, size);
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; at && i < size; i++)
		n |= (uint64_t)at[i] << 8 * (b->is_big ? size - 1 - i : i);
	return n;
}

static uint64_t read_uleb(struct bytes_left *b)
{
	const unsigned char *at;
	unsigned int shift = 0;
	uint64_t n = 0;

	do {
		at = skip_bytes(b, 1);
		if (at && shift < 64)
			n |= (uint64_t)(*at & 0x7f) << shift;
		shift += 7;
	} while (at && *at & 0x80);
	return n;
}

/* Return the bytes of a string from @at on, which must end before @end; more than MAX_PATH: bad. */
static size_t string_length(struct bytes_left *b, const unsigned char *at, const unsigned char *end)
{
	const size_t max = end - at > MAX_PATH ? MAX_PATH + 1 : end - at;
	const size_t len = strnlen((const char *)at, max);

	b->is_bad |= len == max;
	return len;
}

static size_t read_dwarf_string(struct bytes_left *b)
{
	const size_t len = b->is_bad ? 0 : string_length(b, b->at, b->end);

	skip_bytes(b, len + 1);
	return len;
}

/* ---- abbreviations ---- */

/* Skip an abbreviation. Return false at the end of a list. */
static bool skip_abbrev(struct bytes_left *b)
{
	uint64_t name, form;
	size_t nr = 0;

	if (!read_uleb(b) || b->is_bad)
		return false;
	read_uleb(b);
	skip_bytes(b, 1);
	do {
		name = read_uleb(b);
		form = read_uleb(b);
		if (form == DW_FORM_implicit_const)
			read_uleb(b);
		b->is_bad |= nr++ > MAX_ATTRIBUTES;
	} while (!b->is_bad && (name || form));
	return !b->is_bad;
}

/**
 * debuginfo_open - find out where lists of abbreviations begin, and the sections of lines
 * @d: the file, after debuginfo_fits()
 * @elf: the file, whose sections libdw has unpacked
 *
 * Return: false: there are no abbreviations that make sense.
 */
bool debuginfo_open(struct debuginfo *d, Elf *elf)
{
	Elf_Data *data = find_section(elf, "debug_abbrev");
	struct bytes_left b = { .at = NULL };
	const unsigned char *begin;

	d->lines = find_section(elf, "debug_line");
	d->line_str = find_section(elf, "debug_line_str");
	d->str = find_section(elf, "debug_str");
	if (!data || !data->d_buf)
		return false;
	begin = data->d_buf;
	b.at = begin;
	b.end = begin + data->d_size;
	for (;;) {
		d->abbrevs = must_grow_list(d->abbrevs, d->nr_abbrevs, sizeof(*d->abbrevs));
		d->abbrevs[d->nr_abbrevs++] = b.at - begin;
		if (b.at == b.end)
			return true;
		while (skip_abbrev(&b))
			;
		if (b.is_bad)
			return leave_out_debuginfo(d) || d->nr_abbrevs > 1;
	}
}

static int by_size_value(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Return whether libdw may read a unit and its abbreviations, which begin at @abbrev. */
bool debuginfo_unit(struct debuginfo *d, Dwarf_Off abbrev)
{
	const size_t key = abbrev, *found;

	found = bsearch(&key, d->abbrevs, d->nr_abbrevs - 1, sizeof(key), by_size_value);
	return found ? debuginfo_spend(d, UNIT_STEPS + ABBREV_STEPS * (found[1] - found[0])) :
		       leave_out_debuginfo(d);
}

/* ---- line tables ---- */

/* Return the bytes of a string that stands in another section. */
static size_t read_reference(struct bytes_left *b, unsigned int size, const Elf_Data *strings)
{
	const uint64_t at = read_fixed(b, size);

	b->is_bad |= !strings || !strings->d_buf || at >= strings->d_size;
	if (b->is_bad)
		return 0;
	return string_length(b, (unsigned char *)strings->d_buf + at,
			     (unsigned char *)strings->d_buf + strings->d_size);
}

/* Read a value of a directory or a file. Return the bytes of a string, 0 of anything else. */
static size_t read_dwarf_form(const struct debuginfo *d, struct bytes_left *b, uint64_t form,
			unsigned int size)
{
	switch (form) {
	case DW_FORM_string:	return read_dwarf_string(b);
	case DW_FORM_line_strp:	return read_reference(b, size, d->line_str);
	case DW_FORM_strp:	return read_reference(b, size, d->str);
	case DW_FORM_udata:	read_uleb(b); return 0;
	case DW_FORM_data1:	skip_bytes(b, 1); return 0;
	case DW_FORM_data2:	skip_bytes(b, 2); return 0;
	case DW_FORM_data4:	skip_bytes(b, 4); return 0;
	case DW_FORM_data8:	skip_bytes(b, 8); return 0;
	case DW_FORM_data16:	skip_bytes(b, 16); return 0;
	case DW_FORM_block:	skip_bytes(b, read_uleb(b)); return 0;
	default:		b->is_bad = true; return 0;
	}
}

/* Read a list of directories or files of version 5. Return their number, and the longest string. */
static uint64_t read_entries(const struct debuginfo *d, struct bytes_left *b, unsigned int size,
			     size_t *longest)
{
	const unsigned int nr_forms = read_fixed(b, 1);
	uint64_t forms[UINT8_MAX], nr, i;
	unsigned int j;
	size_t len;

	for (j = 0; j < nr_forms; j++) {
		read_uleb(b);
		forms[j] = read_uleb(b);
	}
	nr = read_uleb(b);
	b->is_bad |= nr && (!nr_forms || nr > (uint64_t)(b->end - b->at));
	for (i = 0; !b->is_bad && i < nr; i++)
		for (j = 0; !b->is_bad && j < nr_forms; j++) {
			len = read_dwarf_form(d, b, forms[j], size);
			*longest = len > *longest ? len : *longest;
		}
	return nr;
}

/* Read the lists of the versions before. */
static uint64_t read_old_entries(struct bytes_left *b, size_t *longest)
{
	uint64_t nr = 0;
	size_t len;

	while ((len = read_dwarf_string(b)) && !b->is_bad)
		*longest = len > *longest ? len : *longest;
	while ((len = read_dwarf_string(b)) && !b->is_bad) {
		*longest = len > *longest ? len : *longest;
		read_uleb(b);
		read_uleb(b);
		read_uleb(b);
		nr++;
	}
	return nr;
}

/*
 * Look at the line table at @offset, for which @longest bytes are known of the longest string. libdw
 * makes the path of each file, and an instruction of 6 bytes may make one, too.
 */
static bool fits_lines(struct debuginfo *d, uint64_t offset, size_t longest, bool is_big)
{
	struct bytes_left b = { .is_big = is_big };
	unsigned int size = 4, version;
	uint64_t len, nr;

	if (!d->lines || !d->lines->d_buf || offset >= d->lines->d_size)
		return false;
	b.at = (unsigned char *)d->lines->d_buf + offset;
	b.end = (unsigned char *)d->lines->d_buf + d->lines->d_size;
	len = read_fixed(&b, 4);
	if (len == UINT32_MAX) {
		size = 8;
		len = read_fixed(&b, 8);
	}
	if (b.is_bad || len > (uint64_t)(b.end - b.at))
		return leave_out_debuginfo(d);
	b.end = b.at + len;
	version = read_fixed(&b, 2);
	skip_bytes(&b, (version >= 5 ? 2 : 0) + size + 1 + (version >= 4) + 3);
	skip_bytes(&b, (read_fixed(&b, 1) + 255) % 256);
	if (version >= 5) {
		read_entries(d, &b, size, &longest);
		nr = read_entries(d, &b, size, &longest);
	} else {
		nr = read_old_entries(&b, &longest);
	}
	if (b.is_bad)
		return leave_out_debuginfo(d);
	return debuginfo_spend(d, LINE_STEPS * len + 2 * longest * (nr + (b.end - b.at) / 6));
}

/* Return whether libdw may read the line table of a unit. */
bool debuginfo_lines(struct debuginfo *d, Dwarf_Die *unit)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(unit->cu));
	struct lookup_place place;
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	GElf_Ehdr ehdr;
	const char *dir;
	uint32_t i;

	/* The directory of the compiler is that of files without another one. */
	dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	if (dir && strnlen(dir, MAX_PATH + 1) > MAX_PATH)
		return leave_out_debuginfo(d);
	if (dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attr), &offset) ||
	    !gelf_getehdr(elf, &ehdr))
		return false;
	place = lookup_begin(&d->by_offset, &offset, sizeof(offset));
	while ((i = lookup_next(&d->by_offset, &place)) != LOOKUP_NONE)
		if (d->tables[i].offset == offset)
			return d->tables[i].is_good;
	d->tables = must_grow_list(d->tables, d->nr_tables, sizeof(*d->tables));
	if (!lookup_add(&d->by_offset, &place, d->nr_tables))
		out_of_memory();
	d->tables[d->nr_tables].offset = offset;
	d->tables[d->nr_tables].is_good = fits_lines(d, offset, dir ? strlen(dir) : 0,
						     ehdr.e_ident[EI_DATA] == ELFDATA2MSB);
	return d->tables[d->nr_tables++].is_good;
}

/* Free what the others allocated. */
void debuginfo_close(struct debuginfo *d)
{
	free(d->abbrevs);
	free(d->tables);
	lookup_free(&d->by_offset);
}
