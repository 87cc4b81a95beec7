/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of ktrace. */
#ifndef __KERNEL_KTRACE_KTRACE_H
#define __KERNEL_KTRACE_KTRACE_H

#include <linux/list.h>
#include <linux/marker.h>
#include <linux/marker_channel.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct dentry;
struct module;

DECLARE_MARKER_CHANNEL(ktrace_channel);

/* Held over each change of names, events, the selection and the state. */
extern struct mutex ktrace_mutex;

/**
 * struct ktrace_event - a name and a format that a marker has or had
 * @event: the id and the channel
 * @list: in ktrace_events, by id
 * @same: in the list of its name
 * @name: the name
 * @format: the format
 * @markers: number of markers at present
 *
 * Exists until the next boot: recorded traces have the id, and sites may still use
 * @event.
 */
struct ktrace_event {
	struct marker_event	event;
	struct list_head	list;
	struct list_head	same;
	struct ktrace_name	*name;
	const char		*format;
	unsigned int		markers;
};

extern struct list_head ktrace_events;

/**
 * struct ktrace_name - a name that a marker has or had
 * @node: in the tree of names
 * @name: the name
 * @events: an event for each format, by id
 * @wanted: its markers are recorded while recording is on
 * @armed: what is registered with the markers at present, or NULL
 * @file: events/<name>, while there are markers
 *
 * Exists until the next boot.
 */
struct ktrace_name {
	struct rb_node		node;
	const char		*name;
	struct list_head	events;
	bool			wanted;
	struct ktrace_event	*armed;
	struct dentry		*file;
};

/* names.c */
bool ktrace_is_present(const struct ktrace_name *name);
int ktrace_want(struct ktrace_name *name, bool wanted);
int ktrace_select(const char *patterns);
const char *ktrace_selection(void);
void ktrace_arm_all(void);
void ktrace_disarm_all(void);
void ktrace_add_vmlinux(void);
void ktrace_show_files(struct dentry *dir);

/* core.c */
enum ktrace_state { KTRACE_OFF, KTRACE_ON, KTRACE_OVERWRITE };

enum ktrace_state ktrace_state(void);
int ktrace_switch(enum ktrace_state state);
int ktrace_reset(void);
void ktrace_give_up(void);

/* buffers.c */
extern const struct file_operations ktrace_buffer_fops;

#endif /* __KERNEL_KTRACE_KTRACE_H */
