// SPDX-License-Identifier: GPL-2.0
/*
 * symsave.c - save the symbols of the kernel and of its modules
 *
 * /proc/kallsyms is copied once. When the kernel announces a module, only the lines of
 * modules that were not there before are added.
 *
 * A module may be unloaded soon. The kernel's own symbols come first in the file and take
 * the kernel a tenth of a second to print: they are read before a module is announced.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/file.h"
#include "daemon/msg.h"
#include "daemon/outdir.h"
#include "daemon/symsave.h"

/* The announcements of the kernel; other groups are those of udev. */
#define UEVENT_GROUP_KERNEL 1
/* Announcements that symsave_uevent() reads at most: new ones may come all the time. */
#define MAX_UEVENTS 1000

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

/* Return a stream that appends to an open file, which stays open; NULL, and errno. */
static FILE *open_append(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return copy < 0 ? NULL : file_stream(copy);
}

static int create_files(struct symsave *s)
{
	s->kallsyms_fd = outdir_create(s->dir, "kallsyms");
	s->modules_fd = outdir_create(s->dir, "modules");
	if (s->modules_fd < 0) {
		say("modules: %s", strerror(-s->modules_fd));
		return s->modules_fd;
	}
	if (s->kallsyms_fd < 0)
		say("kallsyms: %s; call sites will have no names",
		    strerror(-s->kallsyms_fd));
	return s->kallsyms_fd < 0 ? s->kallsyms_fd : 0;
}

static bool has_module_line(const struct symsave *s, const char *line)
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
	struct saved_module *more = reallocarray(s->modules, s->n + 1, sizeof(*more));

	if (!more) {
		free(line);
		return -ENOMEM;
	}
	s->modules = more;
	s->modules[s->n++] = (struct saved_module) { .line = line };
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

/* A kernel without support for modules has no /proc/modules. */
static int save_modules(struct symsave *s)
{
	FILE *in = fopen("/proc/modules", "re");
	FILE *out = open_append(s->modules_fd);
	int err = out ? 0 : -errno;
	char *proc_line = NULL, *line;
	size_t size = 0;

	while (in && !err && getline(&proc_line, &size, in) > 0) {
		line = module_line(proc_line);
		if (!line || has_module_line(s, line)) {
			free(line);
			continue;
		}
		fprintf(out, "%s\n", line);
		err = remember(s, line);
	}
	free(proc_line);
	if (in)
		fclose(in);
	return file_finish(out, err);
}

/* Return the name of the module in a line of kallsyms, and its length; or NULL. */
static const char *module_of(const char *line, size_t *len)
{
	const char *name = strstr(line, "\t[");

	if (!name)
		return NULL;
	name += 2;
	*len = strcspn(name, "]");
	return name;
}

