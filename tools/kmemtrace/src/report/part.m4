# SPDX-License-Identifier: GPL-2.0
PKG_CHECK_MODULES([ELF], [libelf])
PKG_CHECK_MODULES([DW], [libdw])
PKG_CHECK_MODULES([JSON], [json-c])
