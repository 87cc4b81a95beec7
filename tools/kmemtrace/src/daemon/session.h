/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECTOR_SESSION_H
#define COLLECTOR_SESSION_H

#include "common/options.h"
#include "daemon/recorder.h"
#include "daemon/settings.h"

enum verdict session_run(const struct recorder *recorder, const struct settings *set);
int session_main(const struct recorder *recorder, const struct program *prog, int argc,
		 char **argv);

#endif /* COLLECTOR_SESSION_H */
