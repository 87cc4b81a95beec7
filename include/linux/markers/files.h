/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of files.
 *
 * They are called where the kernel counts the bytes that a process reads and writes: the
 * positive results of a process add up to rchar and wchar of /proc/PID/io. Not called for
 * what is not counted there: memory-mapped files, io_uring, asynchronous I/O, and splice().
 * Not called if the kernel refuses before it comes to the file.
 */
#ifndef _LINUX_MARKERS_FILES_H
#define _LINUX_MARKERS_FILES_H

#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/marker.h>
#include <linux/types.h>

/*
 * @ret bytes were read from the file with inode @ino on device @major:@minor, or @ret is an
 * error. @pos is the position behind them, where the next read begins; it is -1 for a
 * file without positions, as a pipe or a socket, and where it isn't known
 * (copy_file_range(), encoded I/O of btrfs).
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_FILES, file_read,
	MARKER_PARAMS(unsigned int major, unsigned int minor, u64 ino,
		      s64 pos, ssize_t ret),
	MARKER_ARGS(major, minor, ino, pos, ret),
	"major %u minor %u ino %llu pos %lld ret %zd")

/* The same for bytes that were written. */
DECLARE_MARKER_IF(CONFIG_KTRACE_FILES, file_write,
	MARKER_PARAMS(unsigned int major, unsigned int minor, u64 ino,
		      s64 pos, ssize_t ret),
	MARKER_ARGS(major, minor, ino, pos, ret),
	"major %u minor %u ino %llu pos %lld ret %zd")

/* Return the position at @pos, or -1 if there is none. */
static inline s64 file_marker_pos(const struct file *file, const loff_t *pos)
{
	return pos && !(file->f_mode & FMODE_STREAM) ? *pos : -1;
}

/* The arguments but the last one; @_pos points to the position, or is NULL. */
#define FILE_MARKER_ARGS(_file, _pos)					\
	MAJOR(file_inode(_file)->i_sb->s_dev),				\
	MINOR(file_inode(_file)->i_sb->s_dev),				\
	file_inode(_file)->i_ino, file_marker_pos(_file, _pos)

#endif /* _LINUX_MARKERS_FILES_H */
