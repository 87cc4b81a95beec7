# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: how the kernel that is a process is built: see x86_64.sh. It
# runs without QEMU.

kbuild_args=(ARCH=um CC="ccache gcc")
image=linux
