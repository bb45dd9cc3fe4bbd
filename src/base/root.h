// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory through which /proc and /sys are read: "/" in life, a recorded machine in tests.
 */
#ifndef BASE_ROOT_H
#define BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct root {
	int fd;
};

/* Opens the directory. */
int root_open(struct root *ret_root, const char *path, struct error *err);
void root_close(struct root *root);

/* open(2) below the root; path is written absolute ("/proc/vmstat"). Returns fd or -errno. */
int root_openat(const struct root *root, const char *path, int flags);

/*
 * Reads the whole file, over short reads, into buf and ends it with a NUL. Returns the length
 * or -errno; -EFBIG when it does not fit in size - 1 bytes.
 */
ssize_t root_read(const struct root *root, const char *path, char *buf, size_t size);

/* The first line without its newline, and blanks at its end. Returns 0 or -errno. */
int root_read_line(const struct root *root, const char *path, char *buf, size_t size);

/* Writes text in one write(2), as /proc and /sys want it. Returns 0 or -errno. */
int root_write(const struct root *root, const char *path, const char *text);

bool root_exists(const struct root *root, const char *path);

/* Calls visit() for the names in a directory, sorted, but for those that begin with a dot. */
int names_visit(const struct root *root, const char *path,
	void (*visit)(void *data, const char *name), void *data);

/* pread(2) of a whole file that is already open, from its start, NUL at the end. As root_read. */
ssize_t fd_read_whole(int fd, char *buf, size_t size);

/*
 * The same for a file of the kernel's with short lines, without asking once more whether that was
 * all: a read ends early only where the next line does not fit into what is left of a page
 * (seq_read_iter(), fs/seq_file.c), so less than half a page that ends a line ends the file.
 */
ssize_t fd_read_lines(int fd, char *buf, size_t size);

#endif
