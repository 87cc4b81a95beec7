// SPDX-License-Identifier: GPL-2.0
/*
 * fetch.c - get the debug information of a kernel from servers that the user named
 *
 * libdebuginfod is loaded when it is needed: it opens connections, and few machines have it.
 */
#include "config.h"

#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "report/fetch.h"

#define LIBRARY		"libdebuginfod.so.1"

/* Longest build id, in characters. */
#define MAX_ID		128

/**
 * struct debuginfod - the functions of the library, see debuginfod_find_debuginfo(3)
 * @library: the library
 * @begin: makes a client
 * @find: finds the debug information of a build id in hex; returns a descriptor, or -errno
 * @end: frees a client
 */
struct debuginfod {
	void *library;
	void *(*begin)(void);
	int (*find)(void *client, const unsigned char *build_id, int bytes, char **path);
	void (*end)(void *client);
};

/* Set a pointer to a function of the library. Return false: it has none of that name. */
static bool find_function(const struct debuginfod *d, const char *name, void *function)
{
	void *found = dlsym(d->library, name);

	memcpy(function, &found, sizeof(found));
	return found;
}

static bool load_debuginfod(struct debuginfod *d)
{
	d->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	return d->library && find_function(d, "debuginfod_begin", &d->begin) &&
	       find_function(d, "debuginfod_find_debuginfo", &d->find) &&
	       find_function(d, "debuginfod_end", &d->end);
}

/* The id becomes a part of an address of the servers. */
static bool is_build_id(const char *id)
{
	const size_t len = strlen(id);

	return len && len <= MAX_ID && !(len % 2) && strspn(id, "0123456789abcdef") == len;
}

/**
 * fetch_vmlinux - get the debug information of a kernel from the servers in $DEBUGINFOD_URLS
 * @build_id: build id of the kernel in hex; NULL: unknown
 * @path: result, to be freed
 *
 * Return: 0, or -errno after a message.
 */
int fetch_vmlinux(const char *build_id, char **path)
{
	struct debuginfod d = { .library = NULL };
	void *client;
	int fd = -ENOMEM;

	if (!build_id || !is_build_id(build_id)) {
		warnx("--debuginfod: the trace has no build id of its kernel");
		return -ENODATA;
	}
	if (!load_debuginfod(&d)) {
		warnx("--debuginfod: can't load " LIBRARY " of elfutils");
		if (d.library)
			dlclose(d.library);
		return -ENOENT;
	}
	client = d.begin();
	if (client) {
		fd = d.find(client, (const unsigned char *)build_id, 0, path);
		d.end(client);
	}
	dlclose(d.library);
	if (fd < 0) {
		warnx("--debuginfod: no debug information of the kernel %s: %s", build_id, strerror(-fd));
		return fd;
	}
	close(fd);
	return 0;
}
