// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/disk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mount.h"

void disk_file(char path[PATH_MAX], const char *name, const char *file)
{
	static const char block[] = "/sys/block/";

	snprintf(path, PATH_MAX, "%s%s", block, name);
	for (char *c = path + strlen(block); *c; c++) {
		if (*c == '/')
			*c = '!';
	}
	snprintf(path + strlen(path), PATH_MAX - strlen(path), "/%s", file);
}

/* Directory in /sys of the device that the mount stands on. */
static int mount_device(const struct root *root, const struct mount *mount, char path[PATH_MAX])
{
	const char *name = strrchr(mount->source, '/');
	char link[PATH_MAX];
	ssize_t n;

	if (mount->major) {
		snprintf(path, PATH_MAX, "/sys/dev/block/%u:%u", mount->major, mount->minor);
		return 0;
	}
	/* btrfs has a number of its own, but names a device. */
	if (strncmp(mount->source, "/dev/", strlen("/dev/")) != 0)
		return -ENOENT;
	/* "/dev/mapper/root" -> "../dm-0" */
	n = readlinkat(root->fd, mount->source + 1, link, sizeof(link) - 1);
	if (n > 0) {
		link[n] = '\0';
		name = strrchr(link, '/') ? strrchr(link, '/') : link - 1;
	}
	snprintf(path, PATH_MAX, "/sys/class/block/%.*s", NAME_MAX, name + 1);
	return 0;
}

/* Takes the name of the device in a directory of /sys from its uevent. */
static int device_name(
	const struct root *root, const char *directory, const char *up, char name[DISK_NAME_SIZE])
{
	static const char key[] = "DEVNAME=";
	char path[PATH_MAX], text[4096];
	const char *found;
	ssize_t n;

	snprintf(path, sizeof(path), "%.4000s%suevent", directory, up);
	n = root_read(root, path, text, sizeof(text));
	found = n < 0 ? NULL : strstr(text, key);
	if (!found)
		return -ENOENT;
	snprintf(name, DISK_NAME_SIZE, "%.*s", (int)strcspn(found + strlen(key), "\n"),
		found + strlen(key));
	return 0;
}

int disk_of_path(const struct root *root, const char *path, char name[DISK_NAME_SIZE])
{
	char *real CLEANUP(free_text) = realpath(path, NULL);
	char directory[PATH_MAX], partition[PATH_MAX];
	struct mount mount;
	int r = mount_find(root, real ? real : path, &mount);

	if (r == 0)
		r = mount_device(root, &mount, directory);
	if (r < 0)
		return r;
	snprintf(partition, sizeof(partition), "%.4000s/partition", directory);
	/* The directory is a link into the disk's own: ".." is the whole disk. */
	return device_name(root, directory, root_exists(root, partition) ? "/../" : "/", name);
}

struct descent {
	const struct root *root;
	void (*visit)(void *data, const char *disk);
	void *data;
	unsigned depth, slaves;
	char path[PATH_MAX]; /* directory of the links to what is below the device */
};

static void descend(const struct descent *above, const char *name);

/* The device that a link leads to, which may be a partition: "sda2". */
static void slave_visit(void *data, const char *name)
{
	struct descent *descent = data;
	char directory[PATH_MAX], partition[PATH_MAX], disk[DISK_NAME_SIZE];

	descent->slaves++;
	snprintf(directory, sizeof(directory), "%.3000s/%.255s", descent->path, name);
	snprintf(partition, sizeof(partition), "%.4000s/partition", directory);
	if (device_name(descent->root, directory,
		    root_exists(descent->root, partition) ? "/../" : "/", disk) == 0)
		descend(descent, disk);
}

/* Devices do not stand on each other in a circle, but a recorded machine may. */
#define DEEPEST 16

static void descend(const struct descent *above, const char *name)
{
	struct descent descent = *above;

	descent.slaves = 0;
	disk_file(descent.path, name, "slaves");
	if (descent.depth++ < DEEPEST)
		names_visit(descent.root, descent.path, slave_visit, &descent);
	if (!descent.slaves)
		descent.visit(descent.data, name);
}

void disks_visit(const struct root *root, const char *name,
	void (*visit)(void *data, const char *disk), void *data)
{
	struct descent descent = { .root = root, .visit = visit, .data = data };

	descend(&descent, name);
}
