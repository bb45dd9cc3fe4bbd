// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of one group, for this room. A group is its directory, below the root. */
#ifndef CGROUP_FILE_H
#define CGROUP_FILE_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"

/* Where a process without root that shares its group must sit while it has groups below it. */
#define SUPERVISOR_LEAF "contend-supervisor"

/* v1 says "no limit" with LONG_MAX rounded down to a page: nothing near it is a limit. */
#define UNLIMITED_BYTES (1ULL << 62)

static inline void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

/* DIR/NAME. -ENAMETOOLONG. Async-signal-safe. */
int group_path(char path[PATH_MAX], const char *dir, const char *name);

/* Cuts the last part off. "" when nothing is left. */
void group_parent(char path[PATH_MAX]);

/* The path as openat(2) and the like want it beside the root's descriptor. */
const char *group_relative(const char *path);

/* One write(2) to a file of the group; 0 or -errno. Async-signal-safe. */
int group_write(const struct root *root, const char *dir, const char *file, const char *text);

/* As root_read(). */
ssize_t group_read(
	const struct root *root, const char *dir, const char *file, char *buf, size_t size);

/* A file that holds one number; "max", -1 and v1's huge values are UINT64_MAX. 0 or -errno. */
int group_number(const struct root *root, const char *dir, const char *file, uint64_t *ret_number);

bool group_file_exists(const struct root *root, const char *dir, const char *file);

/* Is the word in the file's list of words? */
bool group_lists(const struct root *root, const char *dir, const char *file, const char *word);

/* How many processes are directly in the group, as far as it matters. */
enum group_holds {
	GROUP_EMPTY,
	GROUP_SELF, /* this process and no other */
	GROUP_OTHERS, /* or it could not be read */
};

enum group_holds group_holds(const struct root *root, const char *dir);

/* Is the word in a list with commas, blanks or newlines between? */
bool words_have(const char *list, const char *word);

/* The number behind "key " at the start of a line; UINT64_MAX when there is no such line. */
uint64_t text_value(const char *text, const char *key);

#endif
