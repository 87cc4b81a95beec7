# SPDX-License-Identifier: GPL-2.0
# The page embeds d3, from the files of the Debian package node-d3.
AC_ARG_WITH([d3],
	    [AS_HELP_STRING([--with-d3=FILE],
			    [embed this d3.min.js in the page of kmemtrace-report --html])],
	    [], [with_d3=/usr/share/nodejs/d3/dist/d3.min.js])
AC_ARG_WITH([d3-licence],
	    [AS_HELP_STRING([--with-d3-licence=FILE], [the licence of d3, which the page has, too])],
	    [], [with_d3_licence=/usr/share/doc/node-d3/copyright])
AS_IF([test "x$enable_analysis" = xyes],
      [PKG_CHECK_MODULES([ZLIB], [zlib])
       AC_MSG_CHECKING([for d3])
       AS_IF([test -r "$with_d3" && test -r "$with_d3_licence"],
	     [AC_MSG_RESULT([$with_d3])],
	     [AC_MSG_RESULT([no: kmemtrace-report --html needs the package node-d3])
	      with_d3= with_d3_licence=])])
AC_SUBST([D3], [$with_d3])
AC_SUBST([D3_LICENCE], [$with_d3_licence])
