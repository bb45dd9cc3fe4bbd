// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load `io` on another disk than the lead's, as contest's io_other: what is left of its
 * effect is memory and CPU, not the disk's queue. contest trusted the name of the directory;
 * here a directory on the same disk is refused.
 */
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "workload/disk.h"
#include "workload/registry.h"
#include "workload/writer.h"

static const struct option_row options[] = {
	{
		OPTION("dir", OPTION_TEXT, struct writer_params, dir),
		.help = "directory on another disk than the scratch directory's",
	},
	WRITER_ROWS,
};

/* The device of the directory, or of the nearest one above it that is there. */
static int device_of(const char *path, dev_t *ret_device, struct error *err)
{
	char above[PATH_MAX];
	struct stat st;

	snprintf(above, sizeof(above), "%s", path);
	while (stat(above, &st) < 0) {
		char *slash = strrchr(above, '/');

		if (errno != ENOENT || !slash || slash == above)
			return error_errno(err, -errno, "%s", path);
		*slash = '\0';
	}
	*ret_device = st.st_dev;
	return 0;
}

static int other_disk(const char *dir, const char *scratch, struct error *err)
{
	struct root root CLEANUP(root_close) = { -1 };
	struct statfs fs;
	dev_t here, there;
	int r;

	if (statfs(dir, &fs) < 0)
		return error_errno(err, -errno, "dir=%s", dir);
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC)
		return error_set(err, -EOPNOTSUPP, "dir=%s is in memory, not on a disk", dir);
	r = device_of(dir, &there, err);
	if (r < 0)
		return r;
	r = device_of(scratch, &here, err);
	if (r < 0)
		return r;
	r = root_open(&root, "/", err);
	if (r < 0)
		return r;
	if (disk_shared(&root, here, there))
		return error_set(
			err, -EOPNOTSUPP, "dir=%s is on the same disk as %s", dir, scratch);
	return 0;
}

static int io_other_probe(const struct place *place, const void *data, struct error *err)
{
	const struct writer_params *params = data;
	int r;

	if (!params->dir[0])
		return error_set(err, -EOPNOTSUPP,
			"it needs another disk: dir=DIR, a directory that is on one");
	r = other_disk(params->dir, place->scratch, err);
	return r < 0 ? r : writer_probe(place, params, err);
}

const struct workload workload_io_other = {
	.name = "io-other",
	.summary = "writes a file of RAM size on another disk, again and again",
	.unit = "bytes",
	.table_unit = "100 MB",
	.table_divisor = 100000000,
	.revision = 1,
	.roles = WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct writer_params),
	.state_size = sizeof(struct writer_state),
	.probe = io_other_probe,
	.setup = writer_setup,
	.step = writer_step,
	.teardown = writer_teardown,
};
