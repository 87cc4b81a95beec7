/* SPDX-License-Identifier: GPL-2.0 */
/* Older kernels define functions here that the test modules use. This one has them all. */
