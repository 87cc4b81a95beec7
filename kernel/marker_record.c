// SPDX-License-Identifier: GPL-2.0
/*
 * Records: the arguments of a marker for probes that know no prototype. Their
 * layout follows from the marker's format alone. See <linux/marker.h>.
 */
#define pr_fmt(fmt) "marker: " fmt

#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/marker.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "marker_internal.h"

/**
 * struct marker_generic - a generic probe
 * @rcu: to free it
 * @probe: the probe
 * @data: its own data
 * @layout: of the records it gets
 */
struct marker_generic {
	struct rcu_head		rcu;
	marker_generic_probe	*probe;
	void			*data;
	struct marker_layout	layout;
};

/* ---- from a format to a layout ---- */

/* Skips a number and says what it is, if it is at most @most. */
static const char *marker_digits(const char *p, u16 *number, u16 most)
{
	for (*number = 0; isdigit(*p); p++)
		*number = min(*number * 10 + *p - '0', most);
	return p;
}

/* The word before a conversion; @from: behind the conversion before that. */
static void marker_name_field(struct marker_field *field, unsigned int index,
			      const char *from, const char *conversion)
{
	const char *end = conversion, *start;

	while (end > from && (isspace(end[-1]) || strchr("=:(", end[-1])))
		end--;
	for (start = end; start > from; start--)
		if (!isalnum(start[-1]) && start[-1] != '_')
			break;
	if (start == end)
		snprintf(field->name, sizeof(field->name), "arg%u", index);
	else
		snprintf(field->name, sizeof(field->name), "%.*s",
			 (int)(end - start), start);
}

/* Skips a length modifier and says how many bytes a number has with it. */
static const char *marker_number_size(const char *p, u16 *size)
{
	if (p[0] == 'h' && p[1] == 'h') {
		*size = sizeof(char);
		return p + 2;
	}
	if (p[0] == 'l' && p[1] == 'l') {
		*size = sizeof(long long);
		return p + 2;
	}
	switch (p[0]) {
	case 'h':
		*size = sizeof(short);
		return p + 1;
	case 'l':
		*size = sizeof(long);
		return p + 1;
	case 'L':
		*size = sizeof(long long);
		return p + 1;
	case 'z':
	case 't':
		*size = sizeof(size_t);
		return p + 1;
	}
	*size = sizeof(int);
	return p;
}

/*
 * One conversion, from behind its '%'. Returns what follows it, NULL when it
 * takes no argument or more than one, or is none.
 */
static const char *marker_parse(const char *p, struct marker_field *field)
{
	u16 string = MARKER_STRING_SIZE, width;

	while (*p && strchr("-+ #0", *p))
		p++;
	p = marker_digits(p, &width, 0);
	if (*p == '.') {
		/* A string needs no NUL behind that many bytes. */
		p = marker_digits(p + 1, &string, MARKER_STRING_SIZE - 1);
		string++;
	}
	p = marker_number_size(p, &field->size);
	field->is_signed = false;
	field->conversion = *p;
	switch (*p++) {
	case 'd':
	case 'i':
		field->conversion = 'd';
		field->is_signed = true;
		return p;
	case 'X':
		field->conversion = 'x';
		return p;
	case 'u':
	case 'x':
	case 'o':
		return p;
	case 'c':
		field->size = sizeof(char);
		field->is_signed = is_signed_type(char);
		return p;
	case 's':
		field->size = string;
		return p;
	case 'p':
		field->size = sizeof(void *);
		/* What vsprintf() would make of the pointer. */
		while (isalnum(*p))
			p++;
		return p;
	}
	return NULL;
}

/* The first conversion from @p on, NULL when there is none. */
static const char *marker_next(const char *p)
{
	while ((p = strchr(p, '%')) && p[1] == '%')
		p += 2;
	return p;
}

