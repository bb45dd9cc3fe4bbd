// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of the disk beneath scratch. */
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/disk.h"
#include "base/mount.h"
#include "setting/check.h"
#include "setting/file.h"
#include "setting/registry.h"
#include "setting/several.h"

static int find_disk(
	const struct setting_place *place, char disk[DISK_NAME_SIZE], struct error *err)
{
	if (disk_of_path(place->root, place->scratch, disk) == 0)
		return 0;
	return error_set(err, -EOPNOTSUPP, "%s is on no disk: --scratch DIR chooses another place",
		place->scratch);
}

static void visit_scheduler(void *data, const char *disk)
{
	char path[PATH_MAX];

	disk_file(path, disk, "queue/scheduler");
	several_visit(data, path);
}

/* Requests are scheduled where they reach a disk, not in what is made of disks (dm, md). */
static int visit_schedulers(
	const struct setting_place *place, struct several *several, struct error *err)
{
	char disk[DISK_NAME_SIZE];
	int r = find_disk(place, disk, err);

	if (r == 0)
		disks_visit(place->root, disk, visit_scheduler, several);
	return r < 0 ? r : several->r;
}

static int read_scheduler(
	const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	struct several several = { .root = place->root, .buf = buf, .size = size, .err = err };

	*buf = '\0';
	return visit_schedulers(place, &several, err);
}

/*
 * A scheduler begins with defaults of its own, also for the queue: blk_mq_init_sched() and
 * wbt_init_enable_default() in block/.
 */
static int note_along(
	const struct setting_place *place, const char *path, const char *old, struct error *err)
{
	static const char *const files[] = { "nr_requests", "wbt_lat_usec" };
	int length = (int)(strrchr(path, '/') - path), r;
	char other[PATH_MAX];

	(void)old;
	snprintf(other, sizeof(other), "%.*s/iosched", length, path);
	r = setting_directory_note(place, other, err);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(files); i++) {
		snprintf(other, sizeof(other), "%.*s/%s", length, path, files[i]);
		r = setting_file_note(place, other, err);
	}
	return r;
}

static int apply_scheduler(struct setting_place *place, const char *value, struct error *err)
{
	struct several several = {
		.place = place,
		.root = place->root,
		.along = note_along,
		.value = value,
		.err = err,
	};

	return visit_schedulers(place, &several, err);
}

static const struct setting_word schedulers[] = {
	{ "none" },
	{ "mq-deadline" },
	{ "kyber" },
	{ "bfq" },
	{ "noop" },
	{ "deadline" },
	{ "cfq" },
	{ NULL },
};

const struct setting setting_iosched = {
	.name = "iosched",
	.summary = "I/O scheduler of the disks beneath scratch (noop, deadline, cfq: before 5.0)",
	.scope = SETTING_DISK,
	.words = schedulers,
	.open = true,
	.read = read_scheduler,
	.apply = apply_scheduler,
};

/* The device on which the filesystem stands is the one whose readahead counts. */
static int find_readahead(const struct setting_place *place, char path[PATH_MAX], struct error *err)
{
	char *real CLEANUP(free_text) = realpath(place->scratch, NULL);
	char disk[DISK_NAME_SIZE];
	struct mount mount;
	int r = find_disk(place, disk, err);

	if (r < 0)
		return r;
	/* btrfs has a bdi of its own, set up when it is mounted (fs/btrfs/disk-io.c). */
	if (mount_find(place->root, real ? real : place->scratch, &mount) == 0 && !mount.major)
		return error_set(err, -EOPNOTSUPP,
			"the %s at %s does not take its readahead from the disk", mount.type,
			place->scratch);
	disk_file(path, disk, "queue/read_ahead_kb");
	return 0;
}

static int read_readahead(
	const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	char path[PATH_MAX];
	int r = find_readahead(place, path, err);

	return r < 0 ? r : setting_file_read(place->root, path, buf, size, err);
}

static int apply_readahead(struct setting_place *place, const char *value, struct error *err)
{
	char path[PATH_MAX];
	int r = find_readahead(place, path, err);

	return r < 0 ? r : setting_file_apply(place, path, value, err);
}

static int check_readahead(const char *value, struct error *err)
{
	return check_number(value, 0, UINT32_MAX, err);
}

const struct setting setting_readahead = {
	.name = "readahead",
	.summary = "most that is read ahead from the disk beneath scratch",
	.values = "KiB",
	.scope = SETTING_DISK,
	.check = check_readahead,
	.read = read_readahead,
	.apply = apply_readahead,
};
