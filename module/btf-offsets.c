// SPDX-License-Identifier: GPL-2.0
/*
 * btf-offsets FILE STRUCT.FIELD[?]...: print the offset of each FIELD as a macro. One with a
 * question mark may be missing.
 *
 * FILE has the kernel's types in the BPF type format: an ELF file with a section .BTF, or
 * that section alone, as /sys/kernel/btf/vmlinux is. Runs while the module is built, on
 * the machine that it is built on, for a 64-bit kernel of the same byte order.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BTF_MAGIC	0xeb9f
#define BTF_KIND_STRUCT	4

/* Bytes that follow the type for each kind, and for each of its members. */
static const struct {
	unsigned char bytes;
	unsigned char member;
} kinds[] = {
	[1] = { 4, 0 },			/* int */
	[2] = { 0, 0 },			/* pointer */
	[3] = { 12, 0 },		/* array */
	[BTF_KIND_STRUCT] = { 0, 12 },
	[5] = { 0, 12 },		/* union */
	[6] = { 0, 8 },			/* enum */
	[7] = { 0, 0 },			/* forward declaration */
	[8] = { 0, 0 },			/* typedef */
	[9] = { 0, 0 },			/* volatile */
	[10] = { 0, 0 },		/* const */
	[11] = { 0, 0 },		/* restrict */
	[12] = { 0, 0 },		/* function */
	[13] = { 0, 8 },		/* prototype */
	[14] = { 4, 0 },		/* variable */
	[15] = { 0, 12 },		/* section */
	[16] = { 0, 0 },		/* float */
	[17] = { 4, 0 },		/* tag of a declaration */
	[18] = { 0, 0 },		/* tag of a type */
	[19] = { 0, 12 },		/* enum of 64 bits */
};

struct header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len;
	uint32_t type_off;
	uint32_t type_len;
	uint32_t str_off;
	uint32_t str_len;
};

struct type {
	uint32_t name;
	uint32_t info;
	uint32_t size;
};

struct member {
	uint32_t name;
	uint32_t type;
	uint32_t offset;
};

struct bytes {
	const char *at;
	size_t nr;
};

static const char *path;

static void die(const char *what)
{
	fprintf(stderr, "btf-offsets: %s: %s\n", path, what);
	exit(1);
}

/* Return @nr bytes from @from on. */
static struct bytes part(struct bytes all, uint64_t from, uint64_t nr)
{
	if (from > all.nr || nr > all.nr - from)
		die("truncated");
	return (struct bytes) { all.at + from, nr };
}

static struct bytes read_file(void)
{
	FILE *f = fopen(path, "rb");
	size_t room = 1 << 20, got;
	struct bytes all = { };
	char *at = NULL;

	if (!f)
		die(strerror(errno));
	do {
		room *= 2;
		at = realloc(at, room);
		if (!at)
			die("out of memory");
		got = fread(at + all.nr, 1, room - all.nr, f);
		all.nr += got;
	} while (all.nr == room);
	if (ferror(f))
		die("can't be read");
	fclose(f);
	all.at = at;
	return all;
}

static Elf64_Shdr section_header(struct bytes all, const Elf64_Ehdr *elf,
				 unsigned int i)
{
	Elf64_Shdr header;
	uint64_t from = elf->e_shoff + (uint64_t)i * sizeof(header);

	memcpy(&header, part(all, from, sizeof(header)).at, sizeof(header));
	return header;
}

/* Return whether @strings has @text at an offset. */
static bool is_text(struct bytes strings, uint32_t offset, const char *text)
{
	size_t len = strlen(text) + 1;

	return offset <= strings.nr && len <= strings.nr - offset &&
	       !memcmp(strings.at + offset, text, len);
}

/* Return the section .BTF of an ELF file. */
static struct bytes find_section(struct bytes all)
{
	Elf64_Shdr header, names;
	struct bytes strings;
	Elf64_Ehdr elf;
	unsigned int i;

	memcpy(&elf, part(all, 0, sizeof(elf)).at, sizeof(elf));
	names = section_header(all, &elf, elf.e_shstrndx);
	strings = part(all, names.sh_offset, names.sh_size);
	for (i = 0; i < elf.e_shnum; i++) {
		header = section_header(all, &elf, i);
		if (is_text(strings, header.sh_name, ".BTF"))
			return part(all, header.sh_offset, header.sh_size);
	}
	die("no section .BTF");
	return (struct bytes) { };
}

/* Return the bytes of a type and of what follows it. */
static size_t type_bytes(const struct type *type)
{
	unsigned int kind = type->info >> 24 & 31;

	if (!kind || kind >= sizeof(kinds) / sizeof(*kinds))
		die("a type of an unknown kind");
	return sizeof(*type) + kinds[kind].bytes +
	       (size_t)kinds[kind].member * (type->info & 0xffff);
}

/* Find a member; return false if the type is another one. */
static bool find_member(struct bytes body, struct bytes strings,
			const char *name, const char *field, uint32_t *offset)
{
	struct member member;
	struct type type;
	size_t at;

	memcpy(&type, body.at, sizeof(type));
	if ((type.info >> 24 & 31) != BTF_KIND_STRUCT ||
	    !is_text(strings, type.name, name))
		return false;
	for (at = sizeof(type); at < body.nr; at += sizeof(member)) {
		memcpy(&member, body.at + at, sizeof(member));
		if (is_text(strings, member.name, field)) {
			/* With bit-fields, the upper byte is their width. */
			*offset = (type.info >> 31 ? member.offset & 0xffffff :
						     member.offset) / 8;
			return true;
		}
	}
	return false;
}

static void print_offset(struct bytes types, struct bytes strings, char *word)
{
	char *field = strchr(word, '.'), *end;
	struct bytes body;
	struct type type;
	uint32_t offset;
	bool optional;
	size_t at;

	if (!field)
		die("STRUCT.FIELD is expected");
	*field++ = '\0';
	end = strchr(field, '?');
	optional = end;
	if (optional)
		*end = '\0';
	for (at = 0; at < types.nr; at += body.nr) {
		memcpy(&type, part(types, at, sizeof(type)).at, sizeof(type));
		body = part(types, at, type_bytes(&type));
		if (find_member(body, strings, word, field, &offset)) {
			printf("#define KMEMTRACE_OFFSET_%s_%s\t%u\n", word,
			       field, offset);
			return;
		}
	}
	if (optional)
		return;
	fprintf(stderr, "btf-offsets: %s: no field %s of struct %s\n", path,
		field, word);
	exit(1);
}

int main(int argc, char **argv)
{
	struct bytes all, types, strings;
	struct header header;
	int i;

	if (argc < 3) {
		fputs("usage: btf-offsets FILE STRUCT.FIELD[?]...\n", stderr);
		return 2;
	}
	path = argv[1];
	all = read_file();
	if (all.nr > SELFMAG && !memcmp(all.at, ELFMAG, SELFMAG))
		all = find_section(all);
	memcpy(&header, part(all, 0, sizeof(header)).at, sizeof(header));
	if (header.magic != BTF_MAGIC)
		die("neither ELF nor BTF of this byte order");
	types = part(all, (uint64_t)header.hdr_len + header.type_off,
		     header.type_len);
	strings = part(all, (uint64_t)header.hdr_len + header.str_off,
		       header.str_len);
	for (i = 2; i < argc; i++)
		print_offset(types, strings, argv[i]);
	return 0;
}
