// SPDX-License-Identifier: GPL-2.0
/*
 * series.c - sum up the kernel's counters over time
 *
 * A row that does not change takes no work, and no memory for its steps.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "sums/series.h"

/* Slots of the table of names, a power of two, at most half of them used. */
#define TABLE_BITS	17
#define TABLE_SLOTS	(UINT32_C(1) << TABLE_BITS)
static_assert(TABLE_SLOTS >= 2 * COUNTER_MAX_ROWS, "TABLE_BITS");

/* The first rows: the bytes of all call sites and of all slab caches. */
#define NR_TOTALS	2

/* ---- steps ---- */

/* Let the extremes of a step include a value. */
static void extend(struct series_step *step, uint64_t value)
{
	if (value < step->least)
		step->least = value;
	if (value > step->most)
		step->most = value;
}

/* Return the change of a row in a step, a new one if it has none there; NULL: no memory. */
static struct series_change *change_of(struct series *s, struct series_row *row,
				       unsigned int step)
{
	struct series_change *changes = row->changes;

	if (row->nr_changes && changes[row->nr_changes - 1].number == step)
		return &changes[row->nr_changes - 1];
	changes = context_grow_list(s->ctx, changes, row->nr_changes, sizeof(*changes));
	if (!changes)
		return NULL;
	row->changes = changes;
	changes[row->nr_changes] = (struct series_change) {
		.number = step,
		.step = { UINT64_MAX, 0 },
	};
	return &changes[row->nr_changes++];
}

/* Join the changes of each two steps. */
static void halve(struct series_row *row)
{
	uint64_t value = row->initial;
	unsigned int i, nr = 0;

	for (i = 0; i < row->nr_changes; i++) {
		struct series_change change = row->changes[i];
		struct series_change *last = nr ? &row->changes[nr - 1] : NULL;

		/* It was the value in the step before. */
		if (change.number % 2)
			extend(&change.step, value);
		value = change.value;
		change.number /= 2;
		if (last && last->number == change.number) {
			extend(&change.step, last->step.least);
			extend(&change.step, last->step.most);
			*last = change;
		} else {
			row->changes[nr++] = change;
		}
	}
	row->nr_changes = nr;
}

static void double_width(struct series *s)
{
	size_t i;

	s->width *= 2;
	s->nr_steps = HISTORY_STEPS / 2;
	for (i = 0; i < s->nr; i++)
		halve(s->rows[i]);
	for (i = 0; i < HISTORY_STEPS; i++)
		s->has_reading[i] = i < HISTORY_STEPS / 2 &&
			(s->has_reading[2 * i] || s->has_reading[2 * i + 1]);
}

/*
 * Find the step of a reading. The first two readings set the width: each reading has a step
 * until there are too many. Steps begin half a width before, so that a reading that is late
 * has its own, too.
 */
static void find_step(struct series *s, int64_t time)
{
	uint64_t since = (uint64_t)time - (uint64_t)s->begin;
	unsigned int step;

	if (!s->width && since) {
		s->width = since;
		s->origin = since / 2;
	}
	if (!s->width) {
		s->is_second = s->nr_steps;
		s->nr_steps = 1;
		s->has_reading[0] = true;
		return;
	}
	while ((since + s->origin) / s->width >= HISTORY_STEPS)
		double_width(s);
	step = (since + s->origin) / s->width;
	s->is_second = s->has_reading[step];
	s->has_reading[step] = true;
	if (step >= s->nr_steps)
		s->nr_steps = step + 1;
}

/* Set the value of a row in the current reading. Return 0 or -ENOMEM. */
static int set_value(struct series *s, struct series_row *row, uint64_t value)
{
	struct series_change *change;

	if (value == row->value)
		return 0;
	if (!row->nr_changes)
		row->initial = row->value;
	change = change_of(s, row, s->nr_steps - 1);
	if (!change)
		return -ENOMEM;
	/* An earlier reading of this step had the old value. */
	if (s->is_second)
		extend(&change->step, row->value);
	extend(&change->step, value);
	change->value = value;
	row->rises += value > row->value;
	row->falls += value < row->value;
	row->value = value;
	if (value > row->peak) {
		row->peak = value;
		row->peak_time = s->end;
	}
	return 0;
}

/* ---- rows ---- */

