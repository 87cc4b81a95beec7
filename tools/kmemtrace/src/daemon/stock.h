/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_STOCK_H
#define KMEMTRACED_STOCK_H

#include "daemon/counters.h"
#include "daemon/settings.h"

enum verdict stock_run_counters(const struct settings *set,
				const struct counters_options *counters);
enum verdict stock_run(const struct settings *set, const struct counters_options *counters);

#endif /* KMEMTRACED_STOCK_H */
