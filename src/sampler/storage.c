// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mount.h"
#include "sampler/disk.h"
#include "sampler/facts.h"

#define KEY_SIZE 128

struct swap_facts {
	const struct facts *facts;
	unsigned n, n_zram; /* numbered apart: one that a variant adds moves no other */
};

/* The path is not the key: a swap file of contend's own has another one in each run. */
static int put_swap(void *data, const struct swap_area *area)
{
	struct swap_facts *swap = data;
	bool zram = !strncmp(area->path, "/dev/zram", strlen("/dev/zram"));
	const char *of = zram ? "zram." : "";
	char key[KEY_SIZE];
	unsigned i = zram ? swap->n_zram++ : swap->n++;

	snprintf(key, sizeof(key), "swap.%s%u.kind", of, i);
	fact_put(swap->facts, key, "%s", zram ? "zram" : area->type);
	snprintf(key, sizeof(key), "swap.%s%u.path", of, i);
	fact_put(swap->facts, key, "%s", area->path);
	snprintf(key, sizeof(key), "swap.%s%u.bytes", of, i);
	fact_put(swap->facts, key, "%" PRIi64, area->bytes);
	snprintf(key, sizeof(key), "swap.%s%u.used_bytes", of, i);
	fact_put(swap->facts, key, "%" PRIi64, area->used_bytes);
	snprintf(key, sizeof(key), "swap.%s%u.priority", of, i);
	fact_put(swap->facts, key, "%d", area->priority);
	return 0;
}

struct disk_facts {
	const struct facts *facts;
	const char *scratch_disk;
};

static void put_zram(const struct facts *facts, const char *name)
{
	const char *number = name + strlen("zram");
	char key[KEY_SIZE], path[PATH_MAX];

	snprintf(key, sizeof(key), "zram.%s.algorithm", number);
	snprintf(path, sizeof(path), "/sys/block/%s/comp_algorithm", name);
	fact_choice(facts, key, path);
	snprintf(key, sizeof(key), "zram.%s.disksize", number);
	snprintf(path, sizeof(path), "/sys/block/%s/disksize", name);
	fact_file(facts, key, path);
}

static void put_disk(void *data, const char *name)
{
	/* Named like the settings, where there is one. */
	static const char *const queue[][2] = {
		{ "nr_requests", "nr_requests" },
		{ "readahead", "read_ahead_kb" },
		{ "rotational", "rotational" },
		{ "wbt_lat_usec", "wbt_lat_usec" },
	};
	const struct disk_facts *disks = data;
	char key[KEY_SIZE], path[PATH_MAX];

	if (!disk_wanted(disks->facts->root, name, disks->scratch_disk))
		return;
	if (!strncmp(name, "zram", strlen("zram"))) {
		put_zram(disks->facts, name);
		return;
	}
	snprintf(key, sizeof(key), "disk.%s.model", name);
	snprintf(path, sizeof(path), "/sys/block/%s/device/model", name);
	fact_file(disks->facts, key, path);
	snprintf(key, sizeof(key), "disk.%s.iosched", name);
	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", name);
	fact_choice(disks->facts, key, path);
	for (size_t i = 0; i < ARRAY_SIZE(queue); i++) {
		snprintf(key, sizeof(key), "disk.%s.%s", name, queue[i][0]);
		snprintf(path, sizeof(path), "/sys/block/%s/queue/%s", name, queue[i][1]);
		fact_file(disks->facts, key, path);
	}
}

static void put_scratch(const struct facts *facts, const char *scratch, const char *disk)
{
	char *real CLEANUP(free_text) = realpath(scratch, NULL);
	struct mount mount;

	if (mount_find(facts->root, real ? real : scratch, &mount) < 0)
		return;
	fact_put(facts, "scratch.filesystem", "%s", mount.type);
	fact_put(facts, "scratch.options", "%s", mount.options);
	fact_put(facts, "scratch.source", "%s", mount.source);
	fact_put(facts, "scratch.disk", "%s", disk);
}

void facts_storage(const struct facts *facts, const char *scratch)
{
	struct swap_facts swap = { .facts = facts };
	char disk[DISK_NAME_SIZE] = "";
	struct disk_facts disks = { facts, disk };

	/* Not on a disk: "" is the name of none. */
	if (scratch)
		(void)disk_of_path(facts->root, scratch, disk);
	swap_areas_visit(facts->root, put_swap, &swap);
	names_visit(facts->root, "/sys/block", put_disk, &disks);
	if (scratch)
		put_scratch(facts, scratch, disk);
}