static struct series_row *new_row(struct series *s, enum counter_table table,
				  const char *name)
{
	struct series_row *row, **rows;

	rows = context_grow_list(s->ctx, s->rows, s->nr, sizeof(*rows));
	if (!rows)
		return NULL;
	s->rows = rows;
	row = context_calloc(s->ctx, 1, sizeof(*row));
	if (!row)
		return NULL;
	row->table = table;
	row->is_total = !name;
	row->peak_time = s->end;
	if (name) {
		row->text = strdup(name);
		row->name = row->text;
		if (!row->text) {
			free(row);
			context_fail(s->ctx, -ENOMEM);
			return NULL;
		}
	}
	rows[s->nr++] = row;
	return row;
}

/* Return the slot of a row, or of its name if there is no such row. */
static uint32_t *find_slot(const struct series *s, enum counter_table table, const char *name)
{
	uint64_t hash = hash_text(s->seed + table, name, strlen(name));
	uint32_t slot = hash >> (64 - TABLE_BITS);
	const struct series_row *row;

	for (; s->table[slot]; slot = (slot + 1) & (TABLE_SLOTS - 1)) {
		row = s->rows[s->table[slot]];
		if (row->table == table && !strcmp(row->name, name))
			break;
	}
	return &s->table[slot];
}

/* Return what the steps of a row have. */
static uint64_t value_of_counter(enum counter_table table, const uint64_t *values)
{
	return table == COUNTER_SLABINFO ? values[SLABINFO_ACTIVE] * values[SLABINFO_SIZE] :
					   values[0];
}

/* The sums change as the rows do, and get steps at the end of the reading. */
static void add_to_total(struct series *s, const struct series_row *row,
			 const uint64_t *values)
{
	size_t i;

	if (row->table >= NR_TOTALS)
		return;
	s->sums[row->table] += value_of_counter(row->table, values) - row->value;
	for (i = 0; i < counter_nr_values(row->table); i++)
		if (row->table != COUNTER_SLABINFO || i != SLABINFO_SIZE)
			s->rows[row->table]->values[i] += values[i] - row->values[i];
}

static int set_values(struct series *s, struct series_row *row, const uint64_t *values)
{
	add_to_total(s, row, values);
	memcpy(row->values, values, sizeof(row->values));
	return set_value(s, row, value_of_counter(row->table, values));
}

/* The first reading has no value before it, and no step with another one. */
static void init_row(struct series *s, struct series_row *row, const uint64_t *values)
{
	add_to_total(s, row, values);
	memcpy(row->values, values, sizeof(row->values));
	memcpy(row->first, values, sizeof(row->first));
	row->value = value_of_counter(row->table, values);
	row->peak = row->value;
}

/* ---- what the file has ---- */

static int take_begin(void *arg, bool is_full, int64_t time, int64_t seconds)
{
	struct series *s = arg;

	if (!s->readings) {
		s->begin = time;
		s->seconds = seconds;
	}
	s->end = time;
	s->is_full = is_full;
	s->full += is_full;
	s->readings++;
	find_step(s, time);
	return context_error(s->ctx);
}

/* Return the row, a new one if it was not there; NULL: there is no room, or no memory. */
static struct series_row *get_row(struct series *s, enum counter_table table,
				  const char *name, bool *is_new)
{
	uint32_t *slot = find_slot(s, table, name);
	struct series_row *row;

	*is_new = !*slot;
	if (*slot)
		return s->rows[*slot];
	if (s->nr == NR_TOTALS + COUNTER_MAX_ROWS) {
		s->left_out++;
		return NULL;
	}
	row = new_row(s, table, name);
	if (row)
		*slot = s->nr - 1;
	return row;
}

/* ---- RAM ---- */

/* Set a value of /proc/meminfo, for ram_rest(). @arg: struct series_reading */
bool series_meminfo(const void *arg, const char *name, int64_t *bytes)
{
	const struct series_reading *reading = arg;
	const struct series *s = reading->s;
	const struct series_row *row;
	size_t i;

	*bytes = 0;
	for (i = 0; i < s->nr_ram && strcmp(s->ram[i]->name, name); i++)
		;
	if (i == s->nr_ram)
		return false;
	row = s->ram[i];
	*bytes = reading->when == SERIES_BEGIN ? row->first[0] :
		 reading->when == SERIES_END ? row->value : row->fullest;
	return true;
}

static int keep_ram_row(struct series *s, struct series_row *row)
{
	struct series_row **list = context_grow_list(s->ctx, s->ram, s->nr_ram, sizeof(*list));

	if (!list)
		return -ENOMEM;
	s->ram = list;
	list[s->nr_ram++] = row;
	return 0;
}

