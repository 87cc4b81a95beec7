# SPDX-License-Identifier: GPL-2.0
# kmemtrace-import reads the files of trace-cmd and perf by their libraries.
AC_ARG_ENABLE([import],
	      [AS_HELP_STRING([--disable-import],
			      [do not build kmemtrace-import, which needs libtracecmd (default: build it if the libraries are there)])],
	      [], [enable_import=auto])
AS_IF([test "x$enable_analysis" != xyes], [enable_import=no])
AS_IF([test "x$enable_import" = xyes],
      [PKG_CHECK_MODULES([TRACECMD], [libtracecmd libtracefs libtraceevent])],
      [test "x$enable_import" = xauto],
      [PKG_CHECK_MODULES([TRACECMD], [libtracecmd libtracefs libtraceevent],
			 [enable_import=yes],
			 [enable_import=no
			  AC_MSG_WARN([kmemtrace-import is not built: no libtracecmd, libtracefs or libtraceevent])])])
AM_CONDITIONAL([IMPORT], [test "x$enable_import" = xyes])
