// SPDX-License-Identifier: GPL-2.0-or-later
/* A recorded machine: files in a temporary directory that stand for its /proc and /sys. */
#ifndef MACHINE_H
#define MACHINE_H

#include "test.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/root.h"

struct machine {
	char directory[64];
	struct root root;
};

static inline int machine_make(struct machine *machine)
{
	strcpy(machine->directory, "/tmp/contend-machine-XXXXXX");
	if (!mkdtemp(machine->directory) || chmod(machine->directory, 0755) < 0)
		return -1;
	return root_open(&machine->root, machine->directory, NULL);
}

static inline int machine_unlock(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type == FTW_D)
		(void)chmod(path, 0755);
	return 0;
}

static inline void machine_remove(struct machine *machine)
{
	root_close(&machine->root);
	nftw(machine->directory, machine_unlock, 16, FTW_PHYS);
	assert_int_equal(tree_remove(machine->directory, NULL), 0);
}

static inline void machine_directory(const struct machine *machine, const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", machine->directory, path);
	assert_int_equal(directory_make(full, NULL), 0);
}

/* A file, and the directories above it. */
static inline void machine_put(const struct machine *machine, const char *path, const char *text)
{
	char full[PATH_MAX], above[PATH_MAX];

	strcpy(above, path);
	*strrchr(above, '/') = '\0';
	machine_directory(machine, above);
	snprintf(full, sizeof(full), "%s%s", machine->directory, path);
	assert_int_equal(file_write(full, text, strlen(text), NULL), 0);
}

static inline void machine_mode(const struct machine *machine, const char *path, mode_t mode)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", machine->directory, path);
	assert_int_equal(chmod(full, mode), 0);
}

/* The first line of a file is this. */
static inline void machine_reads(const struct machine *machine, const char *path, const char *text)
{
	char line[4096];

	assert_int_equal(root_read_line(&machine->root, path, line, sizeof(line)), 0);
	assert_string_equal(line, text);
}

#endif