/* Set the row of the rest in this reading. Return 0 or -ENOMEM. */
static int take_rest_of_ram(struct series *s)
{
	const struct series_reading now = { s, SERIES_END };
	uint64_t values[COUNTER_VALUES] = { 0 };
	int64_t bytes;

	if (!ram_rest(series_meminfo, &now, &bytes))
		return 0;
	values[0] = bytes > 0 ? bytes : 0;
	if (s->rest)
		return set_values(s, s->rest, values);
	s->rest = new_row(s, COUNTER_MEMINFO, SERIES_REST);
	if (!s->rest)
		return -ENOMEM;
	if (s->readings > 1)
		return set_values(s, s->rest, values);
	init_row(s, s->rest, values);
	return 0;
}

/* Keep the values of the reading with the least available memory; on old kernels, free memory. */
static void take_fullest(struct series *s)
{
	const struct series_reading now = { s, SERIES_END };
	int64_t available;
	size_t i;

	if (!series_meminfo(&now, "MemAvailable", &available) &&
	    !series_meminfo(&now, "MemFree", &available))
		return;
	if (s->readings > 1 && (uint64_t)available >= s->least)
		return;
	s->least = available;
	s->fullest = s->end;
	for (i = 0; i < s->nr_ram; i++)
		s->ram[i]->fullest = s->ram[i]->value;
}

static int take_series_row(void *arg, uint32_t id, enum counter_table table, const char *name,
			   const uint64_t *values)
{
	struct series *s = arg;
	bool is_new;
	struct series_row *row = get_row(s, table, name, &is_new);

	s->ids[id] = row;
	if (!row)
		return context_error(s->ctx);
	row->seen = s->full;
	if (!row->is_present)
		s->present[s->nr_present++] = row;
	row->is_present = true;
	if (is_new && table == COUNTER_MEMINFO && keep_ram_row(s, row))
		return -ENOMEM;
	if (!is_new || s->readings > 1)
		return set_values(s, row, values);
	init_row(s, row, values);
	return 0;
}

static int take_series_update(void *arg, uint32_t id, const uint64_t *values)
{
	struct series *s = arg;

	return s->ids[id] ? set_values(s, s->ids[id], values) : 0;
}

static const uint64_t nothing[COUNTER_VALUES];

static int take_series_gone(void *arg, uint32_t id)
{
	return take_series_update(arg, id, nothing);
}

/* Rows that a full reading does not have are gone. */
static int sweep(struct series *s)
{
	struct series_row *row;
	size_t i, kept = 0;
	int ret = 0;

	for (i = 0; i < s->nr_present; i++) {
		row = s->present[i];
		row->is_present = row->seen == s->full;
		if (row->is_present)
			s->present[kept++] = row;
		else if (!ret)
			ret = set_values(s, row, nothing);
	}
	s->nr_present = kept;
	return ret;
}

static int take_series_end(void *arg)
{
	struct series *s = arg;
	struct series_row *total;
	int i, ret = s->is_full ? sweep(s) : 0;

	for (i = 0; !ret && i < NR_TOTALS; i++) {
		total = s->rows[i];
		if (s->readings > 1) {
			ret = set_value(s, total, s->sums[i]);
			continue;
		}
		memcpy(total->first, total->values, sizeof(total->first));
		total->value = s->sums[i];
		total->peak = s->sums[i];
		total->peak_time = s->begin;
	}
	take_fullest(s);
	return ret ? ret : take_rest_of_ram(s);
}

static const struct counters_taker taker = {
	.begin = take_begin,
	.row = take_series_row,
	.update = take_series_update,
	.gone = take_series_gone,
	.end = take_series_end,
};

static int alloc(struct series *s)
{
	int i;

	s->seed = hash_seed();
	s->table = context_calloc(s->ctx, TABLE_SLOTS, sizeof(*s->table));
	s->ids = context_calloc(s->ctx, COUNTER_MAX_IDS, sizeof(*s->ids));
	s->present = context_calloc(s->ctx, COUNTER_MAX_ROWS, sizeof(*s->present));
	for (i = 0; i < NR_TOTALS; i++)
		new_row(s, i, NULL);
	return context_error(s->ctx);
}

/* Free what only the reading needs. */
static void free_tables(struct series *s)
{
	free(s->table);
	free(s->ids);
	free(s->present);
	s->table = NULL;
	s->ids = NULL;
	s->present = NULL;
}

