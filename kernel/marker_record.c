// SPDX-License-Identifier: GPL-2.0
/*
 * Records: the arguments of a marker, for generic probes. The layout of a record
 * follows from the marker's format alone. See <linux/marker.h>.
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
 * @rcu: frees this
 * @probe: the probe
 * @data: the data that it was registered with
 * @layout: layout of its records
 */
struct marker_generic {
	struct rcu_head		rcu;
	marker_generic_probe	*probe;
	void			*data;
	struct marker_layout	layout;
};

/* ---- layout from a format ---- */

/* Store a number, limited to @most, and return what follows it. */
static const char *marker_digits(const char *p, u16 *number, u16 most)
{
	for (*number = 0; isdigit(*p); p++)
		*number = min(*number * 10 + *p - '0', most);
	return p;
}

/* Name a field by the word before its conversion, which lies behind @from. */
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

/* Store the size that a length modifier gives a number, and return what follows it. */
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
 * Parse one conversion from behind its '%'. Return what follows it, or NULL if it is
 * invalid or does not take exactly one argument.
 */
static const char *marker_parse(const char *p, struct marker_field *field)
{
	u16 string = MARKER_STRING_SIZE, width;

	while (*p && strchr("-+ #0", *p))
		p++;
	p = marker_digits(p, &width, 0);
	if (*p == '.') {
		/* The precision does not count the NUL. */
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
		/* Letters for vsprintf(), such as %pS. */
		while (isalnum(*p))
			p++;
		return p;
	}
	return NULL;
}

/* Return the first conversion from @p on, or NULL. */
static const char *marker_next(const char *p)
{
	while ((p = strchr(p, '%')) && p[1] == '%')
		p += 2;
	return p;
}

/* Return 0, or -EINVAL if the format does not describe a record. */
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
 * marker_count_args - count the arguments of a format
 * @format: the format
 *
 * Return: their number, or -1 if @format does not describe a record.
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

/* ---- record from arguments: any context, no locks, no allocation ---- */

static void marker_store_number(char *to, unsigned int size, u64 value)
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

static void marker_store_string(char *to, unsigned int size, u64 value)
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
 * @data: made by marker_generic_create()
 * @slots: the arguments, 64 bits each
 *
 * Context: the context of the site, preemption off.
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
			marker_store_string(to, field->size, slots[i]);
		else
			marker_store_number(to, field->size, slots[i]);
	}
	generic->probe(generic->data, layout, record);
}
EXPORT_SYMBOL_GPL(marker_deliver);

/**
 * marker_hit - call the probes of an ad-hoc marker, for trace_mark()
 * @marker: the marker
 * @slots: the arguments, 64 bits each
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
 * marker_generic_create - wrap a generic probe for marker_deliver()
 * @func: a generic probe with its own data, which is replaced
 * @marker: name of the marker; must stay valid
 * @format: its format; must stay valid
 *
 * Return: 0; -EINVAL if @format does not describe a record; -ENOMEM.
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

/* Return whether the wrapped probe was registered with @data. */
bool marker_generic_has_data(const void *generic, const void *data)
{
	return ((const struct marker_generic *)generic)->data == data;
}

/* Free it once all sites that may use it have finished. */
void marker_generic_destroy(void *data)
{
	struct marker_generic *generic = data;

	kfree_rcu(generic, rcu);
}
