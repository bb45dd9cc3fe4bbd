// SPDX-License-Identifier: GPL-2.0-or-later
/* Files and directories of contend's own, and programs that it calls. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* mkdir -p. */
int directory_make(const char *path, struct error *err);

/* rm -rf, never across a mount point, never through a symbolic link. Missing is success. */
int tree_remove(const char *path, struct error *err);

/* Writes a file whole (O_CREAT | O_TRUNC, mode 0644). */
int file_write(const char *path, const char *data, size_t size, struct error *err);

/* Reads a whole file of any size into fresh memory with a NUL behind it. -> caller frees. */
int file_read(const char *path, char **ret_data, size_t *ret_size, struct error *err);

/* Bytes that may still be written on the filesystem that holds path. */
int space_free(const char *path, uint64_t *ret_bytes, struct error *err);

/*
 * Runs a program to its end with LC_ALL=C, standard input from /dev/null, and its output
 * (standard error too) in buf, cut to size. Returns its exit status, 128 + signal, or -errno when
 * it could not be started (-ENOENT: no such program).
 */
int program_run(const char *const argv[], char *buf, size_t size);

/* Is there such a program on PATH (or, with a slash in it, at that path)? */
bool program_exists(const char *name);

/* The same, with its path. */
bool program_find(const char *name, char ret_path[PATH_MAX]);

#endif
