// SPDX-License-Identifier: GPL-2.0
/*
 * View: each event, in the order of time.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/text.h"
#include "ktrace/message.h"
#include "ktrace/view.h"
#include "ktrace/walk.h"

#define NS	1000000000

static struct message_context context_of(const struct ktrace *t)
{
	return (struct message_context) {
		.symbols = &t->symbols,
		.word_bits = t->types.word_bits,
	};
}

/* Call a function for each event, until the output fails. */
static int each_event(struct ktrace *t, FILE *out, void *arg,
		      int (*print)(void *arg, const struct ktrace *t, const struct kevent *ev))
{
	struct walk w;
	int ret = walk_begin(&w, t);

	while (!ret && (ret = walk_next(&w)) > 0) {
		ret = print(arg, t, &w.ev);
		if (ferror(out))
			break;
	}
	walk_end(&w);
	return ret;
}

static int print_event(void *arg, const struct ktrace *t, const struct kevent *ev)
{
	const struct message_context mc = context_of(t);
	uint64_t since = ktrace_since(t, ev->time);
	FILE *out = arg;

	fprintf(out, "%6" PRIu64 ".%09" PRIu64 " cpu%-3u ", since / NS, since % NS, ev->cpu);
	text_print(ev->type->name, out);
	fputs(": ", out);
	message_print(&ev->type->layout, ev->values, &mc, out);
	putc('\n', out);
	return 0;
}

/* Print the verdict and the events. */
int events_text(struct ktrace *t, FILE *out)
{
	head_text(t, out);
	if (t->selected)
		putc('\n', out);
	return each_event(t, out, out, print_event);
}

/**
 * struct listing - the JSON of events
 * @j: where to
 * @text: the last message
 * @size: bytes of it
 * @to: writes it
 */
struct listing {
	struct json j;
	char *text;
	size_t size;
	FILE *to;
};

static void field_json(struct json *j, const struct layout *layout, size_t i,
		       const struct value *v)
{
	const struct field *f = &layout->fields[i];
	char name[LAYOUT_NAME_LEN];

	json_begin(j, NULL, '{');
	json_put_text(j, "name", layout_name(layout, i, name));
	if (v->text)
		json_put_text(j, "value", v->text);
	else if (f->conversion == 'p')
		json_put_hex(j, "value", v->number);
	else if (f->conversion == 'd')
		json_put_i64(j, "value", v->number);
	else
		json_put_u64(j, "value", v->number);
	json_end(j, '}');
}

static int event_json(void *arg, const struct ktrace *t, const struct kevent *ev)
{
	const struct message_context mc = context_of(t);
	const struct layout *layout = &ev->type->layout;
	struct listing *l = arg;
	size_t i;

	rewind(l->to);
	message_print(layout, ev->values, &mc, l->to);
	putc('\0', l->to);
	if (fflush(l->to))
		return context_fail(t->ctx, -ENOMEM);
	json_begin_flat(&l->j, NULL, '{');
	json_put_u64(&l->j, "time_ns", ktrace_since(t, ev->time));
	json_put_u64(&l->j, "cpu", ev->cpu);
	json_put_text(&l->j, "name", ev->type->name);
	json_put_text(&l->j, "message", l->text);
	json_begin(&l->j, "fields", '[');
	for (i = 0; i < layout->nr; i++)
		field_json(&l->j, layout, i, &ev->values[i]);
	json_end(&l->j, ']');
	json_end(&l->j, '}');
	return 0;
}

/* Print the verdict and the events as JSON. */
int events_json(struct ktrace *t, FILE *out)
{
	struct listing l = { .j.out = out };
	int ret;

	l.to = open_memstream(&l.text, &l.size);
	if (!l.to)
		return context_fail(t->ctx, -ENOMEM);
	json_begin(&l.j, NULL, '{');
	json_put_u64(&l.j, "schema_version", KTRACE_SCHEMA_VERSION);
	head_json(t, &l.j);
	json_begin(&l.j, "events", '[');
	ret = each_event(t, out, &l, event_json);
	json_end(&l.j, ']');
	json_end(&l.j, '}');
	fclose(l.to);
	free(l.text);
	return ret;
}
