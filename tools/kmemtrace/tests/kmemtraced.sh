#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The messages and exit status of kmemtraced where it can't trace. All other tests need
# a kernel with kmemtrace: tools/testing/selftests/kmemtrace.

program=kmemtraced config=CONFIG_KMEMTRACE
# shellcheck source=tools/kmemtrace/tests/collector.sh
. "${srcdir:-.}/collector.sh"
check_options
check_places
