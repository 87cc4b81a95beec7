// SPDX-License-Identifier: GPL-2.0
/*
 * symsave.c - keep the kernel's symbols, those of passing modules too
 *
 * /proc/kallsyms is copied once. Later only the lines of modules that weren't
 * there before are added, when the kernel tells that a module has come.
 *
 * It may not stay for long. The symbols of modules follow those of the kernel,
 * which take the kernel a tenth of a second to print: they are read beforehand.
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

#include "daemon/msg.h"
#include "daemon/symsave.h"

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
		if (!strcmp(s->modules[i].line, line))
			return true;
	return false;
}

/* Takes @line. */
static int remember(struct symsave *s, char *line)
{
	struct module *more = reallocarray(s->modules, s->n + 1, sizeof(*more));

	if (!more) {
		free(line);
		return -ENOMEM;
	}
	s->modules = more;
	s->modules[s->n++] = (struct module) { .line = line };
	return 0;
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
		if (!line || is_known(s, line)) {
			free(line);
			continue;
		}
		fprintf(out, "%s\n", line);
		err = remember(s, line);
	}
	free(proc_line);
	if (in)
		fclose(in);
	if (out && fclose(out) && !err)
		err = -errno;
	return err;
}

/* The name of the module in a kallsyms line, and its length; or NULL. */
static const char *module_of(const char *line, size_t *len)
{
	const char *name = strstr(line, "\t[");

	if (!name)
		return NULL;
	name += 2;
	*len = strcspn(name, "]");
	return name;
}

/* The module of that name, looked for from index @first on; or NULL. */
static struct module *find_module(const struct symsave *s, size_t first,
				  const char *name, size_t len)
{
	struct module *m = s->modules + first, *end = s->modules + s->n;

	for (; m < end; m++)
		if (!strncmp(m->line, name, len) && m->line[len] == ' ')
			return m;
	return NULL;
}

static void say_gone(const char *name, size_t len)
{
	say("module %.*s was gone before its symbols could be saved", (int)len,
	    name);
}

/*
 * The file makes each line when it is asked for it, one ahead: some way must be
 * left to the modules.
 */
static void read_ahead(struct symsave *s)
{
	size_t left = s->kernel_bytes;
	char buf[4096];
	ssize_t n = 1;

	if (s->ahead)
		fclose(s->ahead);
	s->ahead = fopen("/proc/kallsyms", "re");
	while (s->ahead && left > sizeof(buf) && n > 0) {
		n = read(fileno(s->ahead), buf, sizeof(buf));
		left -= n;
	}
}

/* Copy all of kallsyms, see whether any line has an address. */
static int save_all_symbols(struct symsave *s, bool *addresses)
{
	FILE *in = fopen("/proc/kallsyms", "re");
	FILE *out = in ? open_append(s->dir, "kallsyms") : NULL;
	int err = out ? 0 : -errno;
	bool modules = false;
	char *line = NULL;
	size_t len, size = 0;

	while (!err && getline(&line, &size, in) > 0) {
		if (line[strspn(line, "0")] != ' ')
			*addresses = true;
		modules = modules || module_of(line, &len);
		if (!modules)
			s->kernel_bytes += strlen(line);
		err = fputs(line, out) < 0 ? -errno : 0;
	}
	free(line);
	if (in)
		fclose(in);
	if (out && fclose(out) && !err)
		err = -errno;
	/* Half of it would give wrong names. */
	if (err)
		unlinkat(s->dir, "kallsyms", 0);
	return err;
}

/* Add the symbols of the modules from index @first on. */
static int save_new_symbols(struct symsave *s, size_t first)
{
	FILE *out = open_append(s->dir, "kallsyms");
	int err = out ? 0 : -errno;
	char *line = NULL;
	size_t len, size = 0;
	const char *name;
	struct module *m;

	while (s->ahead && !err && getline(&line, &size, s->ahead) > 0) {
		name = module_of(line, &len);
		m = name ? find_module(s, first, name, len) : NULL;
		if (!m)
			continue;
		m->saved = true;
		err = fputs(line, out) < 0 ? -errno : 0;
	}
	free(line);
	if (out && fclose(out) && !err)
		err = -errno;
	for (; !err && first < s->n; first++)
		if (!s->modules[first].saved)
			say_gone(s->modules[first].line,
				 strcspn(s->modules[first].line, " "));
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
	err = save_all_symbols(s, &addresses);
	if (err)
		say("kallsyms: %s; call sites will have no names",
		    strerror(-err));
	else if (!addresses)
		say("/proc/kallsyms hides the addresses, call sites will have no names; try: sysctl kernel.kptr_restrict=1");
	read_ahead(s);
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
	size_t first = s->n;
	int err = save_modules(s);

	if (!err && s->n > first) {
		err = save_new_symbols(s, first);
		read_ahead(s);
	}
	if (err)
		say("symbols of new modules: %s", strerror(-err));
	return err;
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
	const size_t prefix_len = sizeof(prefix) - 1;
	char text[4096];
	ssize_t n;
	int err = 0;

	while (!err) {
		n = recv(s->uevents, text, sizeof(text) - 1, 0);
		if (n < 0 && errno != ENOBUFS)
			break;
		/* Announcements were lost: perhaps that of a module. */
		if (n < 0) {
			err = symsave_update(s);
			continue;
		}
		text[n] = '\0';
		if (strncmp(text, prefix, prefix_len))
			continue;
		err = symsave_update(s);
		if (!err && !find_module(s, 0, text + prefix_len,
					 strlen(text + prefix_len)))
			say_gone(text + prefix_len, strlen(text + prefix_len));
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
		free(s->modules[--s->n].line);
	free(s->modules);
	if (s->ahead)
		fclose(s->ahead);
	if (s->uevents >= 0)
		close(s->uevents);
}
