// SPDX-License-Identifier: GPL-2.0-or-later
/* A fixture machine: a directory with /proc and /sys files that a test writes. */
#ifndef MACHINE_H
#define MACHINE_H

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/root.h"
#include "test.h"

struct machine {
	char directory[64];
	struct root root;
};

static inline void machine_directory(const struct machine *machine, const char *path)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s%s", machine->directory, path);
	assert_int_equal(directory_make(whole, NULL), 0);
}

static inline void machine_mode(const struct machine *machine, const char *path, mode_t mode)
{
	assert_int_equal(fchmodat(machine->root.fd, path + 1, mode, 0), 0);
}

static inline void machine_write(const struct machine *machine, const char *path, const char *text)
{
	char whole[PATH_MAX], *slash;

	snprintf(whole, sizeof(whole), "%s%s", machine->directory, path);
	slash = strrchr(whole, '/');
	*slash = '\0';
	assert_int_equal(directory_make(whole, NULL), 0);
	*slash = '/';
	assert_int_equal(file_write(whole, text, strlen(text), NULL), 0);
}

static inline void machine_expect(const struct machine *machine, const char *path, const char *text)
{
	char found[4096];

	assert_true(root_read(&machine->root, path, found, sizeof(found)) >= 0);
	assert_string_equal(found, text);
}

static inline void machine_expect_line(
	const struct machine *machine, const char *path, const char *text)
{
	char found[4096];

	assert_int_equal(root_read_line(&machine->root, path, found, sizeof(found)), 0);
	assert_string_equal(found, text);
}

static inline void machine_start(struct machine *machine)
{
	strcpy(machine->directory, "/tmp/contend-test-XXXXXX");
	assert_non_null(mkdtemp(machine->directory));
	/* A test may look at it as another user. */
	assert_int_equal(chmod(machine->directory, 0755), 0);
	assert_int_equal(root_open(&machine->root, machine->directory, NULL), 0);
}

static inline int machine_unlock(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return type == FTW_D ? chmod(path, st->st_mode | S_IRWXU) : 0;
}

static inline void machine_stop(struct machine *machine)
{
	root_close(&machine->root);
	nftw(machine->directory, machine_unlock, 16, FTW_PHYS);
	assert_int_equal(tree_remove(machine->directory, NULL), 0);
}

#endif
