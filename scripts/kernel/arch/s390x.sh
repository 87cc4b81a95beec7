# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: how the kernel of s390x is built and run: see x86_64.sh.

kbuild_args=(ARCH=s390 CROSS_COMPILE=s390x-linux-gnu- CC="ccache s390x-linux-gnu-gcc")
image=arch/s390/boot/bzImage
vm=(qemu-system-s390x -M s390-ccw-virtio -cpu max)
console=ttysclp0
threads=multi
