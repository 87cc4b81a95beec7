/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings: changes that contradict the state of their slot.
 */
#ifndef KMEMTRACE_FINDINGS_H
#define KMEMTRACE_FINDINGS_H

#include "ledger/shard-work.h"

void findings_add(struct shard_work *j, const struct change *c);
void findings_add_contradiction(struct shard_work *j, const struct change *c,
				const struct slot *slot);
bool findings_in_older_page(struct shard_work *j, const struct change *c);
void findings_add_unknown(struct shard_work *j, const struct change *c);
void findings_check_api(struct shard_work *j, const struct change *c,
			const struct slot *slot);

#endif /* KMEMTRACE_FINDINGS_H */
