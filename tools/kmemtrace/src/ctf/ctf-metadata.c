// SPDX-License-Identifier: GPL-2.0
/*
 * ctf-metadata.c - the file metadata of the Common Trace Format: the types in TSDL
 *
 * Names of fields begin with an underscore, which readers remove: a name may be a keyword.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "common/file.h"
#include "ctf/ctf.h"

static void print_quoted_text(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (*text >= ' ' && *text <= '~')
			putc(*text, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*text);
	}
	putc('"', out);
}

static const char trace_text[] =
	"/* CTF 1.8 */\n"
	"\n"
	"trace {\n"
	"	major = 1;\n"
	"	minor = 8;\n"
	"	byte_order = le;\n"
	"	packet.header := struct {\n"
	"		integer { size = 32; align = 8; base = 16; } magic;\n"
	"		integer { size = 32; align = 8; } stream_id;\n"
	"	};\n"
	"};\n"
	"\n";

static const char stream_text[] =
	"clock {\n"
	"	name = \"monotonic\";\n"
	"	description = \"CLOCK_MONOTONIC of the traced machine\";\n"
	"	freq = 1000000000;\n"
	"};\n"
	"\n"
	"typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := time_t;\n"
	"\n"
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct {\n"
	"		time_t timestamp_begin;\n"
	"		time_t timestamp_end;\n"
	"		integer { size = 64; align = 8; } content_size;\n"
	"		integer { size = 64; align = 8; } packet_size;\n"
	"		integer { size = 64; align = 8; } packet_seq_num;\n"
	"		integer { size = 64; align = 8; } events_discarded;\n"
	"		integer { size = 32; align = 8; } cpu_id;\n"
	"	};\n"
	"	event.header := struct {\n"
	"		integer { size = 16; align = 8; } id;\n"
	"		time_t timestamp;\n"
	"	};\n"
	"};\n";

/**
 * ctf_begin_metadata - create the metadata, and begin its environment
 * @ctf: the trace
 * @tracer: name of the tracer
 *
 * Return: 0 or -errno.
 */
int ctf_begin_metadata(struct ctf *ctf, const char *tracer)
{
	char path[64];
	int fd;

	/* The folder is open: somebody could put another in its place. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d/metadata", ctf->dir);
	fd = newfile_create(&ctf->file, path, NULL);
	if (fd < 0)
		return ctf_fail(ctf, "metadata", fd);
	ctf->metadata = file_stream(fd);
	if (!ctf->metadata)
		return context_fail(ctf->ctx, -ENOMEM);
	fputs(trace_text, ctf->metadata);
	fprintf(ctf->metadata, "env {\n	domain = \"kernel\";\n	tracer_name = \"%s\";\n", tracer);
	return 0;
}

/* Add a text to the environment, unless it is NULL. */
void ctf_env_text(struct ctf *ctf, const char *name, const char *text)
{
	if (!text)
		return;
	fprintf(ctf->metadata, "	%s = ", name);
	print_quoted_text(text, ctf->metadata);
	fputs(";\n", ctf->metadata);
}

/* Add a number to the environment. */
void ctf_env_number(struct ctf *ctf, const char *name, uint64_t number)
{
	fprintf(ctf->metadata, "	%s = %" PRIu64 ";\n", name, number);
}

/* End the environment. */
void ctf_end_env(struct ctf *ctf)
{
	fputs("};\n\n", ctf->metadata);
	fputs(stream_text, ctf->metadata);
}

/* Begin a type of events, which has a number and a name. */
void ctf_begin_type(struct ctf *ctf, unsigned int id, const char *name)
{
	fputs("\nevent {\n	name = ", ctf->metadata);
	print_quoted_text(name, ctf->metadata);
	fprintf(ctf->metadata, ";\n	id = %u;\n	stream_id = 0;\n	fields := struct {\n", id);
}

/* Add a number of @bytes to the type, shown in @base. */
void ctf_integer(struct ctf *ctf, const char *name, unsigned int bytes, int is_signed,
		 unsigned int base)
{
	fprintf(ctf->metadata, "		integer { size = %u; align = 8; signed = %s; base = %u; } _%s;\n",
		8 * bytes, is_signed ? "true" : "false", base, name);
}

/* Add unsigned numbers of @bytes to the type, behind their number in 4 bytes. */
void ctf_integers(struct ctf *ctf, const char *name, unsigned int bytes, unsigned int base)
{
	fprintf(ctf->metadata, "		integer { size = 32; align = 8; } __%s_length;\n", name);
	fprintf(ctf->metadata, "		integer { size = %u; align = 8; base = %u; } _%s[__%s_length];\n",
		8 * bytes, base, name, name);
}

/* Add a string, which ends with a byte of 0, to the type. */
void ctf_text(struct ctf *ctf, const char *name)
{
	fprintf(ctf->metadata, "		string { encoding = UTF8; } _%s;\n", name);
}

/* End the type. */
void ctf_end_type(struct ctf *ctf)
{
	fputs("	};\n};\n", ctf->metadata);
}

/* Complete the metadata. Return 0 or -errno. */
int ctf_end_metadata(struct ctf *ctf)
{
	FILE *out = ctf->metadata;
	int err;

	ctf->metadata = NULL;
	err = file_finish(out, 0);
	return err ? ctf_fail(ctf, "metadata", err) : 0;
}
