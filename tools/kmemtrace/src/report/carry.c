// SPDX-License-Identifier: GPL-2.0
/*
 * The call sites of live memory, carried from one trace to the next one of the same boot. A
 * trace without books does not know the call sites of memory that is older than itself; the trace
 * before it does, by address.
 */
#include "config.h"

#include "common/memory.h"
#include "report/carry.h"

static uint32_t units_of(const struct carried_sites *c, uint64_t bytes)
{
	uint64_t units = c->page_size ? bytes / c->page_size : bytes;

	return units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
}

static uint64_t end_of(const struct carried_sites *c, const struct carry_entry *e)
{
	return e->begin + e->units * c->page_size;
}

static uint64_t find_object(struct carried_sites *c, uint64_t begin, uint64_t bytes, uint32_t *site)
{
	const struct carry_entry *e;

	while (c->next < c->nr_old && c->old[c->next].begin < begin)
		c->next++;
	e = &c->old[c->next];
	if (c->next < c->nr_old && e->begin == begin && e->units == units_of(c, bytes))
		*site = e->site;
	return bytes;
}

static uint64_t find_pages(struct carried_sites *c, uint64_t begin, uint64_t bytes, uint32_t *site)
{
	const struct carry_entry *e;

	while (c->next < c->nr_old && end_of(c, &c->old[c->next]) <= begin)
		c->next++;
	e = &c->old[c->next];
	if (c->next == c->nr_old || e->begin >= begin + bytes)
		return bytes;
	if (e->begin > begin)
		return e->begin - begin;
	*site = e->site;
	return end_of(c, e) < begin + bytes ? end_of(c, e) - begin : bytes;
}

/**
 * carry_find - find the call site of memory that is older than its trace
 * @c: the call sites
 * @begin: address of the memory, not below that of the last call
 * @bytes: its size, not 0
 * @site: result: number of the call site, or CARRY_NONE
 *
 * Return: how many bytes from @begin on @site holds for: all, but for some of pages.
 */
uint64_t carry_find(struct carried_sites *c, uint64_t begin, uint64_t bytes, uint32_t *site)
{
	*site = CARRY_NONE;
	return c->page_size ? find_pages(c, begin, bytes, site) :
			      find_object(c, begin, bytes, site);
}

/* Add pages to the last entry, if they follow it. */
static bool extends_last(struct carried_sites *c, uint64_t begin, uint32_t units, uint32_t site)
{
	struct carry_entry *last = c->nr_new ? &c->new[c->nr_new - 1] : NULL;

	if (!c->page_size || !last || last->site != site || end_of(c, last) != begin ||
	    units > UINT32_MAX - last->units)
		return false;
	last->units += units;
	return true;
}

/**
 * carry_keep - keep the call site of memory for the next trace
 * @c: the call sites
 * @begin: address of the memory, not below that of the last call
 * @bytes: its size
 * @site: number of the call site
 */
void carry_keep(struct carried_sites *c, uint64_t begin, uint64_t bytes, uint32_t site)
{
	uint32_t units = units_of(c, bytes);

	if (extends_last(c, begin, units, site))
		return;
	c->new = must_grow_list(c->new, c->nr_new, sizeof(*c->new));
	c->new[c->nr_new++] = (struct carry_entry) { begin, units, site };
}

/* Go on to the next trace. */
void carry_turn(struct carried_sites *c)
{
	free(c->old);
	c->old = c->new;
	c->nr_old = c->nr_new;
	c->new = NULL;
	c->nr_new = 0;
	c->next = 0;
}

void carry_free(struct carried_sites *c)
{
	free(c->old);
	free(c->new);
}
