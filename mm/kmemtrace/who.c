// SPDX-License-Identifier: GPL-2.0
/* Who caused an allocation: the call path, the task and the cgroup, where asked for. */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "kinds.h"
#include "stacks.h"
#include "task.h"
#include "who.h"

static_assert(sizeof(struct kmemtrace_who_event) == 72);
static_assert(offsetof(struct kmemtrace_who_event, who) == 64);

/* KMEMTRACE_WITH_*. Written while no probe is registered. */
unsigned int kmemtrace_with;

/* By number of the bit of KMEMTRACE_WITH_*. */
static const char * const kmemtrace_with_words[] = {
	"stack", "task",
#ifdef CONFIG_KMEMTRACE_CGROUPS
	"cgroup",
#endif
};

/* The word of a kind of counted objects begins like this. */
static const char kmemtrace_refs_word[] = "refs=";

/* Return the kind of a word for references, or NULL. */
static const char *kmemtrace_kind_of(const char *word)
{
	const size_t len = str_has_prefix(word, kmemtrace_refs_word);

	return len ? word + len : NULL;
}

/* Return bits of KMEMTRACE_WITH_*; -EINVAL if the word is none. */
static int kmemtrace_bits_of_word(const char *word)
{
	const char *kind = kmemtrace_kind_of(word);
	int i;

	if (kind)
		return kmemtrace_kind_is_known(kind) ?
		       KMEMTRACE_WITH_REFS | KMEMTRACE_WITH_STACK : -EINVAL;
	i = match_string(kmemtrace_with_words, ARRAY_SIZE(kmemtrace_with_words),
			 word);
	return i < 0 ? -EINVAL : BIT(i);
}

/**
 * kmemtrace_parse_with - parse a list of words
 * @words: with commas between them; or "none"
 *
 * Context: task, or the boot CPU.
 * Return: bits of KMEMTRACE_WITH_*; -EINVAL if there is another word, or too many kinds.
 */
int kmemtrace_parse_with(const char *words)
{
	char copy[KMEMTRACE_MAX_WITH], *at = copy, *word;
	unsigned int kinds = 0;
	int with = 0, bits;

	if (!strcmp(words, "none"))
		return 0;
	if (strscpy(copy, words, sizeof(copy)) < 0)
		return -EINVAL;
	while ((word = strsep(&at, ","))) {
		bits = kmemtrace_bits_of_word(word);
		if (bits < 0)
			return bits;
		kinds += !!(bits & KMEMTRACE_WITH_REFS);
		with |= bits;
	}
	return kinds > KMEMTRACE_MAX_KINDS ? -EINVAL : with;
}

/* Return whether one of the first @nr chosen kinds has a name. */
static bool kmemtrace_kind_is_chosen(const char *kind, unsigned int nr)
{
	while (nr--)
		if (!strcmp(kmemtrace_chosen_kind(nr), kind))
			return true;
	return false;
}

/**
 * kmemtrace_use_with - use a list of words for the next trace
 * @words: the list
 * @with: what kmemtrace_parse_with() returned for it, no error
 *
 * Context: no probe is registered.
 */
void kmemtrace_use_with(const char *words, unsigned int with)
{
	char copy[KMEMTRACE_MAX_WITH], *at = copy, *word;
	unsigned int i = 0;
	const char *kind;

	WRITE_ONCE(kmemtrace_with, with);
	strscpy(copy, words, sizeof(copy));
	while ((word = strsep(&at, ","))) {
		kind = kmemtrace_kind_of(word);
		if (kind && !kmemtrace_kind_is_chosen(kind, i))
			kmemtrace_choose_kind(i++, kind);
	}
	while (i < KMEMTRACE_MAX_KINDS)
		kmemtrace_choose_kind(i++, "");
}

/**
 * kmemtrace_show_with - print what is recorded with each allocation
 * @m: where to
 */
void kmemtrace_show_with(struct seq_file *m)
{
	unsigned int with = READ_ONCE(kmemtrace_with);
	const char *comma = "";

	if (!with)
		seq_puts(m, "none");
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_with_words); i++) {
		if (!(with & BIT(i)))
			continue;
		seq_printf(m, "%s%s", comma, kmemtrace_with_words[i]);
		comma = ",";
	}
	for (int i = 0; i < KMEMTRACE_MAX_KINDS; i++)
		if (*kmemtrace_chosen_kind(i))
			seq_printf(m, ",%s%s", kmemtrace_refs_word,
				   kmemtrace_chosen_kind(i));
	seq_putc(m, '\n');
}

/**
 * kmemtrace_begin_who - prepare what kmemtrace_with asks for
 * @overwrites: the newest records will replace the oldest ones
 *
 * Context: task, may sleep; or the boot CPU. No CPU records.
 * Return: 0 or -errno; kmemtrace_end_who() frees what there is in any case.
 */
int kmemtrace_begin_who(bool overwrites)
{
	kmemtrace_reset_tasks(kmemtrace_with & KMEMTRACE_WITH_TASK);
	if (!(kmemtrace_with & KMEMTRACE_WITH_STACK))
		return 0;
	return kmemtrace_begin_stacks(overwrites);
}

/**
 * kmemtrace_end_who - free what kmemtrace_begin_who() allocated
 *
 * Context: task, may sleep. No CPU records.
 */
void kmemtrace_end_who(void)
{
	if (kmemtrace_with & KMEMTRACE_WITH_STACK)
		kmemtrace_end_stacks();
}

static __always_inline enum kmemtrace_context kmemtrace_context(void)
{
	if (in_hardirq())
		return KMEMTRACE_CONTEXT_HARDIRQ;
	if (in_serving_softirq())
		return KMEMTRACE_CONTEXT_SOFTIRQ;
	return kmemtrace_is_own_name(current->comm) ? KMEMTRACE_CONTEXT_OWN :
						      KMEMTRACE_CONTEXT_TASK;
}

/**
 * kmemtrace_is_own - return whether the code of a task of kmemtrace itself is executed
 *
 * Context: any.
 * Return: true if it is.
 */
bool kmemtrace_is_own(void)
{
	return kmemtrace_context() == KMEMTRACE_CONTEXT_OWN;
}

/**
 * kmemtrace_who - return who causes an allocation
 * @call_site: return address into the caller of the allocator
 * @frame: __builtin_frame_address(0) of the caller
 *
 * Context: any, preemption off. Nothing is recorded in NMIs.
 * Return: see @who of struct kmemtrace_who_event; the records that it needs were written.
 */
u64 kmemtrace_who(unsigned long call_site, unsigned long *frame)
{
	u64 who = (u64)kmemtrace_context() << KMEMTRACE_WHO_CONTEXT_SHIFT;

	if (in_nmi())
		return who;
	if (kmemtrace_with & KMEMTRACE_WITH_STACK)
		who |= kmemtrace_stack(call_site, frame);
	if (kmemtrace_with & KMEMTRACE_WITH_TASK)
		kmemtrace_emit_task();
	return who;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "who_test.c"
#endif
