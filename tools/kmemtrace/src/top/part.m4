# SPDX-License-Identifier: GPL-2.0
AS_IF([test "x$enable_analysis" = xyes],
      [PKG_CHECK_MODULES([CURSES], [ncursesw])])
