# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: how the kernel of arm64 is built and run: see x86_64.sh.

kbuild_args=(ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CC="ccache aarch64-linux-gnu-gcc")
image=arch/arm64/boot/Image
# QEMU computes pointer authentication with a slow cipher unless told otherwise.
vm=(qemu-system-aarch64 -M virt -cpu "max,pauth-impdef=on")
console=ttyAMA0
threads=multi
