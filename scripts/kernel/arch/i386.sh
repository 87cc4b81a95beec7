# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: how the kernel of i386 is built and run: see x86_64.sh.

kbuild_args=(ARCH=i386 CROSS_COMPILE=i686-linux-gnu- CC="ccache i686-linux-gnu-gcc")
image=arch/x86/boot/bzImage
# AMD processors of this family would be of a kind that does not support two CPUs.
vm=(qemu-system-i386 -cpu max,vendor=GenuineIntel)
console=ttyS0
threads=single
# vmap() needs room for the buffers of a boot trace: see kmemtrace.rst. Without HPET and ACPI
# timer, a busy host's late ticks would seem to be errors of the TSC.
parameters="no_timer_check vmalloc=256M tsc=reliable"
