/* SPDX-License-Identifier: GPL-2.0 */
/* Linux 7.2 has all functions that the test modules use. */