static int marker_layout_init(struct marker_layout *layout, const char *marker,
			      const char *format)
{
	const char *from = format, *p;

	layout->marker = marker;
	layout->format = format;
	for (p = marker_next(format); p; p = marker_next(from)) {
		struct marker_field *field = &layout->fields[layout->nr_fields];

		if (layout->nr_fields == MARKER_MAX_ARGS) {
			pr_err("%s: \"%s\" has more than %d arguments\n",
			       marker, format, MARKER_MAX_ARGS);
			return -EINVAL;
		}
		marker_name_field(field, layout->nr_fields, from, p);
		from = marker_parse(p + 1, field);
		if (!from) {
			pr_err("%s: no record can be made of \"%s\", from \"%s\" on\n",
			       marker, format, p);
			return -EINVAL;
		}
		field->offset = layout->size;
		layout->size += field->size;
		layout->nr_fields++;
	}
	return 0;
}

/**
 * marker_count_args - how many arguments a format has
 * @format: the format
 *
 * Return: the number, -1 when no record can be made of @format.
 */
int marker_count_args(const char *format)
{
	struct marker_field field;
	const char *p;
	int count = 0;

	for (p = marker_next(format); p; p = marker_next(p)) {
		p = marker_parse(p + 1, &field);
		if (!p)
			return -1;
		count++;
	}
	return count;
}

/* ---- from arguments to a record: any context, no locks, no allocation ---- */

static void marker_put_number(char *to, unsigned int size, u64 value)
{
	u8 v8 = value;
	u16 v16 = value;
	u32 v32 = value;

	switch (size) {
	case 1:
		*to = v8;
		break;
	case 2:
		memcpy(to, &v16, sizeof(v16));
		break;
	case 4:
		memcpy(to, &v32, sizeof(v32));
		break;
	default:
		memcpy(to, &value, sizeof(value));
	}
}

static void marker_put_string(char *to, unsigned int size, u64 value)
{
	const char *from = (const char *)(unsigned long)value;
	long copied;

	if (!from) {
		strscpy_pad(to, "(null)", size);
		return;
	}
	copied = strncpy_from_kernel_nofault(to, from, size);
	if (copied <= 0)
		strscpy_pad(to, "(fault)", size);
	else
		memset(to + copied, 0, size - copied);
}

/**
 * marker_deliver - call a generic probe
 * @data: what marker_generic_create() made
 * @slots: the arguments, as 64 bits each
 *
 * Context: that of a site, preemption off.
 */
noinline void marker_deliver(const void *data, const u64 *slots)
{
	const struct marker_generic *generic = data;
	const struct marker_layout *layout = &generic->layout;
	char record[MARKER_MAX_ARGS * MARKER_STRING_SIZE] __aligned(8);

	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const struct marker_field *field = &layout->fields[i];
		char *to = record + field->offset;

		if (field->conversion == 's')
			marker_put_string(to, field->size, slots[i]);
		else
			marker_put_number(to, field->size, slots[i]);
	}
	generic->probe(generic->data, layout, record);
}
EXPORT_SYMBOL_GPL(marker_deliver);

/**
 * marker_hit - call the probes of an ad-hoc marker, for trace_mark()
 * @marker: the marker
 * @slots: the arguments, as 64 bits each
 */
void marker_hit(const struct marker *marker, const u64 *slots)
{
	const struct marker_func *func;

	preempt_disable_notrace();
	for (func = rcu_dereference_raw(marker->funcs); func && func->func;
	     func++)
		marker_deliver(func->data, slots);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(marker_hit);

/* ---- generic probes in the registry ---- */

/**
 * marker_generic_create - make a generic probe's data what marker_deliver() takes
 * @func: a generic probe with its own data, which is replaced
 * @marker: name of the marker, kept
 * @format: its format, kept
 *
 * Return: 0; -EINVAL when @format can't be made a record of; -ENOMEM.
 */
int marker_generic_create(struct marker_func *func, const char *marker,
			  const char *format)
{
	struct marker_generic *generic = kzalloc(sizeof(*generic), GFP_KERNEL);
	int ret;

	if (!generic)
		return -ENOMEM;
	ret = marker_layout_init(&generic->layout, marker, format);
	if (ret) {
		kfree(generic);
		return ret;
	}
	generic->probe = func->func;
	generic->data = func->data;
	func->data = generic;
	return 0;
}

/* Whether it was made of a probe with this data. */
bool marker_generic_has_data(const void *generic, const void *data)
{
	return ((const struct marker_generic *)generic)->data == data;
}

/* Gone when nobody can be in it any more. */
void marker_generic_destroy(void *data)
{
	struct marker_generic *generic = data;

	kfree_rcu(generic, rcu);
}
