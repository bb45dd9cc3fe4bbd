// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"

/* Disks below one device; a volume on more than these is cut. */
#define DISKS_MAX 32
/* dm on md on dm on a partition is as deep as it gets. */
#define DEPTH_MAX 8

struct disks {
	dev_t dev[DISKS_MAX];
	size_t n;
};

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* A device number as sysfs has it in `dev`: "254:1". */
static int device_read(const struct root *root, const char *path, dev_t *ret_device)
{
	unsigned major_number, minor_number;
	char line[32];
	int r = root_read_line(root, path, line, sizeof(line));

	if (r < 0)
		return r;
	if (sscanf(line, "%u:%u", &major_number, &minor_number) != 2)
		return -EINVAL;
	*ret_device = makedev(major_number, minor_number);
	return 0;
}

static void disks_add(const struct root *root, dev_t device, unsigned depth, struct disks *disks);

/* Adds the disks below a device mapper or md device. Returns how many devices it stands on. */
static unsigned slaves_add(
	const struct root *root, const char *block, unsigned depth, struct disks *disks)
{
	char path[PATH_MAX];
	unsigned n = 0;
	struct dirent *entry;
	int fd;

	snprintf(path, sizeof(path), "%s/slaves", block);
	fd = root_openat(root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return 0;
	DIR *dir CLEANUP(close_dir) = fdopendir(fd);
	while (dir && (entry = readdir(dir))) {
		dev_t slave;

		snprintf(path, sizeof(path), "%s/slaves/%s/dev", block, entry->d_name);
		if (entry->d_name[0] == '.' || device_read(root, path, &slave) < 0)
			continue;
		disks_add(root, slave, depth + 1, disks);
		n++;
	}
	return n;
}

static void disks_add(const struct root *root, dev_t device, unsigned depth, struct disks *disks)
{
	char block[64], path[80];

	if (depth > DEPTH_MAX || disks->n == DISKS_MAX)
		return;
	snprintf(block, sizeof(block), "/sys/dev/block/%u:%u", major(device), minor(device));
	snprintf(path, sizeof(path), "%s/partition", block);
	if (root_exists(root, path)) {
		/* The entry is a link into the disk's own directory. */
		snprintf(path, sizeof(path), "%s/../dev", block);
		if (device_read(root, path, &device) == 0)
			snprintf(block, sizeof(block), "/sys/dev/block/%u:%u", major(device),
				minor(device));
	}
	if (slaves_add(root, block, depth, disks) == 0)
		disks->dev[disks->n++] = device;
}

bool disk_shared(const struct root *root, dev_t a, dev_t b)
{
	struct disks of_a = { 0 }, of_b = { 0 };

	disks_add(root, a, 0, &of_a);
	disks_add(root, b, 0, &of_b);
	for (size_t i = 0; i < of_a.n; i++) {
		for (size_t j = 0; j < of_b.n; j++) {
			if (of_a.dev[i] == of_b.dev[j])
				return true;
		}
	}
	return a == b;
}
