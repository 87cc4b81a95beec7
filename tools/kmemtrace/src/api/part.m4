# SPDX-License-Identifier: GPL-2.0
AC_CONFIG_FILES([src/api/libkmemtrace.pc])
AC_SEARCH_LIBS([log2], [m], [], [AC_MSG_ERROR([the C library has no log2()])])
