// SPDX-License-Identifier: GPL-2.0
/*
 * relocate.c - give the sections of a kernel module addresses, and its debug information, too
 *
 * The sections follow each other in the order of the file. The kernel puts them elsewhere: a call site
 * is found by its function, and by how far behind the begin of that it is.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "report/relocate.h"

/* Where the first section begins: no address is 0. */
#define FIRST_ADDRESS	4096

/* Return the bytes of a relocation that adds the address of a symbol; 0: it is another one. */
static unsigned int relocated_bytes(unsigned int machine, unsigned int type)
{
	static const struct {
		unsigned int machine, type, bytes;
	} known[] = {
		{ EM_X86_64, R_X86_64_64, 8 }, { EM_X86_64, R_X86_64_32, 4 },
		{ EM_386, R_386_32, 4 },
		{ EM_AARCH64, R_AARCH64_ABS64, 8 }, { EM_AARCH64, R_AARCH64_ABS32, 4 },
		{ EM_ARM, R_ARM_ABS32, 4 },
		{ EM_S390, R_390_64, 8 }, { EM_S390, R_390_32, 4 },
		{ EM_RISCV, R_RISCV_64, 8 }, { EM_RISCV, R_RISCV_32, 4 },
		{ EM_PPC64, R_PPC64_ADDR64, 8 }, { EM_PPC64, R_PPC64_ADDR32, 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].machine == machine && known[i].type == type)
			return known[i].bytes;
	return 0;
}

static void set_bases(struct relocated *m, Elf *elf)
{
	uint64_t next = FIRST_ADDRESS, align;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	if (elf_getshdrnum(elf, &m->nr_bases))
		m->nr_bases = 0;
	m->bases = must_calloc(m->nr_bases + 1, sizeof(*m->bases));
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC) ||
		    elf_ndxscn(scn) >= m->nr_bases || shdr.sh_size > UINT32_MAX)
			continue;
		align = shdr.sh_addralign && shdr.sh_addralign <= FIRST_ADDRESS ? shdr.sh_addralign : 1;
		next = (next + align - 1) / align * align;
		m->bases[elf_ndxscn(scn)] = next;
		next += shdr.sh_size;
	}
}

static uint64_t address_of_symbol(const struct relocated *m, const GElf_Sym *sym)
{
	return sym->st_value + (sym->st_shndx < m->nr_bases ? m->bases[sym->st_shndx] : 0);
}

/* Add @value to a number of the file, or set it. */
static void relocate_number(unsigned char *at, unsigned int bytes, uint64_t value, bool adds, bool is_big)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; adds && i < bytes; i++)
		n |= (uint64_t)at[i] << 8 * (is_big ? bytes - 1 - i : i);
	n += value;
	for (i = 0; i < bytes; i++)
		at[i] = n >> 8 * (is_big ? bytes - 1 - i : i);
}

