# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: how the kernel of x86_64 is built and run.
#   kbuild_args   arguments of make for the kernel and its modules
#   image         the bootable kernel, in its build folder
#   vm            QEMU, its machine and processor
#   console       the kernel's name of the first serial port
#   threads       of QEMU: one for all CPUs, or multi: one for each
#   parameters    for every kernel

kbuild_args=(CC="ccache gcc")
image=arch/x86/boot/bzImage
vm=(qemu-system-x86_64 -cpu max)
console=ttyS0
# With a thread for each CPU, QEMU 7.2 may execute stale code on one CPU while another one
# patches it; the guest then has an "Oops: int3".
threads=single
# On a busy host, the kernel would take a late interrupt for a broken timer, and panic.
parameters=no_timer_check
