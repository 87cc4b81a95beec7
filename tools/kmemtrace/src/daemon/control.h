/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_CONTROL_H
#define KMEMTRACED_CONTROL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct control - the kernel's interface: <debugfs>/kmemtrace
 * @path: its path, for messages
 * @dir: the open directory, locked against a second collector
 * @abi_version: of the stream
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers of each CPU
 */
struct control {
	char		path[PATH_MAX];
	int		dir;
	unsigned long	abi_version;
	unsigned long	subbuf_size;
	unsigned long	n_subbufs;
};

/**
 * struct lost - records that were lost
 * @bytes: their bytes
 * @records: how many
 */
struct lost {
	uint64_t	bytes;
	uint64_t	records;
};

/**
 * struct overrun - the losses of one CPU
 * @cpu: number of the CPU
 * @all: all since tracing was switched on
 * @unreported: those of them that no LOST in the stream reports yet
 */
struct overrun {
	int		cpu;
	struct lost	all;
	struct lost	unreported;
};

int control_open(struct control *ctl);
int control_is_on(const struct control *ctl);
int control_switch(const struct control *ctl, bool on);
int control_cpus(const struct control *ctl, int **cpus);
int control_open_cpu(const struct control *ctl, int cpu);
int control_open_map(const struct control *ctl, int cpu);
bool control_may_read(const struct control *ctl);
bool control_drained(const struct control *ctl);
int control_overruns(const struct control *ctl, struct overrun **overruns);
unsigned long control_max_subbufs(const struct control *ctl);
void control_clock(const struct control *ctl, char *text, size_t size);

#endif /* KMEMTRACED_CONTROL_H */
