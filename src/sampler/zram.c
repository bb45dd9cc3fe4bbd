// SPDX-License-Identifier: GPL-2.0-or-later
/* /sys/block/zramN/mm_stat: what compressed RAM devices hold and take, all together. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/unit.h"
#include "sampler/disk.h"
#include "sampler/feed.h"
#include "sampler/list.h"
#include "sampler/number.h"
#include "sampler/registry.h"

/*
 * Documentation/admin-guide/blockdev/zram.rst; in this order since 4.1. huge_pages came with 4.19.
 * A limit says nothing here.
 */
enum {
	ORIGINAL,
	COMPRESSED,
	USED,
	LIMIT,
	USED_MOST,
	SAME,
	COMPACTED,
	HUGE,
	FIELDS
};

static const struct metric metrics[FIELDS] = {
	[ORIGINAL] = { "original", "bytes", METRIC_GAUGE },
	[COMPRESSED] = { "compressed", "bytes", METRIC_GAUGE },
	[USED] = { "used", "bytes", METRIC_GAUGE },
	[LIMIT] = { "limit", "bytes", METRIC_GAUGE },
	[USED_MOST] = { "used_most", "bytes", METRIC_GAUGE },
	[SAME] = { "same_pages", "pages", METRIC_GAUGE },
	[COMPACTED] = { "compacted_pages", "pages", METRIC_COUNTER },
	[HUGE] = { "huge_pages", "pages", METRIC_GAUGE },
};

struct zram_state {
	struct feed *feeds;
	size_t n;
	/* While devices are opened. */
	const struct root *root;
	int code;
};

/* A device without a size holds nothing, and gets none while a trial runs. */
static void add_device(void *data, const char *name)
{
	struct zram_state *state = data;
	struct feed feed = { 0 };
	char path[128], size[32];
	void *grown;

	if (strncmp(name, "zram", strlen("zram")) != 0 ||
		disk_read(state->root, name, "disksize", size, sizeof(size)) < 0 ||
		!strcmp(size, "0") ||
		snprintf(path, sizeof(path), "/sys/block/%s/mm_stat", name) >= (int)sizeof(path) ||
		feed_open(&feed, state->root, path, NULL) < 0) {
		feed_close(&feed);
		return;
	}
	grown = reallocarray(state->feeds, state->n + 1, sizeof(*state->feeds));
	if (!grown) {
		feed_close(&feed);
		state->code = -ENOMEM;
		return;
	}
	state->feeds = grown;
	state->feeds[state->n++] = feed;
}

static int zram_open(void *data, const struct sampler_target *target, struct error *err)
{
	struct zram_state *state = data;

	int r;

	state->root = target->root;
	r = names_visit(target->root, "/sys/block", add_device, state);
	if (r < 0)
		return error_errno(err, r, "/sys/block");
	return state->code < 0 ? error_errno(err, state->code, "zram devices") : 0;
}

static size_t zram_metrics(const void *data, const struct metric **ret_metrics)
{
	(void)data;
	*ret_metrics = metrics;
	return FIELDS;
}

/* Without a device all sums are 0, which is what is held. */
static int zram_read(void *data, int64_t *values)
{
	struct zram_state *state = data;

	memset(values, 0, FIELDS * sizeof(*values));
	for (size_t i = 0; i < state->n; i++) {
		const char *at = state->feeds[i].text;
		int64_t value;

		/* Gone, as when its owner reset it: it holds nothing. */
		if (feed_read(&state->feeds[i]) < 0)
			continue;
		for (size_t k = 0; k < FIELDS && number_parse(&at, &value); k++)
			values[k] += value;
	}
	return 0;
}

static void zram_close(void *data)
{
	struct zram_state *state = data;

	for (size_t i = 0; i < state->n; i++)
		feed_close(&state->feeds[i]);
	free(state->feeds);
}

const struct sampler sampler_zram = {
	.name = "zram",
	.summary = "what compressed RAM devices hold and take (/sys/block/zram*/mm_stat)",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.state_size = sizeof(struct zram_state),
	.interval_ns = NS_PER_S,
	.open = zram_open,
	.metrics = zram_metrics,
	.read = zram_read,
	.close = zram_close,
};
