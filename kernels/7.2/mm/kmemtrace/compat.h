/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of newer kernels that Linux 7.2 lacks: none. */
