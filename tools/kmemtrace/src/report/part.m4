# SPDX-License-Identifier: GPL-2.0
AS_IF([test "x$enable_analysis" = xyes],
      [PKG_CHECK_MODULES([ELF], [libelf])
       PKG_CHECK_MODULES([DW], [libdw])
       PKG_CHECK_MODULES([JSON], [json-c])
       AC_SEARCH_LIBS([erfc], [m])
       AC_SEARCH_LIBS([dlopen], [dl])])
