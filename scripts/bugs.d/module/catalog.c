// SPDX-License-Identifier: GPL-2.0
/*
 * A catalog of named entries. Writing N to the parameter of a bug makes N calls that meet it.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>

/* catalog_param: a parameter NAME that calls catalog_NAME() as many times as is written to it */
#define catalog_param(name)						\
	static int catalog_set_##name(const char *text,			\
				      const struct kernel_param *kp)	\
	{								\
		unsigned int times;					\
		int err = kstrtouint(text, 0, &times);			\
									\
		while (!err && times--) {				\
			catalog_##name();				\
			cond_resched();					\
		}							\
		return err;						\
	}								\
	static const struct kernel_param_ops catalog_ops_##name = {	\
		.set = catalog_set_##name,				\
	};								\
	module_param_cb(name, &catalog_ops_##name, NULL, 0200)

struct entry {
	struct list_head list;
	struct rcu_head rcu;
	char *name;
};

static LIST_HEAD(catalog);
static DEFINE_SPINLOCK(catalog_lock);

static noinline struct entry *catalog_add(void)
{
	struct entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return NULL;
	spin_lock(&catalog_lock);
	list_add_rcu(&entry->list, &catalog);
	spin_unlock(&catalog_lock);
	return entry;
}

static noinline void catalog_remove(struct entry *entry)
{
	spin_lock(&catalog_lock);
	list_del_rcu(&entry->list);
	spin_unlock(&catalog_lock);
	kfree_rcu(entry, rcu);
}

/* Replacing an entry takes the old one off the list, and forgets it. */
static noinline void catalog_replace(struct entry *old)
{
	catalog_add();
	spin_lock(&catalog_lock);
	list_del_rcu(&old->list);
	spin_unlock(&catalog_lock);
}

static void catalog_rcu(void)
{
	struct entry *entry = catalog_add();

	if (entry)
		catalog_replace(entry);
	for (int i = 0; i < 3; i++) {
		entry = catalog_add();
		if (entry)
			catalog_remove(entry);
	}
	/* what replaced it */
	entry = list_first_entry_or_null(&catalog, struct entry, list);
	if (entry)
		catalog_remove(entry);
}
catalog_param(rcu);

/* Each search is remembered; no limit ever forgets the oldest. */
static LIST_HEAD(catalog_searches);

static noinline struct entry *catalog_search(void)
{
	struct entry *search = kzalloc(sizeof(*search), GFP_KERNEL);

	if (search) {
		search->name = kasprintf(GFP_KERNEL, "search at %lu", jiffies);
		list_add(&search->list, &catalog_searches);
	}
	return search;
}

static void catalog_history(void)
{
	struct entry *entry = catalog_add();

	catalog_search();
	if (entry)
		catalog_remove(entry);
}
catalog_param(history);

/* A page of text and 16 bytes need two pages: the allocator has no size between them. */
static LIST_HEAD(catalog_texts);

struct text {
	struct list_head list;
	char page[PAGE_SIZE];
};

static noinline void catalog_text(void)
{
	struct text *text = kmalloc(sizeof(*text), GFP_KERNEL);

	if (text)
		list_add(&text->list, &catalog_texts);
}

static void catalog_waste(void)
{
	catalog_text();
	catalog_history();
}
catalog_param(waste);

/*
 * Cards are freed in batches, and every third one once more by who reads them. The free lists of
 * their cache are broken after that: no card is allocated, and the cache is never destroyed.
 */
#define CARDS 24

static struct kmem_cache *catalog_cards;

static noinline void catalog_drop(void **cards)
{
	for (int i = 0; i < CARDS; i++)
		kmem_cache_free(catalog_cards, cards[i]);
}

static noinline void catalog_read(void **cards)
{
	for (int i = 0; i < CARDS; i += 3)
		kmem_cache_free(catalog_cards, cards[i]);
}

static void catalog_twice(void)
{
	static void *cards[CARDS];
	int count;

	if (!catalog_cards)
		return;
	for (count = 0; count < CARDS; count++) {
		cards[count] = kmem_cache_alloc(catalog_cards, GFP_KERNEL);
		if (!cards[count])
			return;
	}
	/* on one CPU, since a free on another one would notice */
	migrate_disable();
	catalog_drop(cards);
	catalog_read(cards);
	migrate_enable();
	catalog_cards = NULL;
}
catalog_param(twice);

static int __init catalog_init(void)
{
	catalog_cards = kmem_cache_create("catalog_card", 96, 0, SLAB_NO_MERGE, NULL);
	return catalog_cards ? 0 : -ENOMEM;
}
module_init(catalog_init);

MODULE_DESCRIPTION("A catalog with bugs");
MODULE_LICENSE("GPL");
