// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/tree.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"

_Bool tree_is_whole(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int unpack_one(const char *deb, const char *into, struct error *err)
{
	char output[512];
	int status = program_run(
		(const char *[]) { "dpkg-deb", "-x", deb, into, NULL }, output, sizeof(output));

	if (status == -ENOENT)
		return error_set(err, -EOPNOTSUPP, "no dpkg here to unpack %s", deb);
	if (status < 0)
		return error_errno(err, status, "cannot run dpkg-deb");
	if (status > 0)
		return error_set(err, -EINVAL, "%s cannot be unpacked: %.*s", deb,
			(int)strcspn(output, "\n"), output);
	return 0;
}

static void free_glob(glob_t *found)
{
	globfree(found);
}

static int unpack_all(const char *from, const char *into, struct error *err)
{
	glob_t found CLEANUP(free_glob) = { 0 };
	char pattern[PATH_MAX];
	int r = 0;

	if (!tree_is_whole(from))
		return unpack_one(from, into, err);
	snprintf(pattern, sizeof(pattern), "%s/*.deb", from);
	if (glob(pattern, 0, NULL, &found) != 0)
		return error_set(err, -EIO, "nothing came into %s", from);
	for (size_t i = 0; r == 0 && i < found.gl_pathc; i++)
		r = unpack_one(found.gl_pathv[i], into, err);
	return r;
}

int tree_unpack(const char *from, const char *path, struct error *err)
{
	char part[PATH_MAX];
	int r;

	if (snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", path);
	r = tree_remove(part, err);
	r = r < 0 ? r : directory_make(part, err);
	r = r < 0 ? r : unpack_all(from, part, err);
	if (r == 0 && rename(part, path) < 0)
		r = error_errno(err, -errno, "%s", path);
	if (r < 0)
		tree_remove(part, NULL);
	return r;
}