/* Return the module of this name, from index @first on; or NULL. */
static struct saved_module *find_saved_module(const struct symsave *s, size_t first,
					      const char *name, size_t len)
{
	struct saved_module *m = s->modules + first, *end = s->modules + s->n;

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
 * The kernel makes each line when it is read, and one more. Stop before the first module,
 * so that its line is not made yet.
 */
static void read_ahead(struct symsave *s)
{
	size_t left = s->kernel_bytes;
	char buf[4096];
	ssize_t n = 1;

	if (s->ahead)
		fclose(s->ahead);
	s->ahead = fopen("/proc/kallsyms", "re");
	s->ahead_error = s->ahead ? 0 : -errno;
	while (s->ahead && left > sizeof(buf) && n > 0) {
		n = read(fileno(s->ahead), buf, sizeof(buf));
		left -= n;
	}
}

/* Copy all of kallsyms; find out whether any line has an address. */
static int save_all_symbols(struct symsave *s, bool *addresses)
{
	FILE *in = fopen("/proc/kallsyms", "re");
	FILE *out = in ? open_append(s->kallsyms_fd) : NULL;
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
	err = file_finish(out, err);
	/* Half of it would give wrong names. */
	if (err)
		unlinkat(s->dir, "kallsyms", 0);
	return err;
}

/* Note which modules from index @first on are still there. A kernel may have no /proc/modules. */
static void note_present(struct symsave *s, size_t first)
{
	FILE *in = fopen("/proc/modules", "re");
	char *proc_line = NULL, *line;
	size_t size = 0, i;

	while (in && getline(&proc_line, &size, in) > 0) {
		line = module_line(proc_line);
		for (i = first; line && i < s->n; i++)
			if (!strcmp(s->modules[i].line, line))
				s->modules[i].present = true;
		free(line);
	}
	free(proc_line);
	if (in)
		fclose(in);
}

/* Add the symbols of the modules from index @first on. Of one that goes, some may be missing. */
static int save_new_symbols(struct symsave *s, size_t first)
{
	FILE *out = open_append(s->kallsyms_fd);
	int err = out ? s->ahead_error : -errno;
	char *line = NULL;
	size_t len, size = 0;
	const char *name;
	struct saved_module *m;

	while (s->ahead && !err && getline(&line, &size, s->ahead) > 0) {
		name = module_of(line, &len);
		m = name ? find_saved_module(s, first, name, len) : NULL;
		if (!m)
			continue;
		m->saved = true;
		err = fputs(line, out) < 0 ? -errno : 0;
	}
	free(line);
	err = file_finish(out, err);
	note_present(s, first);
	for (; !err && first < s->n; first++) {
		m = &s->modules[first];
		len = strcspn(m->line, " ");
		if (!m->saved)
			say_gone(m->line, len);
		else if (!m->present)
			say("module %.*s was gone once its symbols were saved; some may be missing",
			    (int)len, m->line);
	}
	return err;
}

/**
 * symsave_begin - copy the symbols that are there now
 * @s: result; symsave_end() it also after an error
 * @dir: the trace directory
 *
 * Return: 0, or -errno after a message.
 */
int symsave_begin(struct symsave *s, int dir)
{
	bool addresses = false;
	int err;

	*s = (struct symsave) { .dir = dir, .uevents = open_uevents() };
	err = create_files(s);
	if (err)
		return err;
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
 * Return: 0, or -errno after a message. -ENOENT: symsave_begin() had no files.
 */
int symsave_update(struct symsave *s)
{
	size_t first = s->n;
	int err;

	if (s->kallsyms_fd < 0 || s->modules_fd < 0)
		return -ENOENT;
	err = save_modules(s);

	if (!err && s->n > first) {
		err = save_new_symbols(s, first);
		read_ahead(s);
	}
	if (err)
		say("symbols of new modules: %s", strerror(-err));
	return err;
}

/**
 * symsave_uevent - read announcements of the kernel, save the symbols of new modules
 * @s: the symbols so far
 *
 * Reads %MAX_UEVENTS at most; the socket stays readable if there are more.
 *
 * Return: 0, or -errno after a message.
 */
int symsave_uevent(struct symsave *s)
{
	static const char prefix[] = "add@/module/";
	const size_t prefix_len = sizeof(prefix) - 1;
	char text[4096];
	int err = 0, i;
	ssize_t n;

	for (i = 0; !err && i < MAX_UEVENTS; i++) {
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
		if (!err && !find_saved_module(s, 0, text + prefix_len,
					       strlen(text + prefix_len)))
			say_gone(text + prefix_len, strlen(text + prefix_len));
	}
	return err;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Append a file of a trace to @to. Return 0 or -errno. */
static int append_trace_file(int dir, const char *name, int to)
{
	int from = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n = 1;

	if (from < 0)
		return -errno;
	while (n > 0 || (n < 0 && errno == EINTR))
		n = sendfile(to, from, NULL, 1 << 30);
	n = n < 0 ? -errno : 0;
	close(from);
	return n;
}

/**
 * symsave_move - go on in the directory of the next trace
 * @s: the symbols so far, all of which are copied: the next trace has call sites in modules
 *	that are gone
 * @dir: the directory
 *
 * Return: 0, or -errno after a message.
 */
int symsave_move(struct symsave *s, int dir)
{
	struct symsave new = *s;
	int err;

	new.dir = dir;
	err = create_files(&new);
	if (!err) {
		err = append_trace_file(s->dir, "modules", new.modules_fd);
		if (!err)
			err = append_trace_file(s->dir, "kallsyms", new.kallsyms_fd);
		if (err)
			say("symbols of the next trace: %s", strerror(-err));
	}
	close_fd(s->kallsyms_fd);
	close_fd(s->modules_fd);
	*s = new;
	return err;
}

/**
 * symsave_end - release everything but the files
 * @s: the symbols
 */
void symsave_end(struct symsave *s)
{
	while (s->n)
		free(s->modules[--s->n].line);
	free(s->modules);
	if (s->ahead)
		fclose(s->ahead);
	close_fd(s->uevents);
	close_fd(s->kallsyms_fd);
	close_fd(s->modules_fd);
}