/* Apply the relocations of a section to the one that they are for. */
static bool relocate_section(const struct relocated *m, struct debuginfo *d, Elf *elf, Elf_Scn *scn,
			     const GElf_Shdr *shdr, const GElf_Ehdr *ehdr)
{
	Elf_Scn *target = elf_getscn(elf, shdr->sh_info), *symbols = elf_getscn(elf, shdr->sh_link);
	const bool has_addend = shdr->sh_type == SHT_RELA;
	Elf_Data *data, *to, *table;
	size_t i, nr;
	GElf_Rela rela = { 0 };
	unsigned int bytes;
	GElf_Shdr of;
	GElf_Rel rel;
	GElf_Sym sym;

	if (!target || !symbols || !gelf_getshdr(target, &of) || of.sh_flags & SHF_ALLOC ||
	    of.sh_type != SHT_PROGBITS)
		return true;
	if (of.sh_flags & SHF_COMPRESSED && elf_compress(target, 0, 0) < 0)
		return false;
	data = elf_getdata(scn, NULL);
	to = elf_getdata(target, NULL);
	table = elf_getdata(symbols, NULL);
	nr = data && to && table && shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;
	if (!debuginfo_spend(d, nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (has_addend ? !gelf_getrela(data, i, &rela) : !gelf_getrel(data, i, &rel))
			return false;
		if (!has_addend)
			rela = (GElf_Rela) { .r_offset = rel.r_offset, .r_info = rel.r_info };
		bytes = relocated_bytes(ehdr->e_machine, GELF_R_TYPE(rela.r_info));
		if (!bytes || rela.r_offset >= to->d_size || to->d_size - rela.r_offset < bytes ||
		    !gelf_getsym(table, GELF_R_SYM(rela.r_info), &sym))
			continue;
		relocate_number((unsigned char *)to->d_buf + rela.r_offset, bytes,
				address_of_symbol(m, &sym) + rela.r_addend, !has_addend,
				ehdr->e_ident[EI_DATA] == ELFDATA2MSB);
	}
	return true;
}

static int by_function_name(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool list_module_functions(struct relocated *m, struct debuginfo *d, Elf *elf, Elf_Scn *scn,
				  const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const size_t nr = data && shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;
	const char *name;
	GElf_Sym sym;
	size_t i;

	if (!debuginfo_spend(d, nr))
		return false;
	for (i = 0; i < nr && gelf_getsym(data, i, &sym); i++) {
		name = GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx < m->nr_bases ?
		       elf_strptr(elf, shdr->sh_link, sym.st_name) : NULL;
		if (!name)
			continue;
		m->functions = must_grow_list(m->functions, m->nr_functions, sizeof(*m->functions));
		m->functions[m->nr_functions++] =
			(struct module_function) { name, address_of_symbol(m, &sym) };
	}
	if (m->nr_functions)
		qsort(m->functions, m->nr_functions, sizeof(*m->functions), by_function_name);
	return true;
}

/**
 * relocate_open - give a module addresses, before libdw reads its debug information
 * @m: result, for relocate_close()
 * @d: the file, after debuginfo_fits()
 * @elf: the file, whose sections can be written in memory
 *
 * Return: false: it is damaged.
 */
bool relocate_open(struct relocated *m, struct debuginfo *d, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;

	set_bases(m, elf);
	if (!gelf_getehdr(elf, &ehdr))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			return false;
		if (shdr.sh_type == SHT_SYMTAB && !m->functions &&
		    !list_module_functions(m, d, elf, scn, &shdr))
			return false;
		if ((shdr.sh_type == SHT_RELA || shdr.sh_type == SHT_REL) &&
		    !relocate_section(m, d, elf, scn, &shdr, &ehdr))
			return false;
	}
	return true;
}

/* Find the address of a function; false: it has none, or several functions have the name. */
bool relocate_find(const struct relocated *m, const char *function, uint64_t *addr)
{
	const struct module_function key = { .name = function }, *found;

	found = m->nr_functions ? bsearch(&key, m->functions, m->nr_functions, sizeof(key),
					  by_function_name) : NULL;
	if (!found || (found > m->functions && !by_function_name(found - 1, &key)) ||
	    (found + 1 < m->functions + m->nr_functions && !by_function_name(found + 1, &key)))
		return false;
	*addr = found->addr;
	return true;
}

/* Return the value of a key in what a module says of itself, such as "vermagic"; or NULL. */
const char *relocate_modinfo(Elf *elf, const char *key)
{
	const size_t len = strlen(key);
	const char *at, *end, *name;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;
	size_t names;

	while (!elf_getshdrstrndx(elf, &names) && (scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;
		if (!name || strcmp(name, ".modinfo") || shdr.sh_type != SHT_PROGBITS)
			continue;
		data = elf_getdata(scn, NULL);
		at = data ? data->d_buf : NULL;
		if (!at || !data->d_size || at[data->d_size - 1])
			return NULL;
		for (end = at + data->d_size; at < end; at += strlen(at) + 1)
			if (!strncmp(at, key, len) && at[len] == '=')
				return at + len + 1;
		break;
	}
	return NULL;
}

/* Free what relocate_open() allocated. */
void relocate_close(struct relocated *m)
{
	free(m->bases);
	free(m->functions);
}
