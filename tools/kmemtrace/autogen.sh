#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Write the configure script and what it needs.
set -e
cd "$(dirname "$0")"
exec autoreconf --install
