/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_SESSION_H
#define COLLECTOR_SESSION_H

#include "common/options.h"
#include "daemon/recorder.h"

extern const struct opt session_opts[];

int session_main(const struct recorder *recorder, const struct program *prog, int argc,
		 char **argv);

#endif /* COLLECTOR_SESSION_H */
