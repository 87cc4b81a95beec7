# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: how the kernel of riscv64 is built and run: see x86_64.sh.

kbuild_args=(ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- CC="ccache riscv64-linux-gnu-gcc")
image=arch/riscv/boot/Image
vm=(qemu-system-riscv64 -M virt)
console=ttyS0
threads=multi
