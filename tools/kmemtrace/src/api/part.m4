# SPDX-License-Identifier: GPL-2.0
AC_CONFIG_FILES([src/api/libkmemtrace.pc])
