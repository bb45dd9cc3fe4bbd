// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/disk.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mount.h"

/* Documentation/admin-guide/devices.txt */
#define MAJOR_FLOPPY 2
#define MAJOR_CDROM 11

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
