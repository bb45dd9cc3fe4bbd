// SPDX-License-Identifier: GPL-2.0-or-later
/* A setting that is one file below /proc/sys or /sys. */
#ifndef SETTING_FILE_H
#define SETTING_FILE_H

#include <stddef.h>

#include "setting/setting.h"

#define SETTING_VALUE_SIZE 4096

/*
 * The value in force: without blanks at its ends; of a list of choices the chosen one. -EOPNOTSUPP:
 * there is no such file, or it cannot be read.
 */
int setting_file_read(
	const struct root *root, const char *path, char *buf, size_t size, struct error *err);

/* Journals the value in force, writes the new one and reads it back, as setting_apply(). */
int setting_file_apply(
	const struct setting_place *place, const char *path, const char *value, struct error *err);

/*
 * Journal what a setting that is about to change takes along with it, to be put back after it: a
 * file, or all in a directory. What is not there, or cannot be read, is passed over.
 */
int setting_file_note(const struct setting_place *place, const char *path, struct error *err);
int setting_directory_note(const struct setting_place *place, const char *path, struct error *err);

/* Journals the value in force and writes text, for files that do not read as they are written. */
int setting_file_write(
	const struct setting_place *place, const char *path, const char *text, struct error *err);

#endif
