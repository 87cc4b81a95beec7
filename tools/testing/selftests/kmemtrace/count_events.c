// SPDX-License-Identifier: GPL-2.0
/*
 * count_events FILE...: print how many events each stream of kmemtrace has, and how many of
 * them are allocations of slab objects smaller than a page.
 */
#include <err.h>
#include <stdio.h>
#include <unistd.h>
#include <linux/kmemtrace.h>

struct counts {
	unsigned long events, small;
};

static void count(struct counts *counts, const struct kmemtrace_event *event)
{
	switch (event->event_id) {
	case KMEMTRACE_EVENT_ALLOC:
		counts->small += event->type_id <= KMEMTRACE_TYPE_CACHE &&
				 event->bytes_alloc < sysconf(_SC_PAGESIZE);
		counts->events++;
		break;
	case KMEMTRACE_EVENT_FREE:
	case KMEMTRACE_EVENT_FAILED:
		counts->events++;
	}
}

/* Read a record; its tail that is not in @event is skipped. Return 0 at the end. */
static int next(FILE *f, struct kmemtrace_event *event, const char *name)
{
	const size_t head = sizeof(struct kmemtrace_pad);
	size_t rest, part;

	if (fread(event, head, 1, f) != 1)
		return 0;
	if (event->event_size < head)
		errx(1, "%s: a record of %u bytes", name, event->event_size);
	rest = event->event_size - head;
	part = rest < sizeof(*event) - head ? rest : sizeof(*event) - head;
	if ((part && fread((char *)event + head, part, 1, f) != 1) ||
	    fseek(f, rest - part, SEEK_CUR))
		errx(1, "%s: ends in a record", name);
	return 1;
}

static void count_file(const char *name)
{
	FILE *f = fopen(name, "r");
	struct kmemtrace_event event;
	struct counts counts = { 0 };

	if (!f)
		err(1, "%s", name);
	while (next(f, &event, name))
		count(&counts, &event);
	printf("%s %lu %lu\n", name, counts.events, counts.small);
	fclose(f);
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		count_file(argv[i]);
	return 0;
}
