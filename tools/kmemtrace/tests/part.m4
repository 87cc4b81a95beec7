# SPDX-License-Identifier: GPL-2.0
PARTS="$PARTS tests"
AC_CONFIG_FILES([tests/Makefile])
have_cmocka=no
AS_IF([test "x$enable_analysis" = xyes],
      [PKG_CHECK_MODULES([CMOCKA], [cmocka], [have_cmocka=yes], [have_cmocka=no])])
AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])

AC_ARG_VAR([EMULATOR], [command that runs the programs for make check, if this machine can't])

AC_ARG_VAR([LIB_FUZZING_ENGINE], [what makes a fuzzer of tests/fuzz, like -fsanitize=fuzzer])
AM_CONDITIONAL([HAVE_FUZZING_ENGINE], [test "x$LIB_FUZZING_ENGINE" != x])
