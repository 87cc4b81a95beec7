// SPDX-License-Identifier: GPL-2.0
/*
 * ram.c - the relation memory: what RAM was used for
 */
#include "config.h"

#include "relations/columns.h"
#include "sums/ram.h"

/**
 * struct ram_row - a part of MemTotal
 * @part: its name
 * @counter: its first counter
 * @is_rest: what no other part has
 * @is_counted: the kernel has the counter
 * @bytes: by enum series_when
 */
struct ram_row {
	const char *part, *counter;
	bool is_rest, is_counted;
	int64_t bytes[NR_SERIES_WHEN];
};

/* Return the bytes of the buffers of kmemtrace, which are there from begin to end. */
static int64_t own_bytes(const struct kmemtrace_relation *r)
{
	return r->trace->is_read ? r->trace->t.ledger.stats.own * r->trace->t.dir.page_size : 0;
}

static void set_ram_row(const struct kmemtrace_relation *r, struct ram_row *row,
			const struct ram_part *part)
{
	int when;

	for (when = 0; when < NR_SERIES_WHEN; when++) {
		const struct series_reading reading = { &r->trace->t.series, when };

		row->is_counted = part ?
			ram_part_bytes(part, series_meminfo, &reading, &row->bytes[when]) :
			ram_rest(series_meminfo, &reading, &row->bytes[when]);
		if (!part)
			row->bytes[when] -= own_bytes(r);
	}
}

/* Begin and end alone don't say when least was available. */
static bool knows_when(const struct kmemtrace_relation *r, unsigned int when)
{
	return when != SERIES_FULLEST || r->trace->t.series.readings > 2;
}

/* The parts, kmemtrace's buffers, and the rest add up to the last row. */
static int fill_ram(struct kmemtrace_relation *r)
{
	const int64_t own = own_bytes(r);
	static const struct ram_part total = { "MemTotal", { "MemTotal" }, NULL };
	struct ram_row row, rest = { .part = "rest", .is_rest = true };
	int ret = 0;
	size_t i;

	set_ram_row(r, &rest, NULL);
	if (!rest.is_counted)
		return 0;
	for (i = 0; !ret && i < ram_nr_parts; i++) {
		row = (struct ram_row) {
			.part = ram_parts[i].name, .counter = ram_parts[i].counters[0],
		};
		set_ram_row(r, &row, &ram_parts[i]);
		ret = relation_add(r, &row);
	}
	if (!ret && own)
		ret = relation_add(r, &(struct ram_row) {
			.part = "by kmemtrace", .is_counted = true, .bytes = { own, own, own },
		});
	if (!ret)
		ret = relation_add(r, &rest);
	row = (struct ram_row) { .part = total.name };
	set_ram_row(r, &row, &total);
	return ret ? ret : relation_add(r, &row);
}

static bool get_ram(const struct kmemtrace_relation *r, const void *ram, unsigned int when,
		    struct kmemtrace_field *value)
{
	const struct ram_row *row = ram;

	value->signed_number = when < NR_SERIES_WHEN ? row->bytes[when] :
			       row->bytes[SERIES_END] - row->bytes[SERIES_BEGIN];
	return row->is_counted && knows_when(r, when);
}

static bool get_ram_growth(const struct kmemtrace_relation *r, const void *ram, unsigned int arg,
			   struct kmemtrace_field *value)
{
	const struct series *s = &r->trace->t.series;
	const struct ram_row *row = ram;
	double per_hour;

	(void)arg;
	if (!row->is_rest || !series_growth(s, s->rest, &per_hour))
		return false;
	value->number = per_hour < 1e18 ? (uint64_t)(per_hour + 0.5) : UINT64_MAX;
	return true;
}

static bool get_ram_counter(const struct kmemtrace_relation *r, const void *ram, unsigned int arg,
			    struct kmemtrace_field *value)
{
	const struct ram_row *row = ram;

	(void)r;
	(void)arg;
	value->number = (uintptr_t)row->counter;
	return row->counter && !row->is_counted;
}

#define OF_RAM(n, h, when, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_SIGNED, .unit = KMEMTRACE_BYTES,	\
	  .get = get_ram, .arg = when, .help = text, MAYBE }

static const struct column ram_columns[] = {
	COLUMN("part", "part", TEXT, NO_UNIT, MEMBER(struct ram_row, part),
	       "a part of MemTotal; rest: what no counter has; MemTotal: all of it", KEY,
	       .print = write_string),
	OF_RAM("begin_bytes", "begin", SERIES_BEGIN, "its bytes in the first reading"),
	OF_RAM("fullest_bytes", "fullest", SERIES_FULLEST,
	       "the same in the reading with the least available memory, if there are more than two"),
	OF_RAM("end_bytes", "end", SERIES_END, "the same in the last reading"),
	OF_RAM("change_bytes", "change", NR_SERIES_WHEN, "those of the end, less those of the begin"),
	COLUMN("per_hour", "per hour", NUMBER, BYTES, .get = get_ram_growth,
	       "by how much the rest grows in an hour, if it grew in each eighth of the time", MAYBE),
	COLUMN("missing", "missing", TEXT, NO_UNIT, .get = get_ram_counter,
	       "the counter of /proc/meminfo that the kernel does not have", MAYBE,
	       .print = write_string),
};

static const struct relation list[] = {
	{ INFO("memory", "What RAM was used for; all parts and the rest add up to MemTotal."),
	  COLUMNS(ram_columns), .row_size = sizeof(struct ram_row), .fill = fill_ram,
	  .space = NR_SPACES, .is_of_counters = true },
};

RELATIONS(ram_relations, list);
