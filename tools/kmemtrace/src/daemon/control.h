/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_CONTROL_H
#define COLLECTOR_CONTROL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/recorder.h"

/**
 * struct control - the kernel's interface: the recorder's folder in debugfs
 * @recorder: the recorder
 * @path: its path, for messages
 * @dir: the open directory, locked against a second collector
 * @abi_version: of the stream
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers of the CPU that has most
 */
struct control {
	const struct recorder *recorder;
	char		path[PATH_MAX];
	int		dir;
	unsigned long	abi_version;
	unsigned long	subbuf_size;
	unsigned long	n_subbufs;
};

int control_open(struct control *ctl, const struct recorder *recorder);
int control_state(const struct control *ctl);
int control_write(const struct control *ctl, const char *name, const char *text);
int control_switch(const struct control *ctl, enum tracing state);
int control_flush(const struct control *ctl);
int control_resize(struct control *ctl, unsigned long n_subbufs);
int control_cpus(const struct control *ctl, int **cpus);
int control_open_cpu(const struct control *ctl, int cpu);
int control_open_map(const struct control *ctl, int cpu);
bool control_may_read(const struct control *ctl);
bool control_drained(const struct control *ctl);
int control_overruns(const struct control *ctl, struct overrun **overruns);
unsigned long control_max_subbufs(const struct control *ctl);
void control_clock(const struct control *ctl, char *text, size_t size);

#endif /* COLLECTOR_CONTROL_H */
