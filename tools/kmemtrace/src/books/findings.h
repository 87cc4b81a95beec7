/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings: changes that contradict the state of their slot.
 */
#ifndef KMEMTRACE_FINDINGS_H
#define KMEMTRACE_FINDINGS_H

#include "books/job.h"

void findings_add(struct job *j, const struct change *c);
void findings_add_contradiction(struct job *j, const struct change *c,
				const struct slot *slot);
bool findings_in_older_page(struct job *j, const struct change *c);
void findings_add_unknown(struct job *j, const struct change *c);
void findings_check_api(struct job *j, const struct change *c,
			const struct slot *slot);

#endif /* KMEMTRACE_FINDINGS_H */
