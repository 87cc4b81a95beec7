# SPDX-License-Identifier: GPL-2.0
PARTS="$PARTS completion"
AC_CONFIG_FILES([completion/Makefile])
