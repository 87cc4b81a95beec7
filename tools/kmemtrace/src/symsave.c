// SPDX-License-Identifier: GPL-2.0
/*
 * symsave.c - keep the kernel's symbols, those of passing modules too
 *
 * /proc/kallsyms is copied once. Later only the lines of modules that weren't
 * there before are added, when the kernel tells that a module has come.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "msg.h"
#include "symsave.h"

/* The kernel's own announcements; other groups are udev's. */
#define UEVENT_GROUP_KERNEL 1

static int open_uevents(void)
{
	struct sockaddr_nl addr = {
		.nl_family = AF_NETLINK,
		.nl_groups = UEVENT_GROUP_KERNEL,
	};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static FILE *open_append(int dir, const char *name)
{
	int fd = openat(dir, name,
			O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "a");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

static bool is_known(const struct symsave *s, const char *line)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->known[i], line))
			return true;
	return false;
}

static int remember(struct symsave *s, const char *line)
{
	char **more = reallocarray(s->known, s->n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	s->known = more;
	s->known[s->n] = strdup(line);
	return s->known[s->n++] ? 0 : -ENOMEM;
}

/* "name size refs users state 0xbase [taints]" -> "name base size" */
static char *module_line(const char *proc_line)
{
	char name[64], base[32], size[32], *line;

	if (sscanf(proc_line, "%63s %31s %*s %*s %*s 0x%31s", name, size,
		   base) != 3 ||
	    asprintf(&line, "%s %s %s", name, base, size) < 0)
		return NULL;
	return line;
}

/* A kernel without modules has no /proc/modules, and none that are new. */
static int save_modules(struct symsave *s)
{
	FILE *in = fopen("/proc/modules", "re");
	FILE *out = open_append(s->dir, "modules");
	int err = out ? 0 : -errno;
	char *proc_line = NULL, *line;
	size_t size = 0;

	while (in && !err && getline(&proc_line, &size, in) > 0) {
		line = module_line(proc_line);
		if (line && !is_known(s, line)) {
			err = remember(s, line);
			fprintf(out, "%s\n", line);
		}
		free(line);
	}
	free(proc_line);
	if (in)
		fclose(in);
	if (out && fclose(out) && !err)
		err = -errno;
	return err;
}

/* Is this kallsyms line one of a module known since @first? */
static bool of_new_module(const struct symsave *s, size_t first,
			  const char *line)
{
	const char *name = strrchr(line, '[');
	size_t i, len;

	if (!name++)
		return false;
	len = strcspn(name, "]");
	for (i = first; i < s->n; i++)
		if (!strncmp(s->known[i], name, len) && s->known[i][len] == ' ')
			return true;
	return false;
}

/**
 * save_kallsyms - copy lines of /proc/kallsyms
 * @s: where to
 * @first: with @all unset, only those of modules known since this one
 * @all: or every line
 * @addresses: set when a line had an address
 */
static int save_kallsyms(struct symsave *s, size_t first, bool all,
			 bool *addresses)
{
	FILE *in = fopen("/proc/kallsyms", "re");
	FILE *out = in ? open_append(s->dir, "kallsyms") : NULL;
	int err = out ? 0 : -errno;
	char *line = NULL;
	size_t size = 0;

	while (!err && getline(&line, &size, in) > 0) {
		if (line[strspn(line, "0")] != ' ')
			*addresses = true;
		if (all || of_new_module(s, first, line))
			err = fputs(line, out) < 0 ? -errno : 0;
	}
	free(line);
	if (in)
		fclose(in);
	if (out && fclose(out) && !err)
		err = -errno;
	/* Half of it would give wrong names. */
	if (err && all)
		unlinkat(s->dir, "kallsyms", 0);
	return err;
}

/**
 * symsave_begin - copy the symbols of now
 * @s: filled in, to be given to symsave_end() in any case
 * @dir: the trace directory
 *
 * Return: 0, or -errno after telling the user.
 */
int symsave_begin(struct symsave *s, int dir)
{
	bool addresses = false;
	int err;

	*s = (struct symsave) { .dir = dir, .uevents = open_uevents() };
	err = save_modules(s);
	if (err) {
		say("modules: %s", strerror(-err));
		return err;
	}
	err = save_kallsyms(s, 0, true, &addresses);
	if (err)
		say("kallsyms: %s; call sites will have no names",
		    strerror(-err));
	else if (!addresses)
		say("/proc/kallsyms hides the addresses, call sites will have no names; try: sysctl kernel.kptr_restrict=1");
	return err;
}

/**
 * symsave_update - add the symbols of modules that are new
 * @s: the symbols so far
 *
 * Return: 0, or -errno after telling the user.
 */
int symsave_update(struct symsave *s)
{
	bool addresses;
	size_t first = s->n;
	int err = save_modules(s);

	if (!err && s->n > first)
		err = save_kallsyms(s, first, false, &addresses);
	if (err)
		say("symbols of new modules: %s", strerror(-err));
	return err;
}

static bool is_named(const struct symsave *s, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < s->n; i++)
		if (!strncmp(s->known[i], name, len) && s->known[i][len] == ' ')
			return true;
	return false;
}

/**
 * symsave_uevent - hear what the kernel has to tell, keep new symbols
 * @s: the symbols so far; its socket is readable
 *
 * Return: 0, or -errno after telling the user.
 */
int symsave_uevent(struct symsave *s)
{
	static const char prefix[] = "add@/module/";
	char text[4096];
	ssize_t n;
	int err = 0;

	while (!err) {
		n = recv(s->uevents, text, sizeof(text) - 1, 0);
		if (n < 0 && errno != ENOBUFS)
			break;
		text[n < 0 ? 0 : n] = '\0';
		if (n >= 0 && strncmp(text, prefix, strlen(prefix)))
			continue;
		/* A new module, or announcements that were lost. */
		err = symsave_update(s);
		if (!err && n > 0 && !is_named(s, text + strlen(prefix)))
			say("module %s was gone before its symbols could be saved",
			    text + strlen(prefix));
	}
	return err;
}

/**
 * symsave_end - forget all but the files
 * @s: the symbols
 */
void symsave_end(struct symsave *s)
{
	while (s->n)
		free(s->known[--s->n]);
	free(s->known);
	if (s->uevents >= 0)
		close(s->uevents);
}
