# SPDX-License-Identifier: GPL-2.0
PARTS="$PARTS man"
AC_CONFIG_FILES([man/Makefile])
