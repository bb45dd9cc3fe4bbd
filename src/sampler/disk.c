// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "sampler/mount.h"

/* Documentation/admin-guide/devices.txt */
#define MAJOR_FLOPPY 2
#define MAJOR_CDROM 11

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int names_visit(const struct root *root, const char *path,
	void (*visit)(void *data, const char *name), void *data)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_RDONLY | O_DIRECTORY);
	struct dirent **entries;
	int n;

	if (fd < 0)
		return fd;
	n = scandirat(fd, ".", &entries, visible, alphasort);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		visit(data, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

/* "cciss/c0d0" is "/sys/block/cciss!c0d0". */
static void disk_file(char path[PATH_MAX], const char *name, const char *file)
{
	static const char block[] = "/sys/block/";

	snprintf(path, PATH_MAX, "%s%s", block, name);
	for (char *c = path + strlen(block); *c; c++) {
		if (*c == '/')
			*c = '!';
	}
	snprintf(path + strlen(path), PATH_MAX - strlen(path), "/%s", file);
}

int disk_read(const struct root *root, const char *name, const char *file, char *buf, size_t size)
{
	char path[PATH_MAX];

	disk_file(path, name, file);
	return root_read_line(root, path, buf, size);
}

static bool disk_has(const struct root *root, const char *name, const char *file)
{
	char path[PATH_MAX];

	disk_file(path, name, file);
	return root_exists(root, path);
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

struct search {
	const char *name;
	bool found;
};

static int swap_compare(void *data, const struct swap_area *area)
{
	struct search *search = data;
	const char *name = strrchr(area->path, '/');

	search->found = name && !strcmp(area->type, "partition") && !strcmp(name + 1, search->name);
	return search->found;
}

static bool disk_swapped_to(const struct root *root, const char *name)
{
	struct search search = { name, false };

	swap_areas_visit(root, swap_compare, &search);
	return search.found;
}

bool disk_wanted(const struct root *root, const char *name, const char *scratch_disk)
{
	unsigned major = 0;
	char text[64];

	if (disk_read(root, name, "dev", text, sizeof(text)) < 0)
		return false;
	if (!strcmp(name, scratch_disk) || disk_swapped_to(root, name))
		return true;
	sscanf(text, "%u:", &major);
	if (major == MAJOR_FLOPPY || major == MAJOR_CDROM)
		return false;
	/* A card reader without a card, a zram device that nobody set up. */
	if (disk_read(root, name, "size", text, sizeof(text)) < 0 || !strcmp(text, "0"))
		return false;
	return disk_has(root, name, "device") || !strncmp(name, "zram", strlen("zram"));
}

static void name_count(void *data, const char *name)
{
	unsigned *n = data;

	(void)name;
	(*n)++;
}

bool disk_counts_twice(const struct root *root, const char *name)
{
	static const char *const others[] = { "loop", "zram", "ram" };
	char path[PATH_MAX];
	unsigned slaves = 0;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!strncmp(name, others[i], strlen(others[i])))
			return true;
	}
	disk_file(path, name, "slaves");
	names_visit(root, path, name_count, &slaves);
	return slaves > 0;
}
