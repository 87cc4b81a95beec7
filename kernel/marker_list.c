// SPDX-License-Identifier: GPL-2.0
/*
 * The file markers/list in debugfs, which shows all markers.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "marker_internal.h"

#ifdef CONFIG_JUMP_LABEL
static unsigned int count_entries(const struct marker *marker,
				  struct jump_entry *start,
				  struct jump_entry *end)
{
	struct jump_entry *entry;
	unsigned int count = 0;

	for (entry = start; entry < end; entry++)
		if (jump_entry_key(entry) == &marker->key.key &&
		    !jump_entry_is_init(entry))
			count++;
	return count;
}

static unsigned int count_in_section(const struct marker *marker,
				     const struct marker_section *section)
{
#ifdef CONFIG_MODULES
	struct module *module = section->module;

	if (module)
		return count_entries(marker, module->jump_entries,
				     module->jump_entries +
				     module->num_jump_entries);
#endif
	return count_entries(marker, __start___jump_table,
			     __stop___jump_table);
}

/* Count the sites that test a marker's key, without those in init code. */
static unsigned int count_sites(const struct marker *marker)
{
	struct marker_section *section;
	unsigned int count = 0;

	list_for_each_entry(section, &marker_sections, list)
		count += count_in_section(marker, section);
	return count;
}
#else
/* Without jump labels there is no table of the sites of a typed marker. */
static unsigned int count_sites(const struct marker *marker)
{
	return !marker->type;
}
#endif

/* Each site of an ad-hoc marker has a struct marker of its own. */
static bool same_marker(const struct marker *a, const struct marker *b)
{
	return !a->type && !b->type && !strcmp(a->name, b->name) &&
	       !strcmp(a->format, b->format);
}

static void show_marker(struct seq_file *m, struct marker_section *section,
			struct marker *marker)
{
	unsigned int sites = 0;
	struct marker *other;

	for (other = section->start; other < marker; other++)
		if (same_marker(other, marker))
			return;
	for (other = marker; other < section->end; other++)
		if (other == marker || same_marker(other, marker))
			sites += count_sites(other);

	seq_printf(m, "%s %s %s %u ", marker->name, section->name,
		   marker->type ? "typed" : "ad-hoc", sites);
	if (marker_refused(marker))
		seq_puts(m, "refused");
	else
		seq_printf(m, "%u", marker_nr_probes(marker));
	seq_printf(m, " \"%s\"\n", marker->format);
}

/* The file is a sequence of sections. */
static void *marker_list_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&marker_mutex);
	return seq_list_start(&marker_sections, *pos);
}

static void *marker_list_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &marker_sections, pos);
}

static void marker_list_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&marker_mutex);
}

static int marker_list_show(struct seq_file *m, void *v)
{
	struct marker_section *section =
		list_entry(v, struct marker_section, list);
	struct marker *marker;

	if (!section->module)
		seq_puts(m, "# name module kind sites probes format\n");
	for (marker = section->start; marker < section->end; marker++)
		show_marker(m, section, marker);
	return 0;
}

static const struct seq_operations marker_list_sops = {
	.start	= marker_list_start,
	.next	= marker_list_next,
	.stop	= marker_list_stop,
	.show	= marker_list_show,
};
DEFINE_SEQ_ATTRIBUTE(marker_list);

/**
 * marker_show_names - print the names of markers, a line each
 * @m: where to
 * @prefix: what they begin with; it is left out
 *
 * Context: task, may sleep.
 */
void marker_show_names(struct seq_file *m, const char *prefix)
{
	const size_t len = strlen(prefix);
	struct marker_section *section;
	struct marker *marker;

	mutex_lock(&marker_mutex);
	list_for_each_entry(section, &marker_sections, list)
		for (marker = section->start; marker < section->end; marker++)
			if (!strncmp(marker->name, prefix, len))
				seq_printf(m, "%s\n", marker->name + len);
	mutex_unlock(&marker_mutex);
}

static int __init marker_list_init(void)
{
	debugfs_create_file("list", 0400, debugfs_create_dir("markers", NULL),
			    NULL, &marker_list_fops);
	return 0;
}
late_initcall(marker_list_init);