/*
 * Divide "mm/slub.c:12 [module] func:name" into its words. Where it has another form, all of
 * it is the name.
 */
static void name_site(struct series_row *row)
{
	char *function = strstr(row->text, " func:"), *module = strstr(row->text, " [");

	if (!function)
		return;
	*function = '\0';
	row->name = function + strlen(" func:");
	row->place = row->text;
	if (!module || module > function || function[-1] != ']')
		return;
	*module = '\0';
	function[-1] = '\0';
	row->module = module + strlen(" [");
}

/**
 * series_read - read the counters of a trace
 * @s: result, zeroed; series_free() it also after an error
 * @ctx: the context of the trace
 * @files: the files of the trace
 *
 * Return: 0; -ENOENT: it has no counters; or -errno after a message.
 */
int series_read(struct series *s, struct context *ctx, struct files *files)
{
	size_t i;
	int ret;

	s->ctx = ctx;
	ret = alloc(s);
	if (!ret)
		ret = counters_read(&s->state, ctx, files, &taker, s);
	free_tables(s);
	for (i = 0; !ret && i < s->nr; i++)
		if (s->rows[i]->table == COUNTER_ALLOCINFO && s->rows[i]->text)
			name_site(s->rows[i]);
	return ret;
}

/* Return the extremes of a row in a step. */
struct series_step series_step(const struct series_row *row, size_t step)
{
	unsigned int low = 0, high = row->nr_changes, mid;
	uint64_t value = row->value;

	/* @low changes are not behind the step. */
	while (low < high) {
		mid = (low + high) / 2;
		if (row->changes[mid].number <= step)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && row->changes[low - 1].number == step)
		return row->changes[low - 1].step;
	if (row->nr_changes)
		value = low ? row->changes[low - 1].value : row->initial;
	return (struct series_step) { value, value };
}

/* ---- growth ---- */

/* List the steps with a reading. Return how many there are. */
static unsigned int list_steps_read(const struct series *s, unsigned char *steps)
{
	unsigned int i, nr = 0;

	for (i = 0; i < s->nr_steps; i++)
		if (s->has_reading[i])
			steps[nr++] = i;
	return nr;
}

/* Return the smallest value of a row in part @i of the listed steps. */
static uint64_t least_of_part(const struct series_row *row, const unsigned char *steps,
			      unsigned int nr, unsigned int i)
{
	unsigned int step = i * nr / SERIES_PARTS, end = (i + 1) * nr / SERIES_PARTS;
	uint64_t least = series_step(row, steps[step]).least;

	while (++step < end)
		if (series_step(row, steps[step]).least < least)
			least = series_step(row, steps[step]).least;
	return least;
}

/**
 * series_growth - see whether a row grew all the time
 * @s: the series
 * @row: the row
 * @per_hour: result: by how much in an hour
 *
 * It did if its smallest value in each eighth of the time is larger than that in the eighth
 * before, where time without a reading does not count: memory that comes and goes returns to
 * its smallest value, a leak does not. Independent random values have this order with a
 * probability of 1 / 8! = 1 / 40,320. The rate is the difference of the first and the last of
 * these values, over seven eighths of the time.
 *
 * Return: whether it grew; false of a sum.
 */
bool series_growth(const struct series *s, const struct series_row *row, double *per_hour)
{
	unsigned char steps[HISTORY_STEPS];
	unsigned int nr, i;
	uint64_t first, last, next;
	double hours;

	if (row->is_total || !row->nr_changes || s->readings < SERIES_MIN_READINGS)
		return false;
	nr = list_steps_read(s, steps);
	if (nr < SERIES_PARTS)
		return false;
	first = least_of_part(row, steps, nr, 0);
	last = first;
	for (i = 1; i < SERIES_PARTS; i++, last = next) {
		next = least_of_part(row, steps, nr, i);
		if (next <= last)
			return false;
	}
	hours = (double)((uint64_t)s->end - (uint64_t)s->begin) / 3600e9 *
		(SERIES_PARTS - 1) / SERIES_PARTS;
	*per_hour = (double)(last - first) / hours;
	return true;
}

void series_free(struct series *s)
{
	size_t i;

	free_tables(s);
	for (i = 0; i < s->nr; i++) {
		free(s->rows[i]->changes);
		free(s->rows[i]->text);
		free(s->rows[i]);
	}
	free(s->rows);
	free(s->ram);
	*s = (struct series) { .nr = 0 };
}
