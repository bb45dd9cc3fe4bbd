// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/diskstats: what each whole disk did. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "sampler/disk.h"
#include "sampler/listing.h"
#include "sampler/registry.h"

/* Of a sector as the block layer counts them, whatever the disk's own are. */
#define SECTOR 512

/*
 * Documentation/admin-guide/iostats.rst. The kernel keeps times in ms. Discards came with 4.18,
 * flushes with 5.5.
 */
static const struct listing_field fields[] = {
	{ ".reads", "events", METRIC_COUNTER, 1 },
	{ ".reads_merged", "events", METRIC_COUNTER, 1 },
	{ ".read_bytes", "bytes", METRIC_COUNTER, SECTOR },
	{ ".read_ns", "ns", METRIC_COUNTER, NS_PER_MS },
	{ ".writes", "events", METRIC_COUNTER, 1 },
	{ ".writes_merged", "events", METRIC_COUNTER, 1 },
	{ ".write_bytes", "bytes", METRIC_COUNTER, SECTOR },
	{ ".write_ns", "ns", METRIC_COUNTER, NS_PER_MS },
	{ ".in_flight", "requests", METRIC_GAUGE, 1 },
	{ ".busy_ns", "ns", METRIC_COUNTER, NS_PER_MS },
	{ ".queue_ns", "ns", METRIC_COUNTER, NS_PER_MS },
	{ ".discards", "events", METRIC_COUNTER, 1 },
	{ ".discards_merged", "events", METRIC_COUNTER, 1 },
	{ ".discard_bytes", "bytes", METRIC_COUNTER, SECTOR },
	{ ".discard_ns", "ns", METRIC_COUNTER, NS_PER_MS },
	{ ".flushes", "events", METRIC_COUNTER, 1 },
	{ ".flush_ns", "ns", METRIC_COUNTER, NS_PER_MS },
};

struct choice {
	const struct root *root;
	char scratch_disk[DISK_NAME_SIZE];
};

static const struct listing_field *disk_describe(
	const void *data, const char *name, const char *rest, size_t *ret_n)
{
	const struct choice *choice = data;

	(void)rest;
	*ret_n = ARRAY_SIZE(fields);
	return disk_wanted(choice->root, name, choice->scratch_disk) ? fields : NULL;
}

static int diskstats_open(void *state, const struct sampler_target *target, struct error *err)
{
	struct choice choice = { .root = target->root };
	const struct listing_layout layout = {
		.column = 2,
		.describe = disk_describe,
		.data = &choice,
	};

	/* Without a disk beneath scratch the others still say something. */
	if (target->scratch)
		(void)disk_of_path(target->root, target->scratch, choice.scratch_disk);
	return listing_state_open(state, target->root, "/proc/diskstats", &layout, err);
}

const struct sampler sampler_diskstats = {
	.name = "diskstats",
	.summary = "requests, bytes and times of whole disks and zram (/proc/diskstats)",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.state_size = sizeof(struct listing_state),
	.interval_ns = NS_PER_S,
	.open = diskstats_open,
	.metrics = listing_state_metrics,
	.read = listing_state_read,
	.close = listing_state_close,
};
