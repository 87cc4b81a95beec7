// SPDX-License-Identifier: GPL-2.0
/*
 * ctf.c - write the events of ktrace in the Common Trace Format
 *
 * Discarded are events that are missing, and those that can't be decoded.
 */
#include "config.h"

#include "ctf/ctf.h"
#include "ktrace/view.h"

/* Bytes of a packet that has room for no further event. */
#define PACKET_SIZE	(256 * 1024)

/* ---- metadata ---- */

static void print_environment(struct ctf *ctf, const struct ktrace *t)
{
	ctf_env_text(ctf, "kernel_release", tracedir_meta(&t->dir, "kernel_release"));
	ctf_env_text(ctf, "architecture", tracedir_meta(&t->dir, "machine"));
	ctf_env_text(ctf, "cmdline", tracedir_meta(&t->dir, "cmdline"));
	ctf_env_text(ctf, "byte_order", order_name(t->order));
	ctf_env_number(ctf, "word_bits", t->dir.word_bits);
	ctf_end_env(ctf);
}

static void print_argument_type(struct ctf *ctf, const struct layout *layout, size_t i)
{
	const struct field *f = &layout->fields[i];
	char buf[LAYOUT_NAME_LEN];
	const char *name = layout_name(layout, i, buf);
	unsigned int base = 10;

	if (!f->size) {
		ctf_text(ctf, name);
		return;
	}
	if (f->conversion == 'x' || f->conversion == 'X' || f->conversion == 'p')
		base = 16;
	else if (f->conversion == 'o')
		base = 8;
	ctf_integer(ctf, name, f->size, f->conversion == 'd', base);
}

static void print_type(struct ctf *ctf, const struct type *type)
{
	size_t i;

	ctf_begin_type(ctf, type->id, type->name);
	for (i = 0; i < type->layout.nr; i++)
		print_argument_type(ctf, &type->layout, i);
	ctf_end_type(ctf);
}

static int write_event_types(struct ctf *ctf, const struct ktrace *t)
{
	const struct types *types = &t->types;
	int ret = ctf_begin_metadata(ctf, "ktrace");
	size_t i;

	if (ret)
		return ret;
	print_environment(ctf, t);
	for (i = 0; i < types->nr; i++)
		if (types->list[i].events)
			print_type(ctf, &types->list[i]);
	return ctf_end_metadata(ctf);
}

/* ---- streams ---- */

static int put_arguments(struct ctf_cpu *c, const struct kevent *ev)
{
	const struct layout *layout = &ev->type->layout;
	int ret = ctf_begin_event(c, ev->type->id, ev->time, RECORD_MAX_KEPT);
	size_t i;

	if (ret)
		return ret;
	for (i = 0; i < layout->nr; i++) {
		const struct value *v = &ev->values[i];

		if (v->text)
			ctf_put(c, v->text, v->len + 1);
		else
			ctf_put_number(c, v->number, layout->fields[i].size);
	}
	return 0;
}

static int put_kevent(struct ctf_cpu *c, struct ktrace *t, const struct kstream *s)
{
	struct kevent ev;

	switch (ktrace_decode(t, s, &ev)) {
	case KEVENT_SELECTED:
		return put_arguments(c, &ev);
	case KEVENT_UNKNOWN:
	case KEVENT_UNREADABLE:
	case KEVENT_MALFORMED:
		return ctf_discard(c, 1, s->time);
	case KEVENT_NONE:
		return ctf_discard(c, s->gap.events, s->time);
	case KEVENT_LEFT_OUT:
		break;
	}
	return context_error(t->ctx);
}

static int put_stream(struct ctf_cpu *c, struct ktrace *t, struct kstream *s,
		      const struct kcpu *cpu)
{
	int ret;

	while ((ret = kstream_next(s)) > 0) {
		ret = put_kevent(c, t, s);
		if (ret)
			return ret;
	}
	if (!ret)
		ret = ctf_discard(c, cpu->tail, s->time);
	return ret ? ret : ctf_cpu_end(c);
}

static int write_cpu(struct ctf *ctf, struct ktrace *t, size_t i)
{
	const struct kcpu *cpu = &t->cpus[i];
	struct ctf_cpu c;
	struct kstream s;
	int ret = ctf_cpu_open(&c, ctf, cpu->cpu, PACKET_SIZE);

	if (!ret) {
		ret = ktrace_open_stream(t, &s, i, PACKET_SIZE);
		s.maps = &t->maps;
		if (!ret)
			ret = put_stream(&c, t, &s, cpu);
		kstream_close(&s);
	}
	ctf_cpu_close(&c);
	return ret;
}

/**
 * ctf_write - write the events that the options choose
 * @t: the trace
 * @path: the folder, which is created if it is missing
 *
 * Return: 0, or -errno after a message.
 */
int ctf_write(struct ktrace *t, const char *path)
{
	struct ctf ctf;
	size_t i;
	int ret = ctf_open(&ctf, t->ctx, path);

	if (!ret)
		ret = write_event_types(&ctf, t);
	for (i = 0; !ret && i < t->nr_cpus; i++)
		if (t->cpus[i].file)
			ret = write_cpu(&ctf, t, i);
	return ctf_close(&ctf, ret);
}
