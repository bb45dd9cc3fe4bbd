// SPDX-License-Identifier: GPL-2.0-or-later
/* The run's own directory. */
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "box/inside.h"

static int make_below(const struct box *box, const char *name, char *path, struct error *err)
{
	if (snprintf(path, PATH_MAX, "%s/%s", box->scratch, name) >= PATH_MAX)
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", box->scratch);
	if (mkdir(path, 0700) < 0)
		return error_errno(err, -errno, "cannot make directory %s", path);
	return 0;
}

/*
 * Makes the directory at path. -EEXIST: somebody else has it, and the journal must not remove it.
 */
static int make_one(struct box *box, const char *path, struct error *err)
{
	size_t mark = box->journal ? journal_mark(box->journal) : 0;
	struct stat st;
	int r = 0;

	if (lstat(path, &st) == 0)
		return -EEXIST;
	if (box->journal)
		r = journal_note(box->journal, UNDO_REMOVE, path, NULL, err);
	if (r < 0)
		return r;
	if (mkdir(path, 0700) == 0)
		return 0;
	r = error_errno(err, -errno, "cannot make directory %s", path);
	if (box->journal)
		journal_forget(box->journal, mark);
	return r;
}

static void note_memory_backed(struct box *box)
{
	struct statfs fs;

	if (statfs(box->scratch, &fs) == 0 &&
		(fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC))
		box_note(box,
			"scratch: %s is in RAM (tmpfs): files cost memory and no disk is measured "
			"(--scratch DIR chooses another place)",
			box->scratch);
}

int box_make_scratch(struct box *box, const char *base, struct error *err)
{
	char *real CLEANUP(free_text) = NULL;
	char path[PATH_MAX];
	int r = directory_make(base, err);

	if (r < 0)
		return r;
	/* As the kernel spells it: /proc/swaps is searched for the swap file in it. */
	real = realpath(base, NULL);
	if (!real)
		return error_errno(err, -errno, "%s", base);
	r = -EEXIST;
	for (unsigned i = 1; r == -EEXIST && i < 100; i++) {
		int n = i == 1 ? snprintf(path, PATH_MAX, "%s/contend-%d", real, getpid())
			       : snprintf(path, PATH_MAX, "%s/contend-%d-%u", real, getpid(), i);

		if (n < 0 || n >= PATH_MAX)
			return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", real);
		r = make_one(box, path, err);
	}
	if (r == -EEXIST)
		return error_set(err, r, "%s and 98 more are there already", path);
	if (r < 0)
		return r;
	strcpy(box->scratch, path);
	note_memory_backed(box);
	r = make_below(box, "trials", box->trials, err);
	return r < 0 ? r : make_below(box, "shelf", box->shelf, err);
}
