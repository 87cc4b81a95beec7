/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The markers of the tests, and the function that counts their hits.
 */
#ifndef _MARKER_HITS_H
#define _MARKER_HITS_H

#include <linux/marker.h>

#define MARKER_TEST_ADHOC	"number %lu who %s"

DECLARE_MARKER(marker_test_typed,
	MARKER_PARAMS(unsigned long number, const void *who),
	MARKER_ARGS(number, who),
	"number %lu who %p")

void marker_test_hit(void (*hit)(unsigned long number));

#endif /* _MARKER_HITS_H */
