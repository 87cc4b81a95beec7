// SPDX-License-Identifier: GPL-2.0
/*
 * What the source of a trace can't see, by the words of the metadata.
 */
#include "config.h"

#include <string.h>

#include "common/unseen.h"

static const struct {
	const char *word;
	const char *text;
} words[NR_UNSEEN] = {
	[UNSEEN_BASELINE] = { "baseline",
		"what was allocated before tracing began" },
	[UNSEEN_BASELINE_OBJECTS] = { "baseline_objects",
		"slab objects, per-CPU memory and vmalloc areas from before tracing began" },
	[UNSEEN_BOOT] = { "boot",
		"the boot before the source was there" },
	[UNSEEN_BULK] = { "bulk",
		"slab objects that are allocated or freed in bulk" },
	[UNSEEN_CACHES] = { "caches",
		"the slab cache of an object" },
	[UNSEEN_CALL_SITES] = { "call_sites",
		"the call sites of memory" },
	[UNSEEN_CLOCK] = { "clock",
		"exact times early in the boot" },
	[UNSEEN_EVENTS] = { "events",
		"single allocations and frees" },
	[UNSEEN_FAILED] = { "failed",
		"failed allocations" },
	[UNSEEN_FREES_OF_PAGES] = { "frees_of_pages",
		"frees of pages" },
	[UNSEEN_FREES_OF_PERCPU] = { "frees_of_percpu",
		"frees of per-CPU memory" },
	[UNSEEN_FREES_OF_SLAB] = { "frees_of_slab",
		"frees of slab objects" },
	[UNSEEN_LOSSES] = { "losses",
		"the number of lost events" },
	[UNSEEN_MOVES] = { "moves",
		"moves of pages by migration" },
	[UNSEEN_PAGE_BULK] = { "page_bulk",
		"pages that are allocated in bulk" },
	[UNSEEN_PAGE_CALLERS] = { "page_callers",
		"the callers of page allocations" },
	[UNSEEN_PAGES] = { "pages",
		"pages" },
	[UNSEEN_PERCPU] = { "percpu",
		"per-CPU memory" },
	[UNSEEN_PERCPU_BYTES] = { "percpu_bytes",
		"the bytes of a free of per-CPU memory" },
	[UNSEEN_PERCPU_CALLERS] = { "percpu_callers",
		"the callers of frees of per-CPU memory" },
	[UNSEEN_SLAB] = { "slab",
		"slab objects" },
	[UNSEEN_SOME_PAGE_CALLERS] = { "some_page_callers",
		"the callers of some page allocations" },
	[UNSEEN_VMALLOC] = { "vmalloc",
		"vmalloc areas" },
};

/**
 * unseen_next - take the first word off a list
 * @list: the list; moved behind the word
 * @len: result: the length of the word
 *
 * Return: the word, which no 0 ends; NULL: the list is empty.
 */
const char *unseen_next(const char **list, size_t *len)
{
	const char *word = *list + strspn(*list, " ");

	*len = strcspn(word, " ");
	*list = word + *len;
	return *len ? word : NULL;
}

/**
 * unseen_find - look up a word
 * @word: the word, which no 0 needs to end
 * @len: its length
 *
 * Return: the enum unseen; -1: this version does not know the word.
 */
int unseen_find(const char *word, size_t len)
{
	int i;

	for (i = 0; i < NR_UNSEEN; i++)
		if (strlen(words[i].word) == len && !memcmp(words[i].word, word, len))
			return i;
	return -1;
}

/**
 * unseen_word - return the word of the metadata
 * @unseen: what is not seen
 */
const char *unseen_word(enum unseen unseen)
{
	return words[unseen].word;
}

/**
 * unseen_text - describe what is not seen
 * @unseen: it
 *
 * Return: a noun phrase.
 */
const char *unseen_text(enum unseen unseen)
{
	return words[unseen].text;
}

/**
 * unseen_bits - return the bits of all known words of a list
 * @list: the list; NULL: an empty one
 */
uint32_t unseen_bits(const char *list)
{
	const char *word;
	uint32_t bits = 0;
	size_t len;
	int unseen;

	while (list && (word = unseen_next(&list, &len))) {
		unseen = unseen_find(word, len);
		if (unseen >= 0)
			bits |= UNSEEN_BIT(unseen);
	}
	return bits;
}
