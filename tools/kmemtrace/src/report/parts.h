/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts: the relations that a view shows, and the options that choose their rows, for text and JSON.
 */
#ifndef KMEMTRACE_REPORT_PARTS_H
#define KMEMTRACE_REPORT_PARTS_H

#include "report/report.h"

/* The options that a view may obey. */
#define USES_NUMBER	1	/* --number */
#define USES_SORT	2	/* --sort */
#define USES_PLACE	4	/* --group-by a property of call sites */
#define USES_OWNER	8	/* --group-by stack, task, task_name, process or cgroup */
#define USES_WAY	16	/* --stacks=WAY */
#define USES_AGE	32	/* --older and --younger */
#define USES_ADDRESS	64	/* --address */
#define NR_USES		7

/**
 * struct sort_column - the column that a figure stands for
 * @figure: name of the figure; NULL ends a list
 * @column: the column
 */
struct sort_column {
	const char *figure, *column;
};

/**
 * struct part - a relation that a view shows
 * @member: its name in JSON
 * @relation: the relation; NULL ends the parts of a view
 * @uses: the options that choose its rows
 * @text_uses: those that the text alone obeys
 * @is_whole: JSON has all rows, unless --number was given
 * @where: which rows, or NULL
 * @sort: their order, whatever --sort says; NULL: it doesn't matter
 * @sorts: figures that --sort takes, the usual one first; NULL: each of them is a column
 * @group_by: how they are grouped without --group-by; NULL: as usual
 */
struct part {
	const char *member, *relation;
	unsigned int uses, text_uses;
	bool is_whole;
	const char *where, *sort;
	const struct sort_column *sorts;
	const char *group_by;
};

bool part_uses(const struct part *part, unsigned int option, const struct report *r);
const struct part *part_of(const struct report *r, const char *member);

/* Open a part of the view that is being printed; it has the rows that --number says. */
#define open_part(r, member, where)	part_open(r, part_of(r, member), where, (r)->limit)

struct kmemtrace_relation *part_open(const struct report *r, const struct part *part,
				     const char *where, size_t limit);

#endif /* KMEMTRACE_REPORT_PARTS_H */
